"""The case to print: each STL is a closed solid with the panel's holes, fits the boards, needs no supports.

The boards' dimensions here are those of Raspberry Pi's mechanical drawings, written down again.
"""

import math
import re
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest
import solid
from PIL import Image

from appliance.desk.dimensions import (
    BOARDS,
    DISPLAY_Y,
    DISPLAYS,
    HOLE,
    MARGIN,
    PANEL,
    SCREW,
    SCREW_EDGE,
    key_centre,
)
from tools.case import PARTS, header

HARDWARE = Path(__file__).parents[2] / "hardware"
WIDTH, HEIGHT = PANEL
SOLIDS = {name: solid.read((HARDWARE / name).read_bytes()) for name in PARTS}
LIDS = {each: SOLIDS[f"lid-{each.inches}.stl"] for each in DISPLAYS}
THIN = 2.4  # the least thickness of walls, in millimetres: six lines of a nozzle of 0.4
EDGE = 0.013  # keeps lines off the edges of triangles
SCREWS = [(x, y) for x in (SCREW_EDGE, WIDTH - SCREW_EDGE) for y in (SCREW_EDGE, HEIGHT - SCREW_EDGE)]


class Board(NamedTuple):
    """A Raspberry Pi in its base: the card at the upper wall, the power socket at the left one."""

    base: str
    along: float  # the header, from the edge with the card
    across: float  # from the edge with the power socket
    holes: tuple[tuple[float, float], ...]
    power: tuple[float, float]  # the middle of the sockets along that edge: the first and the last model's
    card: float  # its middle along the other
    card_below: bool
    parts: float  # the height above the board of what is highest

    def place(self, along, across):
        """Return where this is on the panel, x right and y down: 9 and 5 mm from its corner."""
        return 9 + across, 5 + along


def corners(across):
    return tuple((along, side) for along in (3.5, 61.5) for side in (3.5, across - 3.5))


FITTED = [
    Board("base-zero.stl", 65, 30, corners(30), (54, 54), 16.9, card_below=False, parts=8),
    Board("base-3-4.stl", 85, 56, corners(56), (10.6, 11.2), 28, card_below=True, parts=16),
]
UNDER, TOP = 6.4, 7.8  # the board's faces above the table: a floor of 2.4, standoffs of 4, a board of 1.4
SUNK = 1.4  # the bottom of the holes in the standoffs
BY_BOARD = pytest.mark.parametrize("board", FITTED, ids=lambda board: board.base)
BY_DISPLAY = pytest.mark.parametrize("display", DISPLAYS, ids=lambda display: display.inches)
BY_PART = pytest.mark.parametrize("name", SOLIDS)


def upwards(part, x, y):
    """Return where a line up through a point of the panel is inside a part; y points down there."""
    return part.inside(2, (x + EDGE, HEIGHT - y + EDGE / 2))


