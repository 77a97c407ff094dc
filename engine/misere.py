"""Misère tic-tac-toe: whoever completes a line loses."""

from .board import Board
from .position import WIN


class Misere(Board):
    """A position of an m,n,k game in which k in a row lose; a new one is 3x3, with x to move.

    On 3x3 it is drawn: x begins in the middle and then answers every mark with the one opposite.
    """

    __slots__ = ()

    def candidates(self) -> list[int]:
        """Return the moves to search: those that complete no line, or all if each does."""
        if self._terminal:
            return []
        free = self._shape.full & ~(self._own | self._other)
        worthwhile = free & ~self._own_threats or free
        return [cell for cell in self._shape.order if worthwhile >> cell & 1]

    def evaluate(self) -> int:
        """Return the static evaluation for the side to move: open lines count against it."""
        return -super().evaluate()

    def bounds(self) -> tuple[int, int]:
        """Return a lower and an upper bound on the score under perfect play, provable without search.

        A side whose every move completes a line loses. A side whose lines are all dead cannot lose.
        """
        if self._terminal:
            value = self.evaluate()
            return value, value
        if not self._shape.full & ~(self._own | self._other | self._own_threats):
            loss = self._ply + 1 - WIN
            return loss, loss
        return (
            self._ply + 3 - WIN if self._own_hope else 0,
            WIN - self._ply - 2 if self._other_hope else 0,
        )

    def key(self) -> int:
        """Return the position's key as a number; mirror images share it."""
        return -super().key()

    @property
    def outcome(self) -> str | None:
        """None while the game is on, then the winner, "x" or "o", or "draw"."""
        outcome = super().outcome
        return {"x": "o", "o": "x"}.get(outcome, outcome) if outcome else None
