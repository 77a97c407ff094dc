"""The nine boards of ultimate in small, for the right half of a display of 64 rows.

Of the 126 columns and 62 rows that the drift leaves, the board at the left takes 62 by 62. Nine boards with
cells of 7 pixels and two lines would need 65. A cell of 6 keeps the marks at 5 pixels: they stand closer to
each other than to the lines, and five columns between the two squares stay free for what must always be seen:
whose turn it is, and any warning.
"""

from functools import lru_cache

from appliance.core.picture.canvas import Canvas, Columns, strips
from appliance.core.picture.icons import LABELS, SMALL, icon
from appliance.core.picture.scene import Overview

CELL = 6  # from one mark to the next
BOARD = 3 * CELL + 1  # pixels square, with a margin of one on each side
SIZE = 3 * BOARD + 2  # with two lines

SIGNS = strips("""
x     o     .     hint  warning
#...# .###. ..... ##### ##
.#.#. #...# ..... ##### ##
..#.. #...# ..#.. ##### ##
.#.#. #...# ..... ##### ##
#...# .###. ..... ##### ##
..... ..... ..... ..... ..
..... ..... ..... ..... ##
..... ..... ..... ..... ##
""")
# Of two people the mark, and below it the number without the edges of its plate
SIGNS |= {
    number + mark: tuple(
        above | below << 7 for above, below in zip(SIGNS[mark], SMALL[number][1:6], strict=True)
    )
    for number in "12"
    for mark in "xo"
}


def board_at(board: int) -> tuple[int, int]:
    """Return the upper left pixel of a board in the overview."""
    return board % 3 * (BOARD + 1), board // 3 * (BOARD + 1)


@lru_cache(maxsize=128)  # a frame has nine, most of them unchanged since the last frame
def _board(cells: str, owner: str, last: int | None, hint: int | None, face: str, *, active: bool) -> Columns:
    """Return a board: one large sign if it is decided, else the box's face or the marks in its cells."""
    board = Canvas(BOARD, BOARD)
    if owner != ".":
        board.centre(icon("dead" if owner == "-" else owner, large=True))
        if last is not None:
            board.corners()
        return board.columns()
    if active and face:
        board.centre(LABELS[face])
        return board.columns()
    for cell, mark in enumerate(cells):
        x, y = cell % 3 * CELL, cell // 3 * CELL
        board.blit(SIGNS["hint" if cell == hint else mark], x + 1, y + 1)
        if cell == last:
            board.invert(x, y, CELL + 1, CELL + 1)
    if active:
        board.invert(0, 0, BOARD, BOARD)
    return board.columns()


def overview_picture(side: Overview) -> Columns:
    """Return the nine boards with their lines, `SIZE` pixels square."""
    picture = Canvas(SIZE, SIZE)
    for line in (BOARD, 2 * BOARD + 1):
        picture.fill(line, 0, 1, SIZE)
        picture.fill(0, line, SIZE, 1)
    for board, owner in enumerate(side.boards):
        last, hint = (
            move % 9 if move is not None and move // 9 == board else None for move in (side.last, side.hint)
        )
        cells = side.cells[9 * board : 9 * board + 9]
        one = _board(cells, owner, last, hint, side.face, active=board == side.active)
        picture.blit(one, *board_at(board))
    return picture.columns()
