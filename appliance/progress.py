"""How far long work is: one line on a terminal, wiped at its end; nothing in a pipe or a file."""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Self, TextIO, TypeVar

from appliance.core.english import duration

T = TypeVar("T")
EVERY = 0.5  # seconds between two drawings of the line
COLUMNS = 80  # columns of a terminal that does not say


def line(what: str, done: int, total: int, elapsed: float) -> str:
    """Return how far work is after `elapsed` seconds. A `total` of 0 is not known."""
    if not total:
        return f"{what}: {done:,}"
    left = f", about {duration(elapsed * (total - done) / done)} left" if 0 < done < total else ""
    return f"{what}: {done:,} of {max(done, total):,}{left}"


class Progress:
    """The line on standard error, from the beginning of the block to its end, however it ends."""

    def __init__(
        self, what: str, total: int = 0, clock: Callable[[], float] = time.monotonic, *, shown: bool = True
    ) -> None:
        self._what, self._total, self._clock = what, total, clock
        self._done, self._drawn, self._width = 0, 0.0, 0
        self._out = sys.stderr if shown and sys.stderr and sys.stderr.isatty() else None
        self._begun = clock()

    def __enter__(self) -> Self:
        self._draw(self._clock())
        return self

    def __exit__(self, *_error: object) -> None:
        if self._out and self._width:
            print(f"\r{'':{self._width}}", end="\r", file=self._out, flush=True)

    def step(self, count: int = 1) -> None:
        """Count so much more as done."""
        self._done += count
        if self._out and (now := self._clock()) - self._drawn >= EVERY:
            self._draw(now)

    def over(self, items: Iterable[T]) -> Iterator[T]:
        """Yield the items, and count each as done."""
        for item in items:
            yield item
            self.step()

    def _draw(self, now: float) -> None:
        if self._out:
            room = _columns(self._out) - 1
            text = line(self._what, self._done, self._total, now - self._begun)[:room]
            print(f"\r{text:<{self._width}}"[: room + 1], end="", file=self._out, flush=True)
            self._drawn, self._width = now, len(text)


def _columns(terminal: TextIO) -> int:
    """Return a terminal's width; standard output, which others ask for theirs, may be a file."""
    with suppress(OSError):
        return os.get_terminal_size(terminal.fileno()).columns or COLUMNS
    return COLUMNS
