"""The exact strength of a level against a model of a player, without playing games."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import NamedTuple

from engine.casual import casual
from engine.levels import Level
from engine.position import Position

MODELS: Mapping[str, Callable[[Position], Sequence[int]]] = {
    "random": lambda position: position.moves(),
    "casual": casual,
}
"""Each model returns the moves that it draws from, all equally likely."""


class Odds(NamedTuple):
    """The probabilities of a win, a draw and a loss for the level."""

    win: float
    draw: float
    loss: float

    @property
    def points(self) -> float:
        """The expected points: 1 for a win, 1/2 for a draw."""
        return self.win + self.draw / 2


def odds(level: Level, model: str, start: Position, *, first: bool) -> Odds:
    """Return the odds of `level` from `start` against a model, moving first or second.

    The game must end, and be small enough to enumerate.
    """
    known: dict[Hashable, Odds] = {}

    def visit(position: Position, *, own: bool) -> Odds:
        if position.terminal:
            score = position.evaluate() if own else -position.evaluate()
            return Odds(float(score > 0), float(score == 0), float(score < 0))
        key = position.key()
        if key not in known:
            if own:
                chances = level.policy(position)
            else:
                moves = MODELS[model](position)
                chances = dict.fromkeys(moves, 1 / len(moves))
            after = [(chance, visit(position.play(move), own=not own)) for move, chance in chances.items()]
            known[key] = Odds(*(sum(chance * result[i] for chance, result in after) for i in range(3)))
        return known[key]

    return visit(start, own=first)
