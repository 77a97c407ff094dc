"""What all games of x against o share, whatever the board."""

from operator import attrgetter
from typing import Any, Self

from .position import Game


def read_only(slot: str) -> Any:
    """Return a property that reads a slot, in C: as fast as the slot, and not to be assigned."""
    return property(attrgetter(slot))


class Sides:
    """The base of these games: x is side 0, o is side 1. No method changes a position."""

    __slots__ = ()

    ply: int = read_only("_ply")
    terminal: bool = read_only("_terminal")
    _ply: int
    _terminal: bool
    _mover: int
    _winner: int  # -1 for none

    @property
    def to_move(self) -> str:
        """The side to move, "x" or "o"."""
        return "xo"[self._mover]

    @property
    def outcome(self) -> str | None:
        """None while the game is on, then the winner, "x" or "o", or "draw"."""
        if self._winner >= 0:
            return "xo"[self._winner]
        return "draw" if self.terminal else None

    @property
    def fading(self) -> int | None:
        """The cell whose mark the next move will remove, None when it removes none."""
        return None

    def __str__(self: Game) -> str:
        cells = self.cells  # of a square of nine
        return "\n".join(cells[start : start + 3] for start in (0, 3, 6))

    def __deepcopy__(self, _memo: object) -> Self:
        return self  # it never changes

    def _repr_svg_(self: Game) -> str:
        """Draw the board in a notebook."""
        from .svg import board  # noqa: PLC0415 - nothing else needs it

        return board(self)
