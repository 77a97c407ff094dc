"""A drawing surface: one int a column, bit y for row y, so that nothing is done pixel by pixel.

Everything drawn outside the surface is cut off. `x` counts columns from the left, `y` rows from the top.
"""

from appliance.core.art import Columns
from appliance.core.font import text_columns
from appliance.core.frame import Frame


class Canvas:
    """A dark surface of `width` columns and `height` rows."""

    def __init__(self, width: int = 128, height: int = 64) -> None:
        self.width = width
        self.height = height
        self._columns = [0] * width
        self._all = (1 << height) - 1

    def frame(self) -> Frame:
        """Return what is drawn, as a frame. Raise `ValueError` unless the height is a multiple of 8."""
        pages = self.height // 8
        data = b"".join(column.to_bytes(pages, "little") for column in self._columns)
        return Frame(self.width, self.height, b"".join(data[page::pages] for page in range(pages)))

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

    def point(self, x: int, y: int, *, on: bool = True) -> None:
        """Light one pixel, or darken it."""
        self.fill(x, y, 1, 1, on=on)

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

    def box(self, x: int, y: int, width: int, height: int) -> None:
        """Light the border of a rectangle, one pixel thick."""
        self.fill(x, y, width, 1)
        self.fill(x, y + height - 1, width, 1)
        self.fill(x, y, 1, height)
        self.fill(x + width - 1, y, 1, height)

    def line(self, x0: int, y0: int, x1: int, y1: int, *, thick: int = 1, on: bool = True) -> None:
        """Light or darken the line between two points, both included, `thick` pixels (odd) across.

        Bresenham's algorithm with a square pen (J. E. Bresenham, IBM Systems Journal 4/1, 1965).
        """
        dx, dy = abs(x1 - x0), -abs(y1 - y0)
        step_x, step_y = (1 if x0 < x1 else -1), (1 if y0 < y1 else -1)
        pen = thick // 2
        error = dx + dy
        while True:
            self.fill(x0 - pen, y0 - pen, thick, thick, on=on)
            if (x0, y0) == (x1, y1):
                return
            twice = 2 * error
            if twice >= dy:
                error += dy
                x0 += step_x
            if twice <= dx:
                error += dx
                y0 += step_y

    def blit(self, picture: Columns, x: int, y: int) -> None:
        """Lay a picture over what is drawn, its upper left corner at (x, y)."""
        for column, bits in enumerate(picture, x):
            if 0 <= column < self.width:
                self._columns[column] |= (bits << y if y >= 0 else bits >> -y) & self._all

    def text(self, x: int, y: int, text: str, *, bold: bool = False) -> None:
        """Write a line of text, whose `font.HEIGHT` rows begin at `y`."""
        self.blit(text_columns(text, bold=bold), x, y)

    def shift(self, right: int, down: int) -> None:
        """Move the whole picture, at least 0 pixels each way. What leaves the surface is lost."""
        moved = ([0] * right + self._columns)[: self.width]
        self._columns = [column << down & self._all for column in moved]
