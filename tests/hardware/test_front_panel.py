"""The printable front panel: the committed files are what tools/panel.py draws, at full size."""

import re
from itertools import combinations
from pathlib import Path

import pytest

from appliance.desk.dimensions import DISPLAYS, PANEL
from tools.panel import PAIRS, TOP, Box, Circle, Display, drawing, panel, svg

HARDWARE = Path(__file__).parents[2] / "hardware"
POINT = 25.4 / 72  # mm
PAGES = [
    (HARDWARE / f"panel-{name}.svg", pair)
    for name, pair in zip(("0.96-1.3", "0.91-2.42"), PAIRS, strict=True)
]


def test_there_is_a_panel_for_each_display_that_the_pages_name():
    makers = (HARDWARE.parent / "docs/makers.md").read_text()
    listed = re.findall(r"^\| ([\d.]+) inch \|", makers, flags=re.MULTILINE)
    assert sorted(listed) == sorted(each.inches for each in DISPLAYS)
    assert sorted(HARDWARE.glob("panel-*.svg")) == sorted(path for path, _ in PAGES)


@pytest.mark.parametrize(("path", "displays"), PAGES)
def test_the_committed_drawing_is_what_the_tool_draws(path, displays):
    assert path.read_text() == svg(drawing(displays)), "make pictures"


@pytest.mark.parametrize(("path", "displays"), PAGES)
def test_the_drawing_is_in_millimetres(path, displays):
    text = path.read_text()
    assert 'width="210mm" height="297mm"' in text
    assert 'viewBox="0 0 210 297"' in text
    [bar] = re.findall(r'd="M([\d.]+),(\d+) L([\d.]+),\2"[^\n]*\n[^\n]*\n[^\n]*\n[^\n]*100 mm<', text)
    assert float(bar[2]) - float(bar[0]) == 100


def test_the_print_has_the_same_cuts_at_the_same_size():
    text = (HARDWARE / "panel.pdf").read_bytes().decode("latin-1")
    sides = re.findall(r"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", text)
    assert {tuple(round(float(side) * POINT) for side in both) for both in sides} == {(210, 297)}
    pages = re.findall(r"stream\n(.*?)\nendstream", text, flags=re.DOTALL)[: len(PAIRS)]
    for content, displays in zip(pages, PAIRS, strict=True):
        shapes = drawing(displays)
        circles = [shape for shape in shapes if isinstance(shape, Circle)]
        assert len(circles) == 2 * (9 + 4)
        # A circle's path starts at its rightmost point; in PDF, y points up.
        starts = re.findall(r"([\d.]+) ([\d.]+) m(?: \S+){6} c", content)
        drawn = {(round(float(x) * POINT, 1), round(297 - float(y) * POINT, 1)) for x, y in starts}
        assert {(round(one.x + one.diameter / 2, 1), round(one.y, 1)) for one in circles} <= drawn
        boxes = {
            tuple(round(abs(float(side)) * POINT, 1) for side in sides)
            for sides in re.findall(r"[\d.]+ [\d.]+ ([\d.]+) (-?[\d.]+) re", content)
        }
        windows = {
            (round(one.width, 1), round(one.height, 1)) for one in shapes if isinstance(one, Box) and one.cut
        }
        assert windows <= boxes


@pytest.mark.parametrize("display", DISPLAYS, ids=lambda display: display.inches)
def test_neighbouring_cuts_leave_the_panel_whole_and_no_board_meets_a_button(display: Display):
    outline, window, board, *rest = [one for one in panel(0, display) if isinstance(one, Circle | Box)]
    assert (outline.width, outline.height) == PANEL
    cuts = [window, *rest]
    assert len(cuts) == 1 + 9 + 4
    for one, other in combinations(cuts, 2):
        assert apart(one, other) >= 5
    for one in rest:
        assert apart(board, one) >= 1 or one.diameter < 4
        assert apart(window, one) >= 5
    assert board.width / 2 < PANEL[0] / 2
    assert board.y - board.height / 2 > TOP


def apart(one, other):
    """Return the larger of the gaps between two shapes' surrounding rectangles, along x and along y."""
    (width, height), (width2, height2) = (
        (each.diameter, each.diameter) if isinstance(each, Circle) else (each.width, each.height)
        for each in (one, other)
    )
    return max(abs(one.x - other.x) - (width + width2) / 2, abs(one.y - other.y) - (height + height2) / 2)
