"""The session's inputs (events) and outputs (effects).

Key events are in `appliance.core.keys.key_events`. Each event is stamped at its source: `at` is in seconds of
the daemon's monotonic clock. Cells count like keys, from 0 in reading order.

What follows from the session alone is no effect: after each step the loop shows it, lights the lamp, sets how
often keys are scanned, and saves what must survive a power cut: see `Loop`.

All are named tuples, so two of different types may compare equal: tell them apart by type, never by `==`.
"""

from enum import StrEnum
from typing import NamedTuple

from appliance.core.keys.key_events import KeyEvent
from appliance.core.session.match import Finished, Match
from appliance.core.session.settings import Scores, Settings
from engine import Belief, Level, Remark


class Reading(NamedTuple):
    """The reply to `Read`: the keys (bits) of the last scan, ghosts included and not debounced."""

    at: float
    keys: int


class Timer(StrEnum):
    """The session's timers. Each is armed at most once at a time."""

    PAUSE = "pause"  # the box's answer is due
    NOTICE = "notice"  # the short message goes
    FRAME = "frame"  # the animation's next frame is due
    CHOICE = "choice"  # the chosen board is given up
    NEXT = "next"  # the box, playing itself, starts the next game
    MENU_IDLE = "menu-idle"
    DIM = "dim"
    OFF = "off"
    VISIT = "visit"  # the visit of an exhibit has ended
    DRIFT = "drift"
    DEMO = "demo"  # the demonstration's next move
    TEST = "test"  # the self-test's next scan, picture or page
    LEAVE = "leave"  # the machine should have switched off by now


class Timeout(NamedTuple):
    """A timer that the session armed has expired."""

    at: float
    timer: Timer


class Answer(NamedTuple):
    """The engine's reply to the request numbered `job`: play `move`."""

    at: float
    job: int
    move: int


class Judged(NamedTuple):
    """The engine's reply to the `Judge` numbered `job`; both fields have their defaults if the engine failed.

    `worth` is what a move in each of the nine cells is worth to the side to move: "win", "draw", "loss",
    "unknown", or "" for an illegal move. `remarks` are the remarks on the moves of a finished game.
    """

    at: float
    job: int
    worth: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] | None = None


class StopSignal(NamedTuple):
    """The daemon must end: a signal, or the box is being switched off."""

    at: float


class Refused(NamedTuple):
    """The machine could not be switched off or rebooted; `reason` is a key in `core.words`."""

    at: float
    reason: str


class Condition(NamedTuple):
    """A warning started or cleared; `name` selects its badge ("unsaved", "keys", "brownout")."""

    at: float
    name: str
    on: bool


Event = KeyEvent | Reading | Timeout | Answer | Judged | StopSignal | Refused | Condition


class Think(NamedTuple):
    """Ask the engine for a move at a level; it replies with an `Answer` for the same `job`.

    A belief stands for the adaptive level. It is that at the beginning of the game, to be updated by the
    person's moves.
    """

    job: int
    match: Match
    level: Level | Belief


class Judge(NamedTuple):
    """Ask the engine what each move is worth, or was worth in a finished game; it replies with a `Judged`."""

    job: int
    match: Match


class Arm(NamedTuple):
    """Arm a timer to expire `seconds` from now; rearm it if it is running.

    It ends with the phase unless it matters in the next one, too: see `carry_over` in transitions.py.
    """

    timer: Timer
    seconds: float


class Archive(NamedTuple):
    """Add a finished game to the history, or take it `back` if it is the last one there."""

    game: Finished
    back: bool = False


class CountVisit(NamedTuple):
    """Count a visit of an exhibit: it begins now."""


class Beep(NamedTuple):
    """Play one of the signals: press, refuse, menu, win, loss, draw."""

    signal: str


class Read(NamedTuple):
    """Ask for the last scan of the keys; a `Reading` replies."""


class Log(NamedTuple):
    """Write a line to the journal."""

    text: str
    warning: bool


class Power(NamedTuple):
    """Switch the machine "off", or "restart" it. A `Refused` event replies if that is impossible."""

    action: str


class Quit(NamedTuple):
    """End the daemon and leave the display as it is."""


Effect = Think | Judge | Arm | Archive | CountVisit | Beep | Read | Log | Power | Quit


class Saved(NamedTuple):
    """What must survive a power cut: the game in progress, the score and the settings. It is no effect."""

    match: Match
    scores: Scores
    settings: Settings


Keepsake = Saved | Archive | CountVisit  # what the card keeps
