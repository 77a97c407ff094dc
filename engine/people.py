"""The level that follows the person: kinds of people, who of them may be playing, and the strength for that.

A move tells more than a result: whoever leaves an open line open has shown it, win or lose. So the box keeps
a weight for each of eight kinds of people, who differ in how often they take a win, prevent a loss and look
further ahead. Each move of the person multiplies each weight by that kind's chance of the move (Bayes' rule);
any hand may slip, so no move is impossible. After each game a part of the weight goes back to where it began,
since somebody else may sit down. That is a Bayesian filter over a few discrete states (S. Särkkä, Bayesian
Filtering and Smoothing, 2013): eight numbers survive the power, and no record of games is needed.

`POINTS` has the points that each kind can expect at each strength, exactly where a rule is solved. The box
plays at the strength at which their mean, weighted by the belief, comes closest to a target: somewhat more
than half, and more after losses in a row. Against a perfect player it is perfect. Points and not wins: at
vanishing nobody draws. O. Missura and T. Gärtner, Predicting dynamic difficulty (NIPS 2011), find a person's
level within few games, too, by weighting levels by results. Kinds that a rule cannot tell apart keep their
proportion: at misère no move wins.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from operator import mul
from typing import Any, NamedTuple

from .deepening import Limit, search
from .levels import GLANCE, Level, careful, casual, near, parts
from .position import Position

STRONGEST = 1000
STRENGTH_STEP = 50  # between two strengths of `POINTS`
WHOLE = 10_000  # the sum of the weights of a belief, but for rounding
SLIPS = 0.12  # the share of a person's moves that may be any move
SWITCH = 0.04  # the chance that somebody else plays the next game
TARGET, RELIEF, MOST = 58, 12, 80  # points of 100 a game; more for each loss in a row; at most
TORN = 0.5  # how often who prevents losses does that instead of taking a part of the game
LOOK = 6  # plies that people who look ahead see; at classic that is all
FEWEST, MANY = 20, 10_000  # positions searched at no and at full strength in a game that is not solved
RECENT = 20  # moves of a person in one game that count; longer games go in circles

Moves = Sequence[int]


class PersonKind(NamedTuple):
    """People who play alike: how often they take a win, prevent a loss at once, and look further ahead."""

    wins: float
    blocks: float
    ahead: float


KINDS: Mapping[str, PersonKind] = {
    "anybody who presses at random": PersonKind(0, 0, 0),
    "child who begins to see lines": PersonKind(0.5, 0.3, 0),
    "child who completes lines": PersonKind(1, 0, 0),
    "child who blocks now and then": PersonKind(1, 0.5, 0),
    "casual player, who wins and blocks": PersonKind(1, 1, 0),
    "good player, who often looks ahead": PersonKind(1, 1, 0.5),
    "strong player, who mostly looks ahead": PersonKind(1, 1, 0.8),
    "perfect player": PersonKind(1, 1, 1),
}
PRIOR = (1000, 2000, 2500, 2000, 1500, 500, 300, 200)


class Belief(NamedTuple):
    """What the box believes about who plays: the losses in a row, and the weight of each of `KINDS`."""

    losses: int = 0
    weights: tuple[int, ...] = PRIOR

    def seen(self, position: Any, moves: Moves, *, first: bool) -> "Belief":
        """Return the belief after the moves from `position` on, of which the person made every second.

        If `first`, the person began. Raise `ValueError` for an illegal move.
        """
        played = []
        for number, move in enumerate(moves):
            if (number % 2 == 0) == first:
                played.append((position, move))
            position = position.play(move)
        return self.weighed([evidence(before, move) for before, move in played[-RECENT:]])

    def weighed(self, chances: Sequence[Sequence[float]]) -> "Belief":
        """Return the belief after moves; `chances` gives each move's chance for each of `KINDS`."""
        weights: Sequence[float] = self.weights
        for found in chances:
            weights = list(map(mul, weights, found))
        return Belief(self.losses, _whole(weights))

    def ended(self, result: str) -> "Belief":
        """Return the belief after a game: a "win", "draw" or "loss" of the person."""
        kept = (1 - SWITCH) * WHOLE / sum(self.weights)
        weights = [kept * weight + SWITCH * first for weight, first in zip(self.weights, PRIOR, strict=True)]
        return Belief(self.losses + 1 if result == "loss" else 0, _whole(weights))

    @property
    def likeliest(self) -> str:
        """The likeliest of `KINDS`."""
        return list(KINDS)[self.weights.index(max(self.weights))]

    def strength(self, rule: str) -> int:
        """Return the strength to play at; a rule without a table counts as classic."""
        if 2 * self.weights[-1] > sum(self.weights) and self.losses < 2:  # perfect, more likely than not
            return STRONGEST
        target = min(TARGET + RELIEF * self.losses, MOST) * sum(self.weights)
        columns = zip(*POINTS.get(rule, POINTS["classic"]), strict=True)
        away = [abs(sum(map(mul, self.weights, column)) - target) for column in columns]
        return away.index(min(away)) * STRENGTH_STEP


