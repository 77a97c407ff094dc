"""Matches: how much stronger one player is than another, how sure that is, and what a move costs each.

A few random moves open a game. Each opening is played twice, with either player to move first, so an opening
that favours one side favours neither player. The margin counts openings, not games: the two games of an
opening are not independent. It adds one opening won and one lost: else a match without a loss, however short,
would seem certain (Agresti and Coull, Approximate is better than "exact" for interval estimation of binomial
proportions, The American Statistician 52, 1998, do so with two of each).
"""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt
from statistics import mean, stdev
from typing import NamedTuple

from engine import Game, Limit, Table, casual, search
from engine.levels import KEPT
from engine.montecarlo import montecarlo

OPENING = 4  # random plies before the players take over
QUANTILE = 1.96  # standard errors to either side, for 95 %
TABLE_HEAD = (
    "| player | against | games | won / drawn / lost | score, % | ± 95 % | ms a move | other's |\n"
    "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"
)

Choose = Callable[[Game, Sequence[int], random.Random], int]
"""Returns the move to play in a position, to which these moves led."""


class Contestant(NamedTuple):
    """Who plays: a name for the table, the policy, and a clock of the processor time that it takes."""

    name: str
    choose: Choose
    clock: Callable[[], float] = time.process_time


def searching(nodes: int) -> Contestant:
    """Return the engine's search with so many positions a move, and one table a game, as the box keeps it."""
    limit, table = Limit(nodes=nodes), Table(KEPT)

    def choose(game: Game, moves: Sequence[int], _rng: random.Random) -> int:
        if len(moves) < OPENING + 2:
            table.clear()
        return search(game, limit, table=table).move

    return Contestant(f"search, {nodes:,} positions", choose)


def sampling(playouts: int) -> Contestant:
    """Return Monte-Carlo tree search with so many playouts a move."""

    def choose(game: Game, _moves: Sequence[int], rng: random.Random) -> int:
        move = montecarlo(game, playouts, rng).move
        assert move is not None, "nobody is asked for a move once the game is over"
        return move

    return Contestant(f"Monte-Carlo, {playouts:,} playouts", choose)


def looking() -> Contestant:
    """Return the player who only looks for wins and threats."""
    return Contestant("casual", lambda game, _moves, rng: rng.choice(casual(game)))


@dataclass
class MatchScore:
    """The games of `player` against `other` so far; the points are 1 for a win, 1/2 for a draw."""

    player: Contestant
    other: Contestant
    points: list[float] = field(default_factory=list)
    seconds: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))

    @property
    def score(self) -> float:
        """The mean points of a game."""
        return mean(self.points)

    @property
    def margin(self) -> float:
        """How far to either side of the score its 95 % confidence interval reaches."""
        pairs = [1.0, 0.0, *(mean(self.points[at : at + 2]) for at in range(0, len(self.points), 2))]
        return QUANTILE * stdev(pairs) / sqrt(len(pairs))

    def games(self, start: Callable[[], Game], games: int, seed: object = 0) -> Iterator["MatchScore"]:
        """Play so many games, an even number, and yield after each. The same seed draws the same openings."""
        for number in range(games // 2):
            position, moves = opening(start, random.Random(f"{seed} {number}"))
            for first in (True, False):
                rng = random.Random(f"{seed} {number} {first}")
                self.points.append(self._game(position, [*moves], rng, first=first))
                yield self

    def row(self) -> str:
        """Return the row of the table."""
        counts = " / ".join(str(self.points.count(points)) for points in (1, 0.5, 0))
        figures = (f"{100 * self.score:.1f}", f"{100 * self.margin:.1f}")
        costs = (f"{1000 * mean(seconds):.1f}" for seconds in self.seconds)
        cells = (self.player.name, self.other.name, str(len(self.points)), counts, *figures, *costs)
        return f"| {' | '.join(cells)} |"

    def _game(self, position: Game, moves: list[int], rng: random.Random, *, first: bool) -> float:
        mine = position.to_move if first else "xo".replace(position.to_move, "")
        while not position.terminal:
            which = int(position.to_move != mine)
            player = (self.player, self.other)[which]
            begun = player.clock()
            move = player.choose(position, moves, rng)
            self.seconds[which].append(player.clock() - begun)
            moves.append(move)
            position = position.play(move)
        return 0.5 if position.outcome == "draw" else float(position.outcome == mine)


def opening(start: Callable[[], Game], rng: random.Random) -> tuple[Game, list[int]]:
    """Return a position after a few random moves that leave the game open, and these moves."""
    while True:
        position, moves = start(), list[int]()
        while len(moves) < OPENING and not position.terminal:
            moves.append(rng.choice(position.moves()))
            position = position.play(moves[-1])
        if not position.terminal:
            return position, moves
