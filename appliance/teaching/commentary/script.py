"""From games to a script: the lines that are spoken, and the boards and tables between them."""

import random
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from appliance.teaching.commentary.booth import Booth, SpokenLine
from appliance.teaching.commentary.claims import Turned
from appliance.teaching.commentary.observe import observe
from appliance.teaching.commentary.players import Player
from appliance.teaching.commentary.records import Season
from appliance.teaching.commentary.season import Fixture, TableRow, season_table
from appliance.teaching.taught import TAUGHT
from engine import Table


class Heading(NamedTuple):
    """A title: level 1 is the broadcast, 2 a matchday, 3 a game."""

    level: int
    text: str


class Diagram(NamedTuple):
    """A board to show: nine characters of x, o and `.`."""

    cells: str


class Result(NamedTuple):
    """A game's moves and its result."""

    game: Fixture


class Standings(NamedTuple):
    """The table, with full names."""

    rows: tuple[TableRow, ...]


ScriptItem = Heading | SpokenLine | Diagram | Result | Standings


def perform(
    games: Iterable[Fixture],
    players: Mapping[str, Player],
    rng: random.Random,
    number: int,
    words: int | None = None,
) -> Iterator[ScriptItem]:
    """Yield the script of a broadcast with this number.

    It ends after the last game, or after the game in which the number of spoken words reaches `words`.
    """
    yield Heading(1, f"The League of Nine Squares, broadcast {number}")
    booth = Booth(players, rng)
    tables = {rule: Table() for rule in TAUGHT}
    season, day = Season(players), (0, 0)
    yield from booth.welcome()
    for game in games:
        if (game.season, game.day) != day:
            if day[1]:
                yield from _close(season, booth, day)
            if game.season != day[0]:
                season = Season(players)
            day = (game.season, game.day)
            yield Heading(2, f"Season {game.season}, matchday {game.day}")
        yield from _game(game, season, booth, tables[game.rule])
        if words is not None and booth.words >= words:
            break
    if season.games:
        yield from _close(season, booth, day)
    yield from booth.farewell()


def _close(season: Season, booth: Booth, day: tuple[int, int]) -> Iterator[ScriptItem]:
    """Yield the end of a matchday: the table, and the lines about it."""
    yield Heading(3, f"The table after matchday {day[1]}")
    yield Standings(tuple(row for row in season_table(season.games, list(season.players)) if row.played))
    for claim in season.of_the_table():
        yield from booth.about(claim)


def _game(game: Fixture, season: Season, booth: Booth, known: Table) -> Iterator[ScriptItem]:
    x, o = season.players[game.x], season.players[game.o]
    yield Heading(3, ", ".join(filter(None, (f"{x.full} (x) - {o.full} (o)", game.rule, game.note))))
    observed, summary = observe(TAUGHT[game.rule](), game.moves, game.players, known)
    yield from booth.introduce(game, season.before(game))
    turn = next((claim.nth for claim in summary if isinstance(claim, Turned)), None)
    for move in observed:
        yield from booth.move(move, season.of_a_move(game, move))
        season.note(move)
        if move.after.ply == turn and not move.after.terminal:
            yield Diagram(move.after.cells)
    season.games.append(game)
    yield Diagram(observed[-1].after.cells)
    yield Result(game)
    winner, loser = (game.o, game.x) if game.outcome == "o" else (game.x, game.o)
    yield from booth.discuss(summary, season.after(game), winner, loser)
