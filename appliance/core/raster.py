"""Scene to frame: marks and words become pixels. The same scene always gives the same bytes.

A display of 64 rows has a board of 62 pixels at its left and a column of words at its right; one of 32 rows
has a board of 29 pixels and a wider column of three lines. Two columns and two rows stay free, so that the
picture can drift; with 32 rows only one row does. The tests prove that the words of each language have room.
"""

from collections.abc import Sequence
from typing import NamedTuple

from appliance.core.canvas import Canvas, Columns, Frame
from appliance.core.font import HEIGHT, PITCH, fits, ink, shorten, text_columns, text_width, wrap
from appliance.core.icons import cell_size, doubled, icon, tile_picture
from appliance.core.scene import BoardScene, PageScene, Picture, Scene

DRIFT = 2  # columns
BADGE = 9  # columns or rows from one badge to the next
MARK = 10  # columns of the mark before a headline, with the space after it
SCORE = 19  # rows of the score below the notes
ICON = 38  # columns of a page's icon, with the space beside it
GUTTER = 8  # columns between two columns of a page's lines
SEPARATOR = " · "


class Item(NamedTuple):
    """A picture and where its upper left corner stands."""

    name: str
    x: int
    y: int
    picture: Columns


class Line(NamedTuple):
    """One line of a text, called as the text is."""

    name: str
    text: str
    bold: bool = False
    indent: int = 0


def free_rows(height: int) -> int:
    """Return how many rows at the bottom no scene draws on, on a display of this height."""
    return 2 if height >= 64 else 1


def depth(count: int) -> int:
    """Return how many rows this many lines take when no two of them need to stand apart."""
    return PITCH * count + HEIGHT - PITCH if count else 0


def apart(upper: Line, lower: Line) -> int:
    """Return 1 where a tail of the upper line and an accent of the lower would share a row, otherwise 0."""
    return ink(upper.text) >> (HEIGHT - 1) & ink(lower.text) & 1


class Layout:
    """The measures of a display, and the items on it in the order of drawing."""

    def __init__(self, width: int, height: int) -> None:
        self.large = height >= 64
        self.cell = cell_size(large=self.large)
        self.board = 3 * self.cell + 2  # pixels square
        self.right = width - DRIFT  # the first column that is not used
        self.bottom = height - free_rows(height)
        self.items: list[Item] = []

    def cell_at(self, index: int) -> tuple[int, int]:
        """Return the upper left pixel of a cell of the board."""
        return index % 3 * (self.cell + 1), index // 3 * (self.cell + 1)

    def add(self, name: str, x: int, y: int, picture: Columns) -> None:
        """Put a picture."""
        self.items.append(Item(name, x, y, picture))

    def stack(self, lines: Sequence[Line], x: int, y: int, bottom: int) -> int:
        """Put lines one below the other from row `y` on; return the row where the next one may stand.

        They end above row `bottom`, if need be by sharing rows of accents and tails.
        """
        spare = bottom - y - depth(len(lines))
        for line, below in zip(lines, [*lines, Line("", "")][1:], strict=True):
            self.add(line.name, x + line.indent, y, text_columns(line.text, bold=line.bold))
            gap = min(apart(line, below), spare)
            spare -= gap
            y += PITCH + gap
        return y

    def badges(self, names: Sequence[str], x: int, y: int, *, down: bool) -> None:
        """Put the small icons of warnings from (x, y) on, downwards or to the right."""
        for offset, name in zip(range(0, 99, BADGE), names, strict=False):
            self.add(f"badge.{name}", x + offset * (not down), y + offset * down, icon(name, large=False))


# The words beside the board: headline, notes, progress of a hold, badges, score


def count_text(count: int) -> str:
    """Return a count in at most three characters: 12345 is 12k, and nobody plays more games than 99k."""
    return str(count) if count < 1000 else f"{min(count // 1000, 99)}k"


