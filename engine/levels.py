"""The levels: how far each searches, how often it errs, and how."""

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
    """A strength: a mixture of searched moves and mistakes.

    - `depth`: plies searched; it draws among the best moves. None: perfect play, preferring the moves that a
      casual player most often answers wrongly.
    - `mistakes`: the probability of a mistake, from 0 to 1.
    - `guarded`: whether a mistake still takes a win and blocks a loss, as a casual player does.
    """

    name: str
    depth: int | None
    mistakes: float
    guarded: bool

    def choose(self, position: Position, rng: random.Random, stop: Stop | None = None) -> int:
        """Return the move to play, drawn from the policy. `stop` is polled; once True, the search ends.

        The move is always legal, however early that is. Raise `ValueError` if the game is over.
        """
        if position.terminal:
            raise ValueError("the game is over: there is no move to choose")
        chosen = self.errors(position) if rng.random() < self.mistakes else self.best(position, stop)
        return rng.choice(chosen)

    def policy(self, position: Position) -> dict[int, float]:
        """Return the probability of each move that the level may play.

        >>> from engine import Board
        >>> LEVELS["perfect"].policy(Board())  # the corners set the most traps
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
        """Return the moves that a mistake is drawn from."""
        return casual(position) if self.guarded else position.moves()

    def best(self, position: Position, stop: Stop | None = None) -> list[int]:
        """Return the moves that are drawn from otherwise."""
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
"""The levels by name, weakest first."""
