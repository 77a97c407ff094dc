"""What the session wants done, as values. The loop carries them out, in the order in which they stand.

Effects are named tuples: tell them apart by type, and never test one for truth; an empty one is false.
"""

from typing import NamedTuple

from appliance.core.match import Finished, Match
from appliance.core.settings import Scores, Settings


class Draw(NamedTuple):
    """Show the session as it is now."""


class Think(NamedTuple):
    """Ask the engine for a move at a level; it replies with an `Answer` of the same `job`."""

    job: int
    match: Match
    level: str


class Arm(NamedTuple):
    """Set a timer, `seconds` from now; one that already runs under this name is set anew."""

    timer: str
    seconds: float


class Disarm(NamedTuple):
    """Let a timer not run out. One that does not run may be named."""

    timer: str


class Save(NamedTuple):
    """Keep the game in progress, the score and the settings, so that they outlive a power cut."""

    match: Match
    scores: Scores
    settings: Settings


class Archive(NamedTuple):
    """Keep a finished game."""

    game: Finished


class Beep(NamedTuple):
    """Sound one of the named signals: press, refuse, menu, win, loss, draw."""

    signal: str


class Lamp(NamedTuple):
    """Light the lamp, if there is one: it is a person's turn."""

    on: bool


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


Effect = Draw | Think | Arm | Disarm | Save | Archive | Beep | Lamp | Rest | Turn | Power | Quit
