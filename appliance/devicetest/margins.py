"""Checks 3 and 4: what a held button's column reads while no row drives it, and how fast it gets there."""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from appliance.core.keys.diagnosis import named
from appliance.core.keys.scan import COLUMNS
from appliance.devices.keypad import SETTLE_READS
from appliance.devicetest.asking import Request
from appliance.devicetest.chip import TracedPin
from appliance.devicetest.judge import CannotRunError, Figures, rounded
from appliance.devicetest.lines import SETTLE, pull_up, scan
from appliance.devicetest.rig import BoardRig, Pins

PATIENCE = 20.0  # seconds for the person to hold what is asked for
STEADY = 0.2  # seconds for which it must be held before it counts
SAMPLE = 0.02  # seconds between scans until then
TRIES = 3  # a person may let go too early
TIMES = 1000
PULLS = {"up": "up", "off": "floating", "down": "down"}  # of the rows, by the figures' names
FIVE = 1 << 4
HELD = {"": FIVE, "two_": 1 << 0 | 1 << 3}  # the button in the centre, then 1 and 4, which share a column

Measured = TypeVar("Measured")


class Rises(NamedTuple):
    """How a column rose: how often it did not, the most low reads, and seconds until the last of these."""

    missed: int = 0
    reads: int = 0
    seconds: float = 0.0


def margin(rig: BoardRig) -> Figures:
    """Return how often the column of held buttons did not rise, by the pull of their rows."""
    figures: dict[str, float] = {}
    for name, keys in HELD.items():
        for pull, rises in _while_held(rig, keys, _by_pull).items():
            figures[f"{name}{pull}_low"] = rises.missed
            if not name and pull != "down":
                figures[f"{pull}_us"] = rounded(rises.seconds * 1e6)
    return figures


def settling(rig: BoardRig) -> Figures:
    """Return how often each column reads low at most until its own pull has charged it."""
    found = _while_held(rig, FIVE, _by_column)
    return {f"column_{number}": rises.reads for number, rises in enumerate(found, 1)}


def _by_pull(rig: BoardRig, claimed: Pins, keys: int) -> dict[str, Rises]:
    """Measure the keys' column with each pull of their rows."""
    pressed = [key for key in range(len(claimed.rows) * COLUMNS) if keys >> key & 1]
    first, *others = (claimed.rows[key // COLUMNS] for key in pressed)
    found = {}
    for name, pull in PULLS.items():
        for row in others:
            row.input_with_pull(pull)
        found[name] = _rises(rig, first, claimed.columns[pressed[0] % COLUMNS], pull)
    return found


def _by_column(rig: BoardRig, claimed: Pins, _keys: int) -> list[Rises]:
    return [_rises(rig, column, column, "up") for column in claimed.columns]


def _rises(rig: BoardRig, driver: TracedPin, column: TracedPin, pull: str) -> Rises:
    """Let the column rise after `driver` has held it low and got this pull, a thousand times.

    The time is that of the last low read, so a slow machine does not make a wire slow.
    """
    missed, most, longest = 0, 0, 0.0
    for _ in range(TIMES):
        driver.output_with_state(state=False)
        driver.input_with_pull(pull)
        reads, last = 0, 0.0
        began = at = rig.now()
        while reads < SETTLE_READS and not column.state:
            reads, last, at = reads + 1, at - began, rig.now()
        missed += reads == SETTLE_READS
        most, longest = max(most, reads), max(longest, last)
    return Rises(missed, most, longest)


def _while_held(rig: BoardRig, keys: int, measure: Callable[[BoardRig, Pins, int], Measured]) -> Measured:
    """Return what is measured while these keys are held, from before to after.

    Raise `CannotRunError` if nobody does, or if they read as others.
    """
    request = Request(f"Hold {named(keys).replace('key', 'button')} until you are asked for something else.",
                      "hold_these", keys)  # fmt: skip
    with rig.pins() as claimed:
        pull_up(claimed)
        for _ in range(TRIES):
            rig.ask(request)
            _wait_until_held(rig, claimed, keys)
            measured = measure(rig, claimed, keys)
            pull_up(claimed)
            rig.wait(SETTLE)
            if scan(claimed) == keys:
                return measured
    raise CannotRunError(f"{named(keys)} did not stay down")


def _wait_until_held(rig: BoardRig, claimed: Pins, keys: int) -> None:
    began = since = rig.now()
    read = 0
    while (now := rig.now()) - began < PATIENCE:
        read = scan(claimed)
        if read != keys:
            since = now
        elif now - since >= STEADY:
            return
        rig.wait(SAMPLE)
    found = f"{named(read)} did" if read else "no key did"
    raise CannotRunError(f"{named(keys)} did not close within {PATIENCE:g} s, {found}: see check 6")
