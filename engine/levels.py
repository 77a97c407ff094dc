"""Named strengths: how far a level looks, how often it errs, and how."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from engine.casual import casual
from engine.position import Position
from engine.search import Limit, search
from engine.traps import Traps

Stop = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Level:
    """A strength, as a mixture of two ways to move.

    - `depth`: in plies, how far it looks ahead; it draws among the moves that look best from there. None:
      as far as is needed never to give away value, and of the moves that do not, one that a casual player
      is the most likely to answer wrongly.
    - `mistakes`: how often it does not look ahead but errs, from 0 to 1.
    - `guarded`: whether it errs as a casual player does, who takes a win and blocks a loss, or just anyhow.
    """

    name: str
    depth: int | None
    mistakes: float
    guarded: bool

    def choose(self, position: Position, rng: random.Random, stop: Stop | None = None) -> int:
        """Return the move to play, drawn from the policy. `stop` is asked now and then whether to hurry.

        Always a legal move, however soon it is stopped. Raise `ValueError` if the game is over.
        """
        if position.terminal:
            raise ValueError("the game is over: there is no move to choose")
        chosen = self.errors(position) if rng.random() < self.mistakes else self.best(position, stop)
        return rng.choice(chosen)

    def policy(self, position: Position) -> dict[int, float]:
        """Return the probability of each move that the level may play.

        >>> from engine import Board
        >>> LEVELS["perfect"].policy(Board())  # the corners: there most can go wrong for the other
        {0: 0.25, 2: 0.25, 6: 0.25, 8: 0.25}
        """
        chances = dict.fromkeys(position.moves(), 0.0)
        for share, moves in (
            (1 - self.mistakes, self.best(position)),
            (self.mistakes, self.errors(position)),
        ):
            for move in moves if share else ():
                chances[move] += share / len(moves)
        return {move: chance for move, chance in chances.items() if chance}

    def errors(self, position: Position) -> Sequence[int]:
        """Return the moves that it draws from when it errs."""
        return casual(position) if self.guarded else position.moves()

    def best(self, position: Position, stop: Stop | None = None) -> list[int]:
        """Return the moves that it draws from when it does not."""
        if self.depth is None:
            return Traps(stop).best(position)
        found = search(position, Limit(depth=self.depth), every=True, proofs=False, stop=stop)
        return [move for move, verdict in found.moves.items() if verdict.score == found.score] or [found.move]


LEVELS: Mapping[str, Level] = {
    level.name: level
    for level in (
        Level("easy", depth=1, mistakes=0.6, guarded=False),
        Level("medium", depth=2, mistakes=0.7, guarded=True),
        Level("hard", depth=4, mistakes=0.45, guarded=True),
        Level("perfect", depth=None, mistakes=0.0, guarded=True),
    )
}
"""The levels by name, the weakest first."""
