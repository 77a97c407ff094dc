"""What the session wants done, as values. The loop carries them out, in the order in which they stand."""

from appliance.core.match import Finished, Match
from appliance.core.settings import Scores, Settings
from appliance.records import dataclass


@dataclass(frozen=True, slots=True)
class Draw:
    """Show the session as it is now."""


@dataclass(frozen=True, slots=True)
class Think:
    """Ask the engine for a move at a level; it replies with an `Answer` of the same `job`."""

    job: int
    match: Match
    level: str


@dataclass(frozen=True, slots=True)
class Arm:
    """Set a timer, `seconds` from now; one that already runs under this name is set anew."""

    timer: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Disarm:
    """Let a timer not run out. One that does not run may be named."""

    timer: str


@dataclass(frozen=True, slots=True)
class Save:
    """Keep the game in progress, the score and the settings, so that they outlive a power cut."""

    match: Match
    scores: Scores
    settings: Settings


@dataclass(frozen=True, slots=True)
class Archive:
    """Keep a finished game."""

    game: Finished


@dataclass(frozen=True, slots=True)
class Beep:
    """Sound one of the named signals: press, refuse, menu, win, loss, draw."""

    signal: str


@dataclass(frozen=True, slots=True)
class Lamp:
    """Light the lamp, if there is one: it is a person's turn."""

    on: bool


@dataclass(frozen=True, slots=True)
class Rest:
    """The box falls asleep or wakes: the keys may be sensed more slowly, or must be sensed quickly."""

    asleep: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """The picture is to stand the other way up from now on."""

    turned: bool


@dataclass(frozen=True, slots=True)
class Power:
    """Switch the machine "off", or "restart" it. Where that cannot be done a `Refused` event comes back."""

    action: str


@dataclass(frozen=True, slots=True)
class Quit:
    """End the daemon; what is on the display stays there."""


Effect = Draw | Think | Arm | Disarm | Save | Archive | Beep | Lamp | Rest | Turn | Power | Quit
