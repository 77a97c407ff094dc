"""A model of what Raspberry Pi's firmware starts from a card's first partition; it cannot be emulated.

It stands in for bootcode.bin and start*.elf, and on a Raspberry Pi 4 for its EEPROM. Source: Raspberry Pi's
documentation, "config.txt" (file format, conditional filters, os_prefix, initramfs, upstream_kernel), "Boot
flow" (tryboot) and "Device Trees" (/chosen). Where that is silent, the model raises `ValueError`, or assumes
the worst and says so.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

SET_REBOOT_FLAGS = 0x00038064  # the mailbox's property that sets the one-shot flag
_LINE = 98  # characters that count
# Raspberry Pi's own trees of the first boards; those of later ones have the upstream names of the boards.
_OWN = {"b": "b-rev1", "b-rev2": "b", "a": "b", "a-plus": "b-plus"}


class Start(NamedTuple):
    """What is started: names of files on the partition, and what the firmware writes to /chosen."""

    prefix: str
    kernel: str
    initramfs: str
    tree: str
    cmdline: str


def choose(read: Callable[[str], bytes | None], tree: str, *, tryboot: bool) -> Start | None:
    """Return what a board starts; None if nothing, and its LED blinks until it is unplugged.

    `read` returns the content of a file, None if there is none; it ignores case, as FAT does. `tree` is the
    upstream name of the board's device tree, without ".dtb". `tryboot` is the one-shot flag, which the caller
    clears with every start and every loss of power.
    """
    text = read("tryboot.txt" if tryboot else "config.txt")
    if text is None:
        return None  # assumed for tryboot.txt; config.txt is optional, but without it nothing of ours starts
    filters = {"[all]": True, "[none]": False, "[tryboot]": tryboot, "[pi4]": tree.startswith("bcm2711")}
    filters["[pi0]"] = "-rpi-zero" in tree  # also a Zero 2 W
    settings = _settings(text, filters)
    upstream = settings.get("upstream_kernel") == "1"
    kernel = settings.get("kernel", "kernel.img" if tree.startswith("bcm2835") else "kernel8.img")
    trees = [f"{tree}.dtb"]
    chip, _, board = tree.partition("-rpi-")
    own = {"bcm2837": f"bcm2710-rpi-{board}", "bcm2835": f"bcm2708-rpi-{_OWN.get(board, board)}"}
    if chip in own:
        trees.insert(upstream, f"{own[chip]}.dtb")
    for prefix in (settings.get("os_prefix", "upstream/" if upstream else ""), ""):
        found = [prefix + name for name in trees if read(prefix + name) is not None]
        if found and read(prefix + kernel) is not None:
            initramfs = prefix + settings["initramfs"].split()[0] if "initramfs" in settings else ""
            return Start(prefix, prefix + kernel, initramfs, found[0], f"{prefix}cmdline.txt")
    return None  # a prefix without kernel and device tree is ignored, and outside the prefixes there are none


def _settings(text: bytes, filters: Mapping[str, bool]) -> dict[str, str]:
    """Return the settings in effect; a later line overrides, as the order of filters implies."""
    settings, active = {}, True
    for whole in text.decode("ascii").splitlines():
        line = whole[:_LINE].strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            if line not in filters:
                raise ValueError(f"the model does not know {line}")
            active = filters[line]
        elif "#" in line or line.startswith("include ") or line[0] == " ":
            raise ValueError(f"the model does not know what this means: {line}")
        elif active:
            name, _, value = line.partition(" " if line.startswith("initramfs ") else "=")
            if name != name.strip() or value != value.strip() or value.startswith("/"):
                raise ValueError(f"the model does not know what this means: {line}")
            settings[name] = value
    return settings
