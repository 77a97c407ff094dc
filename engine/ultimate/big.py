"""The big board of ultimate tic-tac-toe: what follows from the small boards that are decided.

It changes only a few times in a game, so each of its states is made once, with all that depends on it alone:
how the game stands, and how the evaluation weighs the small boards.
"""

from collections.abc import Callable

from .local import COMPLETE, COMPLETING, NINE, SHOWN
from .values import Survey

Evaluation = Callable[[str], Survey]
"""Returns what the evaluation makes of a big board, nine of "x", "o", "-" and "."; see values.py."""


class Big:
    """A state of the big board: `marks` shows it as `Ultimate.boards` does.

    - `winner`: the side with three boards in a row, -1 for none; `over`: neither side can complete a line.
    - `open`: the boards that are not decided. `hopes`: by side, whether a line is left.
    - `threats`: by side, the open boards that would complete a line, a bit each.
    - `survey`: what the evaluation makes of it.
    """

    __slots__ = ("_after", "_evaluation", "hopes", "marks", "open", "over", "survey", "threats", "winner")

    def __init__(self, marks: str, evaluation: Evaluation) -> None:
        self.marks, self._evaluation = marks, evaluation
        self._after: dict[tuple[int, int], Big] = {}
        x, o, full = (sum(1 << board for board in range(9) if marks[board] == mark) for mark in "xo-")
        closed = x | o | full
        self.open = tuple(board for board in range(9) if not closed >> board & 1)
        self.winner = 0 if COMPLETE[x] else 1 if COMPLETE[o] else -1
        self.hopes = tuple(not all(line & lost for line in NINE.lines) for lost in (o | full, x | full))
        self.over = self.winner >= 0 or not any(self.hopes)
        self.threats = COMPLETING[x] & ~closed, COMPLETING[o] & ~closed
        self.survey = evaluation(marks)

    def after(self, board: int, status: int) -> "Big":
        """Return the big board once `board` has the `status`, which local.py defines."""
        after = self._after.get((board, status))
        if after is None:
            marks = self.marks[:board] + SHOWN[status] + self.marks[board + 1 :]
            after = self._after[board, status] = Big(marks, self._evaluation)
        return after