def _label(label: str) -> Columns:
    """Return the label of a count: a small mark for x and o, or else the text."""
    if label in {"X", "O"}:
        return tuple(column << 2 for column in icon(label.lower(), large=False))
    return text_columns(label)


def _pill(text: str, margin: int) -> Columns:
    """Return a number, dark on a lit ground with round corners, 9 rows high, `margin` at each side."""
    digits = text_columns(text)
    pill = Canvas(len(digits) + 2 * margin, 9)
    pill.blit(tuple(column >> 1 for column in digits), margin, 0)
    pill.invert(1, 0, pill.width - 2, 9)
    pill.fill(0, 1, 1, 7)
    pill.fill(pill.width - 1, 1, 1, 7)
    return pill.columns()


def _bar(width: int, fraction: float) -> Columns:
    """Return the progress of a hold: a frame that fills from the left, 7 rows high."""
    bar = Canvas(width, 7)
    bar.box(0, 0, width, 7)
    bar.fill(2, 2, round((width - 4) * fraction), 3)
    return bar.columns()


def _score_below(layout: Layout, score: Sequence[tuple[str, int]], x: int, width: int) -> None:
    """Put the score as labels over counts, spread over the width, at the bottom."""
    labels = [_label(label) for label, _ in score]
    for margin in (3, 2):
        counts = [_pill(count_text(count), margin) for _, count in score]
        widths = [max(map(len, pair)) for pair in zip(labels, counts, strict=True)]
        if sum(widths) + 2 * (len(score) - 1) <= width:
            break
    slack, top = width - sum(widths), layout.bottom - SCORE - 2
    for place, room in enumerate(widths):
        left = x + sum(widths[:place]) + slack * (2 * place + 1) // (2 * len(widths))
        for name, picture, y in (("label", labels[place], top), ("count", counts[place], top + 12)):
            layout.add(f"score.{name}.{place}", left + (room - len(picture)) // 2, y, picture)


def _score_line(layout: Layout, score: Sequence[tuple[str, int]], x: int, y: int, width: int) -> None:
    """Put the score on one line, each count after its label, or where that is too wide, its initial."""
    counts = [text_columns(count_text(count)) for _, count in score]
    labels = [_label(label) for label, _ in score]
    if sum(map(len, [*labels, *counts])) + 3 * len(score) + 5 * (len(score) - 1) > width:
        labels = [_label(label[:1]) for label, _ in score]
    for place, (label, count) in enumerate(zip(labels, counts, strict=True)):
        layout.add(f"score.label.{place}", x, y, label)
        layout.add(f"score.count.{place}", x + len(label) + 3, y, count)
        x += len(label) + len(count) + 8


def _accents(score: Sequence[tuple[str, int]]) -> int:
    """Return how many rows the accents of the labels need above their capitals: 0 to 2."""
    rows = 1 << 2
    for label, _ in score:
        rows |= ink(label)
    return 3 - (rows & -rows).bit_length()


def _lines(scene: BoardScene, width: int, rows: int) -> tuple[list[Line], bool]:
    """Return headline and notes in at most `rows` rows: each note on its own lines, or all sharing one.

    Later notes are dropped as needed. The second value is False when the first note is not whole either.
    """
    indent = MARK if scene.mark else 0
    wrapped = wrap(scene.headline, width, bold=True, indent=indent)
    headline = [Line("headline", text, True, indent * (not row)) for row, text in enumerate(wrapped)]
    for count in range(len(scene.notes), 0, -1):
        shared = SEPARATOR.join(scene.notes[:count])
        for texts in (scene.notes[:count], [shared] if text_width(shared) <= width else []):
            lines = headline + [
                Line(f"note.{place}", line) for place, note in enumerate(texts) for line in wrap(note, width)
            ]
            if texts and depth(len(lines)) + sum(map(apart, lines, lines[1:])) <= rows:
                return lines, True
    lines = headline + [Line("note.0", line) for note in scene.notes[:1] for line in wrap(note, width)]
    room = (rows - 1) // PITCH
    return lines[:room], len(lines) <= room


def _put_side(layout: Layout, scene: BoardScene) -> None:
    """Put the words in the column beside the board; a score only where headline and first note have room."""
    x = layout.board + (3 if layout.large else 5)
    put = _put_tall if layout.large else _put_flat
    put(layout, scene, x, layout.right - x)


def _put_tall(layout: Layout, scene: BoardScene, x: int, width: int) -> None:
    """Put words from the top, the score at the bottom, between them bar and badges where there are any."""
    bottom = layout.bottom - (PITCH if scene.badges or scene.bar is not None else 0)
    above = bottom - SCORE - _accents(scene.score)
    if scene.score and _lines(scene, width, above)[1]:
        _score_below(layout, scene.score, x, width)
        bottom = above
    bar_width = width - BADGE * len(scene.badges)
    layout.badges(scene.badges, x + bar_width + 2, bottom + 2, down=False)
    if scene.bar is not None:
        layout.add("bar", x, bottom + 2, _bar(bar_width, scene.bar))
    lines, _ = _lines(scene, width, bottom)
    # Whose turn it is changes most often: its capitals stand on the first page of the display's memory alone,
    # unless they have accents.
    rows = ink(lines[0].text) if lines else 0
    top = -1 if rows and not rows & 1 else 0
    if scene.mark:
        layout.add("mark", x, 2 + top, icon(scene.mark, large=False))
    layout.stack(lines, x, top, bottom)


def _put_flat(layout: Layout, scene: BoardScene, x: int, width: int) -> None:
    """Put three lines of words; the last is the bar or the score if there is room; badges at the right."""
    if scene.badges and scene.bar is None:  # a hold is short: its words go before
        layout.badges(scene.badges, layout.right - BADGE + 2, 2, down=True)
        width -= BADGE
    if scene.mark:
        layout.add("mark", x, 2, icon(scene.mark, large=False))
    bottom = layout.bottom
    above = bottom - PITCH + 1
    if scene.bar is not None:
        bottom = above
        layout.add("bar", x, above + 1, _bar(width, scene.bar))
    elif scene.score and _lines(scene, width, above - _accents(scene.score))[1]:
        bottom = above - _accents(scene.score)
        _score_line(layout, scene.score, x, above - 2, width)
    layout.stack(_lines(scene, width, bottom)[0], x, 0, bottom)


# A page without a board: a large icon, a title and lines; figures after a tab stand at the right


def _rows(line: str, width: int) -> int:
    """Return how many lines of text a line of a page takes."""
    return 1 if "\t" in line else len(wrap(line, width))


def _has_room(page: PageScene, width: int, rows: int) -> bool:
    """Return whether a page fits `width` columns and `rows` lines of text with no word broken."""
    lines = len(wrap(page.title, width, bold=True)) + sum(_rows(line, width) for line in page.lines)
    return (
        lines <= rows
        and fits(page.title, width, bold=True)
        and all(
            text_width(line.replace("\t", "  ")) <= width if "\t" in line else fits(line, width)
            for line in page.lines
        )
    )


def _cut(name: str, text: str, width: int, rows: int, *, bold: bool = False) -> list[Line]:
    """Return `text` as at most `rows` lines; it may be the text of an error, and of any length."""
    lines = wrap(text, width, bold=bold)
    if len(lines) > rows > 0:
        lines[rows - 1 :] = [shorten(" ".join(lines[rows - 1 :]), width, bold=bold)]
    return [Line(name, line, bold) for line in lines[: max(rows, 0)]]


def _put_page(layout: Layout, page: PageScene) -> None:
    """Put a page: centred in height, the icon at the left if it leaves room for all the words."""
    left, right = 0, layout.right
    if page.badges:
        layout.badges(page.badges, right - BADGE + 2, 2, down=True)
        right -= BADGE
    rows = (layout.bottom - 1) // PITCH
    if page.icon and _has_room(page, right - ICON, rows):
        layout.add("icon", 2, (layout.bottom - 30) // 2, doubled(icon(page.icon, large=True)))
        left = ICON
    _put_lines(layout, page, left, right - left, rows)


def _put_lines(layout: Layout, page: PageScene, x: int, width: int, room: int) -> None:
    """Put title and lines from column `x` on, `room` rows of text at the most."""
    titles = _cut("title", page.title, width, room, bold=True)
    room -= len(titles)
    half = (width - GUTTER) // 2
    crowded = room < sum(_rows(line, width) for line in page.lines) and len(page.lines) <= 2 * room
    columns = 2 if crowded and all(text_width(line.replace("\t", " ")) <= half for line in page.lines) else 1
    each = half if columns == 2 else width
    rows: list[list[Line]] = []
    for place, line in enumerate(page.lines):
        text, _, figures = line.partition("\t")
        left = room - len(rows) // columns
        parts = _cut(f"line.{place}", text, each - text_width(f" {figures}"), left)
        rows += [[part] for part in parts]
        if figures and parts:
            rows[-1].append(Line(f"figures.{place}", figures))
    deep = len(titles) + -(-len(rows) // columns)
    rule = 3 if titles and rows and deep * PITCH + 3 < layout.bottom else 0
    y = max((layout.bottom - deep * PITCH - rule) // 2, 0)
    y = layout.stack(titles, x, y, y + depth(len(titles)))
    if rule:
        layout.add("rule", x, y + 2, (1,) * width)
        y += rule
    for place, row in enumerate(rows):
        left, top = x + place % columns * (each + GUTTER), y + place // columns * PITCH
        layout.add(row[0].name, left, top, text_columns(row[0].text))
        for value in row[1:]:
            layout.add(value.name, left + each - text_width(value.text), top, text_columns(value.text))


def lay_out(scene: Scene, width: int = 128, height: int = 64) -> Layout:
    """Return where the parts of a scene stand, without any drift."""
    layout = Layout(width, height)
    if isinstance(scene, BoardScene):
        for index, tile in enumerate(scene.tiles):
            layout.add(f"tile.{index}", *layout.cell_at(index), tile_picture(tile, large=layout.large))
        _put_side(layout, scene)
    else:
        _put_page(layout, scene)
    return layout


def _draw_grid(canvas: Canvas, layout: Layout) -> None:
    for place in (layout.cell, 2 * layout.cell + 1):
        canvas.fill(place, 0, 1, layout.board)
        canvas.fill(0, place, layout.board, 1)


def _draw_strike(canvas: Canvas, layout: Layout, strike: tuple[int, int]) -> None:
    """Draw the line through a row of three; the marks under it stay whole."""
    (x0, y0), (x1, y1) = (layout.cell_at(index) for index in strike)
    middle, reach = layout.cell // 2, layout.cell * 2 // 5
    right, down = reach * ((x1 > x0) - (x1 < x0)), reach * ((y1 > y0) - (y1 < y0))
    ends = x0 + middle - right, y0 + middle - down, x1 + middle + right, y1 + middle + down
    canvas.line(*ends, thick=3 if layout.large else 1)


def render(picture: Picture, width: int = 128, height: int = 64) -> Frame:
    """Return the picture as a frame of `width` by `height` pixels; height is 32, or 64 and more.

    The light does not matter: a display that is off keeps its picture. Raise `ValueError` for an icon that
    does not exist.
    """
    scene = picture.scene
    layout = lay_out(scene, width, height)
    canvas = Canvas(width, height)
    if isinstance(scene, BoardScene):
        _draw_grid(canvas, layout)
    for item in layout.items:
        canvas.blit(item.picture, item.x, item.y)
    if isinstance(scene, BoardScene) and scene.strike:
        _draw_strike(canvas, layout, scene.strike)
    canvas.shift(min(picture.shift[0], DRIFT), min(picture.shift[1], free_rows(height)))
    return canvas.frame()
