"""What a game must offer to be searched, and the scale on which its positions are valued."""

from collections.abc import Hashable, Sequence
from typing import Protocol, Self

WIN = 1_000_000
"""A win at ply p is worth `WIN - p`: the earlier the better. A loss is worth the negative of that."""

PROVEN = WIN // 2
"""Scores of at least this size are wins and losses; a guess is always smaller. No game lasts longer."""


class Position(Protocol):
    """A position of a two-player zero-sum game of perfect information. It never changes.

    Every score is from the point of view of the side to move, and depends on the position alone: of two
    positions with equal keys each has the score of the other.
    """

    @property
    def ply(self) -> int:
        """How many moves have led here; each move adds one."""
        ...

    @property
    def horizon(self) -> int:
        """How many plies deep a search sees every forced win that this position and its moves hold.

        What it sees neither won nor lost from so deep is a draw. Where a game must end, it is the number of
        moves that can still follow; 0 when the game is over.
        """
        ...

    @property
    def terminal(self) -> bool:
        """Whether the game is over."""
        ...

    def moves(self) -> Sequence[int]:
        """Return all legal moves in the game's natural order; none when the game is over."""
        ...

    def candidates(self) -> Sequence[int]:
        """Return the moves that a search must look at, the most promising first.

        At least one while the game is on, and if a move wins at once, the first does. A move may be left out
        when two plies of search would show that it is no better than one that is there.
        """
        ...

    def play(self, move: int) -> Self:
        """Return the position after `move`. Raise `ValueError` if it is not legal."""
        ...

    def evaluate(self) -> int:
        """Return the static evaluation for the side to move.

        Exact when the game is over: `-(WIN - ply)` for a lost game, 0 for a drawn one (an abstract game may
        use any value smaller than `PROVEN`). Otherwise a guess, smaller in size than `PROVEN`.
        """
        ...

    def bounds(self) -> tuple[int, int]:
        """Return the least and the greatest score that perfect play can still lead to, as far as is plain.

        This is knowledge, not a guess, and reaches to the end of the game: equal numbers are the value.
        """
        ...

    def key(self, *, symmetry: bool = True) -> Hashable:
        """Return what stands for the position in a table; with `symmetry`, also for its mirror images."""
        ...


class Game(Position, Protocol):
    """A position of a game that two people can play on a board: what a program shows of it."""

    @property
    def to_move(self) -> str:
        """The side to move, "x" or "o"."""
        ...

    @property
    def outcome(self) -> str | None:
        """None while the game is on, then the winner, "x" or "o", or "draw"."""
        ...

    @property
    def line(self) -> tuple[int, ...]:
        """The cells that ended the game, ascending; () when none did."""
        ...

    @property
    def cells(self) -> str:
        """The board as a run of `x`, `o` and `.` in reading order."""
        ...

    @property
    def fading(self) -> int | None:
        """The cell whose mark the next move will remove, None when it removes none."""
        ...
