"""A page without a board: a large icon, a title and lines; figures after a tab stand at the right."""

from appliance.core.font import PITCH, fits, shorten, text_width, wrap
from appliance.core.icons import doubled, icon
from appliance.core.layout import BADGE, Layout, Line, broken, depth
from appliance.core.scene import PageScene

_ICON = 38  # columns that a doubled icon takes, with the space beside it
_GUTTER = 8  # between two columns of lines


def _rows(line: str, width: int) -> int:
    """Return how many lines of text a line of a page takes."""
    return 1 if "\t" in line else len(wrap(line, width))


def _room(page: PageScene, width: int) -> tuple[bool, int]:
    """Return whether every word of a page fits `width` columns, and how many lines it takes."""
    lines = len(wrap(page.title, width, bold=True)) + sum(_rows(line, width) for line in page.lines)
    whole = fits(page.title, width, bold=True) and all(
        text_width(line.replace("\t", "  ")) <= width if "\t" in line else fits(line, width)
        for line in page.lines
    )
    return whole, lines


def put_page(layout: Layout, page: PageScene) -> None:
    """Put a page: centred in height, the icon at the left if it leaves room for all the words."""
    left, right = 0, layout.right
    if page.badges:
        layout.badges(page.badges, right - BADGE + 2, 2, down=True)
        right -= BADGE
    most = (layout.bottom - 1) // PITCH
    if page.icon:
        whole, lines = _room(page, right - _ICON)
        if whole and lines <= most:
            picture = doubled(icon(page.icon, large=True))
            layout.add("icon", 2, (layout.bottom - 30) // 2, picture)
            left = _ICON
    _put_words(layout, page, left, right - left, most)


def _columns(page: PageScene, width: int, room: int) -> int:
    """Return in how many columns the lines stand: two when they take more than `room` rows and it helps."""
    half = (width - _GUTTER) // 2
    if sum(_rows(line, width) for line in page.lines) <= room or len(page.lines) > 2 * room:
        return 1
    return 2 if all(text_width(line.replace("\t", " ")) <= half for line in page.lines) else 1


def _put_words(layout: Layout, page: PageScene, x: int, width: int, most: int) -> None:
    """Put title and lines from column `x` on, `most` rows of text at the most."""
    titles = broken(layout, "title", page.title, width, most, bold=True)
    room = most - len(titles)
    columns = _columns(page, width, room)
    each = (width - _GUTTER * (columns - 1)) // columns
    rows: list[list[Line]] = []
    for place, line in enumerate(page.lines):
        text, _, figures = line.partition("\t")
        figures = shorten(figures, each // 2)
        parts = broken(
            layout, f"line.{place}", text, each - text_width(f" {figures}"), room - len(rows) // columns
        )
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
        left, top = x + place % columns * (each + _GUTTER), y + place // columns * PITCH
        layout.text(row[0].name, left, top, row[0].text)
        for value in row[1:]:
            layout.text(value.name, left + each - text_width(value.text), top, value.text)
