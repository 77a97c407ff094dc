"""The nine boards of ultimate in small, and the way from one board to the next.

tests/golden has the pictures of its scenes: test_raster.py says how to write them again.
"""

import os
from itertools import pairwise, product
from pathlib import Path

import pytest

from appliance.core.picture.overview import BOARD, SIZE, board_at, overview_picture
from appliance.core.picture.raster import lay_out, render
from appliance.core.picture.scene import (
    SLIDE_FRAMES,
    BoardScene,
    Overview,
    Picture,
    Tile,
    board_choices,
    unfold,
)
from appliance.devices.spans import windows

GOLDEN = Path(__file__).parents[2] / "golden"
EMPTY = Overview("." * 81, "." * 9)
CELLS = """
xxx......  ....x.o..  ox.ox..oo
x.......o  oo..x..x.  o........
.oo..xx..  o........  oxoxoxxox
""".translate({32: None, 10: None})
BOARDS = "x....o.o-"
SIDE = Overview(CELLS, BOARDS, active=4, last=9 * 2 + 4)
SCORE = (("person", 3), ("waits", 12), ("tie", 7))


def tiles(board, cells=CELLS):
    return tuple(Tile("" if mark == "." else mark) for mark in cells[9 * board : 9 * board + 9])


def shown(side, board):
    """Return the rows of one board of an overview."""
    left, top = board_at(board)
    columns = overview_picture(side)[left : left + BOARD]
    return ["".join(".#"[column >> y & 1] for column in columns) for y in range(top, top + BOARD)]


def inverted(rows):
    return [row.translate(str.maketrans(".#", "#.")) for row in rows]


def pixels(scene, shift=(0, 0)):
    rows = render(Picture(scene, shift=shift)).rows()
    return {(x, y) for y, row in enumerate(rows) for x, dot in enumerate(row) if dot == "#"}


SCENES = {
    "board": BoardScene(tiles(4), mark="x", badges=("unsaved",), side=SIDE),
    "flash": BoardScene(tuple(Tile("x", inverse=True) for _ in range(9)), mark="o", side=SIDE),
    "choice": BoardScene(board_choices(BOARDS), mark="o", side=SIDE._replace(active=None)),
    "banner": BoardScene(tiles(4), notes=("¡Ocupada!",), side=SIDE),
    "words": BoardScene(tiles(4), "Your turn", "x", ("Taken!",), SCORE, badges=("stuck",), side=SIDE),
    "strike": BoardScene((), "You win!", "x", (), SCORE, (2, 6), side=SIDE._replace(boards="xoxoxoxo-")),
    "lit": BoardScene(tiles(4), side=EMPTY._replace(active=8, hint=80, last=72)),
}


@pytest.mark.parametrize("name", SCENES)
def test_golden(name):
    rows = "\n".join(render(Picture(SCENES[name])).rows()) + "\n"
    path = GOLDEN / f"ultimate-{name}.txt"
    if os.environ.get("REGENERATE"):
        path.write_text(rows)
    assert rows == path.read_text()


@pytest.mark.parametrize("name", SCENES)
def test_no_pixel_is_lost_at_any_drift(name):
    still = pixels(SCENES[name])
    assert max(x for x, _ in still) <= 125
    assert max(y for _, y in still) <= 61
    for right, down in product(range(3), range(3)):
        assert pixels(SCENES[name], (right, down)) == {(x + right, y + down) for x, y in still}


def test_a_banner_covers_no_mark_and_no_choice():
    """Words with tails or accents above capitals are higher, and take a row of the marks."""
    for scene in (SCENES["board"], SCENES["choice"]):
        told = scene._replace(notes=("Taken!",))
        lit = {(x, y) for x, y in pixels(scene) if x < 62 and y not in {20, 43} and x not in {20, 41}}
        assert lit <= pixels(told)
        assert {y for _, y in pixels(told) - pixels(scene)} == set(range(39, 48)) - {43}  # a line
    high = pixels(told._replace(notes=("Ég",))) - pixels(scene)
    assert {y for x, y in high if x < 5} == set(range(38, 49)) - {43}


@pytest.mark.parametrize("name", SCENES)
def test_nothing_covers_another_thing(name):
    hidden = {"flash": "mark", "banner": "tile"}.get(name)
    items = [item for item in lay_out(SCENES[name]).items if item.name != hidden]
    lit = [(item.x + x, item.y + y) for item in items for x, column in enumerate(item.picture)
           for y in range(64) if column >> y & 1]  # fmt: skip
    assert len(lit) == len(set(lit))


