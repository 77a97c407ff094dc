"""The trial of a slot that was just installed: the firmware starts it once, from tryboot.txt.

config.txt names the old slot until the new one has proved itself, so every other start, after a panic, a hang
or a pulled plug, is one of the old version. Raspberry Pi's firmware reads tryboot.txt instead of config.txt
if a flag was set before the reset, and clears the flag first. tryboot.txt is config.txt with the other letter
and a first line that counts the starts. It is never deleted: what the firmware does without it is nowhere
documented.
"""

import re
from pathlib import Path

from appliance.card import slots

TRYBOOT = "tryboot.txt"
STARTS = 2  # a slot gets as many, since the first may end in an unrelated power cut
MODULE = "/usr/lib/modules/tryboot.ko"  # loading it sets the flag

_HEAD = b"# Written by the box, to try an update; this is start %d of %d. Edit config.txt instead.\r\n"
_COUNT = re.compile(rb"# .*; this is start (\d)")
_LETTER = re.compile(r"([ab])/$", re.IGNORECASE)


def running(boot: Path, tree: Path) -> str:
    """Return the letter of the slot that the firmware has started, as `tree`, the device tree, says.

    Without it the one in force; raise `UserError` if config.txt does not name one.
    """
    prefix = _LETTER.search(slots.first_line(tree / "chosen/os_prefix"))
    return prefix[1].lower() if prefix else slots.in_force(boot)


def starts(boot: Path, letter: str) -> int:
    """Return how many starts a slot has had on trial."""
    try:
        text = (boot / TRYBOOT).read_bytes()
    except OSError:
        return 0
    count = _COUNT.match(text)
    return int(count[1]) if count and slots.letters(text)[-1:] == [letter] else 0


def write(boot: Path, letter: str, starts: int) -> None:
    """Write tryboot.txt for this start of a slot; 0 before the first. Raise `UserError` or `OSError`."""
    slots.in_force(boot)  # config.txt names one
    text = slots.renamed((boot / "config.txt").read_bytes(), letter)
    slots.store(boot / TRYBOOT, [_HEAD % (starts, STARTS) + text])
    slots.sync(boot)
