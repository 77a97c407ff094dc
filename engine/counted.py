"""An evaluation of ultimate tic-tac-toe by its open lines, as `Board` has it."""

from .big import NOTHING, Weights
from .local import NINE, STATES


def _hope(x: int, o: int) -> int:
    """Return the sum of 2^(own marks) over the lines open to x, less that over the lines open to o."""
    return NINE.prospects(x, o)[0] - NINE.prospects(o, x)[0]


def _masks(state: int) -> tuple[int, int]:
    digits = [state // 3**cell % 3 for cell in range(9)]
    x, o = (sum(1 << cell for cell in range(9) if digits[cell] == side) for side in (1, 2))
    return x, o


LOCAL = tuple(_hope(*_masks(state)) for state in range(STATES))
BOARD = 24  # how much a line of boards counts, against one of cells


def weigh(x: int, o: int, full: int) -> Weights:
    """Return the open lines of cells, and of boards; all boards count alike."""
    closed = x | o | full
    rows = tuple(NOTHING if closed >> board & 1 else LOCAL for board in range(9))
    nowhere = (NOTHING,) * 9
    return Weights(BOARD * _hope(x | full, o | full), rows, (nowhere, nowhere), (0, 0))
