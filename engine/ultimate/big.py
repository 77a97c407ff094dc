"""The big board of ultimate tic-tac-toe: what follows from the small boards that are decided.

It changes only a few times in a game, so each of its states is kept, with all that depends on it alone: how
the game stands, and how the evaluation weighs the small boards.
"""

from collections.abc import Callable
from functools import lru_cache

from ..shape import NINE
from .local import COMPLETE, COMPLETING, SHOWN
from .values import Survey

Evaluation = Callable[[str], Survey]
"""Returns what the evaluation makes of a big board, nine of "x", "o", "-" and "."; see values.py."""


class Big:
    """A state of the big board: `code` has the status of each small one, as in local.py, two bits each.

    - `winner`: the side with three boards in a row, -1 for none; `over`: neither side can complete a line.
    - `open`: the boards that are not decided. `hopes`: by side, whether a line is left.
    - `threats`: by side, the open boards that would complete a line, a bit each.
    - `survey`: what the evaluation makes of it; none once the game is over.
    """

    __slots__ = ("_code", "_evaluation", "hopes", "open", "over", "survey", "threats", "winner")

    def __init__(self, code: int, evaluation: Evaluation) -> None:
        self._code, self._evaluation = code, evaluation
        marks = "".join([SHOWN[code >> 2 * board & 3] for board in range(9)])
        x, o, full = (sum(1 << board for board in range(9) if marks[board] == mark) for mark in "xo-")
        closed = x | o | full
        self.open = tuple(board for board in range(9) if not closed >> board & 1)
        self.winner = 0 if COMPLETE[x] else 1 if COMPLETE[o] else -1
        self.hopes = tuple(not all(line & lost for line in NINE.lines) for lost in (o | full, x | full))
        self.over = self.winner >= 0 or not any(self.hopes)
        self.threats = COMPLETING[x] & ~closed, COMPLETING[o] & ~closed
        if not self.over:
            self.survey = evaluation(marks)

    def after(self, board: int, status: int) -> "Big":
        """Return the big board once the open `board` has the `status`."""
        return big_board(self._code | status << 2 * board, self._evaluation)


@lru_cache(maxsize=1024)  # of 1.4 kB each; a game at the strongest level meets some 700
def big_board(code: int, evaluation: Evaluation) -> Big:
    """Return the state of the big board with this code (cached); 0 is the empty one."""
    return Big(code, evaluation)
