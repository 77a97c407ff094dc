"""What a layout is made of: pictures with their places, and the names of what found no room.

A display of 64 rows has a board of 62 pixels at its left and a column of words at its right; one of 32
rows has a board of 29 pixels and a wider column of three lines. Two columns and two rows stay free, so that
the picture can drift; with 32 rows only one row does.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from appliance.core.art import Columns
from appliance.core.font import HEIGHT, PITCH, fits, ink, shorten, text_columns, wrap
from appliance.core.icons import icon
from appliance.core.tiles import LARGE_GRID, SMALL_GRID, Grid

Rect = tuple[int, int, int, int]
"""Column, row, width and height in pixels."""

DRIFT = 2
BADGE = 9  # from one badge to the next


@dataclass(frozen=True, slots=True)
class Item:
    """A picture and where its upper left corner stands."""

    name: str
    x: int
    y: int
    picture: Columns

    @property
    def rect(self) -> Rect:
        """The smallest rectangle that holds its ink; width and height are 0 when there is none."""
        rows = 0
        for column in self.picture:
            rows |= column
        if not rows:
            return self.x, self.y, 0, 0
        lit = [x for x, column in enumerate(self.picture) if column]
        top = (rows & -rows).bit_length() - 1
        return self.x + lit[0], self.y + top, lit[-1] - lit[0] + 1, rows.bit_length() - top


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a text; the text has the name."""

    name: str
    text: str
    bold: bool = False
    indent: int = 0


@dataclass(slots=True)
class Layout:
    """The items of a scene in the order of drawing, and the names of what found no room or not enough."""

    width: int
    height: int
    items: list[Item] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    @property
    def large(self) -> bool:
        """Whether there is room for the large drawings."""
        return self.height >= 64

    @property
    def grid(self) -> Grid:
        """The measures of the board."""
        return LARGE_GRID if self.large else SMALL_GRID

    @property
    def drift(self) -> tuple[int, int]:
        """How far the picture may be shifted: columns, rows."""
        return DRIFT, DRIFT if self.large else 1

    @property
    def right(self) -> int:
        """The first column that is not used."""
        return self.width - DRIFT

    @property
    def bottom(self) -> int:
        """The first row that is not used."""
        return self.height - self.drift[1]

    def add(self, name: str, x: int, y: int, picture: Columns) -> None:
        """Put a picture."""
        self.items.append(Item(name, x, y, picture))

    def text(self, name: str, x: int, y: int, text: str, *, bold: bool = False) -> None:
        """Put a line of text."""
        self.add(name, x, y, text_columns(text, bold=bold))

    def stack(self, lines: Sequence[Line], x: int, y: int, bottom: int) -> int:
        """Put lines one below the other from row `y` on; return the row where the next one may stand.

        They end above row `bottom`, if need be by sharing rows of accents and tails.
        """
        spare = bottom - y - depth(len(lines))
        for line, below in zip(lines, [*lines, Line("", "")][1:], strict=True):
            self.text(line.name, x + line.indent, y, line.text, bold=line.bold)
            apart = min(apart_by(line, below), spare)
            spare -= apart
            y += PITCH + apart
        return y

    def badges(self, names: Sequence[str], x: int, y: int, *, down: bool) -> None:
        """Put the small icons of things to know from (x, y) on, downwards or to the right."""
        for place, name in enumerate(names):
            offset = place * BADGE
            self.add(f"badge.{name}", x + offset * (not down), y + offset * down, icon(name, large=False))


def apart_by(upper: Line, lower: Line) -> int:
    """Return 1 where a tail of the upper line and an accent of the lower would share a row, otherwise 0."""
    return ink(upper.text) >> (HEIGHT - 1) & ink(lower.text) & 1


def depth(count: int) -> int:
    """Return how many rows a number of lines takes when no two of them need to stand apart."""
    return PITCH * count + HEIGHT - PITCH if count else 0


def in_rows(lines: Sequence[Line], rows: int) -> bool:
    """Return whether lines find room in a number of rows without sharing one."""
    return depth(len(lines)) + sum(map(apart_by, lines, lines[1:])) <= rows


def broken(
    layout: Layout, name: str, text: str, width: int, most: int, *, bold: bool = False, indent: int = 0
) -> list[Line]:
    """Return `text` as at most `most` lines of `width` pixels; note in `layout` when it had to be cut."""
    if most < 1 or not text:
        if text:
            layout.left_out.append(name)
        return []
    lines = wrap(text, width, bold=bold, indent=indent)
    first = text.split(" ", maxsplit=1)[0]
    if len(lines) > most or not (fits(text, width, bold=bold) and fits(first, width - indent, bold=bold)):
        layout.left_out.append(name)
    if len(lines) > most:
        room = width - (indent if most == 1 else 0)
        lines[most - 1 :] = [shorten(" ".join(lines[most - 1 :]), room, bold=bold)]
    return [Line(name, text, bold, indent * (not row)) for row, text in enumerate(lines)]
