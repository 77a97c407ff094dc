"""Scenes to frames: the same scene always gives the same bytes.

A display of 64 rows has a board 62 pixels wide at the left and a column of words at the right; one of 32 rows
has a board of 29 pixels and a wider column of three lines. A game on nine boards has the overview in place of
the words, and at times the words in place of the board; only 64 rows have room for it. Two columns and two
rows (with 32 rows, one row) stay free for the drift against burn-in. The tests show that the words of each
language fit.

A layout is a list of named pictures with their places, made before anything is drawn: a test can ask where
the score is, or whether a note fits, without looking at pixels.
"""

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from appliance.core.picture.canvas import Canvas, Columns, Frame, doubled
from appliance.core.picture.font import HEIGHT, PITCH, shorten, text_columns, text_width, wrap
from appliance.core.picture.icons import cell_size, icon, label, tile_picture
from appliance.core.picture.overview import BOARD, SIGNS, SIZE, board_at, overview_picture
from appliance.core.picture.plates import banner, bar, pill
from appliance.core.picture.scene import BoardScene, Overview, PageScene, PatternScene, Picture, Scene

DRIFT_COLUMNS = 2
BADGE = 9  # columns, or rows, from one badge to the next
SPACE = 3  # columns between a mark and its headline
SCORE = 19  # rows of the score below the notes
SCORE_LINE = 9  # the same on a display of 32 rows
ICON = 38  # columns of a page's icon, with the space beside it
RULE = 3  # rows of the line below a page's title, with the space around it
# Rows from one cell to the next of a board beside an overview. Each move changes all of that board: marks
# that begin in the rows 2, 25 and 48 are in two pages of the display's memory, not three.
TALL = 23
BELOW = 5  # rows from the top of a banner's text to the line that it covers, so that it covers no mark
GUTTER = 8  # pixels between two columns of a page's figures


class PlacedPicture(NamedTuple):
    """A picture and the place of its upper left corner."""

    name: str
    x: int
    y: int
    picture: Columns


def free_rows(height: int) -> int:
    """Return how many rows at the bottom every scene leaves free, on a display of this height."""
    return 2 if height >= 64 else 1


class Layout:
    """The measures of a display, and the items on it in drawing order."""

    def __init__(self, width: int, height: int) -> None:
        self.large = height >= 64
        self.cell = cell_size(large=self.large)
        self.board = 3 * self.cell + 2  # pixels square
        self.right = width - DRIFT_COLUMNS  # the first unused column
        self.bottom = height - free_rows(height)
        self.items: list[PlacedPicture] = []

    def cell_at(self, index: int) -> tuple[int, int]:
        """Return the upper left pixel of a cell of the board."""
        return index % 3 * (self.cell + 1), index // 3 * (self.cell + 1)

    def overview_at(self, board: int) -> tuple[int, int]:
        """Return the upper left pixel of a board of the overview."""
        x, y = board_at(board)
        return self.right - SIZE + x, (self.bottom - SIZE) // 2 + y

    def add(self, name: str, x: int, y: int, picture: Columns) -> None:
        """Add a picture."""
        self.items.append(PlacedPicture(name, x, y, picture))

    def add_lines(self, name: str, x: int, y: int, lines: Sequence[str]) -> None:
        """Add lines of text, one below the other."""
        for row, line in enumerate(lines):
            self.add(name, x, y + row * PITCH, text_columns(line))


# The words beside the board: headline, notes, progress of a hold, badges, score


def count_text(count: int) -> str:
    """Return a count in at most three characters: 12345 is 12k; 99k is the highest."""
    return str(count) if count < 1000 else f"{min(count // 1000, 99)}k"


