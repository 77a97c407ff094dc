"""Ultimate evaluated by its open lines, as `Board` is: what the learned values are compared with."""

from functools import cache

from engine.shape import NINE
from engine.ultimate import Ultimate
from engine.ultimate.classes import CLASS
from engine.ultimate.local import MARK, STATES
from engine.ultimate.values import Survey

LINE_OF_BOARDS = 24  # what one counts, against a line of cells


def hope(cells):
    """Return the sum of 2^(own marks) over the lines open to x, less that over the lines open to o."""
    x, o = (sum(1 << cell for cell, one in enumerate(cells) if one == mark) for mark in "xo")
    lost = sum(1 << cell for cell, one in enumerate(cells) if one == "-")
    return NINE.prospects(x, o | lost)[0] - NINE.prospects(o, x | lost)[0]


@cache
def local(board):
    found = [0] * len(set(CLASS[board]))
    for state, each in enumerate(CLASS[board]):
        if each >= 0:
            found[each] = hope(".xo"[state // MARK[0][cell] % 3] for cell in range(9))
    return found


def survey(big):
    """All open boards count alike, and it makes no difference where a side must play."""
    nothing = (bytes(STATES),) * 9
    boards = tuple(local(board) if mark == "." else () for board, mark in enumerate(big))
    return Survey(LINE_OF_BOARDS * hope(big), boards, (nothing, nothing), (0, 0))


class Counted(Ultimate):
    __slots__ = ()
    _survey = staticmethod(survey)
