"""What can happen to the box, each event stamped where and when it happened.

`at` is always in seconds of the daemon's one monotonic clock. Keys and cells count from 0 in reading
order: 0 is the top left, 4 the centre, 8 the bottom right.

The keypad's contract: every `Press` is followed by exactly one of `Tap`, `Hold` or `Chord` for the same
key before the next `Press`. `HoldProgress` may come between. Every other contact is answered with `Blocked`.

Events are named tuples, so two of different types may be equal: tell them apart by type.
"""

from typing import NamedTuple


class Press(NamedTuple):
    """A key went down while every other key was up."""

    at: float
    key: int


class Tap(NamedTuple):
    """That press was a tap: let go of, or held on a key whose holding means nothing."""

    at: float
    key: int


class HoldProgress(NamedTuple):
    """The key stays down and is on its way to a hold: `fraction` of the way, 0 < fraction < 1.

    When the key is let go before the hold is complete, `Tap` follows.
    """

    at: float
    key: int
    fraction: float


class Hold(NamedTuple):
    """The key was held for the whole hold time. It may still be down."""

    at: float
    key: int


class Chord(NamedTuple):
    """Another key went down within the chord window after the press, so that neither was meant alone.

    `keys` are the pressed key and the other; the pressed key alone if the scan does not tell which other.
    """

    at: float
    keys: tuple[int, ...]


class Blocked(NamedTuple):
    """A key went down and could not be accepted, because `keys` (ascending) are down already.

    `keys` is empty when several went down at once and the scan does not tell which.
    """

    at: float
    keys: tuple[int, ...]


class Stuck(NamedTuple):
    """The set of keys that are considered stuck is now `keys`, ascending; empty when all are well."""

    at: float
    keys: tuple[int, ...]


class Timeout(NamedTuple):
    """A timer that the session armed has run out. `timer` is the name it was armed under."""

    at: float
    timer: str


class Answer(NamedTuple):
    """The engine's reply to the request numbered `job`: play `cell`."""

    at: float
    job: int
    cell: int


class Stop(NamedTuple):
    """The daemon is asked to end, by a signal or because the box is to be switched off."""

    at: float


class Refused(NamedTuple):
    """The machine cannot be switched off or restarted from here; `reason` is one of the words' keys."""

    at: float
    reason: str


class Condition(NamedTuple):
    """Something to know has begun or ended: `name` is the badge that tells it ("unsaved", "damaged")."""

    at: float
    name: str
    on: bool


KeyEvent = Press | Tap | HoldProgress | Hold | Chord | Blocked | Stuck
Event = KeyEvent | Timeout | Answer | Stop | Refused | Condition
