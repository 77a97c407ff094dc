"""Pictures in memory: columns of bits, the frame that a display is sent, and the surface that is drawn on.

A column is an int whose bit y is the pixel in row y, row 0 uppermost; a picture is a tuple of columns from
the left. A shift moves a picture down, OR lays it over another: nothing is done pixel by pixel.
`x` counts columns from the left, `y` rows from the top.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

Columns = tuple[int, ...]

_BITS = str.maketrans(".#", "01")


def columns(rows: list[str]) -> Columns:
    """Return the columns of one picture given as rows of equal length, `#` lit and `.` dark, from the top."""
    # int() wants the lowest row last, and the highest bit is the lowest row.
    return tuple(
        int("".join(column), 2) for column in zip(*(row.translate(_BITS) for row in rows[::-1]), strict=True)
    )


def strips(text: str) -> Iterator[tuple[str, Columns]]:
    """Yield name and picture of each drawing in `text`.

    `text` holds strips, separated by empty lines. The first line of a strip names its pictures, the others
    are their rows; names and rows stand side by side, separated by spaces. Raise `ValueError` when the
    rows of one picture differ in length or a row has too few or too many of them.
    """
    for block in text.strip("\n").split("\n\n"):
        names, *rows = (line.split() for line in block.splitlines())
        for name, *picture in zip(names, *rows, strict=True):
            yield name, columns(picture)


class Frame(NamedTuple):
    """A 1-bit image in the order in which the display's chip stores it.

    `data` is in the SSD1306's order: pages of 8 rows from the top, in each page one byte a column from
    the left, in each byte the lowest bit uppermost. Its length is `width * height // 8`.
    """

    width: int
    height: int
    data: bytes

    @classmethod
    def blank(cls, width: int = 128, height: int = 64) -> "Frame":
        """Return a frame with every pixel dark."""
        return cls(width, height, bytes(width * height // 8))

    @classmethod
    def of(cls, columns: Sequence[int], height: int) -> "Frame":
        """Return a picture as a frame. The height must be a multiple of 8."""
        pages = height // 8
        data = b"".join(column.to_bytes(pages, "little") for column in columns)
        return cls(len(columns), height, b"".join(data[page::pages] for page in range(pages)))

    @property
    def pages(self) -> int:
        """The number of pages, 8 rows each."""
        return self.height // 8

    def page(self, index: int) -> bytes:
        """Return the bytes of one page, one a column."""
        return self.data[index * self.width : (index + 1) * self.width]

    def lowered(self, rows: int) -> "Frame":
        """Return the picture moved down by `rows`; what leaves at the bottom comes in at the top."""
        every = (1 << self.height) - 1
        columns = [int.from_bytes(self.data[x :: self.width], "little") for x in range(self.width)]
        moved = [(column << rows | column >> (self.height - rows)) & every for column in columns]
        return Frame.of(moved, self.height)

    def pixel(self, x: int, y: int) -> bool:
        """Return whether the pixel in column `x` from the left and row `y` from the top is lit."""
        return bool(self.data[(y // 8) * self.width + x] >> (y % 8) & 1)

    def rows(self) -> list[str]:
        """Return the picture as text, a string a row: `#` lit, `.` dark. For tests and for people."""
        return ["".join(".#"[self.pixel(x, y)] for x in range(self.width)) for y in range(self.height)]


class Canvas:
    """A surface of `width` columns and `height` rows, dark at first. What is drawn outside it is clipped."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self._columns = [0] * width
        self._all = (1 << height) - 1

    def frame(self) -> Frame:
        """Return what is drawn, as a frame. The height must be a multiple of 8."""
        return Frame.of(self._columns, self.height)

    def columns(self) -> Columns:
        """Return what is drawn, as a picture."""
        return tuple(self._columns)

    def _span(self, y: int, height: int) -> int:
        """Return `height` rows from `y` as bits, without those outside the surface."""
        bottom = max(y + height, 0)
        return ((1 << bottom) - (1 << min(max(y, 0), bottom))) & self._all

    def _range(self, x: int, width: int) -> range:
        """Return `width` columns from `x`, without those outside the surface."""
        return range(max(x, 0), min(x + width, self.width))

    def fill(self, x: int, y: int, width: int, height: int, *, on: bool = True) -> None:
        """Light a rectangle, or darken it."""
        rows = self._span(y, height)
        for column in self._range(x, width):
            if on:
                self._columns[column] |= rows
            else:
                self._columns[column] &= ~rows

    def invert(self, x: int, y: int, width: int, height: int) -> None:
        """Darken what is lit in a rectangle and light the rest of it."""
        rows = self._span(y, height)
        for column in self._range(x, width):
            self._columns[column] ^= rows

    def blit(self, picture: Columns, x: int, y: int) -> None:
        """Lay a picture over what is drawn, its upper left corner at (x, y)."""
        for column, bits in enumerate(picture, x):
            if 0 <= column < self.width:
                self._columns[column] |= (bits << y if y >= 0 else bits >> -y) & self._all

    def shift(self, right: int, down: int) -> None:
        """Move the whole picture, at least 0 pixels each way. What leaves the surface is lost."""
        moved = ([0] * right + self._columns)[: self.width]
        self._columns = [column << down & self._all for column in moved]
