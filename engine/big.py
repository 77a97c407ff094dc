"""The big board of ultimate tic-tac-toe: what follows from the small boards that are decided.

It changes only a few times in a game, so each of its states is made once, with all that depends on it alone:
how the game stands, and how the evaluation weighs the small boards.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from .local import COMPLETE, COMPLETING, NINE, STATES

Row = Sequence[int]
"""A number for each state of a small board; see local.py."""

NOTHING: Row = bytes(STATES)


class Weights(NamedTuple):
    """An evaluation as a sum over the small boards, in one state of the big one.

    The position is worth to x: `worth` plus each board's entry in its row of `rows`, which is `NOTHING` for
    a board that is decided. To that, from the view of the side to move, `here[side]` adds what it is worth
    to play in the active board, in that board's state; `free[side]`, to play anywhere.
    """

    worth: int
    rows: tuple[Row, ...]
    here: tuple[tuple[Row, ...], tuple[Row, ...]]
    free: tuple[int, int]


Weigh = Callable[[int, int, int], Weights]
"""Returns the weights, from the boards that x and o have won and those full for nobody, a bit each."""


class Big:
    """The boards that x and o have won, and those `full` for nobody, a bit each.

    - `winner`: the side with three boards in a row, -1 for none; `over`: neither side can complete a line.
    - `open`: the boards that are not decided. `hopes`: by side, whether a line is left.
    - `threats`: by side, the open boards that would complete a line, a bit each.
    """

    __slots__ = ("_after", "_weigh", "hopes", "masks", "open", "over", "threats", "weights", "winner")

    def __init__(self, weigh: Weigh, x: int = 0, o: int = 0, full: int = 0) -> None:
        self._weigh, self.masks = weigh, (x, o, full)
        self._after: dict[tuple[int, int], Big] = {}
        closed = x | o | full
        self.open = tuple(board for board in range(9) if not closed >> board & 1)
        self.winner = 0 if COMPLETE[x] else 1 if COMPLETE[o] else -1
        self.hopes = tuple(not all(line & lost for line in NINE.lines) for lost in (o | full, x | full))
        self.over = self.winner >= 0 or not any(self.hopes)
        self.threats = COMPLETING[x] & ~closed, COMPLETING[o] & ~closed
        self.weights = weigh(x, o, full)

    def after(self, board: int, status: int) -> "Big":
        """Return the big board once `board` has the `status`, which local.py defines."""
        after = self._after.get((board, status))
        if after is None:
            masks = list(self.masks)
            masks[status - 1] |= 1 << board
            after = self._after[board, status] = Big(self._weigh, *masks)
        return after
