"""A game that changes: moves, undo and result, over positions that never do."""

import copy
from collections.abc import Iterator
from typing import Generic, Self, TypeVar

from .position import Position, whole

P = TypeVar("P", bound=Position)


class GameRecord(Generic[P]):
    """A game of any kind: its `start`, the `moves` since then, and the `position` that they led to.

    Records with the same start and moves are equal. `len` counts the moves, and iteration goes over them.

    >>> from mnk_engine import Board, GameRecord
    >>> game = GameRecord(Board())
    >>> for move in (4, 0, 2):
    ...     game.push(move)
    >>> game.pop(), game.moves, game.result()
    (2, (4, 0), '*')
    >>> other = game.copy()
    >>> other.push(8)
    >>> list(other), len(game), other == game
    ([4, 0, 8], 2, False)
    """

    def __init__(self, start: P) -> None:
        self.start = self.position = start
        self.moves: tuple[int, ...] = ()
        self._before: tuple[P, ...] = ()  # no list: a shallow copy would share it

    def copy(self) -> Self:
        """Return a record that goes on from here by itself."""
        return copy.copy(self)

    def push(self, move: int) -> None:
        """Make a move. Raise `ValueError` if it is not legal."""
        whole("a move", move, 0)  # or True would be move 1
        after = self.position.play(move)
        self._before += (self.position,)
        self.position, self.moves = after, (*self.moves, move)

    def pop(self) -> int:
        """Take the last move back, and return it. Raise `IndexError` if there is none."""
        if not self._before:
            raise IndexError("there is no move to take back")
        self._before, self.position = self._before[:-1], self._before[-1]
        self.moves, last = self.moves[:-1], self.moves[-1]
        return last

    def result(self) -> str:
        """Return "1-0" if x has won, "0-1" if o has, "1/2-1/2" for a draw, and "*" while the game is on.

        In a game without x and o the first number is that of the side that began.
        """
        if not self.position.terminal:
            return "*"
        score = self.position.evaluate()
        if getattr(self.position, "to_move", "xo"[len(self.moves) % 2]) == "o":
            score = -score
        return "1-0" if score > 0 else "0-1" if score < 0 else "1/2-1/2"

    def __len__(self) -> int:
        return len(self.moves)

    def __iter__(self) -> Iterator[int]:
        return iter(self.moves)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GameRecord) and (self.start, self.moves) == (other.start, other.moves)

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __repr__(self) -> str:
        return f"<GameRecord, moves {self.moves} from {self.start!r}>"
