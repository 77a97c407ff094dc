import configparser
import json
import os
import re
from pathlib import Path

import pytest
from bootcard import CONFIG, make_card, tree

from appliance.card.files import file_rows
from appliance.card.partition import read_card
from appliance.card.table import DATA, render, table
from appliance.core.errors import UserError

ROOT = Path(__file__).parents[2]
MODELS = table().models


def rows(root, *models):
    return file_rows(read_card(root), [MODELS[model] for model in models or MODELS])


def by_status(found, status):
    return [row.file for row in found if row.status == status]


def test_the_table_is_the_folder_boot_of_the_repository_with_reasons_and_sources():
    assert Path(str(DATA)).resolve() == ROOT / "boot"
    known = table()
    assert list(known.models) == ["zero", "zero2", "3", "4", "5"]
    for need in known.needs:
        assert set(need.models) <= set(known.models)
        assert known.sources[need.source].startswith("https://")
        assert need.why
    assert {uses.what for uses in known.uses if not (uses.overlay or uses.parameter or uses.option)} == set()
    assert known.known[-1].files == ["*"]  # every file has a reason
    cited = (ROOT / "boot/files.toml").read_text().split("# ---- The models")[1]
    assert [name for name in known.sources if not re.search(rf'[("]{name}[)",]|, {name}', cited)] == []


OLD = "bootcode.bin start.elf fixup.dat config.txt cmdline.txt"
NEEDED = {
    "zero": f"{OLD} kernel.img initramfs bcm2708-rpi-zero.dtb bcm2708-rpi-zero-w.dtb",
    "zero2": f"{OLD} kernel8.img initramfs8 bcm2710-rpi-zero-2-w.dtb",
    "3": f"{OLD} kernel8.img initramfs8 bcm2710-rpi-3-b.dtb bcm2710-rpi-3-b-plus.dtb",
    "4": "start4.elf fixup4.dat config.txt cmdline.txt kernel8.img initramfs8 "
    "bcm2711-rpi-4-b.dtb bcm2711-rpi-400.dtb",
    "5": "config.txt cmdline.txt kernel_2712.img initramfs_2712 overlays/bcm2712d0.dtbo "
    "bcm2712-rpi-5-b.dtb bcm2712-rpi-500.dtb",
}
INSTEAD = {
    "kernel_2712.img": "kernel8.img",
    "bcm2711-rpi-400.dtb": "bcm2711-rpi-4-b.dtb",
    "bcm2712-rpi-500.dtb": "bcm2712-rpi-5-b.dtb",
}


@pytest.mark.parametrize("model", NEEDED)
def test_each_model_needs_these_files_and_no_other(card, model):
    needed = NEEDED[model].split()
    for name in needed if model == "zero" else ():
        (card / name).touch()
    found = rows(card, model)
    assert sorted(by_status(found, "present")) == sorted(needed)
    assert by_status(found, "missing") == []
    for name in needed:
        (card / name).rename(card / "away")
        found = rows(card, model)
        (card / "away").rename(card / name)
        if name in INSTEAD:
            assert INSTEAD[name] in by_status(found, "present")
        elif name != "config.txt":  # without it there is no auto_initramfs=1 either
            assert by_status(found, "missing") == [name]
        else:
            assert name in by_status(found, "missing")


def test_every_file_has_a_row_and_every_row_a_reason(card):
    (card / "tictactoe.txt").touch()
    (card / "holiday.jpg").touch()
    found = rows(card, "zero2", "3", "4", "5")
    assert sorted({row.file for row in found}) == sorted(tree(card))
    assert all(row.why for row in found)
    assert {row.status for row in found} == {"present", "ours", "not ours"}
    whys = {row.file: row.why for row in found if row.status == "not ours"}
    assert whys["start_x.elf"].startswith("firmware of another board, or a variant")
    assert whys["bcm2712-rpi-cm5-cm5io.dtb"] == "the device tree of another board"
    assert whys["overlays/w1-gpio.dtbo"] == "an overlay: loaded where config.txt names it"
    assert whys["user-data"].startswith("for cloud-init")
    assert whys["holiday.jpg"] == "unknown here; whoever put it there may need it"
    assert by_status(found, "ours") == ["tictactoe.txt"]
    assert {row.file: row.why for row in rows(card, "5")}["bootcode.bin"].startswith("boards up to the 3")


