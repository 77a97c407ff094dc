"""The geometry of an m,n,k game: lines, symmetries, and the order in which to try cells.

A search meets most positions several times, and eight times as often once turned and mirrored boards count as
the same position. Recognising those by turning the board at each node would cost more than it saves. So a
board carries all its mirror images along, packed into one integer, one lane of bits each: a move adds one
precomputed number, whose lanes have the bit of that cell in every image. The smallest lane is the position's
key. That costs one addition a move and one minimum a key, whatever the number of symmetries.
"""

from collections.abc import Iterable
from functools import lru_cache

from .position import whole

MAX_SIDE = 15  # what four bits of a name hold
TURN_BITS = 1
NAME_BITS = 12  # rows, columns and k, four bits each


class Shape:
    """A board of `rows` x `columns` cells on which `k` in a row win. Bit i of a mask is cell i.

    `lines` holds a mask for each winning line, `through[cell]` those that run through a cell, and `order` the
    cells by falling number of lines, the middle first.

    A lane has `lane` bits; `only` masks the first. From the lowest bit it holds the marks of x, those of o,
    the side to move, and the sizes and k, so that no two games share a key. `blank` packs the images of the
    empty board, by side to move; a mark adds `images[side][cell]`, and `flip[side]` passes the move.
    """

    def __init__(self, rows: int, columns: int, k: int) -> None:
        if not (1 <= rows <= MAX_SIDE and 1 <= columns <= MAX_SIDE):
            raise ValueError(f"a board of {rows}x{columns} is out of range: 1 to {MAX_SIDE} rows and columns")
        if not 1 <= k <= max(rows, columns):
            raise ValueError(
                f"k={k} is out of range: on a {rows}x{columns} board it is 1 to {max(rows, columns)}"
            )
        for what, value in (("rows", rows), ("columns", columns), ("k", k)):
            whole(what, value, 1)
        self.rows, self.columns, self.k = rows, columns, k
        self.cells = cells = rows * columns
        self.full = (1 << cells) - 1
        self.lines = _lines(rows, columns, k)
        self.through = tuple(tuple(line for line in self.lines if line >> cell & 1) for cell in range(cells))
        self.order = tuple(sorted(range(cells), key=self._merit))

        mirrors = symmetries(rows, columns)
        self.lane = 2 * cells + TURN_BITS + NAME_BITS
        self.only = (1 << self.lane) - 1
        self.shifts = tuple(self.lane * index for index in range(len(mirrors)))
        every = sum(1 << shift for shift in self.shifts)
        turn = every << 2 * cells
        name = (rows << 8 | columns << 4 | k) * every << 2 * cells + TURN_BITS
        self.blank = (name, name + turn)
        self.flip = (turn, -turn)
        self.images = tuple(
            tuple(
                sum(
                    1 << shift + side * cells + mirror[cell]
                    for shift, mirror in zip(self.shifts, mirrors, strict=True)
                )
                for cell in range(cells)
            )
            for side in (0, 1)
        )

    def prospects(self, own: int, other: int) -> tuple[int, int]:
        """Return the hope and the threats of the side with the marks `own`, as in `Board`."""
        hope = threats = 0
        for line in self.lines:
            if not line & other:
                count = (line & own).bit_count()
                hope += 1 << count
                if count == self.k - 1:
                    threats |= line & ~own
        return hope, threats

    def _merit(self, cell: int) -> tuple[int, int]:
        row, column = divmod(cell, self.columns)
        eccentricity = (2 * row - self.rows + 1) ** 2 + (2 * column - self.columns + 1) ** 2
        return -len(self.through[cell]), eccentricity


shape_of = lru_cache(maxsize=64, typed=True)(Shape)  # typed: else 3.0 would find what 3 has made
"""Return the shape of a board (cached). Raise `ValueError` for sizes or a k out of range."""


def _lines(rows: int, columns: int, k: int) -> tuple[int, ...]:
    found = dict[int, None]()  # an ordered set: with k = 1 the four directions give the same line
    for row in range(rows):
        for column in range(columns):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if row + down * (k - 1) < rows and 0 <= column + right * (k - 1) < columns:
                    cells = ((row + down * i) * columns + column + right * i for i in range(k))
                    found[sum(1 << cell for cell in cells)] = None
    return tuple(found)


def symmetries(rows: int, columns: int) -> list[tuple[int, ...]]:
    """Return each symmetry of the rectangle, four or eight, as a permutation of the cells."""
    grid = [list(range(row * columns, (row + 1) * columns)) for row in range(rows)]
    turns = [grid, [list(column) for column in zip(*grid, strict=True)]] if rows == columns else [grid]
    return [
        tuple(cell for row in image[::down] for cell in row[::right])
        for image in turns
        for down in (1, -1)
        for right in (1, -1)
    ]


NINE = shape_of(3, 3, 3)
LINES = tuple(tuple(cell for cell in range(9) if line >> cell & 1) for line in NINE.lines)
OTHERS = tuple(
    [tuple(other for other in line if other != cell) for line in LINES if cell in line] for cell in range(9)
)
"""The other two cells of each line of a 3x3 board through a cell."""


def ends(cells: Iterable[int]) -> tuple[int, int] | None:
    """Return the first and the last cell of a line of three among cells of a 3x3 board; None without any.

    >>> from mnk_engine.shape import ends
    >>> ends((0, 1, 2, 4, 6))  # two lines that share a cell
    (0, 2)
    """
    there = {*cells}
    return next(((line[0], line[-1]) for line in LINES if there.issuperset(line)), None)
