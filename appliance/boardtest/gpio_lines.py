"""Checks 5 to 8: the header's chip, its lines and their pulls; a held button's column while it rises."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import compress
from typing import Any, NamedTuple, TypeVar

from appliance.boardtest.plan import CannotRunError, Figure, Figures, rounded
from appliance.boardtest.prompts import Prompt
from appliance.boardtest.rig import Pins, Rig
from appliance.core.keys.diagnosis import named
from appliance.core.keys.scan import COLUMNS
from appliance.devices.keypad import SETTLE_READS

PULL_SETTLE = 0.001  # seconds: a pull of 100 kilohms charges even a nanofarad of wire in a tenth of it
PAUSE = 2.0  # seconds for the person to take the hands off
HANDS_OFF = Prompt("Hands off the buttons, please.", "hands_off")
HOLD_SECONDS = 20.0  # seconds for the person to hold what is asked for
HELD_SECONDS = 0.2  # seconds for which it must be held before it counts
HOLD_SCAN_SECONDS = 0.02  # seconds between scans until then
HOLD_TRIES = 3  # a person may let go too early
TIMES = 1000
Measured = TypeVar("Measured")

ROW_PULLS = {"up": "up", "off": "floating", "down": "down"}  # of the rows, by the figures' names
FIVE = 1 << 4
HELD = {"": FIVE, "two_": 1 << 0 | 1 << 3}  # the button in the centre, then 1 and 4, which share a column


class Rises(NamedTuple):
    """How a column rose: how often it did not, the most low reads, and seconds until the last of these."""

    missed: int = 0
    reads: int = 0
    seconds: float = 0.0


def chip(rig: Rig) -> Figures:
    """Return what the kernel says about the chip and the keypad's lines; claim none of them."""
    found = rig.chip()
    held = [line for line in found.lines if line.holder]
    return {
        "label": found.label,
        "held": len(held),
        "holders": ", ".join(f"{line.number} {line.holder}" for line in held),
        "outputs": " ".join(str(line.number) for line in found.lines if line.output),
        "access": rig.access(found),
    }


def pulls(rig: Rig) -> Figures:
    """Return how the lines were left, whether each follows its pulls, and which are joined."""
    rig.ask(HANDS_OFF)
    rig.wait(PAUSE)
    with rig.pins() as claimed:
        lines = dict(zip(rig.numbers, (*claimed.rows, *claimed.columns), strict=True))
        left = {number: bool(pin.state) for number, pin in lines.items()}
        read = {pull: levels(rig, lines, pull) for pull in ("floating", "down", "up")}
        low = [number for number, level in read["up"].items() if not level]
        high = [number for number, level in read["down"].items() if level]
        joined = None if high else _joined(rig, lines, low)  # low against 3.3 V would be a short
    figures: dict[str, Figure] = {
        "left": _digits(left),
        "off": _digits(read["floating"]),
        "up_reads_low": len(low),
        "down_reads_high": len(high),
        "lines": " ".join((*map(str, sorted({*low, *high})), *(joined or ()))),
    }
    return figures if joined is None else figures | {"joined": len(joined)}


def _digits(levels: Mapping[int, bool]) -> str:
    return "".join(str(int(level)) for level in levels.values())


def levels(rig: Rig, lines: Mapping[int, Any], pull: str) -> Mapping[int, bool]:
    """Return what each line reads while all have this pull, so that bridged lines follow it, too."""
    for pin in lines.values():
        pin.input_with_pull(pull)
    rig.wait(PULL_SETTLE)
    return {number: bool(pin.state) for number, pin in lines.items()}


def _joined(rig: Rig, lines: Mapping[int, Any], low: Sequence[int]) -> list[str]:
    """Return the pairs of lines of which one pulls the other down: "5-17". Those in `low` always are."""
    found = set()
    for number, pin in lines.items():
        pin.output_with_state(state=False)
        rig.wait(PULL_SETTLE)
        follow = [other for other, line in lines.items() if other not in {number, *low} and not line.state]
        found |= {(min(number, other), max(number, other)) for other in follow}
        pin.input_with_pull("up")
        rig.wait(PULL_SETTLE)
    return [f"{one}-{other}" for one, other in sorted(found)]