def test_an_initramfs_is_needed_where_the_kernel_starts_from_it(card):
    why = {row.file: row.why for row in rows(card, "4")}
    assert (
        why["initramfs8"] == "kernel8.img starts from it (auto_initramfs); a fresh card's first boot needs it"
    )
    (card / "initramfs8").unlink()
    for line in (b"", b"auto_initramfs=0\n"):
        (card / "config.txt").write_bytes(CONFIG.replace(b"auto_initramfs=1\n", line))
        assert by_status(rows(card, "4"), "missing") == []


def test_a_64_bit_card_is_not_checked_for_the_first_zero_unless_asked(card, boot):
    boot("prepare", card)
    status, lines = boot("check", card)
    assert (status, lines[-1][:20]) == (0, "Raspberry Pi zero2 (")
    status, lines = boot("check", card, "--model", "zero")
    assert (status, lines[1].split()[:2]) == (1, ["missing", "kernel.img"])
    (card / "kernel.img").touch()
    assert boot("check", card)[1][-1].startswith("Raspberry Pi zero (Zero, Zero W), zero2 (")


SELECTED = """  # a line of config.txt | the model | what is present | what is missing
start_x=1 | 3 | start_x.elf | fixup_x.dat
start_debug=1 | 4 | | start4db.elf fixup4db.dat
gpu_mem=16 | 3 | | start_cd.elf fixup_cd.dat
gpu_mem=64 | 3 | start.elf |
start_file=mine.elf | 3 | fixup.dat | mine.elf
arm_64bit=0 | 3 | | kernel7.img
arm_64bit=0 | 4 | | kernel7l.img
arm_64bit=0 | 5 | kernel_2712.img |
kernel=mine.img | 5 | | mine.img
kernel=/kernel8.img | 5 | kernel8.img |
cmdline=mine.txt | 5 | | mine.txt
initramfs initramfs8,more followkernel | 5 | initramfs8 | more
auto_initramfs=0 | 5 | |
dtoverlay=gpio-shutdown | 3 | overlays/gpio-shutdown.dtbo |
dtoverlay=gpio-fan | 3 | | overlays/gpio-fan.dtbo
dtoverlay=vc4-kms-v3d | 3 | | # the box needs no picture on HDMI
[pi4];kernel=mine.img | 3 | kernel8.img |
include more.txt | 3 | start_x.elf | fixup_x.dat
"""


@pytest.mark.parametrize("row", SELECTED.split("\n")[1:-1])
def test_config_txt_selects_the_files(card, row):
    line, model, present, missing = (part.strip() for part in row.partition("#")[0].split("|"))
    (card / "config.txt").write_bytes(CONFIG + line.replace(";", "\n").encode() + b"\n")
    (card / "more.txt").write_bytes(b"start_x=1")
    found = rows(card, model)
    assert set(present.split()) <= set(by_status(found, "present"))
    assert by_status(found, "missing") == missing.split()


def test_names_on_fat_are_the_same_in_any_case(card):
    (card / "bootcode.bin").rename(card / "BOOTCODE.BIN")
    assert by_status(rows(card, "3"), "missing") == []
    (card / "config.txt").rename(card / "CONFIG.TXT")
    assert read_card(card).text("config.txt") == CONFIG.decode()


NO_CARD = "not a boot partition: neither config.txt and cmdline.txt nor"


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (Path.mkdir, NO_CARD),
        (lambda _path: None, "cannot be read: No such file or directory; give the directory where the card"),
        (Path.touch, "cannot be read: Not a directory; give the directory where the card"),
        (lambda path: path.symlink_to(ROOT / "boot"), NO_CARD),  # the program's own folder
    ],
)
def test_a_directory_that_is_no_card_is_refused(tmp_path, make, sentence):
    make(tmp_path / "x")
    with pytest.raises(UserError, match=re.escape(sentence)):
        read_card(tmp_path / "x")