def adaptive(strength: int) -> Level:
    """Return the level at a strength from 0, where any move is as likely, to `STRONGEST`: perfect play.

    Each move is any move, a casual player's or a perfect one, for no, one or two heads of two coins that show
    heads as often as the strength says. So what a kind can expect falls evenly with the strength.
    """
    share = strength / STRONGEST
    return Level("adaptive", None, mistakes=2 * share * (1 - share), errors=casual, wild=(1 - share) ** 2)


def searching(strength: int) -> Level:
    """Return the level at a strength in a game that is not solved.

    The coins are those of `adaptive`. What takes the place of perfect play is a search, of `FEWEST`
    positions at strength 0 and of `MANY` at `STRONGEST`, to which `POINTS` is fitted.
    """
    share = strength / STRONGEST
    return replace(adaptive(strength), nodes=round(FEWEST * (MANY / FEWEST) ** share))


def at_once(position: Position) -> tuple[Moves, Moves]:
    """Return the moves that win the game at once, or a part of it, and those that prevent a loss."""
    safe, takes = casual(position), parts(position)
    after = position.play(safe[0])
    won = after.terminal and after.evaluate() < 0
    wins = safe if won or takes else ()
    return wins, careful({move: position.play(move) for move in position.moves()}) if takes else safe


def good_moves(position: Position) -> tuple[Moves, Moves, Moves]:
    """Return the moves that win at once, those that prevent a loss (`casual`), and the best of these.

    In a game with parts, to win one may not be best: there the third are all that come close to the best.
    """
    wins, safe = at_once(position)
    if parts(position) is not None:
        return wins, safe, near(position, Limit(depth=GLANCE))
    if wins or len(safe) == 1:
        return wins, safe, safe
    found = search(position, Limit(depth=LOOK), every=True).moves
    worth = {
        move: {"loss": 0, "win": 2}.get(found[move].value, 1)
        if (found[move].distance or WHOLE) <= LOOK
        else 1
        for move in safe
    }
    return wins, safe, [move for move in safe if worth[move] == max(worth.values())]


def shares(
    kind: PersonKind, every: Moves, wins: Moves, safe: Moves, ahead: Moves
) -> tuple[tuple[float, Moves], ...]:
    """Return pairs of a share and moves: how often a kind picks from these, all equally likely."""
    casually = 1 - kind.ahead
    torn = kind.blocks * TORN if wins and not set(wins) & set(safe) else 0
    takes = casually * kind.wins * (1 - torn) if wins else 0
    blocks = (casually - takes) * kind.blocks if torn or not wins else 0
    return (kind.ahead, ahead), (takes, wins), (blocks, safe), (casually - takes - blocks, every)


@lru_cache(256)  # a game's moves are looked at again after each
def evidence(position: Any, move: int) -> tuple[float, ...]:
    """Return the chance of a move for each of `KINDS`, slips included."""
    every = position.moves()
    if len(every) == 1:
        return (1.0,) * len(KINDS)
    sets = good_moves(position)
    return tuple(
        SLIPS / len(every)
        + (1 - SLIPS)
        * sum(share / len(moves) for share, moves in shares(kind, every, *sets) if move in moves)
        for kind in KINDS.values()
    )


def _whole(weights: Sequence[float]) -> tuple[int, ...]:
    total = sum(weights)
    return tuple([round(WHOLE * weight / total) for weight in weights])


