"""The wall clock, if it can be trusted.

A Pi has no battery. Without a network it goes on from when it was last used, or from when its system was
built: plausible, and wrong by days.
"""

import contextlib
import sys
import time
from collections.abc import Callable
from pathlib import Path

# systemd-timesyncd makes it once the clock is right; /run starts empty. adjtimex(2) would tell of any time
# service, but ProtectClock= in the unit refuses even to ask: https://github.com/systemd/systemd/issues/26413
SYNCED = Path("run/systemd/timesync/synchronized")
RTC = "sys/class/rtc/*/since_epoch"
MAX_ERROR = 300.0  # seconds that a hardware clock may differ: far less than a day, and than a time zone


def wall(root: Path = Path("/"), now: Callable[[], float] = time.time) -> float | None:
    """Return the time in seconds since 1970 UTC, None if it cannot be trusted.

    Computers with another system than Linux have a battery.
    """
    seconds = now()
    # That there is a hardware clock is not enough: a Pi 5 without a battery has one that starts in 1970.
    for path in root.glob(RTC):
        with contextlib.suppress(OSError, ValueError):  # its battery is empty, or its bus is stuck
            if abs(seconds - float(path.read_text())) <= MAX_ERROR:
                return seconds
    return seconds if (root / SYNCED).exists() or sys.platform != "linux" else None