def test_a_file_that_cannot_be_read_is_named(card):
    found = read_card(card)
    (card / "config.txt").unlink()
    with pytest.raises(UserError, match=r"config\.txt: cannot be read: No such file"):
        found.read("config.txt")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("a=1".encode("utf-16"), "not a text file; save it as UTF-8"),
        (b"#" * 300_000, "larger than 256 KiB, so it is not what its name says"),
        (b"#\nIt has moved to /boot/firmware/config.txt\n", "is mounted at /boot/firmware; give that"),
    ],
)
def test_a_config_txt_that_is_none_is_refused(card, content, sentence):
    (card / "config.txt").write_bytes(content)
    with pytest.raises(UserError, match=re.escape(sentence)):
        read_card(card)


def test_only_plain_files_count(card):
    (card / "config.txt").unlink()
    os.mkfifo(card / "config.txt")
    assert not read_card(card).has("config.txt")


def test_a_card_needs_no_firmware_to_be_one_and_no_config(tmp_path):
    card = make_card(tmp_path / "card", cloud_init=False, firmware=())
    assert read_card(card).text("cmdline.txt")
    (card / "config.txt").unlink()
    (card / "kernel8.img").touch()
    assert read_card(card).text("config.txt") is None


def test_a_template_drops_what_has_no_value():
    text = render("tictactoe.txt", {"shutdown_pin": 21, "led_pin": None})
    assert "dtoverlay=gpio-shutdown,gpio_pin=21" in text
    assert "GPIO 21 to ground" in text
    assert not re.search("[{}]|poweroff|gpio-led|LED", text)
    assert "\n\n\n" not in text
    assert all(len(line) <= 98 for line in text.splitlines())  # the firmware reads no further
    full = render("tictactoe.txt", {"shutdown_pin": 1, "poweroff_pin": 2, "led_pin": 3})
    assert full.count("dtoverlay=gpio-") == 3


def test_the_watchdog_timeout_is_one_that_a_board_can_keep():
    unit = configparser.ConfigParser()
    unit.read(ROOT / "systemd/tictactoe-watchdog.conf")
    assert int(unit["Manager"]["RuntimeWatchdogSec"].removesuffix("s")) <= 15
    assert "dtparam=watchdog=on" in render("tictactoe.txt", {})


def test_check_reports_files_and_lines_also_to_programs(card, boot):
    status, lines = boot("check", card)
    text = "\n".join(lines)
    assert (status, lines[-1][-18:]) == (1, "something is wrong")
    starts = (
        "present +bootcode.bin",
        "not ours +issue.txt and",
        "present +initramfs8",
        "missing +config.txt",
    )
    assert all(re.search(f"^{start} ", text, re.MULTILINE) for start in starts)
    status, lines = boot("check", card, "--model", "5", "--json")
    data = json.loads("\n".join(lines))
    assert (status, data["ok"], data["models"]) == (1, False, {"5": "5, 500"})
    kernel = next(row for row in data["files"] if row["file"] == "kernel_2712.img")
    assert kernel.pop("source").startswith("https://www.raspberrypi.com/")
    assert [*kernel] == ["status", "file", "models", "why"]
    assert [*kernel.values()] == ["present", "kernel_2712.img", ["5"], "the kernel, 64 bit"]
    assert data["findings"][0]["severity"] == "missing"

    boot("prepare", card)
    (card / "kernel8.img").unlink()
    assert boot("check", card, "--model", "5")[0] == 0
    status, lines = boot("check", card, "--model", "4")
    assert (status, lines[1].split()[:3]) == (1, ["missing", "kernel8.img", "4"])
    (card / "config.txt").write_text("dtparam=i2c_arm=off\n")
    assert "wrong     config.txt:1" in "\n".join(boot("check", card, "--model", "5")[1])


def test_the_wiring_is_that_of_a_configuration(tmp_path, boot):
    (tmp_path / "c.yaml").write_text("keypad:\n  rows: [4, 27, 22]\n")
    assert "    11      GPIO 17   keys row 1" in boot("wiring")[1]
    assert "     7      GPIO 4    keys row 1" in boot("wiring", "--config", tmp_path / "c.yaml")[1]
