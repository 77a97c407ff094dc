"""The checks of the device test, as data: what each proves, what it asks of the person, how long it takes."""

from typing import NamedTuple


class Check(NamedTuple):
    """A check. `name` is its key in the report and in expected.toml.

    `asks` is what the person has to do, "" for nothing; `seconds` is an estimate of all of it. If a check in
    `needs` has failed in the same run, this one would only fail for the same reason, so it is not run.
    """

    number: int
    name: str
    proves: str
    asks: str
    seconds: int
    needs: tuple[int, ...] = ()


CHECKS = (
    Check(1, "pins", "the chip of the header is known, and its lines are free", "", 1),
    Check(2, "pulls", "each line follows its pull, and no two are joined", "hands off the buttons", 3),
    Check(3, "margin", "a pressed button's column still reads high", "hold button 5, then 1 and 4", 20, (2,)),
    Check(4, "settling", "the wires charge fast enough between two rows", "hold button 5", 8, (2, 3)),
    Check(5, "cost", "what a scan and a box at rest cost", "hands off the buttons", 14, (2,)),
    Check(
        6, "bounce", "how long contacts bounce, and no edge is lost", "tap each button ten times", 70, (2,)
    ),
    Check(7, "presses", "fast presses count once, and soon", "tap 100 times, as fast as you can", 35, (2,)),
    Check(8, "waking", "a tap wakes the parked keypad", "tap 20 times, each when asked", 60, (2,)),
    Check(9, "bus", "the display's bus has its speed, and no errors", "", 40),
    Check(10, "status", "the display's status byte can be read", "", 3),
    Check(11, "picture", "the configured driver is the display's", "look, and answer yes or no", 60),
    Check(12, "replug", "a display that was unplugged comes back", "unplug two wires in turn", 60, (11,)),
    Check(13, "noise", "interference does no harm", "switch a lamp on and off ten times", 30),
    Check(14, "power", "the supply holds under load", "", 15),
)


def chosen(only: tuple[int, ...] = ()) -> tuple[Check, ...]:
    """Return the checks with these numbers, in the plan's order; without any, all."""
    return tuple(check for check in CHECKS if not only or check.number in only)