def around(x, y, radius, turned=0.0):
    """Return eight points around a place."""
    turns = [turn * math.pi / 4 + turned for turn in range(8)]
    return [(x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns]


def deep(base):
    return round(base.box()[1][2], 3)


def test_there_is_a_base_for_each_board_and_a_lid_for_each_display():
    assert sorted(path.name for path in HARDWARE.glob("*.stl")) == sorted(SOLIDS)
    assert [board.base for board in FITTED] == [f"base-{name}.stl" for name in BOARDS]


@BY_PART
def test_a_part_is_made_from_these_sources_and_is_small(name):
    assert SOLIDS[name].header == header(), "make case"
    assert (HARDWARE / name).stat().st_size < 100_000


def test_the_picture_is_made_from_these_sources():
    with Image.open(HARDWARE / "case.png") as image:
        assert image.text["Source"] == header().decode().strip(), "make case"


@BY_PART
def test_a_part_is_a_closed_solid_of_the_panels_size(name):
    part = SOLIDS[name]
    assert part.unmatched_edges() == []
    assert min(math.hypot(*solid.normal(triangle)) for triangle in part.triangles) > 0.01
    low, high = part.box()
    assert (low, high[:2]) == ((0, 0, 0), PANEL)
    assert 0 < part.volume() < WIDTH * HEIGHT * high[2]


@BY_DISPLAY
def test_a_lid_has_the_panels_holes_and_is_whole_between_them(display):
    lid = LIDS[display]
    half = [side / 2 + MARGIN for side in display.lit]
    holes = [(*key_centre(key), HOLE / 2) for key in range(9)] + [(x, y, SCREW / 2) for x, y in SCREWS]
    for x, y, radius in holes:
        assert [upwards(lid, *point) for point in around(x, y, 0.99 * radius)] == [[]] * 8
        assert [upwards(lid, *point) for point in around(x, y, 1.03 * radius + 0.05)] == [[(0, 3)]] * 8
    for x in range(3, 88, 5):
        for y in range(3, 138, 5):
            in_window = abs(x - WIDTH / 2) < half[0] and abs(y - DISPLAY_Y) < half[1]
            in_bevel = abs(x - WIDTH / 2) < half[0] + 1.6 and abs(y - DISPLAY_Y) < half[1] + 1.6
            in_hole = any(math.dist((x, y), hole[:2]) < 1.05 * hole[2] + 0.1 for hole in holes)
            if in_window:
                assert upwards(lid, x, y) == []
            elif not in_hole and not in_bevel:
                assert upwards(lid, x, y) == [(0, 3)], (x, y)


@BY_DISPLAY
def test_a_window_is_as_large_as_drawn_and_opens_towards_the_eye(display):
    lid = LIDS[display]
    width, height = (side / 2 + MARGIN for side in display.lit)
    middle = (WIDTH / 2, HEIGHT - DISPLAY_Y)
    for z, more in ((2.9, 0), (1.6, 0), (0.01, 1.5)):
        (_, left), (right, _) = lid.inside(0, (middle[1] + EDGE, z))
        assert right - left == pytest.approx(2 * (width + more), abs=0.05)
        walls = [edge for pair in lid.inside(1, (middle[0] + EDGE, z)) for edge in pair]
        lower = max(edge for edge in walls if edge < middle[1])
        upper = min(edge for edge in walls if edge > middle[1])
        assert upper - lower == pytest.approx(2 * (height + more), abs=0.05)


@BY_BOARD
def test_a_base_has_a_floor_and_walls_thick_enough(board):
    base = SOLIDS[board.base]
    depth = deep(base)
    for axis, side, places in (0, WIDTH, range(12, 130, 7)), (1, HEIGHT, range(12, 80, 7)):
        for place, z in product(places, (3.0, 15.0, depth - 1)):
            near, *_, far = base.inside(axis, (place + EDGE, z))
            assert (near[0], far[1]) == (0, side)
            assert near[1] >= THIN
            assert far[0] <= side - THIN
    assert upwards(base, 80, 70) == [(0, THIN)]


@BY_BOARD
def test_the_lids_screws_find_their_posts(board):
    base = SOLIDS[board.base]
    depth = deep(base)
    bottom_of_thread = round(depth - 12, 3)
    for x, y in SCREWS:
        assert upwards(base, x, y) == [(0, bottom_of_thread)]
        # 2 mm of plastic around the thread.
        for radius, top in (1.27, bottom_of_thread), (1.5, depth), (3.3, depth):
            assert [upwards(base, *point) for point in around(x, y, radius, 0.2)] == [[(0, top)]] * 8


@BY_BOARD
def test_a_board_lies_on_its_standoffs_with_room_above_and_below(board):
    base = SOLIDS[board.base]
    depth = deep(base)
    for hole in board.holes:
        x, y = board.place(*hole)
        assert upwards(base, x, y) == [(0, SUNK)]
        for radius, top in (1, SUNK), (1.6, UNDER):  # 2.1 mm for M2.5
            assert [upwards(base, *point) for point in around(x, y, radius, 0.1)] == [[(0, top)]] * 8
    for along in range(0, int(board.along) + 4, 3):  # a socket may stand over the far edge
        for across in range(0, int(board.across) + 2, 3):
            x, y = board.place(along, across)
            [(bottom, top)] = upwards(base, x, y)
            assert bottom == 0
            near = min(math.dist((along, across), hole) for hole in board.holes)
            assert top in ((THIN, UNDER, SUNK) if near < 3.1 else (THIN,))
    assert depth - TOP - board.parts >= 29.99  # for the buttons, above the highest part


@BY_BOARD
def test_a_plug_and_a_fingertip_reach_their_sockets(board):
    base = SOLIDS[board.base]
    wall = [(0, THIN)]
    for middle in board.power:
        for along in (-6.5, 0, 6.5):  # a plug's body of 13 x 10 mm
            for z in (TOP + 1.5 - 5, TOP + 1.5 + 5):
                y = HEIGHT - board.place(middle + along, 0)[1]
                assert base.inside(0, (y, z))[0][0] >= 9
    centre = sum(board.power) / 2
    for along, z in ((-8, 9), (8, 9), (0, 3), (0, 15)):
        y = HEIGHT - board.place(centre + along, 0)[1]
        assert base.inside(0, (y, z))[:1] == wall
    card = UNDER - 0.7 if board.card_below else TOP + 0.7
    x = board.place(0, board.card)[0]
    for across in (-8, 0, 8):
        for z in (card - 1.2, card, card + 5):
            assert base.inside(1, (x + across, z))[-1][1] < HEIGHT - THIN
    for across, z in ((-10, 9), (10, 9), (0, 3), (0, 15)):
        assert base.inside(1, (x + across, z))[-1] == (HEIGHT - THIN, HEIGHT)


@BY_PART
def test_a_part_prints_without_supports_as_it_lies(name):
    """What faces down above the table is as steep as 45 degrees, or the short bridge over an opening."""
    for triangle in SOLIDS[name].triangles:
        normal = solid.normal(triangle)
        tilt = normal[2] / math.hypot(*normal)
        if tilt < -math.cos(math.radians(44)) and max(point[2] for point in triangle) > 0.01:
            assert tilt == pytest.approx(-1)
            x, y, z = (sorted(values) for values in zip(*triangle, strict=True))
            assert z[0] == pytest.approx(14.5)
            over_power = x[2] <= THIN + 0.01 and y[2] - y[0] <= 14.01
            over_card = y[0] >= HEIGHT - THIN - 0.01 and x[2] - x[0] <= 18.01
            assert over_power or over_card


def test_the_page_says_what_the_case_measures_and_what_all_parts_cost():
    page = (HARDWARE.parent / "docs/building.md").read_text()
    heights = [round(deep(SOLIDS[board.base])) for board in FITTED]
    assert "the base for a Zero ({} mm high), and for a 3 or 4 ({} mm)".format(*heights) in page
    [most] = re.findall(r"up to (\d+) g of PLA", page)
    base, lid = (max(SOLIDS[name].volume() for name in PARTS if kind in name) for kind in ("base", "lid"))
    assert int(most) == round(1.24e-3 * (base + lid))  # grams per mm³
    prices = re.findall(r"^\|[^|]+\| [^|]+ \| (\d+) \|", page, flags=re.MULTILINE)
    assert len(prices) == 11
    assert f"About {sum(map(int, prices))} dollars in all" in page
    assert (
        f"[{sum(map(int, prices))} dollars](docs/building.md" in (HARDWARE.parent / "README.md").read_text()
    )
