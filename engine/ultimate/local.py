"""The small boards of ultimate tic-tac-toe: what each of their 19,683 states allows, looked up.

A state is a number in base 3, whose digit i is cell i: 0 empty, 1 x, 2 o. A mark adds `MARK[side][cell]`. A
search asks millions of times what a mark does to a board, so the answer stands in a table.
"""

from ..shape import NINE

STATES = 3**9
MARK: tuple[tuple[int, ...], ...] = tuple(tuple((side + 1) * 3**cell for cell in range(9)) for side in (0, 1))
SHOWN = ".xo-"
"""What a state is, by its status: open, won by x or by o, or full for nobody."""

COMPLETE = tuple(any(line & marks == line for line in NINE.lines) for marks in range(512))
"""Whether a set of cells, a bit each, has a line."""

COMPLETING = tuple(
    sum(1 << cell for cell in range(9) if not marks >> cell & 1 and COMPLETE[marks | 1 << cell])
    for marks in range(512)
)
"""The other cells that complete a line of a set of cells."""

_CELLS = tuple(tuple(cell for cell in range(9) if marks >> cell & 1) for marks in range(512))
_DIGITS = tuple(sum(MARK[0][cell] for cell in cells) for cells in _CELLS)

STATUS = bytearray(STATES)
"""The status of each state: an index into `SHOWN`."""

FREE: list[tuple[int, ...]] = [()] * STATES
"""The cells that may be played, by state: none unless it is open."""

QUIET: tuple[list[tuple[int, ...]], ...] = ([()] * STATES, [()] * STATES)
"""Those of them that leave the board open, by the side that plays and by state."""

CLOSING: tuple[list[tuple[int, ...]], ...] = ([()] * STATES, [()] * STATES)
"""The others: they win the board, or fill it."""


def _fill() -> None:
    # Written out for both sides, as a box waits for it: choosing the rule takes 19,683 turns of this loop.
    (quiet_x, quiet_o), (closing_x, closing_o) = QUIET, CLOSING
    for x in range(512):
        first, won, rest, wins = _DIGITS[x], COMPLETE[x], 511 & ~x, COMPLETING[x]
        o = rest
        while True:  # each set of cells beside those of x, from all of them down to none
            state = first + 2 * _DIGITS[o]
            if won:
                STATUS[state] = 1
            elif COMPLETE[o]:
                STATUS[state] = 2
            elif o == rest:
                STATUS[state] = 3
            else:
                free = rest & ~o
                FREE[state] = _CELLS[free]
                if free & free - 1:
                    mine, theirs = free & wins, free & COMPLETING[o]
                else:  # the last cell fills the board
                    mine = theirs = free
                closing_x[state], quiet_x[state] = _CELLS[mine], _CELLS[free & ~mine]
                closing_o[state], quiet_o[state] = _CELLS[theirs], _CELLS[free & ~theirs]
            if not o:
                break
            o = o - 1 & rest


_fill()
