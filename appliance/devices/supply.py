"""The supply voltage: the firmware's undervoltage alarm, as the kernel's driver raspberrypi-hwmon reports it.

The card image has image/undervoltage.c instead. Boards without the circuit (Zero, Zero W, Zero 2 W) never
raise the alarm.
"""

import logging
import math
from collections.abc import Callable
from pathlib import Path

from appliance.core.problems import Problem

HWMON = Path("/sys/class/hwmon")
# The driver polls the firmware this often, and an alarm covers the time since its last poll.
PERIOD = 2.0  # seconds
SEARCH_SECONDS = 60.0  # seconds between searches for the driver: it may load late, and off a Pi it never does
CALM = 10.0  # seconds without an alarm that end the warning: a weak supply dips repeatedly

REMEDY = "use a stronger power supply and a short, thick cable"

log = logging.getLogger("tictactoe.supply")


def read_alarm(directory: Path = HWMON) -> bool | None:
    """Return whether the supply recently dropped below about 4.63 V; None where nothing measures it."""
    for name in directory.glob("*/name"):
        try:
            if name.read_text().strip() == "rpi_volt":
                return name.with_name("in0_lcrit_alarm").read_text().strip() == "1"
        except (OSError, ValueError):  # being removed, or another driver's
            continue
    return None


class Supply:
    """Checks the supply whenever `poll` is called; it never wakes the box.

    `problem` is None until the first alarm, and stays set when the supply is good again.
    """

    def __init__(self, read: Callable[[], bool | None] = read_alarm) -> None:
        self.problem: Problem | None = None
        self._read = read
        self._next = -math.inf  # when to read again
        self._alarmed = -math.inf  # when the last alarm was read
        self._low = False

    def poll(self, now: float) -> bool | None:
        """Read the alarm if due; return whether the supply is weak when that has changed, else None."""
        if now < self._next:
            return None
        alarm = self._read()
        self._next = now + (SEARCH_SECONDS if alarm is None else PERIOD)
        if alarm:
            self._alarmed = now
        low = now - self._alarmed < CALM
        if low == self._low:
            return None
        before, self._low = self.problem, low
        self.problem = Problem("supply", "low" if low else "dipped", remedy=REMEDY)
        if before is None:
            log.warning("%s", self.problem)
        return low