def _add_score(layout: Layout, score: Sequence[tuple[str, int]], x: int, width: int) -> None:
    """Add the score at the bottom, as labels over counts, spread over the width."""
    labels = [label(name) for name, _ in score]
    for margin in (3, 2):
        counts = [pill(count_text(count), margin) for _, count in score]
        widths = [max(map(len, pair)) for pair in zip(labels, counts, strict=True)]
        if sum(widths) + 2 * (len(score) - 1) <= width:
            break
    slack, top = width - sum(widths), layout.bottom - SCORE - 2
    for place, room in enumerate(widths):
        left = x + sum(widths[:place]) + slack * (2 * place + 1) // (2 * len(widths))
        for name, picture, y in (("label", labels[place], top + 1), ("count", counts[place], top + 12)):
            layout.add(name, left + (room - len(picture)) // 2, y, picture)


def _add_score_line(layout: Layout, score: Sequence[tuple[str, int]], x: int, width: int) -> None:
    """Add the score on one line, each count after its label."""
    pairs = [(label(name), text_columns(count_text(count))) for name, count in score]
    room = width - sum(len(picture) + len(count) for picture, count in pairs)
    gap = 2 if room >= 2 * len(pairs) else 1
    slack = room - gap * len(pairs)
    y = layout.bottom - HEIGHT
    for picture, count in pairs:
        layout.add("label", x, y + 1, picture)
        layout.add("count", x + len(picture) + gap, y, count)
        x += len(picture) + gap + len(count) + min(slack // (len(score) - 1), 8)


def _choose_notes(scene: BoardScene, width: int, bottom: int, score: int) -> tuple[list[str], bool]:
    """Return the lines of the notes that fit below a headline, and whether the score fits too.

    The `first` notes have priority over the score, at need in their shorter wording, and the score over the
    others. None is drawn in place of an earlier one.
    """
    wordings = scene.notes, scene.brief or scene.notes
    counts = range(min(scene.first, len(scene.notes)), -1, -1)
    for count, rows, notes in product(counts, (bottom - score, bottom), wordings):
        lines: list[str] = []
        drawn = 0
        for more in (wrap(note, width) for note in notes):
            if PITCH * (len(lines) + len(more)) + HEIGHT > rows:
                break
            lines, drawn = lines + more, drawn + 1
        if drawn >= count:
            break
    return lines, rows < bottom


def _put_side(layout: Layout, scene: BoardScene) -> None:
    """Add the words beside the board."""
    beside = layout.board + (3 if layout.large else 5)
    x, width = (0 if scene.covered else beside), layout.right - beside
    top, notes = (_put_tall if layout.large else _put_flat)(layout, scene, x, width)
    indent = 0
    if scene.mark:
        mark = icon(scene.mark, large=False)
        layout.add("mark", x, 2 + top, mark)
        indent = len(mark) + SPACE
    layout.add("headline", x + indent, top, text_columns(scene.headline, bold=True))
    layout.add_lines("note", x, top + PITCH, notes)


def _put_overview(layout: Layout, scene: BoardScene, side: Overview) -> None:
    """Add the nine boards at the right and, unless words cover the tiles, a banner and the signs between."""
    layout.add("overview", *layout.overview_at(0), overview_picture(side))
    if scene.covered:
        return
    if scene.notes:
        plate, row = banner(scene.notes[0], layout.board)
        layout.add("banner", 0, TALL + layout.cell - BELOW + row, plate)
    if scene.mark:
        above = layout.cell + (6 if len(scene.mark) == 1 else 4)  # a number below it stays above the banner
        layout.add("mark", layout.board - 1, above, SIGNS[scene.mark])
    if scene.badges:
        layout.add("badge", layout.board + 1, layout.overview_at(6)[1] + 5, SIGNS["warning"])


def _put_tall(layout: Layout, scene: BoardScene, x: int, width: int) -> tuple[int, list[str]]:
    """Add the score at the bottom, bar and badges above it; return the headline's row, and the notes."""
    bottom = layout.bottom - (PITCH if scene.badges or scene.bar is not None else 0)
    notes, scored = _choose_notes(scene, width, bottom, SCORE if scene.score else 0)
    if scored:
        _add_score(layout, scene.score, x, width)
        bottom -= SCORE
    bar_width = width - BADGE * len(scene.badges)
    for place, badge in enumerate(scene.badges):
        layout.add("badge", x + bar_width + 2 + place * BADGE, bottom + 2, icon(badge, large=False))
    if scene.bar is not None:
        layout.add("bar", x, bottom + 2, bar(bar_width, scene.bar))
    # The headline (whose turn it is) changes most often. One row higher, its capitals touch only the first
    # page of the display's memory, unless they have accents.
    accents = any(column & 1 for column in text_columns(scene.headline))
    return 0 if accents else -1, notes


def _put_flat(layout: Layout, scene: BoardScene, x: int, width: int) -> tuple[int, list[str]]:
    """Add the score or the bar on the third line, badges at the right; return the same as `_put_tall`."""
    if scene.bar is not None:  # a hold is short: its words have priority over badges and score
        layout.add("bar", x, layout.bottom - SCORE_LINE + 1, bar(width, scene.bar))
        return 0, _choose_notes(scene, width, layout.bottom - SCORE_LINE, 0)[0]
    if scene.badges:
        width -= BADGE
        for place, badge in enumerate(scene.badges[: layout.bottom // BADGE]):
            layout.add("badge", layout.right - BADGE + 2, 2 + place * BADGE, icon(badge, large=False))
    notes, scored = _choose_notes(scene, width, layout.bottom, SCORE_LINE if scene.score else 0)
    if scored:
        _add_score_line(layout, scene.score, x, width)
    return 0, notes


def page_texts(text: str, width: int, height: int) -> list[str]:
    """Return a text in parts that fit a page without icon or figures, on a display of this size."""
    lines = wrap(text, width - DRIFT_COLUMNS)
    room = (height - free_rows(height) - HEIGHT) // PITCH
    parts = ["\n".join(lines[start : start + room]) for start in range(0, len(lines), room)]
    return parts if len(parts) > 1 else [text]


def _put_page(layout: Layout, page: PageScene) -> None:
    """Add a page: vertically centred, a large icon at the left, the title above text and figures."""
    x, columns = 0, 1 if layout.large else 2
    if page.icon and layout.large:
        layout.add("icon", 2, (layout.bottom - 30) // 2, doubled(icon(page.icon, large=True)))
        x = ICON
    width = layout.right - x
    lines = [line for part in page.text.split("\n") for line in wrap(part, width)]
    room = (layout.bottom - HEIGHT) // PITCH
    if len(lines) > room:  # the text of an error may have any length
        lines[room - 1 :] = [shorten(lines[room - 1], width)]
    rows = 1 + len(lines) + -(-len(page.figures) // columns)
    rule = RULE if rows > 1 and rows * PITCH + RULE < layout.bottom else 0
    y = max((layout.bottom - rows * PITCH - rule) // 2, 0)
    layout.add("title", x, y, text_columns(page.title, bold=True))
    y += PITCH
    if rule:
        layout.add("rule", x, y + 2, (1,) * width)
        y += rule
    layout.add_lines("line", x, y, lines)
    y += len(lines) * PITCH
    each = (width - GUTTER * (columns - 1)) // columns
    for place, (name, count) in enumerate(page.figures):
        left, top = x + place % columns * (each + GUTTER), y + place // columns * PITCH
        layout.add("line", left, top, text_columns(name))
        layout.add("figures", left + each - text_width(str(count)), top, text_columns(str(count)))


def _put_tile(layout: Layout, index: int, picture: Columns, *, tall: bool) -> None:
    """Add a tile of the board; in a tall cell, leave out its first row and those below the board."""
    x, y = layout.cell_at(index)
    if tall:
        y = index // 3 * TALL
        picture = tuple(column >> 1 & (1 << layout.bottom - y) - 1 for column in picture)
    layout.add("tile", x, y, picture)


def lay_out(scene: Scene, width: int = 128, height: int = 64) -> Layout:
    """Return the layout of a scene, without drift."""
    layout = Layout(width, height)
    if isinstance(scene, BoardScene):
        if not scene.covered:
            for index, tile in enumerate(scene.tiles):
                _put_tile(layout, index, tile_picture(tile, large=layout.large), tall=bool(scene.side))
        if scene.side:
            _put_overview(layout, scene, scene.side)
        if scene.covered or not scene.side:
            _put_side(layout, scene)
    elif isinstance(scene, PageScene):
        _put_page(layout, scene)
    return layout


def _draw_grid(canvas: Canvas, layout: Layout, *, tall: bool) -> None:
    for line in (0, 1):
        canvas.fill(layout.cell + line * (layout.cell + 1), 0, 1, layout.board)
        canvas.fill(0, layout.cell + line * (TALL if tall else layout.cell + 1), layout.board, 1)


def _draw_strike(canvas: Canvas, layout: Layout, scene: BoardScene, strike: tuple[int, int]) -> None:
    """Draw the line through a row of three, or its beginning, over the marks."""
    place, cell = (layout.overview_at, BOARD) if scene.side else (layout.cell_at, layout.cell)
    (x0, y0), (x1, y1) = map(place, strike)
    reach, pen = cell * 2 // 5, 1 if layout.large else 0
    long = max(abs(x1 - x0), abs(y1 - y0))
    right, down = (x1 - x0) // long, (y1 - y0) // long
    for step in range(-reach, round(scene.drawn * (long + 2 * reach + 1)) - reach):
        x, y = (start + cell // 2 - pen for start in (x0 + step * right, y0 + step * down))
        canvas.fill(x, y, 2 * pen + 1, 2 * pen + 1)


def _draw_line(canvas: Canvas, layout: Layout, line: tuple[int, int]) -> None:
    """Draw the line through three marks of a board beside an overview: its cells are not square."""
    middle = layout.cell // 2
    (x0, y0), (x1, y1) = (
        (end % 3 * (layout.cell + 1) + middle, end // 3 * TALL + middle - 1) for end in line
    )
    steps = max(abs(x1 - x0), abs(y1 - y0))
    for step in range(steps + 1):
        canvas.fill(x0 + (x1 - x0) * step // steps - 1, y0 + (y1 - y0) * step // steps - 1, 3, 3)


def _draw_pattern(canvas: Canvas, scene: PatternScene) -> None:
    """Light every pixel, or the edges and both diagonals."""
    width, height = canvas.width, canvas.height
    canvas.fill(0, 0, width, height)
    if scene.edges:
        canvas.fill(1, 1, width - 2, height - 2, on=False)
        for y in range(height):
            x = y * (width - 1) // (height - 1)
            canvas.fill(x, y, 2, 1)
            canvas.fill(width - 2 - x, y, 2, 1)


def render(picture: Picture, width: int = 128, height: int = 64) -> Frame:
    """Return the picture as a frame of `width` by `height` pixels; the height is 32, or at least 64.

    The light does not matter: a display that is off keeps its memory. Raise `KeyError` for an unknown icon.
    """
    scene = picture.scene
    canvas = Canvas(width, height)
    if isinstance(scene, PatternScene):
        _draw_pattern(canvas, scene)
        return canvas.frame()
    layout = lay_out(scene, width, height)
    if isinstance(scene, BoardScene) and not scene.covered:
        _draw_grid(canvas, layout, tall=bool(scene.side))
    for item in layout.items:
        if item.name == "banner":
            canvas.fill(item.x, item.y, len(item.picture), item.picture[0].bit_length(), on=False)
        canvas.blit(item.picture, item.x, item.y)
    if isinstance(scene, BoardScene) and scene.line:
        _draw_line(canvas, layout, scene.line)
    if isinstance(scene, BoardScene) and scene.strike:
        _draw_strike(canvas, layout, scene, scene.strike)
    canvas.shift(min(picture.shift[0], DRIFT_COLUMNS), min(picture.shift[1], free_rows(height)))
    return canvas.frame()
