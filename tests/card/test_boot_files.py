import configparser
import re
from pathlib import Path

import pytest
from bootcard import CONFIG, boot, make_card, tree

from appliance.bootfiles.inventory import file_rows
from appliance.bootfiles.partition import read_card
from appliance.bootfiles.table import DATA, table
from appliance.bootfiles.templates import render
from appliance.errors import UserError

ROOT = Path(__file__).parents[2]
MODELS = table().models


def rows(root, *models):
    return file_rows(read_card(root), [MODELS[model] for model in models or MODELS])


def by_status(found, status):
    return [row.file for row in found if row.status == status]


@pytest.fixture
def card(tmp_path):
    return make_card(tmp_path / "card")


def test_the_table_is_the_folder_boot_of_the_repository_and_says_why_and_whence():
    assert Path(str(DATA)).resolve() == ROOT / "boot"
    known = table()
    assert list(known.models) == ["zero2", "3", "4", "5"]
    for need in known.needs:
        assert set(need.models) <= set(known.models)
        assert known.sources[need.source].startswith("https://")
        assert need.why
    assert {uses.what for uses in known.uses if not (uses.overlay or uses.parameter or uses.option)} == set()
    assert known.known[-1].files == ("*",)  # every file has a reason
    cited = (ROOT / "boot/files.toml").read_text().split("# ---- The models")[1]
    assert [name for name in known.sources if not re.search(rf'[("]{name}[)",]|, {name}', cited)] == []


NEW = "start4.elf fixup4.dat config.txt cmdline.txt"
NEWEST = "config.txt cmdline.txt kernel_2712.img"
OLD = "bootcode.bin start.elf fixup.dat config.txt cmdline.txt kernel8.img"


@pytest.mark.parametrize(
    ("model", "needed"),
    [
        ("zero2", f"{OLD} bcm2710-rpi-zero-2-w.dtb"),
        ("3", f"{OLD} bcm2710-rpi-3-b.dtb bcm2710-rpi-3-b-plus.dtb"),
        ("4", f"{NEW} kernel8.img bcm2711-rpi-4-b.dtb bcm2711-rpi-400.dtb"),
        ("5", f"{NEWEST} bcm2712-rpi-5-b.dtb bcm2712-rpi-500.dtb overlays/bcm2712d0.dtbo"),
    ],
)
def test_what_each_model_needs_is_enough_for_it_and_nothing_else_is(card, model, needed):
    found = rows(card, model)
    assert by_status(found, "present") == needed.split()
    assert by_status(found, "missing") == []
    for name in needed.split():
        (card / name).rename(card / "away")
        found = rows(card, model)
        (card / "away").rename(card / name)
        instead = {
            "kernel_2712.img": "kernel8.img",
            "bcm2711-rpi-400.dtb": "bcm2711-rpi-4-b.dtb",
            "bcm2712-rpi-500.dtb": "bcm2712-rpi-5-b.dtb",
        }
        if name in instead:
            assert instead[name] in by_status(found, "present")
        else:
            assert name in by_status(found, "missing")


def test_every_file_has_a_row_and_every_row_a_reason(card):
    found = rows(card)
    assert sorted({row.file for row in found}) == sorted(
        str(path.relative_to(card)) for path in card.rglob("*") if path.is_file()
    )
    assert all(row.why for row in found)
    whys = {row.file: row.why for row in found if row.status == "unneeded"}
    assert whys["start_x.elf"].startswith("firmware of another board, or a variant")
    assert whys["bcm2712-rpi-cm5-cm5io.dtb"] == "the device tree of another board"
    assert whys["overlays/w1-gpio.dtbo"] == "an overlay is loaded only when config.txt names it"
    assert whys["user-data"].startswith("for cloud-init")
    assert {row.file: row.why for row in rows(card, "5")}["bootcode.bin"].startswith(
        "read by boards up to the 3"
    )


@pytest.mark.parametrize(
    ("line", "model", "present", "missing"),
    [
        ("start_x=1", "3", ["start_x.elf"], ["fixup_x.dat"]),
        ("start_debug=1", "4", [], ["start4db.elf", "fixup4db.dat"]),
        ("gpu_mem=16", "3", [], ["start_cd.elf", "fixup_cd.dat"]),
        ("gpu_mem=64", "3", ["start.elf"], []),
        ("start_file=mine.elf", "3", ["fixup.dat"], ["mine.elf"]),
        ("arm_64bit=0", "3", [], ["kernel7.img"]),
        ("arm_64bit=0", "4", [], ["kernel7l.img"]),
        ("arm_64bit=0", "5", ["kernel_2712.img"], []),
        ("kernel=mine.img", "5", [], ["mine.img"]),
        ("kernel=/kernel8.img", "5", ["kernel8.img"], []),
        ("cmdline=mine.txt", "5", [], ["mine.txt"]),
        ("initramfs initramfs8,more followkernel", "5", ["initramfs8"], ["more"]),
        ("auto_initramfs=1", "5", [], []),
        ("dtoverlay=gpio-shutdown", "3", ["overlays/gpio-shutdown.dtbo"], []),
        ("dtoverlay=gpio-fan", "3", [], ["overlays/gpio-fan.dtbo"]),
        ("dtoverlay=vc4-kms-v3d", "3", [], []),  # the box needs no picture on HDMI
        ("[pi4]\nkernel=mine.img", "3", ["kernel8.img"], []),
        ("os_prefix=old/", "3", ["kernel8.img"], []),  # no kernel there, so the firmware ignores it
        ("os_prefix=initial-", "3", ["kernel8.img"], []),
    ],
)
def test_config_txt_decides_which_files_are_read(card, line, model, present, missing):
    (card / "config.txt").write_bytes(CONFIG + line.encode() + b"\n")
    found = rows(card, model)
    assert set(present) <= set(by_status(found, "present"))
    assert by_status(found, "missing") == missing


