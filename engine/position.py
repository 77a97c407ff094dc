"""The interface that the search needs of a game, and the scale of its scores."""

from collections.abc import Hashable, Sequence
from typing import Protocol, Self

WIN = 1_000_000
"""A win at ply p scores `WIN - p`, so that an early win scores more; a loss scores the negative."""

PROVEN = WIN * 3 // 4  # a board of 15x15 may evaluate to 557,056
"""Scores of at least this size are wins and losses; evaluations are smaller, and games shorter."""


def whole(name: str, value: int, least: int) -> None:
    """Raise `ValueError` unless `value`, called `name` in the message, is a whole number from `least` on."""
    if isinstance(value, bool) or not hasattr(value, "__index__") or value < least:
        raise ValueError(f"{name} must be a whole number from {least} on, not {value!r}")


class Position(Protocol):
    """An immutable position of a two-player zero-sum game of perfect information.

    Every score is for the side to move. Positions with equal keys have equal scores. One that can tell the
    evaluation after each move without making it offers `replies`, too; see foresight.py.
    """

    @property
    def ply(self) -> int:
        """How many moves have led here; each move adds one."""

    @property
    def horizon(self) -> int:
        """The depth in plies at which a search sees every forced win; whatever else it sees is a draw.

        In a game that must end it is the number of moves that can still follow; 0 when the game is over.
        """

    @property
    def terminal(self) -> bool:
        """Whether the game is over."""

    def moves(self) -> Sequence[int]:
        """Return all legal moves in the game's natural order; none when the game is over."""

    def candidates(self) -> Sequence[int]:
        """Return the moves to search, the most promising first; none when the game is over.

        If any move wins at once, the first one does. A move may be left out if a search of two plies would
        show that it is no better than one that is included.
        """

    def play(self, move: int) -> Self:
        """Return the position after `move`. Raise `ValueError` if it is not legal."""

    def evaluate(self) -> int:
        """Return the static evaluation for the side to move.

        Exact when the game is over: `-(WIN - ply)` if lost, 0 if drawn (an abstract game may use any value
        below `PROVEN`). Otherwise an estimate, smaller in size than `PROVEN`.
        """

    def bounds(self) -> tuple[int, int]:
        """Return a lower and an upper bound on the score under perfect play, provable without search.

        They hold to the end of the game; equal bounds are the value.
        """

    def key(self) -> Hashable:
        """Return the position's key in a table; mirror images may share it."""


class Game(Position, Protocol):
    """A position of a board game, with what a program displays of it."""

    @property
    def to_move(self) -> str:
        """The side to move, "x" or "o"."""

    @property
    def outcome(self) -> str | None:
        """None while the game is on, then the winner, "x" or "o", or "draw"."""

    @property
    def line(self) -> tuple[int, ...]:
        """The cells that ended the game, ascending; () when none did."""

    @property
    def cells(self) -> str:
        """The board as a run of `x`, `o` and `.` in reading order."""

    @property
    def fading(self) -> int | None:
        """The cell whose mark the next move will remove, None when it removes none."""

    def __str__(self) -> str:
        """Return the board as text: its rows from the top, a line each."""