def test_a_board_shows_its_marks_and_is_inverted_while_it_is_to_be_played():
    still = SIDE._replace(active=None)
    assert shown(SIDE, 4) == inverted(shown(still, 4))
    assert shown(still, 4)[1:6] == [
        "..###...###........",
        ".#...#.#...#.......",
        ".#...#.#...#...#...",
        ".#...#.#...#.......",
        "..###...###........",
    ]
    for board in (0, 1, 2, 3, 5, 6, 7, 8):
        assert shown(SIDE, board) == shown(still, board)


def test_x_o_nobody_and_an_open_board_look_different_whatever_their_cells_are():
    for cells in ("." * 81, "x" * 81, CELLS):
        each = {tuple(shown(Overview(cells, owner * 9), 4)) for owner in "xo-."}
        assert len(each) == 4


@pytest.mark.parametrize("owner", ["x", "o", "-", "."])
def test_the_last_move_and_a_hint_change_their_own_board_alone(owner):
    still = Overview(CELLS, owner * 9)
    for board in range(9):
        last = [shown(still._replace(last=40), board), shown(still, board)]
        assert (last[0] != last[1]) == (board == 4)
        hint = [shown(still._replace(hint=38), board), shown(still, board)]
        assert (hint[0] != hint[1]) == (board == 4 and owner == ".")


def test_the_face_of_the_box_stands_where_it_has_to_play():
    thinking = SIDE._replace(face="thinks")
    assert [board for board in range(9) if shown(thinking, board) != shown(SIDE, board)] == [4]
    assert overview_picture(thinking._replace(active=None)) == overview_picture(SIDE._replace(active=None))


def test_words_take_the_place_of_the_tiles_and_leave_the_overview():
    items = lay_out(SCENES["words"]).items
    assert {item.name for item in items} == {
        *("overview", "headline", "mark", "note", "label", "count", "badge")
    }
    assert all(item.x + len(item.picture) <= 62 for item in items if item.name != "overview")
    bare = {item.name for item in lay_out(SCENES["board"]).items}
    assert bare == {"overview", "tile", "mark", "badge"}


def test_a_strike_goes_through_three_boards():
    line = pixels(SCENES["strike"]) - pixels(SCENES["strike"]._replace(strike=None))
    for board in range(9):
        left, top = lay_out(SCENES["strike"]).overview_at(board)
        inside = {(x, y) for x, y in line if left <= x < left + BOARD and top <= y < top + BOARD}
        assert (len(inside) > 4) == (board in {2, 4, 6})
    assert min(x for x, _ in line) >= 126 - SIZE


@pytest.mark.parametrize("cell", range(9))
def test_the_next_board_opens_out_of_the_cell_that_was_played(cell):
    before, after = tiles(4), (Tile("plain"),) * 9
    steps = [unfold(before, after, cell, step / SLIDE_FRAMES) for step in range(SLIDE_FRAMES + 1)]
    assert steps[0] == before
    assert [place for place, tile in enumerate(steps[1]) if tile == after[0]] == [cell]
    assert steps[-1] == after
    for one, two in pairwise(steps):
        assert all(old in (new, earlier) for old, new, earlier in zip(one, two, before, strict=True))


def sent(one, two):
    """Return the bytes that change one scene into another: see `windows`."""
    frames = [render(Picture(scene)).data for scene in (one, two)]
    return sum(
        10 + (window.pages[1] - window.pages[0] + 1) * (window.columns[1] - window.columns[0] + 1)
        for window in windows(*frames, 128)
    )


def test_a_mark_beside_an_overview_takes_a_third_less_than_in_the_tallest_row_of_classic():
    for cell in range(9):
        marked = tuple(Tile("x" if place == cell else "") for place in range(9))
        assert sent(BoardScene((Tile(),) * 9, side=EMPTY), BoardScene(marked, side=EMPTY)) == 10 + 2 * 14
    assert sent(BoardScene((Tile(),) * 9), BoardScene((Tile("x"), *(Tile(),) * 8))) == 10 + 3 * 14


@pytest.mark.parametrize("line", [(0, 2), (6, 8), (0, 6), (2, 8), (0, 8), (2, 6)], ids=str)
def test_the_line_of_a_won_board_joins_the_middles_of_its_marks_and_stays_in_the_left_square(line):
    scene = BoardScene(tuple(Tile() for _ in range(9)), side=EMPTY)
    drawn = pixels(scene._replace(line=line), (0, 0)) - pixels(scene)
    middles = [(cell % 3 * 21 + 10, cell // 3 * 23 + 9) for cell in (line[0], sum(line) // 2, line[1])]
    assert set(middles) <= drawn | pixels(scene)
    assert all(x < 62 and y < 62 for x, y in drawn)