def test_a_prefix_moves_the_systems_files_and_not_the_firmware(card):
    for name in ("kernel8.img", "bcm2711-rpi-4-b.dtb", "bcm2711-rpi-400.dtb"):
        (card / name).rename(card / f"new-{name}")
    (card / "config.txt").write_bytes(CONFIG + b"os_prefix=new-\n")
    found = rows(card, "4")
    assert by_status(found, "missing") == ["new-cmdline.txt"]
    assert "new-kernel8.img" in by_status(found, "present")
    assert "start4.elf" in by_status(found, "present")


def test_names_on_fat_are_the_same_in_any_case(card):
    (card / "bootcode.bin").rename(card / "BOOTCODE.BIN")
    assert by_status(rows(card, "3"), "missing") == []
    (card / "config.txt").rename(card / "CONFIG.TXT")
    assert read_card(card).text("config.txt") == CONFIG.decode()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda d: [path.unlink() for path in d.rglob("*") if path.is_file()], "not a boot partition"),
        (lambda d: d.rename(d.with_name("x")), "there is no such directory"),
        (lambda d: (d.rename(d.with_name("x")), d.write_text("")), "not a directory"),
    ],
)
def test_a_directory_that_is_no_card_is_refused(card, change, sentence):
    change(card)
    with pytest.raises(UserError, match=re.escape(sentence)):
        read_card(card)


def test_the_files_that_bookworm_leaves_in_boot_are_not_the_card(card):
    moved = "DO NOT EDIT THIS FILE\n\nThe file you are looking for has moved to /boot/firmware/config.txt\n"
    (card / "config.txt").write_text(moved)
    with pytest.raises(UserError, match="is mounted at /boot/firmware; give that"):
        read_card(card)


def test_the_programs_own_folder_is_not_the_card(capsys):
    told = "not a boot partition, but where this program keeps what it puts on a card"
    before = tree(ROOT / "boot")
    for action in ("prepare", "check"):
        status, lines = boot(capsys, action, ROOT / "boot")
        assert (status, told in lines[0]) == (2, True)
    assert tree(ROOT / "boot") == before


def test_a_file_that_cannot_be_read_is_named(card):
    found = read_card(card)
    (card / "config.txt").unlink()
    with pytest.raises(UserError, match=r"config\.txt: cannot be read: No such file"):
        found.read("config.txt")


def test_a_card_needs_no_firmware_to_be_one_and_no_config(card):
    for path in [*card.iterdir()]:
        if path.is_file() and path.name not in ("config.txt", "cmdline.txt"):
            path.unlink()
    assert read_card(card).text("cmdline.txt")
    (card / "config.txt").unlink()
    (card / "kernel8.img").touch()
    assert read_card(card).read("config.txt") is None
    assert read_card(card).text("config.txt") is None


def test_utf_16_is_no_text(card):
    (card / "config.txt").write_bytes("a=1".encode("utf-16"))
    with pytest.raises(UserError, match="holds bytes that are no text; save it as UTF-8"):
        read_card(card).text("config.txt")


def test_a_template_drops_what_has_no_value():
    lines = "\n".join(render("config.txt", {"shutdown_pin": 21, "led_pin": None}))
    assert "dtoverlay=gpio-shutdown,gpio_pin=21" in lines
    assert "GPIO 21 to ground" in lines
    assert not re.search("[{}]|poweroff|gpio-led|LED", lines)
    assert "\n\n\n" not in lines
    assert all(len(line) <= 98 for line in lines.splitlines())  # the firmware reads no further
    full = render("config.txt", {"shutdown_pin": 1, "poweroff_pin": 2, "led_pin": 3, "braces": "x"})
    assert len([line for line in full if line.startswith("dtoverlay=gpio-")]) == 3


def test_a_comment_that_ends_a_template_is_kept(tmp_path, monkeypatch):
    (tmp_path / "x").write_text("a={a}\n# {b}\n\n# c")
    monkeypatch.setattr("appliance.bootfiles.templates.DATA", tmp_path)
    assert render("x", {"a": 1}) == ["a=1", "", "# c"]
    assert render("x", {"b": 1}) == ["# 1", "", "# c"]


def test_the_watchdog_is_one_that_a_board_can_keep():
    unit = configparser.ConfigParser()
    unit.read(ROOT / "systemd/tictactoe-watchdog.conf")
    assert int(unit["Manager"]["RuntimeWatchdogSec"].removesuffix("s")) <= 15
    assert "dtparam=watchdog=on" in render("config.txt", {})
