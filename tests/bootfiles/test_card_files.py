import configparser
import os
import re
from pathlib import Path

import pytest
from bootcard import CONFIG, make_card
from typed_values import fits

from appliance.bootfiles.check import needed_files
from appliance.bootfiles.file_table import BOOT_FOLDER, BootTable, boot_table, boot_text
from appliance.bootfiles.partition import read_card
from appliance.core.errors import UserError

ROOT = Path(__file__).parents[2]
MODELS = boot_table().models


def by_status(root, model):
    """Return the files that a model needs: present ones, and missing ones."""
    found = needed_files(read_card(root), [MODELS[model]])
    return tuple([one.file for one in found if one.status == status] for status in ("present", "missing"))


def test_the_table_is_the_folder_boot_of_the_repository_with_reasons_and_sources():
    assert Path(str(BOOT_FOLDER)).resolve() == ROOT / "boot"
    assert list(MODELS) == ["zero", "zero2", "1", "2", "3", "4", "5"]
    assert all(set(need.models) <= set(MODELS) and need.why for need in boot_table().needs)
    assert all(bool(uses.overlay) is not bool(uses.setting) for uses in boot_table().uses)
    cited = re.findall(r"\(([a-z0-9]+(?:-[a-z0-9]+)+(?:, [a-z0-9-]+)*)\)", boot_text("files.toml"))
    sources = re.findall(r"^# ([a-z0-9-]+): https://", boot_text("files.toml"), re.MULTILINE)
    assert set(sources) - {"filters", "overlays"} == {name for names in cited for name in names.split(", ")}


def test_the_table_has_values_of_the_types_that_its_fields_have():
    assert fits(boot_table(), BootTable)


OLD = "bootcode.bin start.elf fixup.dat config.txt cmdline.txt"
NEEDED = {
    "zero": f"{OLD} kernel.img initramfs bcm2708-rpi-zero.dtb bcm2708-rpi-zero-w.dtb",
    "zero2": f"{OLD} kernel8.img initramfs8 bcm2710-rpi-zero-2-w.dtb",
    "1": f"{OLD} kernel.img initramfs bcm2708-rpi-b.dtb bcm2708-rpi-b-rev1.dtb bcm2708-rpi-b-plus.dtb",
    "2": f"{OLD} kernel7.img initramfs7 bcm2709-rpi-2-b.dtb bcm2710-rpi-2-b.dtb",
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
    for name in needed if model in {"zero", "1", "2"} else ():  # a 64-bit card has nothing for these
        (card / name).touch()
    assert by_status(card, model) == (sorted(needed), [])
    for name in needed:
        (card / name).rename(card / "away")
        present, missing = by_status(card, model)
        (card / "away").rename(card / name)
        if name in INSTEAD:
            assert INSTEAD[name] in present
        else:
            assert missing == [name]


def test_no_initramfs_is_needed_where_the_kernel_starts_without_one(card):
    (card / "initramfs8").unlink()
    for line in (b"", b"auto_initramfs=0\n"):
        (card / "config.txt").write_bytes(CONFIG.replace(b"auto_initramfs=1\n", line))
        assert by_status(card, "4")[1] == []


def test_names_on_fat_are_the_same_in_any_case(card):
    (card / "bootcode.bin").rename(card / "BOOTCODE.BIN")
    assert by_status(card, "3")[1] == []
    (card / "config.txt").rename(card / "CONFIG.TXT")
    assert read_card(card).text("config.txt") == CONFIG.decode()


NO_CARD = "not a boot partition: it has neither config.txt nor cmdline.txt; give"
UNREADABLE = "{}; give the directory where the card's boot partition is mounted"


def config_of(content):
    """Return a function that makes a card with this config.txt."""
    return lambda path: make_card(path, config=content)


@pytest.mark.parametrize(("make", "sentence"), [
    (Path.mkdir, NO_CARD),
    (lambda path: path.symlink_to(ROOT / "boot"), NO_CARD),  # the program's own folder
    (lambda _path: None, "x: cannot be read: " + UNREADABLE.format("No such file or directory")),
    (Path.touch, "x: cannot be read: " + UNREADABLE.format("Not a directory")),
    (config_of("a=1".encode("utf-16")), "config.txt: not a text file; save it as UTF-8"),
    (config_of(b"#" * 300_000), "config.txt: larger than 256 KiB, so it cannot be a boot file"),
    (
        config_of(b"#\nIt has moved to /boot/firmware/config.txt\n"),
        "is mounted at /boot/firmware; give that",
    ),
])  # fmt: skip
def test_anything_but_a_card_is_refused(tmp_path, make, sentence):
    make(tmp_path / "x")
    with pytest.raises(UserError, match=re.escape(sentence)):
        read_card(tmp_path / "x")


def test_a_file_that_cannot_be_read_is_named_and_only_plain_files_count(card):
    found = read_card(card)
    (card / "config.txt").unlink()
    with pytest.raises(UserError, match=r"config\.txt: cannot be read: No such file"):
        found.read("config.txt")
    os.mkfifo(card / "config.txt")
    assert not read_card(card).has("config.txt")


def test_the_watchdog_timeout_is_one_that_a_board_can_keep():
    unit = configparser.ConfigParser()
    unit.read(ROOT / "systemd/tictactoe-watchdog.conf")
    assert int(unit["Manager"]["RuntimeWatchdogSec"].removesuffix("s")) <= 15
    assert "dtparam=watchdog=on" in boot_text("tictactoe.txt")


def test_check_lists_what_is_there_missing_and_wrong(card, boot):
    status, lines = boot("check", card, "--model", "4")
    initramfs = "kernel8.img starts from it (auto_initramfs); a fresh card's first boot needs it"
    assert f"{'present':9} {'initramfs8':34} {'4':20} {initramfs}" in lines
    assert [line.split()[1:3] for line in lines if line.startswith("missing")] == [["config.txt", "4"]]
    assert (status, lines[-1]) == (1, "Raspberry Pi 4 (4 B, 400): something is wrong")
    (card / "config.txt").write_text("dtparam=i2c_arm=off\n")
    assert "\nwrong     config.txt:1 " in "\n".join(boot("check", card, "--model", "5")[1])


def test_a_64_bit_card_is_not_checked_for_the_first_zero_unless_asked(card, boot):
    boot("prepare", card)
    status, lines = boot("check", card)
    assert (status, lines[-1][:20], lines[-1][-13:]) == (0, "Raspberry Pi zero2 (", ": all is well")
    status, lines = boot("check", card, "--model", "zero")
    assert status == 1
    assert "missing kernel.img zero" in [" ".join(line.split()[:3]) for line in lines]
    (card / "kernel.img").touch()
    assert boot("check", card)[1][-1].startswith(
        "Raspberry Pi zero (Zero, Zero W), zero2 (Zero 2 W), 1 (1 A, B,"
    )


def test_a_64_bit_card_starts_a_2_only_if_it_is_a_late_one_and_says_so(card, boot):
    boot("prepare", card)
    status, lines = boot("check", card, "--model", "2")
    missing = [line for line in lines if line.startswith("missing   kernel")]
    only = "the kernel; only a 2 B of revision 1.2 can start a kernel8.img instead"
    assert (status, missing) == (1, [f"{'missing':9} {'kernel7.img':34} {'2':20} {only}"])


def test_the_trees_of_an_upstream_kernel_are_taken_too(card):
    (card / "kernel.img").touch()
    (card / "initramfs").touch()
    for name in ("b", "b-rev2", "b-plus"):
        (card / f"bcm2835-rpi-{name}.dtb").touch()
    assert by_status(card, "1")[1] == []
