"""The printable front panel: the committed files are what tools/panel.py draws, at full size."""

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
POINT = 25.4 / 72  # mm


@pytest.fixture(scope="module")
def panel():
    return runpy.run_path(str(ROOT / "tools/panel.py"))


def test_the_committed_drawing_is_what_the_tool_draws(panel):
    assert (ROOT / "boot/panel.svg").read_text() == panel["svg"](panel["drawing"]()), "make pictures"


def test_the_drawing_is_in_millimetres():
    text = (ROOT / "boot/panel.svg").read_text()
    assert 'width="210mm" height="297mm"' in text
    assert 'viewBox="0 0 210 297"' in text
    [bar] = re.findall(r'd="M([\d.]+),(\d+) L([\d.]+),\2"[^\n]*\n[^\n]*\n[^\n]*\n[^\n]*100 mm<', text)
    assert float(bar[2]) - float(bar[0]) == 100


def test_the_page_has_the_same_cuts_at_the_same_size(panel):
    text = (ROOT / "boot/panel.pdf").read_bytes().decode("latin-1")
    assert [
        round(float(side) * POINT)
        for side in re.search(r"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", text).groups()
    ] == [
        210,
        297,
    ]
    circles = [shape for shape in panel["drawing"]() if isinstance(shape, panel["Circle"])]
    assert len(circles) == 2 * (9 + 4)
    # A circle's path starts at its rightmost point; in PDF, y points up.
    starts = re.findall(r"([\d.]+) ([\d.]+) m(?: \S+){6} c", text)
    drawn = {(round(float(x) * POINT, 1), round(297 - float(y) * POINT, 1)) for x, y in starts}
    assert {(round(one.x + one.diameter / 2, 1), round(one.y, 1)) for one in circles} <= drawn


def test_neighbouring_cuts_leave_the_panel_whole(panel):
    cuts = [
        (one.x, one.y, one.diameter, one.diameter)
        if isinstance(one, panel["Circle"])
        else (one.x, one.y, one.width, one.height)
        for one in panel["panel"](0, panel["DISPLAYS"][1])[1:]
        if isinstance(one, panel["Circle"]) or (isinstance(one, panel["Box"]) and one.cut)
    ]
    for number, (x, y, width, height) in enumerate(cuts):
        for x2, y2, width2, height2 in cuts[:number]:
            assert abs(x - x2) >= (width + width2) / 2 + 5 or abs(y - y2) >= (height + height2) / 2 + 5
