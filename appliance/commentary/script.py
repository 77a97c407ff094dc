"""Games -> a script: what is said, by whom, about what, and what is shown between."""

import random
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from appliance.commentary.booth import Booth, Line
from appliance.commentary.claims import Turned
from appliance.commentary.observe import observe
from appliance.commentary.players import Player
from appliance.commentary.records import Season
from appliance.commentary.season import Fixture, Row, table
from engine import RULES, Table


class Heading(NamedTuple):
    """A title; of the broadcast at level 1, of a matchday at 2, of a game at 3."""

    level: int
    text: str


class Position(NamedTuple):
    """A board to show, as nine of x, o and `.`."""

    cells: str


class Result(NamedTuple):
    """A game's moves and how it ended."""

    game: Fixture


class Standings(NamedTuple):
    """The table, with the full names."""

    rows: tuple[Row, ...]


Item = Heading | Line | Position | Result | Standings


def perform(
    games: Iterable[Fixture],
    players: Mapping[str, Player],
    rng: random.Random,
    number: int,
    words: int | None = None,
) -> Iterator[Item]:
    """Yield the script of a broadcast with this number.

    It ends with the games, or after the game in which so many `words` have been said.
    """
    yield Heading(1, f"The League of Nine Squares, broadcast {number}")
    booth = Booth(players, rng)
    tables = {rule: Table() for rule in RULES}
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


def _close(season: Season, booth: Booth, day: tuple[int, int]) -> Iterator[Item]:
    """Yield the end of a matchday: the table, and what is said of it."""
    yield Heading(3, f"The table after matchday {day[1]}")
    yield Standings(tuple(row for row in table(season.games, list(season.players)) if row.played))
    for claim in season.of_the_table():
        yield from booth.about(claim)


def _game(game: Fixture, season: Season, booth: Booth, known: Table) -> Iterator[Item]:
    x, o = season.players[game.x], season.players[game.o]
    yield Heading(3, ", ".join(filter(None, (f"{x.full} (x) - {o.full} (o)", game.rule, game.note))))
    observed, summary = observe(RULES[game.rule](), game.moves, game.players, known)
    yield from booth.introduce(game, season.before(game))
    turn = next((claim.nth for claim in summary if isinstance(claim, Turned)), None)
    for move in observed:
        yield from booth.move(move, season.of_a_move(game, move))
        season.note(move)
        if move.after.ply == turn and not move.after.terminal:
            yield Position(move.after.cells)
    season.add(game)
    yield Position(observed[-1].after.cells)
    yield Result(game)
    winner, loser = (game.o, game.x) if game.outcome == "o" else (game.x, game.o)
    yield from booth.discuss(summary, season.after(game), winner, loser)
