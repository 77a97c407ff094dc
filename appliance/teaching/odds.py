"""The exact odds of one level against another, and the moves among which a modelled person chooses.

A player is a probability for each move, and the odds of a position are the mean of those after its moves,
computed once per position. At vanishing positions recur, so it has no such odds.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from engine import Game, Level, casual
from engine.levels import Errors, TrapSearch, anything

Policy = Callable[[Any], Mapping[int, float]]
"""Returns the moves that may be played in a position, with their probabilities."""


class Odds(NamedTuple):
    """The probabilities of a win, a draw and a loss."""

    win: float
    draw: float
    loss: float


RANDOM = Level("random", depth=None, mistakes=1.0, errors=anything)
CASUAL = Level("casual", depth=None, mistakes=1.0, errors=casual)


def exact(own: Policy, other: Policy, start: Game, *, first: bool) -> Odds:
    """Return the exact odds of the player with the policy `own`, who moves first or second.

    By the rule of `start`, no position may occur twice in a game.
    """
    known: dict[Hashable, Odds] = {}

    def visit(position: Game, *, mine: bool) -> Odds:
        if position.terminal:
            score = position.evaluate() if mine else -position.evaluate()
            return Odds(float(score > 0), float(score == 0), float(score < 0))
        key = position.key()
        if key not in known:
            chances = own(position) if mine else other(position)
            after = [(chance, visit(position.play(move), mine=not mine)) for move, chance in chances.items()]
            known[key] = Odds(*(sum(chance * odds[i] for chance, odds in after) for i in range(3)))
        return known[key]

    return visit(start, mine=first)


@cache
def mistake_moves(errors: Errors | None, position: Any) -> Sequence[int]:
    """Return the moves among which a mistake of this kind chooses; the best ones for None."""
    return errors(position, None) if errors else TRAPS[type(position)].best(position)


@cache
def keeping(position: Any) -> Sequence[int]:
    """Return the moves of perfect play without traps: the fastest win, any draw, the slowest loss."""
    found = TRAPS[type(position)].verdicts(position)
    return [move for move, verdict in found.moves.items() if verdict.score == found.score]


TRAPS: dict[type, TrapSearch] = defaultdict(TrapSearch)
"""Perfect play, one for each rule: keys of two rules may be equal."""
