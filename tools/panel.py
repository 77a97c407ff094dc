"""Draw the front panel at full size, for printing: `panel.py FOLDER` writes panel.pdf, and its pages as SVG.

Each A4 page has the panels for two displays. Lengths are in millimetres; y points down.
"""

import datetime as dt
import sys
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from appliance.desk.dimensions import (
    DISPLAY_Y,
    DISPLAYS,
    HOLE,
    MARGIN,
    PANEL,
    PITCH,
    SCREW,
    SCREW_EDGE,
    Display,
    key_centre,
)

PAGE = (210.0, 297.0)
TOP = 55.0  # of the panels on the page
PAIRS = (DISPLAYS[:2], DISPLAYS[2:])  # of a page

NOTES = """\
Print at 100 % ("actual size"), then measure: the line below is 100 mm long.
Glue the sheet to the panel, mark each centre with a punch, drill, peel off.
Solid lines are cut. Dotted: roughly where the display's board is, behind the panel. Boards differ in their
screw holes and in where the glass sits: hold yours against the window, lit, then mark its holes.
Other buttons: same centres, the hole that yours need.
"""


class Circle(NamedTuple):
    """A circle to cut."""

    x: float
    y: float
    diameter: float


class Box(NamedTuple):
    """A rectangle by its centre, to cut or just dotted."""

    x: float
    y: float
    width: float
    height: float
    cut: bool = True


class Line(NamedTuple):
    """A thin line."""

    x1: float
    y1: float
    x2: float
    y2: float


class Label(NamedTuple):
    """Text that is centred on x, or starts there; the size is in millimetres."""

    x: float
    y: float
    text: str
    size: float = 3.2
    centred: bool = True


Shape = Circle | Box | Line | Label


def panel(left: float, display: Display) -> list[Shape]:
    """Return the panel for a display, its left edge at `left`."""
    width, height = PANEL
    middle = left + width / 2
    window = [side + 2 * MARGIN for side in display.lit]
    shapes: list[Shape] = [
        Box(middle, TOP + height / 2, width, height),
        Box(middle, TOP + DISPLAY_Y, *window),
        Box(middle, TOP + DISPLAY_Y, *display.board, cut=False),
        Label(middle, TOP - 3, f"{display.inches} inch display: window {window[0]:.1f} x {window[1]:.1f} mm"),
    ]
    for key in range(9):
        x, y = key_centre(key)
        x, y = left + x, TOP + y
        shapes += [Circle(x, y, HOLE), *_cross(x, y), Label(x + 8.2, y - 4.6, str(key + 1), 2.6)]
    for x in (left + SCREW_EDGE, left + width - SCREW_EDGE):
        for y in (TOP + SCREW_EDGE, TOP + height - SCREW_EDGE):
            shapes += [Circle(x, y, SCREW), *_cross(x, y)]
    return shapes


def _cross(x: float, y: float) -> list[Shape]:
    return [Line(x - 2, y, x + 2, y), Line(x, y - 2, x, y + 2)]


def drawing(displays: tuple[Display, ...]) -> list[Shape]:
    """Return all shapes of a page."""
    gap = (PAGE[0] - 2 * PANEL[0]) / 3
    shapes: list[Shape] = [Label(gap, 16, "Tic-tac-toe box: front panel, 1:1", 5.5, centred=False)]
    for number, note in enumerate(NOTES.splitlines()):
        shapes.append(Label(gap, 22.5 + 4.4 * number, note, centred=False))
    for number, display in enumerate(displays):
        shapes += panel(gap + number * (PANEL[0] + gap), display)
    y = TOP + PANEL[1] + 14
    x = PAGE[0] / 2 - 50
    shapes += [Line(x, y, x + 100, y), Line(x, y - 2, x, y + 2), Line(x + 100, y - 2, x + 100, y + 2)]
    holes = f"holes: nine of {HOLE:.0f} mm, {PITCH:.0f} mm apart; four of {SCREW:.1f} mm for screws; panel"
    return [
        *shapes,
        Label(PAGE[0] / 2, y - 2, "100 mm"),
        Label(PAGE[0] / 2, y + 8, f"{holes} {PANEL[0]:.0f} x {PANEL[1]:.0f} mm"),
    ]


def svg(shapes: list[Shape]) -> str:
    """Return the page as SVG; a unit is a millimetre."""
    width, height = PAGE
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm"',
        f'  viewBox="0 0 {width:g} {height:g}" font-family="Helvetica, Arial, sans-serif">',
        "<title>Front panel of the tic-tac-toe box, 1:1</title>",
        f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>',
        '<g fill="none" stroke="#000" stroke-width="0.25">',
    ]
    for shape in shapes:
        match shape:
            case Circle(x, y, diameter):
                lines.append(f'<circle cx="{x:g}" cy="{y:g}" r="{diameter / 2:g}"/>')
            case Box(x, y, w, h, cut):
                dots = "" if cut else ' stroke-dasharray="0.6 0.9"'
                lines.append(
                    f'<rect x="{x - w / 2:g}" y="{y - h / 2:g}" width="{w:g}" height="{h:g}"{dots}/>'
                )
            case Line(x1, y1, x2, y2):
                lines.append(f'<path d="M{x1:g},{y1:g} L{x2:g},{y2:g}" stroke-width="0.15"/>')
            case Label(x, y, text, size, centred):
                anchor = ' text-anchor="middle"' if centred else ""
                style = f'font-size="{size:g}"{anchor} fill="#000" stroke="none"'
                lines.append(f'<text x="{x:g}" y="{y:g}" {style}>{escape(text)}</text>')
    return "\n".join([*lines, "</g>", "</svg>", ""])


def pdf(pages: list[list[Shape]]) -> bytes:
    """Return the pages as PDF; the bytes are the same each time."""
    from fpdf import FPDF  # noqa: PLC0415 - only needed here; the tests on Debian have no fpdf

    file = FPDF(unit="mm", format=PAGE)
    file.set_creation_date(dt.datetime(2026, 1, 1, tzinfo=dt.UTC))
    file.set_compression(False)
    file.set_title("Front panel of the tic-tac-toe box, 1:1")
    file.set_auto_page_break(auto=False)
    for shapes in pages:
        file.add_page()
        for shape in shapes:
            file.set_line_width(0.15 if isinstance(shape, Line) else 0.25)
            match shape:
                case Circle(x, y, diameter):
                    file.circle(x, y, diameter / 2)
                case Box(x, y, w, h, cut):
                    file.set_dash_pattern(*((0, 0) if cut else (0.6, 0.9)))
                    file.rect(x - w / 2, y - h / 2, w, h)
                    file.set_dash_pattern()
                case Line():
                    file.line(*shape)
                case Label(x, y, text, size, centred):
                    file.set_font("Helvetica", size=size / 25.4 * 72)
                    file.text(x - (file.get_string_width(text) / 2 if centred else 0), y, text)
    return bytes(file.output())


def main(folder: Path) -> None:
    """Write the pages."""
    for pair in PAIRS:
        (folder / f"panel-{'-'.join(each.inches for each in pair)}.svg").write_text(svg(drawing(pair)))
    (folder / "panel.pdf").write_bytes(pdf([drawing(pair) for pair in PAIRS]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
