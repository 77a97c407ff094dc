"""The exact odds of one level against another, and the moves among which a modelled person chooses.

`python tests/support/odds.py` prints in Markdown how each level fares at classic against a random and a
casual player, who begin or do not.

A player is a probability for each move, and the odds of a position are the mean of those after its moves,
computed once per position. At vanishing positions recur, so it has no such odds.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from engine import LEVELS, Board, Game, Level, casual
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


def level_table() -> dict[str, dict[str, Odds]]:
    """Return each level's odds at classic against a random and a casual player, moving first and second."""
    models = {model.name: cache(model.policy) for model in (RANDOM, CASUAL)}
    return {
        name: {
            f"{model}, {seat}": exact(own, models[model], Board(), first=seat == "first")
            for model in models
            for seat in ("first", "second")
        }
        for name, own in ((name, cache(level.policy)) for name, level in LEVELS.items())
    }


def as_markdown(table: Mapping[str, Mapping[str, Odds]]) -> str:
    """Return the table in Markdown: the level's wins, draws and losses in per cent."""
    seats = list(next(iter(table.values())))
    lines = [
        "| level | " + " | ".join(f"against {seat}" for seat in seats) + " |",
        "| --- |" + " ---: |" * len(seats),
    ]
    for name, row in table.items():
        cells = (" / ".join(f"{100 * chance:.1f}" for chance in row[seat]) for seat in seats)
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(f"{as_markdown(level_table())}\n")
