"""The model of the firmware, checked against the documentation's cases."""

import subprocess
from pathlib import Path

import pytest
from firmware import Start, choose

ROOT = Path(__file__).resolve().parents[2]
TREE = "bcm2837-rpi-3-b"
FILES = ("kernel8.img", "initramfs8", "cmdline.txt", f"{TREE}.dtb", "bcm2710-rpi-3-b.dtb")


def chosen(config, tryboot_txt=None, *, tryboot=False, files=None, tree=TREE):
    files = {f"{letter}/{name}" for letter in "ab" for name in FILES} if files is None else files
    card = dict.fromkeys(files, b"") | {"config.txt": config, "tryboot.txt": tryboot_txt}
    return choose(lambda name: card.get(name.lower()), tree, tryboot=tryboot)


def started(prefix):
    names = ("kernel8.img", "initramfs8", f"{TREE}.dtb", "cmdline.txt")
    return Start(prefix, *(prefix + name for name in names))


def config_txt(architecture):
    """Return the image's config.txt, as image/assemble writes it."""
    shell = f'. image/{architecture}; cat image/card/config.txt; echo "$config"'
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
        assert chosen(config, files=files, tree=trees[0]) == Start("a/", *(f"a/{name}" for name in names))


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


@pytest.mark.parametrize("line", [b"[pi5]", b"a=1 # one", b"include x", b"os_prefix = a/", b"kernel=/k"])
def test_it_does_not_guess(line):
    with pytest.raises(ValueError, match="the model does not know"):
        chosen(OURS + line)
