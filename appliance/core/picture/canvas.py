"""Pictures in memory: columns of bits, a canvas to draw on, and the frame that is sent to a display.

A loop over pixels is slow in Python on a Pi Zero. So a column is one int, whose bit y is the pixel in row y,
and a picture is a tuple of columns: a shift moves a column down, OR draws it over another, and the cost grows
with the width alone. The display's memory holds columns too, eight rows to a byte: making a frame is
`int.to_bytes` per column and a slice per page.

`x` counts columns from the left, `y` rows from the top; row 0 is at the top.
"""

from collections.abc import Sequence
from typing import NamedTuple

Columns = tuple[int, ...]

_BITS = str.maketrans(".#", "01")


def columns(rows: list[str]) -> Columns:
    """Return a picture drawn as rows of equal length from the top, `#` lit and `.` dark."""
    # int() reads the highest bit first, which is the lowest row.
    return tuple(
        int("".join(column), 2) for column in zip(*(row.translate(_BITS) for row in rows[::-1]), strict=True)
    )


def strips(text: str) -> dict[str, Columns]:
    """Return the pictures in `text` by name.

    Empty lines separate strips of drawings side by side. The first line of a strip has their names, each
    further line a row of every drawing, separated by spaces. Raise `ValueError` if a line has too few or too
    many rows, or the rows of a drawing differ in length.
    """
    found = {}
    for block in text.strip("\n").split("\n\n"):
        names, *rows = (line.split() for line in block.splitlines())
        for name, *picture in zip(names, *rows, strict=True):
            found[name] = columns(picture)
    return found


def doubled(picture: Columns) -> Columns:
    """Return a picture at twice its size."""
    wide = []
    for column in picture:
        bits = sum(3 << 2 * y for y in range(column.bit_length()) if column >> y & 1)
        wide += [bits, bits]
    return tuple(wide)


def dotted(picture: Columns) -> Columns:
    """Return a picture with every other pixel dark, in a pattern that erases no row, column or diagonal."""
    masks = [sum(1 << y for y in range(32) if (x + 2 * y) % 4 < 2) for x in range(4)]
    return tuple(column & masks[x % 4] for x, column in enumerate(picture))


class Frame(NamedTuple):
    """A 1-bit image in the byte order of the display's memory.

    `data` is in the SSD1306's order: pages of 8 rows from the top; in a page, a byte for each column from the
    left; in a byte, the lowest bit at the top. Its length is `width * height // 8`.
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
    def pages(self) -> list[bytes]:
        """The pages from the top, 8 rows each: a byte for each column."""
        return [self.data[start : start + self.width] for start in range(0, len(self.data), self.width)]

    def lowered(self, rows: int) -> "Frame":
        """Return the picture moved down by `rows`; rows that leave at the bottom come back at the top."""
        every = (1 << self.height) - 1
        columns = [int.from_bytes(self.data[x :: self.width], "little") for x in range(self.width)]
        moved = [(column << rows | column >> (self.height - rows)) & every for column in columns]
        return Frame.of(moved, self.height)

    def pixel(self, x: int, y: int) -> bool:
        """Return whether the pixel in column `x` from the left and row `y` from the top is lit."""
        return bool(self.data[(y // 8) * self.width + x] >> (y % 8) & 1)

    def rows(self) -> list[str]:
        """Return the picture as text for tests and people, a string for each row: `#` lit, `.` dark."""
        return ["".join(".#"[self.pixel(x, y)] for x in range(self.width)) for y in range(self.height)]


class Canvas:
    """A drawing surface of `width` columns and `height` rows, dark at first; it clips what is drawn."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self._columns = [0] * width
        self._all = (1 << height) - 1

    def frame(self) -> Frame:
        """Return the drawing as a frame. The height must be a multiple of 8."""
        return Frame.of(self._columns, self.height)

    def columns(self) -> Columns:
        """Return the drawing as a picture."""
        return tuple(self._columns)

    def _span(self, y: int, height: int) -> int:
        """Return `height` rows from `y` as bits, clipped to the surface."""
        bottom = max(y + height, 0)
        return ((1 << bottom) - (1 << min(max(y, 0), bottom))) & self._all

    def _range(self, x: int, width: int) -> range:
        """Return `width` columns from `x`, clipped to the surface."""
        return range(max(x, 0), min(x + width, self.width))

    def fill(self, x: int, y: int, width: int, height: int, *, on: bool = True) -> None:
        """Light or darken a rectangle."""
        rows = self._span(y, height)
        for column in self._range(x, width):
            if on:
                self._columns[column] |= rows
            else:
                self._columns[column] &= ~rows

    def invert(self, x: int, y: int, width: int, height: int) -> None:
        """Invert a rectangle."""
        rows = self._span(y, height)
        for column in self._range(x, width):
            self._columns[column] ^= rows

    def blit(self, picture: Columns, x: int, y: int) -> None:
        """Draw a picture with its upper left corner at (x, y); dark pixels change nothing."""
        for column, bits in enumerate(picture, x):
            if 0 <= column < self.width:
                self._columns[column] |= (bits << y if y >= 0 else bits >> -y) & self._all

    def centre(self, picture: Columns) -> None:
        """Draw a picture in the middle; its rows begin at the top, dark ones below do not count."""
        height = max((column.bit_length() for column in picture), default=0)
        self.blit(picture, (self.width - len(picture) + 1) // 2, (self.height - height + 1) // 2)

    def corners(self, *, arm: int = 4, rim: bool = True) -> None:
        """Draw the corners of a square; first, if asked, a dark rim that separates them from a small mark."""
        for dark in (1, 0) if rim else (0,):
            for edge in (0, self.width - 1):
                for start in (0, self.width - arm):
                    long, thick = arm + 2 * dark, 1 + 2 * dark
                    self.fill(start - dark, edge - dark, long, thick, on=not dark)
                    self.fill(edge - dark, start - dark, thick, long, on=not dark)

    def shift(self, right: int, down: int) -> None:
        """Move the whole drawing by 0 or more pixels each way; what leaves the surface is lost."""
        moved = ([0] * right + self._columns)[: self.width]
        self._columns = [column << down & self._all for column in moved]
