"""The small boards of ultimate tic-tac-toe: what each of their 19,683 states allows, looked up.

A state is a number in base 3, whose digit i is cell i: 0 empty, 1 x, 2 o. A mark adds `MARK[side][cell]`. A
search asks millions of times what a mark does to a board, so the answer stands in a table.
"""

from ..shape import shape_of

NINE = shape_of(3, 3, 3)
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
    for x in range(512):
        o = rest = 511 & ~x
        while True:  # each set of cells beside those of x, from all of them down to none
            state, free = _DIGITS[x] + 2 * _DIGITS[o], rest & ~o
            if COMPLETE[x]:
                STATUS[state] = 1
            elif COMPLETE[o]:
                STATUS[state] = 2
            elif not free:
                STATUS[state] = 3
            else:
                FREE[state] = _CELLS[free]
                last = not free & free - 1
                for side, marks in enumerate((x, o)):
                    closing = free if last else free & COMPLETING[marks]
                    CLOSING[side][state], QUIET[side][state] = _CELLS[closing], _CELLS[free & ~closing]
            if not o:
                break
            o = o - 1 & rest


_fill()
