"""The model of the firmware, checked against the documentation's cases."""

import re
import subprocess
from pathlib import Path

import pytest
from firmware import Start, choose

ROOT = Path(__file__).resolve().parents[2]
TREE, PI_5 = "bcm2837-rpi-3-b", "bcm2712-rpi-5-b"
FILES = ("kernel8.img", "initramfs8", "cmdline.txt", f"{TREE}.dtb", "bcm2710-rpi-3-b.dtb")
WATCHDOG = 607  # seconds
FILES_5 = ("kernel_2712.img", "initramfs_2712", "kernel8.img", "initramfs8", "cmdline.txt", f"{PI_5}.dtb")


def chosen(config, tryboot_txt=None, *, tryboot=False, files=None, tree=TREE):
    files = {f"{letter}/{name}" for letter in "ab" for name in FILES} if files is None else files
    card = dict.fromkeys(files, b"") | {"config.txt": config, "tryboot.txt": tryboot_txt}
    return choose(lambda name: card.get(name.lower()), tree, tryboot=tryboot)


def started(prefix):
    names = ("kernel8.img", "initramfs8", f"{TREE}.dtb", "cmdline.txt")
    return Start(prefix, *(prefix + name for name in names), watchdog=WATCHDOG)


def config_txt(architecture):
    """Return the image's config.txt, as image/assemble writes it."""
    shell = f"""
        kernels={architecture}
        . image/{architecture}
        cat image/card/config.txt
        for one in "${{kernels[@]}}"; do . image/$one; echo "$config"; done
    """
    return subprocess.run(["bash", "-euc", shell], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout


OURS = config_txt("arm64")


@pytest.mark.parametrize(("board", "own"), [
    ("zero", "zero"), ("zero-w", "zero-w"), ("b", "b-rev1"), ("b-rev2", "b"), ("b-plus", "b-plus"),
    ("a", "b"), ("a-plus", "b-plus"),
])  # fmt: skip
def test_the_first_boards_start_their_own_kernel_and_tree(board, own):
    config = config_txt("armel")
    assert b"arm_64bit" not in config
    trees = (f"bcm2835-rpi-{board}", f"bcm2708-rpi-{own}")
    for there, taken in ((trees, 0), (trees[1:], 1)):
        files = {f"a/{name}" for name in ("kernel.img", "initramfs", *(f"{tree}.dtb" for tree in there))}
        names = ("kernel.img", "initramfs", f"{trees[taken]}.dtb", "cmdline.txt")
        start = chosen(config, files=files, tree=trees[0])
        assert start == Start("a/", *(f"a/{name}" for name in names), watchdog=WATCHDOG)


def test_our_config_txt_starts_slot_a_whole():
    assert chosen(OURS) == started("a/")
    assert chosen(OURS.replace(b"\n", b"\r\n")) == started("a/")


def test_the_flag_makes_it_read_tryboot_txt():
    other = OURS.replace(b"=a/", b"=b/")
    assert chosen(OURS, other, tryboot=True) == started("b/")
    assert chosen(OURS, other) == started("a/")
    assert chosen(OURS, None, tryboot=True) is None
    assert chosen(OURS, OURS + b"[tryboot]\nos_prefix=b/\n", tryboot=True) == started("b/")


@pytest.mark.parametrize(("config", "prefix"), [
    (OURS + b"os_prefix=b/\n", "b/"),
    (OURS + b"[none]\nos_prefix=b/\n[all]\n", "a/"),
    (OURS + b"[tryboot]\nos_prefix=b/\n", "a/"),
    (OURS + b"#os_prefix=b/\n", "a/"),
    (OURS.replace(b"=a/", b"=A/"), "A/"),
    (OURS.replace(b"os_prefix=a/", b"os_prefix=a"), None),
    (OURS.replace(b"os_prefix=a/", b""), None),
    (OURS.replace(b"os_prefix=a/", b"os_prefix=c/"), None),
    (OURS.replace(b"kernel=kernel8.img", b"kernel=" + b"k" * 99), None),
])  # fmt: skip
def test_which_prefix_counts(config, prefix):
    start = chosen(config)
    assert (start and start.prefix) == prefix


def test_a_prefix_needs_a_kernel_and_a_tree_and_others_are_ignored():
    top = {name.removeprefix("a/") for name in FILES}
    assert chosen(OURS, files=top).prefix == ""
    assert chosen(OURS, files={"a/kernel8.img"}) is None
    assert chosen(OURS, files={f"a/{TREE}.dtb"}) is None
    assert chosen(OURS, files={"a/kernel8.img", "a/bcm2710-rpi-3-b.dtb"}).tree == "a/bcm2710-rpi-3-b.dtb"
    upstream = OURS.replace(b"os_prefix=a/", b"")
    assert chosen(upstream, files={f"upstream/{name}" for name in FILES}) == started("upstream/")
    assert chosen(OURS.replace(b"upstream_kernel=1", b"")).tree == "a/bcm2710-rpi-3-b.dtb"
    assert chosen(
        b"os_prefix=a/", files={"a/kernel8.img", "a/bcm2711-rpi-4-b.dtb"}, tree="bcm2711-rpi-4-b"
    ) == (Start("a/", "a/kernel8.img", "", "a/bcm2711-rpi-4-b.dtb", "a/cmdline.txt"))


def on_5(config=OURS, tree=PI_5, **more):
    files = {f"{letter}/{name}" for letter in "ab" for name in (*FILES, *FILES_5)}
    return chosen(config, files=files | more.pop("add", set()), tree=tree, **more)


@pytest.mark.parametrize(("tree", "loaded"), [
    ("bcm2712-rpi-5-b", PI_5),  # C0
    ("bcm2712-d-rpi-5-b", PI_5),
    ("bcm2712-rpi-500", "bcm2712-rpi-500"),
])  # fmt: skip
def test_a_pi_5_starts_its_own_kernel_and_initramfs(tree, loaded):
    names = ("kernel_2712.img", "initramfs_2712", f"{loaded}.dtb", "cmdline.txt")
    for prefix, config, tryboot in (("a/", OURS, False), ("b/", b"", True)):
        other = OURS.replace(b"=a/", b"=b/")
        start = on_5(config, tree, tryboot_txt=other, tryboot=tryboot, add={f"{prefix}bcm2712-rpi-500.dtb"})
        assert start == Start(prefix, *(prefix + name for name in names), watchdog=WATCHDOG)
    assert on_5(tree=TREE) == started("a/")


def test_without_a_filter_a_pi_5_prefers_its_own_kernel_and_a_500_takes_a_5s_tree():
    assert on_5(b"os_prefix=a/\n").kernel == "a/kernel_2712.img"
    assert chosen(b"", files={"kernel8.img", f"{PI_5}.dtb"}, tree=PI_5).kernel == "kernel8.img"
    assert on_5(tree="bcm2712-rpi-500").tree == f"a/{PI_5}.dtb"


def test_a_card_without_its_tree_does_not_start_a_pi_5_nor_ours_a_compute_module_5():
    assert chosen(OURS, tree=PI_5) is None
    assert chosen(OURS, files={f"a/{name}" for name in FILES} | {f"{PI_5}.dtb"}, tree=PI_5) is None
    assert on_5(tree="bcm2712-rpi-cm5-cm5io") is None


def test_the_initramfs_that_the_firmware_finds_by_itself_depends_on_its_version():
    auto = b"auto_initramfs=1\n"
    files = {"kernel_2712.img", "initramfs_2712", f"{PI_5}.dtb"}
    assert chosen(auto, files=files, tree=PI_5).initramfs == "initramfs_2712"
    with pytest.raises(ValueError, match="looks for it in the wrong folder"):
        on_5(b"os_prefix=a/\n" + auto)


@pytest.mark.parametrize("architecture", ["arm64", "armel"])
def test_the_core_clock_is_held_on_each_board_at_its_own_highest(architecture):
    """By a line above all filters: the display's bus divides that clock."""
    config = config_txt(architecture)
    assert re.findall(rb"^core_freq.*$", config, re.MULTILINE) == [b"core_freq_fixed=1"]
    assert b"core_freq_fixed" in config.partition(b"\n[")[0]


def test_a_watchdog_runs_when_the_kernel_starts():
    """The counter has 20 bits of 1/65,536 s: whether longer times are clamped or cut, it begins with 15 s."""
    assert chosen(OURS).watchdog == on_5().watchdog == WATCHDOG
    assert WATCHDOG % 16 == 15
    assert chosen(b"os_prefix=a/").watchdog == 0
    assert chosen(OURS + b"[pi4]\nkernel_watchdog_timeout=60\n").watchdog == WATCHDOG


@pytest.mark.parametrize("line", [
    b"[pi7]", b"a=1 # one", b"include x", b"os_prefix = a/", b"kernel=/k", b"kernel_watchdog_timeout=10s",
    b"kernel_watchdog_partition=1",
])  # fmt: skip
def test_it_does_not_guess(line):
    with pytest.raises(ValueError, match="the model does not know"):
        chosen(OURS + line)