# Written by `make tables`: the points of 100 a game of each kind (rows) at each strength
# (columns), the mean of moving first and second.
# fmt: off
POINTS: Mapping[str, Sequence[Sequence[int]]] = {
    "classic": (
        (50, 46, 42, 38, 35, 32, 29, 26, 23, 21, 18, 16, 14, 13, 11, 10, 9, 8, 7, 6, 5),
        (67, 63, 59, 55, 51, 47, 44, 40, 37, 33, 30, 27, 24, 22, 19, 17, 15, 13, 11, 10, 9),
        (70, 66, 62, 57, 53, 49, 44, 40, 36, 32, 29, 25, 22, 19, 16, 13, 11, 9, 8, 6, 5),
        (79, 76, 72, 68, 64, 60, 56, 52, 49, 45, 41, 37, 34, 30, 27, 24, 21, 18, 16, 13, 12),
        (88, 86, 83, 81, 78, 75, 71, 68, 65, 61, 57, 53, 50, 46, 42, 38, 34, 31, 27, 24, 20),
        (91, 89, 87, 85, 83, 81, 78, 75, 72, 69, 66, 63, 60, 56, 53, 49, 46, 42, 39, 36, 33),
        (93, 91, 90, 88, 86, 84, 82, 80, 77, 75, 72, 69, 66, 63, 60, 57, 54, 51, 48, 45, 42),
        (94, 92, 91, 90, 88, 86, 84, 83, 80, 78, 76, 74, 71, 68, 66, 63, 60, 58, 55, 53, 50),
    ),
    "misere": (
        (50, 48, 47, 45, 43, 42, 40, 38, 36, 34, 32, 30, 28, 27, 24, 22, 20, 18, 16, 13, 10),
        (55, 53, 52, 50, 48, 46, 44, 43, 41, 39, 37, 35, 33, 30, 28, 26, 23, 21, 18, 15, 12),
        (50, 48, 47, 45, 43, 42, 40, 38, 36, 34, 32, 30, 28, 27, 24, 22, 20, 18, 16, 13, 10),
        (58, 56, 55, 53, 51, 50, 48, 46, 44, 42, 40, 38, 35, 33, 31, 28, 26, 23, 20, 16, 13),
        (67, 65, 63, 62, 60, 58, 56, 54, 52, 50, 48, 45, 43, 40, 38, 35, 32, 28, 24, 20, 16),
        (75, 74, 72, 71, 70, 68, 66, 65, 63, 61, 59, 56, 54, 51, 48, 45, 41, 37, 32, 27, 20),
        (80, 79, 78, 77, 76, 74, 73, 71, 70, 68, 66, 64, 61, 59, 55, 52, 48, 43, 38, 31, 23),
        (83, 83, 82, 81, 80, 79, 78, 76, 75, 73, 71, 69, 67, 64, 61, 57, 53, 48, 41, 34, 25),
    ),
    "vanishing": (
        (50, 43, 37, 32, 27, 23, 20, 17, 14, 12, 10, 8, 6, 5, 4, 3, 2, 2, 1, 1, 1),
        (75, 69, 64, 58, 53, 47, 42, 37, 33, 28, 24, 20, 17, 14, 11, 9, 7, 5, 4, 3, 2),
        (81, 75, 70, 64, 58, 52, 47, 42, 36, 32, 27, 23, 19, 16, 13, 10, 8, 6, 5, 3, 3),
        (89, 85, 80, 76, 71, 66, 61, 55, 50, 45, 39, 34, 29, 24, 20, 16, 12, 9, 7, 4, 3),
        (97, 95, 94, 92, 89, 86, 83, 79, 74, 69, 62, 56, 49, 42, 35, 28, 21, 16, 11, 6, 3),
        (98, 98, 97, 96, 94, 93, 91, 88, 85, 81, 76, 71, 65, 59, 51, 43, 35, 27, 19, 11, 4),
        (99, 99, 98, 97, 97, 95, 94, 92, 90, 87, 84, 79, 74, 68, 61, 54, 45, 35, 25, 15, 5),
        (99, 99, 99, 98, 98, 97, 96, 94, 93, 90, 88, 84, 80, 74, 68, 60, 52, 42, 30, 18, 6),
    ),
    # By 200 games a cell, from 800 on by 100, 60 and 40, and so not exact: tests/support/ratings.py.
    "ultimate": (
        (48, 40, 33, 28, 22, 18, 13, 10, 7, 6, 4, 3, 2, 2, 1, 1, 1, 1, 1, 1, 0),
        (82, 73, 64, 57, 51, 45, 39, 32, 25, 21, 16, 14, 11, 8, 5, 3, 1, 1, 0, 0, 0),
        (89, 82, 76, 69, 62, 56, 49, 42, 36, 30, 24, 19, 15, 11, 8, 6, 3, 2, 1, 0, 0),
        (94, 90, 85, 79, 73, 66, 59, 54, 48, 42, 37, 31, 25, 19, 14, 10, 7, 5, 2, 1, 0),
        (94, 91, 88, 85, 83, 79, 74, 68, 61, 55, 49, 42, 36, 29, 21, 15, 8, 5, 2, 1, 0),
        (100, 99, 98, 97, 96, 95, 94, 92, 90, 86, 81, 76, 71, 63, 56, 47, 38, 29, 19, 10, 1),
        (100, 100, 100, 100, 99, 99, 99, 98, 98, 96, 94, 92, 89, 83, 77, 67, 57, 45, 33, 20, 8),
        (100, 100, 100, 100, 100, 100, 100, 100, 100, 99, 99, 97, 96, 94, 91, 84, 76, 62, 47, 28, 8),
    ),
}
# fmt: on
