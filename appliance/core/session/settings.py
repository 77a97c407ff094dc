"""What people can change in the menu, what only the configuration can change, and the score.

This is the only place for defaults and allowed values; the configuration and the store import them.
"""

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import NamedTuple

from appliance.core.words import LANGUAGES
from engine import LEVELS, RULES, Belief

LEVEL_NAMES = ("adaptive", *LEVELS)
RULE_NAMES = tuple(RULES)
SMALL_RULES = tuple(name for name, rule in RULES.items() if rule.cells == 9)  # which 32 rows have room for
ANEW = Belief()  # the adaptive level's before the first game
FIRST = ("you", "box", "alternate")
PLAYERS = (1, 2, 0)
SERIES = (3, 5, 7)
CONTRAST = range(256)
CONTRASTS = (1, 63, 127, 207, 255)  # the menu's steps


class Settings(NamedTuple):
    """The settings in the menu. They survive the game and power cuts."""

    level: str = "adaptive"
    rule: str = "classic"
    first: str = "alternate"  # who moves first against the box: you, the box, or in turn
    players: int = 1  # people: 1 plays the box, 2 play each other, 0 watch the box play itself
    contrast: int = 207  # of the display
    sound: bool = True
    turned: bool = False  # the box stands upside down: picture and keys are rotated by 180 degrees
    language: str = "en"
    coach: bool = False  # each empty cell shows what a move there is worth
    series: int = 0  # the wins that decide a match between two people; 0 for no match


ALLOWED: Mapping[str, Collection[str] | Collection[int]] = {
    "level": LEVEL_NAMES,
    "rule": RULE_NAMES,
    "first": FIRST,
    "players": PLAYERS,
    "contrast": CONTRAST,
    "sound": range(2),
    "turned": range(2),
    "language": LANGUAGES,
    "coach": range(2),
    "series": (0, *SERIES),
}
"""The allowed values of each setting; a truth value counts as 0 or 1."""


class Options(NamedTuple):
    """What only the configuration changes. Times are in seconds; 0 disables each but `pause`."""

    pause: float = 0.4  # from a person's press to the box's answer
    menu: float = 20.0  # without a press, until the menu closes
    dim: float = 60.0  # without a press, until the display is dimmed
    off: float = 600.0  # without a press, until the display is switched off
    drift: float = 60.0  # between shifts of the picture against burn-in
    attract: bool = False  # play a demonstration while dimmed
    power: bool = True  # the menu has off, restart and self-test
    exhibit: bool = False  # for a place without staff: nothing that a visitor does outlasts the visit
    visit: float = 60.0  # without a press, until a visit of an exhibit ends


class Tally(NamedTuple):
    """Games won by the first side, won by the second, and drawn."""

    first: int = 0
    second: int = 0
    drawn: int = 0

    def add(self, outcome: str, first: str, games: int = 1) -> "Tally":
        """Return the tally after a game with this outcome, or before one for -1; `first` is a side's mark."""
        side = "drawn" if outcome == "draw" else "first" if outcome == first else "second"
        return self._replace(**{side: max(getattr(self, side) + games, 0)})


class Record(NamedTuple):
    """Games against the box at one level: won, lost, drawn; the current and longest run of wins."""

    won: int = 0
    lost: int = 0
    drawn: int = 0
    run: int = 0
    best: int = 0

    def add(self, result: str) -> "Record":
        """Return the record after a game; `result` is the person's: "win", "loss" or "draw"."""
        won, lost, drawn = (result == name for name in ("win", "loss", "draw"))
        run = self.run + 1 if won else 0
        return Record(self.won + won, self.lost + lost, self.drawn + drawn, run, max(self.best, run))

    def join(self, later: "Record") -> "Record":
        """Return the record of these games followed by the later ones.

        A run that spans both counts, unless it ends within the later games.
        """
        run = later.run if later.lost or later.drawn else self.run + later.run
        won, lost, drawn = (here + there for here, there in zip(self[:3], later[:3], strict=True))
        return Record(won, lost, drawn, run, max(self.best, later.best, run))


class Scores(NamedTuple):
    """A tally of the person against the box, and one of the first person against the second.

    `beliefs` are the adaptive level's by rule, if a game has changed it. `records` are by level. `series` is
    the match of two people: see `core.session.pair`. Games of the box against itself do not count.
    """

    box: Tally = Tally()
    pair: Tally = Tally()
    beliefs: Mapping[str, Belief] = MappingProxyType({})
    records: Mapping[str, Record] = MappingProxyType({})
    series: Tally = Tally()

    @property
    def games(self) -> int:
        """The number of games that count."""
        return sum(self.box) + sum(self.pair)
