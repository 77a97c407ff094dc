"""What a key does, as events.

Each event is stamped where it happens: `at` is in seconds of the daemon's one monotonic clock. Keys count
from 0 in reading order: 0 is the top left, 4 the centre, 8 the bottom right.

The keypad's contract: every `Press` is followed by exactly one of `Tap`, `Hold` or `Chord` for the same
key before the next `Press`, and finally by a `Release` when that key is up. `HoldProgress` may come between.
Every other contact yields a `Blocked`.

All are named tuples, so events of different types may compare equal: check the type, not equality.
"""

from typing import NamedTuple


class Press(NamedTuple):
    """A key went down while every other key was up."""

    at: float
    key: int


class Tap(NamedTuple):
    """The press was a tap: the key was released before the hold time, or has no hold."""

    at: float
    key: int


class HoldProgress(NamedTuple):
    """The key has been down for `fraction` of the hold time, 0 < fraction < 1.

    If it is released before the hold is complete, `Tap` follows.
    """

    at: float
    key: int
    fraction: float


class Hold(NamedTuple):
    """The key was held for the whole hold time. It may still be down."""

    at: float
    key: int


class Release(NamedTuple):
    """The key of the last press is up; `soon` if it was down for less than the hold time."""

    at: float
    key: int
    soon: bool


class Chord(NamedTuple):
    """Another key went down within the chord window after the press, so neither was meant alone.

    `keys` are the pressed key and the other; only the pressed key if the scan does not identify the other.
    """

    at: float
    keys: tuple[int, ...]


class Blocked(NamedTuple):
    """A key went down but is not accepted, because `keys` (ascending) are already down.

    `keys` is empty if several went down at once and the scan does not identify them.
    """

    at: float
    keys: tuple[int, ...]


class Stuck(NamedTuple):
    """The set of stuck keys is now `keys`, ascending; empty when all work.

    `at_start`: they were down in the first readable scan, before anybody could have pressed them.
    """

    at: float
    keys: tuple[int, ...]
    at_start: bool = False


KeyEvent = Press | Tap | HoldProgress | Hold | Release | Chord | Blocked | Stuck
