"""The trial of a slot that was just installed: the firmware starts it once, from tryboot.txt.

config.txt names the old slot until the new one has proved itself, so a panic, a hang or a pulled plug brings
back the old version. Raspberry Pi's firmware reads tryboot.txt instead of config.txt if a flag was set before
the reset, and clears the flag first. tryboot.txt is config.txt with the other letter and a first line that
counts the starts. It is never deleted: what the firmware does without it is undocumented.
"""

import re
from pathlib import Path

from appliance.card import slots

TRYBOOT = "tryboot.txt"
STARTS = 2  # tries of a slot: the first may end in an unrelated power cut
MODULE = "/usr/lib/modules/tryboot.ko"  # loading it sets the flag

_MAX_SIZE = 64 * 1024  # bytes that are read of it
_HEAD = b"# Written by the box, to try an update; this is start %d of %d. Edit config.txt instead.\r\n"
_COUNT = re.compile(rb"# .*; this is start (\d)")
_LETTER = re.compile(r"([ab])/$", re.IGNORECASE)


def running(boot: Path, tree: Path) -> str:
    """Return the letter of the running slot: the firmware writes it into `tree`, the device tree.

    If it did not, return the slot in force; raise `UserError` if config.txt does not name one.
    """
    prefix = _LETTER.search(slots.first_line(tree / "chosen/os_prefix"))
    return prefix[1].lower() if prefix else slots.in_force(boot)


def starts(boot: Path, letter: str) -> int:
    """Return how many starts a slot has had on trial."""
    try:
        with (boot / TRYBOOT).open("rb") as file:
            text = file.read(_MAX_SIZE)
    except OSError:
        return 0
    count = _COUNT.match(text)
    return int(count[1]) if count and slots.letters(text)[-1:] == [letter] else 0


def write(boot: Path, letter: str, starts: int) -> None:
    """Write tryboot.txt for a slot, with its number of starts so far. Raise `UserError` or `OSError`."""
    slots.in_force(boot)  # raises if config.txt names no slot
    text = slots.renamed((boot / "config.txt").read_bytes(), letter)
    if (boot / TRYBOOT).is_dir():
        slots.remove(boot / TRYBOOT)
    slots.store(boot / TRYBOOT, [_HEAD % (starts, STARTS) + text])
    slots.sync(boot)
