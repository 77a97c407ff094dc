"""A model of what Raspberry Pi's firmware starts from a card's first partition; it cannot be emulated.

It stands in for bootcode.bin and start*.elf, and on a Raspberry Pi 4 or 5 for its EEPROM. Source: Raspberry
Pi's documentation, "config.txt" (file format, conditional filters, os_prefix, kernel, initramfs,
upstream_kernel), "Boot flow" (tryboot) and "Device Trees" (/chosen); for a 5 also these:

https://github.com/raspberrypi/rpi-eeprom/blob/master/firmware-2712/release-notes.md (auto_initramfs)
https://github.com/raspberrypi/rpi-eeprom/issues/682 (which tree os_check looks for, and where)
https://github.com/raspberrypi/firmware/issues/2018 (one name of the tree for both steppings)

and for the watchdog this, of August 2025; an EEPROM of a 5 has it since 2025-06-20:

https://github.com/raspberrypi/documentation/pull/4144 (kernel_watchdog_timeout)

Names of trees are also among the strings of Debian's start.elf (1.20260408) and of a 5's EEPROM (2026-08-12).

Where they are silent, the model raises `ValueError`, or assumes the worst and says so.
"""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

SET_REBOOT_FLAGS = 0x00038064  # the mailbox's property that sets the one-shot flag
_LINE = 98  # characters that count
# Names of Raspberry Pi's own trees, where they are not the upstream ones with another number of the chip.
_OWN = {"b": "b-rev1", "b-rev2": "b", "a": "b", "a-plus": "b-plus", "cm3-io3": "cm3", "cm4-io": "cm4"}
_CHIPS = {"bcm2835": "bcm2708", "bcm2837": "bcm2710"}
_DEFAULT_KERNELS = {"bcm2835": ["kernel.img"], "bcm2712": ["kernel_2712.img", "kernel8.img"]}


class Start(NamedTuple):
    """What is started: names of files on the partition, and what the firmware writes to /chosen.

    `watchdog`, if not 0, is the number of seconds for which the kernel, which gets them in its arguments, may
    feed a watchdog that runs: programs take it over by then, or the board is reset.
    """

    prefix: str
    kernel: str
    initramfs: str
    tree: str
    cmdline: str
    watchdog: int = 0


def choose(read: Callable[[str], bytes | None], tree: str, *, tryboot: bool) -> Start | None:
    """Return what a board starts; None if nothing, and its LED blinks until it is unplugged.

    `read` returns the content of a file, None if there is none; it ignores case, as FAT does. `tree` is the
    upstream name of the board's device tree, without ".dtb". `tryboot` is the one-shot flag, which the caller
    clears with every start and every loss of power.
    """
    text = read("tryboot.txt" if tryboot else "config.txt")
    if text is None:
        return None  # assumed for tryboot.txt; config.txt is optional, but without it nothing of ours starts
    chip, _, board = tree.replace("bcm2712-d-", "bcm2712-").partition("-rpi-")  # D0 has C0's names
    settings = _settings(text, {"[tryboot]": tryboot, **_models(chip, board)})
    upstream = settings.get("upstream_kernel") == "1"
    kernels = [settings["kernel"]] if "kernel" in settings else _DEFAULT_KERNELS.get(chip, ["kernel8.img"])
    first = settings.get("os_prefix", "upstream/" if upstream else "")
    if chip == "bcm2712" and read(f"{first}bcm2712-rpi-{_checked(board)}.dtb") is None:
        return None  # os_check: "does not indicate support for Raspberry Pi 5"
    for prefix in (first, ""):
        trees = [f"{prefix}{name}.dtb" for name in _trees(chip, board, upstream=upstream)]
        found = [name for name in trees if read(name) is not None]
        kernel = next((prefix + name for name in kernels if read(prefix + name) is not None), "")
        if found and kernel:
            names = (kernel, _initramfs(settings, prefix, kernel), found[0], f"{prefix}cmdline.txt")
            return Start(prefix, *names, watchdog=int(settings.get("kernel_watchdog_timeout", "0")))
    return None  # a prefix without kernel and device tree is ignored, and outside the prefixes there are none


def _models(chip: str, board: str) -> dict[str, bool]:
    """Return which filters match a board."""
    return {
        "[all]": True,
        "[none]": False,
        "[pi0]": board.startswith("zero"),  # also a Zero 2 W
        "[pi02]": board == "zero-2-w",
        "[pi3]": board.startswith(("3-", "cm3")),
        "[pi4]": chip == "bcm2711",
        "[pi5]": chip == "bcm2712",
    }


def _trees(chip: str, board: str, *, upstream: bool) -> list[str]:
    """Return the names of a board's device tree, in the order in which they are tried."""
    if chip == "bcm2712":
        return [f"bcm2712-rpi-{name}" for name in (board, _checked(board))]
    names = [f"{_CHIPS.get(chip, chip)}-rpi-{_OWN.get(board, board)}", f"{chip}-rpi-{board}"]
    return names[::-1] if upstream else names


def _checked(board: str) -> str:
    """Return the board of the tree without which a Raspberry Pi 5, 500 or Compute Module 5 starts nothing."""
    return board if board.startswith("cm5") else "5-b"


def _initramfs(settings: Mapping[str, str], prefix: str, kernel: str) -> str:
    if settings.get("auto_initramfs") != "1":
        return prefix + settings["initramfs"].split()[0] if "initramfs" in settings else ""
    if prefix:
        raise ValueError("a Raspberry Pi 5's EEPROM from before 2026-06-29 looks for it in the wrong folder")
    return kernel.replace("kernel", "initramfs").removesuffix(".img")


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
            watchdog = name.startswith("kernel_watchdog_") and not re.fullmatch(r"\w+_timeout=\d+", line)
            if watchdog or name != name.strip() or value != value.strip() or value.startswith("/"):
                raise ValueError(f"the model does not know what this means: {line}")
            settings[name] = value
    return settings
