"""What can happen to the box (events), and what the session wants done about it (effects).

Each event is stamped where and when it happened: `at` is in seconds of the daemon's one monotonic clock. Keys
and cells count from 0 in reading order: 0 is the top left, 4 the centre, 8 the bottom right.

The keypad's contract: every `Press` is followed by exactly one of `Tap`, `Hold` or `Chord` for the same
key before the next `Press`, and by a `Release` when that key is up, at last. `HoldProgress` may come between.
Every other contact is answered with `Blocked`.

The loop carries out effects in order, but commits `Save` and `Archive` after all others; before them if
`Save.first` is set.

All are named tuples, so two of different types may be equal: tell them apart by type, never by truth.
"""

from enum import StrEnum
from typing import NamedTuple

from appliance.core.match import Finished, Match
from appliance.core.settings import Scores, Settings
from engine import Level, Remark


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


class Release(NamedTuple):
    """The key of the last press is up; `soon` if it was not down for the time of a hold."""

    at: float
    key: int
    soon: bool


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
    """The set of keys that are considered stuck is now `keys`, ascending; empty when all are well.

    `at_start`: they were down in the first scan that could be read, before anybody could have pressed them.
    """

    at: float
    keys: tuple[int, ...]
    at_start: bool = False


class Reading(NamedTuple):
    """The reply to `Read`: the keys (bits) of the last scan, ghosts included and not debounced."""

    at: float
    keys: int


class Timer(StrEnum):
    """What the session waits for."""

    PAUSE = "pause"  # the box's answer is due
    NOTICE = "notice"  # the short message has been read
    FRAME = "frame"  # the next frame of what moves is due
    NEXT = "next"  # the box, playing itself, starts another game
    MENU_IDLE = "menu-idle"
    DIM = "dim"
    OFF = "off"
    DRIFT = "drift"
    DEMO = "demo"  # the demonstration's next move
    TEST = "test"  # the self-test's next scan, picture or page
    LEAVE = "leave"  # switching off did not happen


class Timeout(NamedTuple):
    """A timer that the session armed has expired."""

    at: float
    timer: Timer


class Answer(NamedTuple):
    """The engine's reply to the request numbered `job`: play `cell`."""

    at: float
    job: int
    cell: int


class Judged(NamedTuple):
    """The engine's reply to the `Judge` numbered `job`; it holds neither if the engine failed.

    `worth` is what a move into each of the nine cells is worth to the side to move: "win", "draw", "loss",
    "unknown", or "" where there is no such move. `remarks` are those on the moves of a game that has ended.
    """

    at: float
    job: int
    worth: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] | None = None


class Stop(NamedTuple):
    """The daemon is asked to end, by a signal or because the box is to be switched off."""

    at: float


class Refused(NamedTuple):
    """The machine cannot be switched off or restarted from here; `reason` is one of the words' keys."""

    at: float
    reason: str


class Condition(NamedTuple):
    """A condition has begun or ended; `name` is the badge that shows it ("unsaved", "keys", "brownout")."""

    at: float
    name: str
    on: bool


KeyEvent = Press | Tap | HoldProgress | Hold | Release | Chord | Blocked | Stuck
Event = KeyEvent | Reading | Timeout | Answer | Judged | Stop | Refused | Condition


class Draw(NamedTuple):
    """Show the session as it is now."""


class Think(NamedTuple):
    """Ask the engine for a move at a level; it replies with an `Answer` of the same `job`."""

    job: int
    match: Match
    level: Level


class Judge(NamedTuple):
    """Ask the engine what each move is worth, or was in a game that has ended; it replies with a `Judged`."""

    job: int
    match: Match


class Arm(NamedTuple):
    """Set a timer, `seconds` from now; if it already runs, set it again."""

    timer: Timer
    seconds: float


class Disarm(NamedTuple):
    """Cancel a timer, which need not run."""

    timer: Timer


class Save(NamedTuple):
    """Keep the game in progress, the score and the settings, so that they outlive a power cut."""

    match: Match
    scores: Scores
    settings: Settings
    first: bool = False  # commit before drawing: the picture says that it is done


class Archive(NamedTuple):
    """Keep a finished game."""

    game: Finished


class Beep(NamedTuple):
    """Sound one of the named signals: press, refuse, menu, win, loss, draw."""

    signal: str


class Lamp(NamedTuple):
    """Light the lamp, if there is one: it is a person's turn."""

    on: bool


class Read(NamedTuple):
    """Ask for the last scan of the keys; a `Reading` comes back."""


class Log(NamedTuple):
    """Write a line into the journal."""

    text: str
    warning: bool


class Rest(NamedTuple):
    """The box falls asleep or wakes: the keys may be sensed more slowly, or must be sensed quickly."""

    asleep: bool


class Turn(NamedTuple):
    """The picture is to stand the other way up from now on."""

    turned: bool


class Power(NamedTuple):
    """Switch the machine "off", or "restart" it. Where that cannot be done a `Refused` event comes back."""

    action: str


class Quit(NamedTuple):
    """End the daemon; what is on the display stays there."""


Effect = (
    Draw | Think | Judge | Arm | Disarm | Save | Archive | Beep | Lamp | Read | Log | Rest | Turn | Power
    | Quit
)  # fmt: skip
