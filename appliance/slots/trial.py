"""The trial of a newly installed slot: the firmware starts it once, from tryboot.txt.

config.txt names the old slot until the new one has started the game, so a panic or a power cut brings back
the old version. So does a hang: kernel_watchdog_timeout makes the firmware start a watchdog. Cards of older
images lack that line, and a 5's EEPROM of before 2025-06-20 ignores it: there systemd starts the watchdog.
Raspberry Pi's firmware reads tryboot.txt instead of config.txt if a flag was set before the reset, and clears
the flag first. tryboot.txt is config.txt with the other letter and a first line that counts the starts. It is
never deleted: what the firmware does without it is undocumented.
"""

import os
import re
from pathlib import Path

from appliance.slots import pair
from appliance.storage import files

TRYBOOT = "tryboot.txt"
STARTS = 2  # tries per slot: an unrelated power cut may end the first
MODULE = f"/usr/lib/modules/{os.uname().release}/tryboot.ko"  # loading it sets the flag

_MAX_SIZE = 64 * 1024  # bytes read of it
_HEAD = b"# Written by the box, to try an update; this is start %d of %d. Edit config.txt instead.\r\n"
_COUNT = re.compile(rb"# .*; this is start (\d)")
_LETTER = re.compile(r"([ab])/$", re.IGNORECASE)


def running(boot: Path, tree: Path) -> str:
    """Return the letter of the running slot, which the firmware writes into `tree`, the device tree.

    If it has not, return the active slot; raise `UserError` if config.txt does not name one.
    """
    prefix = _LETTER.search(files.first_line(tree / "chosen/os_prefix"))
    return prefix[1].lower() if prefix else pair.in_force(boot)


def starts(boot: Path, letter: str) -> int:
    """Return how many starts a slot has had on trial."""
    try:
        with (boot / TRYBOOT).open("rb") as file:
            text = file.read(_MAX_SIZE)
    except OSError:
        return 0
    count = _COUNT.match(text)
    return int(count[1]) if count and pair.letters(text)[-1:] == [letter] else 0


def write(boot: Path, letter: str, starts: int) -> None:
    """Write tryboot.txt for a slot, with its count of starts so far. Raise `UserError` or `OSError`."""
    pair.in_force(boot)  # raises if config.txt names no slot
    text = pair.renamed((boot / "config.txt").read_bytes(), letter)
    if (boot / TRYBOOT).is_dir():
        files.remove(boot / TRYBOOT)
    files.store(boot / TRYBOOT, [_HEAD % (starts, STARTS) + text])
    files.sync(boot)