def pull_up(claimed: Pins) -> None:
    """Make all pins inputs with a pull-up."""
    for pin in (*claimed.columns, *claimed.rows):
        pin.input_with_pull("up")


def closed_keys(claimed: Pins) -> int:
    """Return the closed keys (bits), ghosts included; every pin is pulled up before and after."""
    return sum(closed << row * COLUMNS for row, closed in enumerate(_scanned(claimed)))


def _scanned(claimed: Pins) -> Iterator[int]:
    """Yield the columns (bits) that each row pulls down."""
    for pin in claimed.rows:
        pin.output_with_state(state=False)
        low = [not line.state for line in claimed.columns]
        yield sum(closed << column for column, closed in enumerate(low))
        pin.input_with_pull("up")
        for line in compress(claimed.columns, low):
            any(line.state for _ in range(SETTLE_READS))


def margin(rig: Rig) -> Figures:
    """Return how often the column of held buttons did not rise, by the pull of their rows."""
    figures: dict[str, float] = {}
    for name, keys in HELD.items():
        for pull, rises in _while_held(rig, keys, _by_pull).items():
            figures[f"{name}{pull}_low"] = rises.missed
            if not name and pull != "down":
                figures[f"{pull}_us"] = rounded(rises.seconds * 1e6)
    return figures


def settling(rig: Rig) -> Figures:
    """Return how often each column reads low at most until its own pull has charged it."""
    found = _while_held(rig, FIVE, _by_column)
    return {f"column_{number}": rises.reads for number, rises in enumerate(found, 1)}


def _by_pull(rig: Rig, claimed: Pins, keys: int) -> dict[str, Rises]:
    """Measure the keys' column with each pull of their rows."""
    pressed = [key for key in range(len(claimed.rows) * COLUMNS) if keys >> key & 1]
    first, *others = (claimed.rows[key // COLUMNS] for key in pressed)
    found = {}
    for name, pull in ROW_PULLS.items():
        for row in others:
            row.input_with_pull(pull)
        found[name] = _rises(rig, first, claimed.columns[pressed[0] % COLUMNS], pull)
    return found


def _by_column(rig: Rig, claimed: Pins, _keys: int) -> list[Rises]:
    return [_rises(rig, column, column, "up") for column in claimed.columns]


def _rises(rig: Rig, driver: Any, column: Any, pull: str) -> Rises:
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


def _while_held(rig: Rig, keys: int, measure: Callable[[Rig, Pins, int], Measured]) -> Measured:
    """Return what is measured while these keys are held, from before to after.

    Raise `CannotRunError` if nobody does, or if they read as others.
    """
    request = Prompt(f"Hold {named(keys).replace('key', 'button')} until you are asked for something else.",
                      "hold_these", keys)  # fmt: skip
    with rig.pins() as claimed:
        pull_up(claimed)
        for _ in range(HOLD_TRIES):
            rig.ask(request)
            _wait_until_held(rig, claimed, keys)
            measured = measure(rig, claimed, keys)
            pull_up(claimed)
            rig.wait(PULL_SETTLE)
            if closed_keys(claimed) == keys:
                return measured
    raise CannotRunError(f"{named(keys)} did not stay down")


def _wait_until_held(rig: Rig, claimed: Pins, keys: int) -> None:
    began = since = rig.now()
    read = 0
    while (now := rig.now()) - began < HOLD_SECONDS:
        read = closed_keys(claimed)
        if read != keys:
            since = now
        elif now - since >= HELD_SECONDS:
            return
        rig.wait(HOLD_SCAN_SECONDS)
    found = f"{named(read)} did" if read else "no key did"
    raise CannotRunError(f"{named(keys)} did not close within {HOLD_SECONDS:g} s, {found}: see check 3")
