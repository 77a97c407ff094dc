"""The checks as data: what each proves, what it asks of the person, the bounds of its figures; the verdict.

It is pure, so that a report can be judged again by whoever reads it.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

OK, FAILED, NOT_RUN = "ok", "failed", "not run"

Figure = int | float | str
Figures = Mapping[str, Figure]

REASON = "reason"  # the figure of a check that was not run, or that broke: why, in a sentence
WHICH = "which"  # the figure of a check that found faults: what they are


class BoardCheck(NamedTuple):
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
    BoardCheck(1, "pins", "the keypad's pins are there, free, and not at 3.3 V", "", 1),
    BoardCheck(2, "display", "the display answers, and is the configured one", "", 1),
    BoardCheck(3, "walk", "each button closes its own contact", "press each button when asked", 20, (1,)),
    BoardCheck(4, "picture", "the display shows what it should", "look, and answer yes or no", 60, (2,)),
    BoardCheck(5, "chip", "the chip of the header is known, and its lines are free", "", 1),
    BoardCheck(6, "pulls", "each line follows its pull, and no two are joined", "hands off the buttons", 3),
    BoardCheck(
        7, "margin", "a pressed button's column still reads high", "hold button 5, then 1 and 4", 20, (6,)
    ),
    BoardCheck(8, "settling", "the wires charge fast enough between two rows", "hold button 5", 8, (6, 7)),
    BoardCheck(9, "cost", "what a scan and a box at rest cost", "hands off the buttons", 14, (6,)),
    BoardCheck(
        10, "bounce", "how long contacts bounce, and no edge is lost", "tap each button ten times", 70, (6,)
    ),
    BoardCheck(
        11, "presses", "fast presses count once, and soon", "tap 100 times, as fast as you can", 35, (6,)
    ),
    BoardCheck(12, "waking", "a tap wakes the parked keypad", "tap 20 times, each when asked", 60, (6,)),
    BoardCheck(13, "bus", "the display's bus has its speed, and no errors", "", 40),
    BoardCheck(14, "status", "the display's status byte can be read", "", 3),
    BoardCheck(15, "replug", "a display that was unplugged comes back", "unplug two wires in turn", 60, (4,)),
    BoardCheck(16, "noise", "interference does no harm", "switch a lamp on and off ten times", 30),
    BoardCheck(17, "power", "the supply holds under load", "", 15),
    BoardCheck(18, "sound", "the buzzer is heard", "listen, and answer yes or no", 10),
)
QUICK = CHECKS[:4]  # what anybody wants to know; the rest is measured once on a board


def planned(*, full: bool, buzzer: bool) -> tuple[BoardCheck, ...]:
    """Return the quick checks, or all, and that of the sound on a box with a buzzer."""
    *others, sound = CHECKS
    return (*(others if full else QUICK), *([sound] if buzzer else []))


def chosen(only: Sequence[int]) -> tuple[BoardCheck, ...]:
    """Return the checks with these numbers, in the plan's order."""
    return tuple(check for check in CHECKS if check.number in only)


def rounded(value: float) -> float:
    """Return a measured figure with three digits: more are noise."""
    return float(f"{value:.3g}")


def milliseconds(seconds: float) -> float:
    """Return a measured time as a figure."""
    return rounded(seconds * 1e3)


def percentile(values: Sequence[float], percent: int) -> float:
    """Return the smallest value that is at least as large as this many per cent of them."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


class CannotRunError(Exception):
    """A check cannot run here; the message says why. It is not counted."""


class Bound(NamedTuple):
    """What a figure must be: at most `max`, at least `min`, one of `among`; None sets no bound."""

    figure: str
    max: float | None = None
    min: float | None = None
    among: tuple[Figure, ...] | None = None

    def __str__(self) -> str:
        """Return the bound as the report shows it."""
        low = [] if self.min is None else [f">= {self.min:g}"]
        high = [] if self.max is None else [f"<= {self.max:g}"]
        names = [] if self.among is None else [f"is {' or '.join(map(str, self.among))}"]
        return f"{self.figure} {' and '.join((*low, *high, *names))}"

    def met(self, figures: Figures) -> bool:
        """Return whether the figure was measured and is within the bound."""
        value = figures.get(self.figure)
        if value is None or (self.among is not None and value not in self.among):
            return False
        if self.min is None and self.max is None:
            return True
        if isinstance(value, str):
            return False
        return (self.min is None or value >= self.min) and (self.max is None or value <= self.max)


@cache
def expected() -> Mapping[str, tuple[Bound, ...]]:
    """Return the bounds of expected.toml, by the check's name. A figure without a bound is only reported."""
    text = (files("appliance.boardtest") / "expected.toml").read_text(encoding="utf-8")
    return {name: tuple(_bounds(table)) for name, table in tomllib.loads(text).items()}


def _bounds(table: Mapping[str, Mapping[str, object]]) -> Iterator[Bound]:
    for figure, bound in table.items():
        fields = {key: tuple(value) if isinstance(value, list) else value for key, value in bound.items()}
        yield Bound(figure, **fields)  # type: ignore[arg-type]  # tests/boardtest reads the whole file


def broken(figures: Figures, bounds: tuple[Bound, ...]) -> tuple[Bound, ...]:
    """Return the bounds that the figures break."""
    return tuple(bound for bound in bounds if not bound.met(figures))


def judge(figures: Figures, bounds: tuple[Bound, ...]) -> str:
    """Return the verdict on a check that ran."""
    return FAILED if REASON in figures or broken(figures, bounds) else OK
