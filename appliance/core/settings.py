"""What a person may change in the menu, what the configuration fixes, and the score.

Defaults and allowed values stand here alone; the configuration and the store read them from here.
"""

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import NamedTuple

from appliance.core.words import LANGUAGES
from engine import LEVELS, RULES

LEVEL_NAMES = ("adaptive", *LEVELS)
COACHED = "coached"  # in the history, the level of a game that the coach has watched
FIRST = ("you", "box", "alternate")
PLAYERS = (1, 2, 0)
CONTRAST = range(256)
CONTRASTS = (1, 63, 127, 207, 255)  # the steps of the menu


class Settings(NamedTuple):
    """What the menu changes. It outlives the game, and the power."""

    level: str = "adaptive"
    rule: str = "classic"
    first: str = "alternate"  # who begins: you, box, or in turn
    players: int = 1  # people: 1 plays the box, 2 play each other, 0 watch the box play itself
    contrast: int = 207  # of the display
    sound: bool = True
    turned: bool = False  # the whole box stands upside down: picture and keys are turned by 180 degrees
    language: str = "en"
    coach: bool = False  # each empty cell shows what a move there is worth


ALLOWED: Mapping[str, Collection[str] | Collection[int]] = {
    "level": LEVEL_NAMES,
    "rule": tuple(RULES),
    "first": FIRST,
    "players": PLAYERS,
    "contrast": CONTRAST,
    "sound": range(2),
    "turned": range(2),
    "language": LANGUAGES,
    "coach": range(2),
}
"""What each setting may be; a truth value counts as 0 or 1."""


class Options(NamedTuple):
    """What the configuration fixes: times in seconds; 0 switches off what waits for it, `pause` apart."""

    pause: float = 0.4  # from a person's press to the box's answer
    menu: float = 20.0  # without a press, until the menu closes
    dim: float = 60.0  # without a press, until the display is dimmed
    off: float = 600.0  # without a press, until the display is dark
    drift: float = 60.0  # between two shifts of the picture against burn-in
    attract: bool = False  # play a demonstration while dimmed
    power: bool = True  # the menu can switch off and restart
    buzzer: int | None = None  # its pin; the menu offers sound only where there is one


class Tally(NamedTuple):
    """Games won by the first party, won by the second, and drawn."""

    first: int = 0
    second: int = 0
    drawn: int = 0

    def add(self, outcome: str, first: str) -> "Tally":
        """Return the tally after a game with this outcome; `first` is the mark of the first party."""
        if outcome == "draw":
            return self._replace(drawn=self.drawn + 1)
        if outcome == first:
            return self._replace(first=self.first + 1)
        return self._replace(second=self.second + 1)


class Record(NamedTuple):
    """Games against the box at one level: won, lost, drawn; won in a row at last, and at best."""

    won: int = 0
    lost: int = 0
    drawn: int = 0
    run: int = 0
    best: int = 0

    def add(self, result: str) -> "Record":
        """Return the record after a game with this result for the person: "win", "loss" or "draw"."""
        won, lost, drawn = (result == name for name in ("win", "loss", "draw"))
        run = self.run + 1 if won else 0
        return Record(self.won + won, self.lost + lost, self.drawn + drawn, run, max(self.best, run))

    def join(self, later: "Record") -> "Record":
        """Return the record of these games and then the later ones, whose best run counts as it is."""
        run = later.run if later.lost or later.drawn else self.run + later.run
        won, lost, drawn = (here + there for here, there in zip(self[:3], later[:3], strict=True))
        return Record(won, lost, drawn, run, max(self.best, later.best, run))


class Scores(NamedTuple):
    """One tally for you against the box, one for two people (x against o). Watched games do not count.

    `strengths` is the adaptive level's, by rule, where a game has changed it. `records` are by level.
    """

    box: Tally = Tally()
    pair: Tally = Tally()
    strengths: Mapping[str, int] = MappingProxyType({})
    records: Mapping[str, Record] = MappingProxyType({})
