"""The wall clock, for as long as something vouches for it.

A Pi has no battery. Without a network it goes on from when it was last used, or from when its system was
built: plausible, and wrong by days.
"""

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

MOST = 300.0  # seconds that a hardware clock may differ: far less than a day, and than a time zone
SYNCED = Path("run/systemd/timesync/synchronized")  # systemd-timesyncd makes it; /run starts empty
RTC = "sys/class/rtc/*/since_epoch"

_TIME_ERROR = 5  # adjtimex(2): the clock is not synchronised
_TIMEX = 512  # bytes: more than any machine's struct timex. Of zeros, it only asks.


def wall(root: Path = Path("/"), now: Callable[[], float] = time.time) -> float | None:
    """Return the time in seconds since 1970 UTC, None while nothing vouches for it."""
    seconds = now()
    # That there is a hardware clock is not enough: a Pi 5 without a battery has one that starts in 1970.
    agrees = any(abs(seconds - other) <= MOST for other in _hardware(root))
    return seconds if agrees or (root / SYNCED).exists() or kernel_synced() else None


def _hardware(root: Path) -> Iterator[float]:
    """Yield what each hardware clock says, in seconds since 1970."""
    for path in root.glob(RTC):
        try:
            yield float(path.read_text())
        except (OSError, ValueError):  # its battery is empty, or its bus is stuck
            continue


def kernel_synced() -> bool:
    """Return whether something keeps the clock synchronised, as the kernel says.

    The service may not ask it: ProtectClock= in its unit refuses even that
    (https://github.com/systemd/systemd/issues/26413). Other systems run on computers with a battery.
    """
    if sys.platform != "linux":
        return True
    import ctypes  # noqa: PLC0415 - costs time, and is needed after a game at the earliest

    state: int = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(_TIMEX))
    return 0 <= state < _TIME_ERROR
