"""A season: fixtures, games and a table."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from appliance.core.session.match import Finished, Match
from appliance.teaching.commentary.players import BOX, HOME, MIRROR, POOL, STYLES, VISITOR, Player, policy
from appliance.teaching.taught import TAUGHT

MATCHDAY = 4  # games per matchday, of eight players or of a history
DAYS = 14  # matchdays per season: everybody plays everybody twice
OTHER_RULES = {5: "misere", 10: "vanishing"}  # on these matchdays
WIN, DRAW = 3, 1  # points


class Fixture(NamedTuple):
    """A game to report. `day` counts the matchdays of its `season`; `note` is for its title."""

    season: int
    day: int
    rule: str
    x: str
    o: str
    moves: tuple[int, ...]
    outcome: str
    note: str = ""

    @property
    def players(self) -> dict[str, str]:
        """The names by mark."""
        return {"x": self.x, "o": self.o}

    def result(self, name: str) -> str:
        """Return the result for one of the two players: "won", "drawn" or "lost"."""
        if self.outcome == "draw":
            return "drawn"
        return "won" if self.players[self.outcome] == name else "lost"


class TableRow(NamedTuple):
    """A line of the table."""

    name: str
    played: int
    won: int
    drawn: int
    lost: int

    @property
    def points(self) -> int:
        """Three points for a win, one for a draw."""
        return WIN * self.won + DRAW * self.drawn


def season_table(games: Sequence[Fixture], names: Sequence[str]) -> list[TableRow]:
    """Return the table after `games`, sorted by points, then wins, then name."""
    rows = []
    for name in names:
        results = [game.result(name) for game in games if name in (game.x, game.o)]
        rows.append(TableRow(name, len(results), *(results.count(kind) for kind in ("won", "drawn", "lost"))))
    return sorted(rows, key=lambda row: (-row.points, -row.won, row.name))


class League:
    """Eight players of the pool, who play season after season; all randomness is from `rng`."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        eight = rng.sample(POOL, len(STYLES))
        self.players: Mapping[str, Player] = {player.name: player for player in eight}
        self.levels = dict(zip(self.players, rng.sample(STYLES, len(STYLES)), strict=True))

    def games(self) -> Iterator[Fixture]:
        """Yield games for ever."""
        season = 0
        while True:
            season += 1
            for day, pairs in enumerate(self._fixtures(), 1):
                rule = OTHER_RULES.get(day, "classic")
                for x, o in pairs:
                    yield self._play(Fixture(season, day, rule, x, o, (), ""))

    def _fixtures(self) -> list[list[tuple[str, str]]]:
        """Return the pairs of each matchday by the circle method, then all again with the marks swapped."""
        first, *others = self.rng.sample(list(self.players), len(self.players))
        days = []
        for turn in range(DAYS // 2):
            circle = [first, *others[turn:], *others[:turn]]
            pairs = list(zip(circle[:MATCHDAY], reversed(circle[MATCHDAY:]), strict=True))
            days.append([(o, x) if (turn + place) % 2 else (x, o) for place, (x, o) in enumerate(pairs)])
        return days + [[(o, x) for x, o in day] for day in days]

    def _play(self, fixture: Fixture) -> Fixture:
        position: Any = TAUGHT[fixture.rule]()
        moves = list[int]()
        while not position.terminal:
            chances = policy(self.levels[fixture.players[position.to_move]], position)
            moves.append(self.rng.choices(list(chances), list(chances.values()))[0])
            position = position.play(moves[-1])
        return fixture._replace(moves=tuple(moves), outcome=position.outcome or "draw")


SEATS: Mapping[str, Player] = {player.name: player for player in (VISITOR, BOX, HOME, MIRROR)}


def from_history(games: Sequence[Finished]) -> list[Fixture]:
    """Return the games of a box, four per matchday, without those that cannot be replayed."""
    found: list[Fixture] = []
    for game in filter(_replayable, games):
        season, day = divmod(len(found) // MATCHDAY, DAYS)
        first, second = ((BOX, MIRROR), (VISITOR, BOX), (HOME, VISITOR))[game.players]
        x, o = (second, first) if game.players and game.human == "o" else (first, second)
        note = "" if game.players == 2 or not game.level else f"the Box plays at {game.level}"
        found.append(Fixture(season + 1, day + 1, game.rule, x.name, o.name, game.moves, game.result, note))
    return found


def _replayable(game: Finished) -> bool:
    if game.rule not in TAUGHT:
        return False
    try:
        return Match.replay(game.rule, game.human, game.moves).game.outcome == game.result
    except ValueError:
        return False
