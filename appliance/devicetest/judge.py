"""Figures and bounds to a verdict: pure, so that a report can be judged again by whoever reads it."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

OK, FAILED, NOT_RUN = "ok", "failed", "not run"

Figure = int | float | str
Figures = Mapping[str, Figure]

REASON = "reason"  # the figure of a check that was not run, or that broke: why, in a sentence


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
    text = (files("appliance.devicetest") / "expected.toml").read_text(encoding="utf-8")
    return {name: tuple(_bounds(table)) for name, table in tomllib.loads(text).items()}


def _bounds(table: Mapping[str, Mapping[str, object]]) -> Iterator[Bound]:
    for figure, bound in table.items():
        fields = {key: tuple(value) if isinstance(value, list) else value for key, value in bound.items()}
        yield Bound(figure, **fields)  # type: ignore[arg-type]  # tests/devicetest reads the whole file


def broken(figures: Figures, bounds: tuple[Bound, ...]) -> tuple[Bound, ...]:
    """Return the bounds that the figures break."""
    return tuple(bound for bound in bounds if not bound.met(figures))


def judge(figures: Figures, bounds: tuple[Bound, ...]) -> str:
    """Return the verdict on a check that ran."""
    return FAILED if REASON in figures or broken(figures, bounds) else OK
