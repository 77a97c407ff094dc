"""The supply voltage: the firmware's undervoltage alarm, as the kernel's driver raspberrypi-hwmon reports it.

The image has image/undervoltage.c in its place. Boards without the circuit for it (Zero, Zero W, Zero 2 W)
never raise the alarm.
"""

import logging
import math
from collections.abc import Callable
from pathlib import Path

from appliance.core.events import Condition

HWMON = Path("/sys/class/hwmon")
# The driver polls the firmware this often, and an alarm covers the time since its last poll.
PERIOD = 2.0  # seconds
SEARCH = 60.0  # seconds between two searches for the driver: it may be loaded late; off a Pi it never is
CALM = 10.0  # seconds without an alarm that end the warning: a weak supply dips again and again
BADGE = "brownout"

REMEDY = "use a stronger power supply and a short, thick cable"

log = logging.getLogger("tictactoe.supply")


def read_alarm(directory: Path = HWMON) -> bool | None:
    """Return whether the supply recently dropped below about 4.63 V; None where nothing measures it."""
    for name in directory.glob("*/name"):
        try:
            if name.read_text().strip() == "rpi_volt":
                return name.with_name("in0_lcrit_alarm").read_text().strip() == "1"
        except (OSError, ValueError):  # it is being removed, or is another driver's
            continue
    return None


class Supply:
    """Watches the supply whenever `poll` is called; it never wakes the box for that.

    `problem` is a sentence from the first alarm on, and stays when the supply is good again.
    """

    def __init__(self, read: Callable[[], bool | None] = read_alarm) -> None:
        self.problem = ""
        self._read = read
        self._next = -math.inf  # when to read again
        self._alarmed = -math.inf  # when the last alarm was read
        self._low = False

    def poll(self, now: float) -> Condition | None:
        """Read the alarm if that is due; return a condition that has begun or ended."""
        if now < self._next:
            return None
        alarm = self._read()
        self._next = now + (SEARCH if alarm is None else PERIOD)
        if alarm:
            self._alarmed = now
        low = now - self._alarmed < CALM
        if low == self._low:
            return None
        if not self.problem:
            log.warning("the supply voltage is too low: %s", REMEDY)
        self._low = low
        self.problem = f"the supply voltage {'is' if low else 'was'} too low: {REMEDY}"
        return Condition(now, BADGE, low)
