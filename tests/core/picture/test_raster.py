"""Scenes to pixels.

tests/golden has the pictures of a few scenes. After an intended change, write them again with
`REGENERATE=1 .venv/bin/pytest tests/core/picture/test_raster.py`, and review them with `git diff`.
`test_screens.py` checks every screen in every language.
"""

import os
from itertools import pairwise, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.core.picture.canvas import Canvas
from appliance.core.picture.font import text_columns
from appliance.core.picture.icons import LARGE, SMALL, cell_size, icon, tile_picture
from appliance.core.picture.raster import count_text, free_rows, lay_out, render
from appliance.core.picture.scene import BoardScene, PageScene, Picture, Tile
from appliance.core.session.match import Match
from appliance.core.session.menu import PAGES, page_items
from appliance.core.session.settings import PLAYERS, Settings
from appliance.core.session.state import Session
from engine import RULES, Board
from engine.shape import ends

GOLDEN = Path(__file__).parents[2] / "golden"
SIZES = pytest.mark.parametrize("height", [64, 32])
EMPTY = (Tile(),) * 9


def board(marks, **changes):
    """Return the tiles of a board; `changes` maps c0 to c8 to other fields of that tile."""
    tiles = [Tile("" if mark == "." else mark) for mark in marks]
    for name, change in changes.items():
        tiles[int(name[1])] = tiles[int(name[1])]._replace(**change)
    return tuple(tiles)


SCORE = (("person", 3), ("waits", 12), ("tie", 7))
FIGURES = (("Won", 12), ("Lost", 7), ("Drawn", 31))
MENU = ("new", "undo", "hint", "adaptive", "back", "players1", "stats", "settings", "classic")
LANGUAGES = ("=EN", "=DE", "=FR", "", "back", "", "=ES", "=PL", "=CS")
TAKEN = board("x.o.x....", c4={"inverse": True})
# fmt: off
SCENES = {
    "playing": BoardScene(
        board("x.o.x....", c4={"last": True}), "Your turn", "x", ("Medium", "Vanishing"), SCORE),
    "won": BoardScene(board("xxxoo...."), "You win!", "x", ("Play again?",), SCORE, strike=(0, 2)),
    "refused": BoardScene(TAKEN, "Your turn", "x", ("Taken!",), SCORE, badges=("stuck", "unsaved")),
    "hint": BoardScene(board("x.o.x...x", c8={"outline": True}, c0={"fading": True}), "Your turn", bar=0.5),
    "menu": BoardScene(tuple(map(Tile, MENU)), "Menu"),
    "languages": BoardScene(tuple(map(Tile, LANGUAGES)), "Jazyk"),
    "page": PageScene("Statistics", icon="stats", figures=FIGURES),
}
# fmt: on


def pixels(scene, height=64, shift=(0, 0)):
    rows = render(Picture(scene, shift=shift), 128, height).rows()
    return {(x, y) for y, row in enumerate(rows) for x, dot in enumerate(row) if dot == "#"}


def cell(place, height):
    pitch = cell_size(large=height == 64) + 1
    left, top = place % 3 * pitch, place // 3 * pitch
    return {(x, y) for x in range(left, left + pitch - 1) for y in range(top, top + pitch - 1)}


@SIZES
@pytest.mark.parametrize("name", SCENES)
def test_golden(name, height):
    rows = "\n".join(render(Picture(SCENES[name]), 128, height).rows()) + "\n"
    path = GOLDEN / f"{name}-{height}.txt"
    if os.environ.get("REGENERATE"):
        path.write_text(rows)
    assert rows == path.read_text()


def test_every_icon_of_the_menu_is_drawn_in_both_sizes_and_fits_its_cell():
    pages = [
        page_items(Session(Match.new(rule, "x"), Settings(rule=rule, players=players), page=page))
        for page, rule, players in product(PAGES, RULES, PLAYERS)
    ]
    for name in {item.icon for items in pages for item in items if item} | {"x", "o"}:
        if name[0] != "=":
            assert any(LARGE.get(name, ())), f"{name} has no large icon"
            assert any(SMALL.get(name, ())), f"{name} has no small icon"
    people = {number + mark for number in "12" for mark in "xo"}  # of words and score, not of tiles
    for icons, size in ((LARGE, 15), ({name: SMALL[name] for name in SMALL.keys() - people}, 7)):
        too_big = [name for name, rows in icons.items() if len(rows) > size or max(rows) >= 1 << size]
        assert too_big == []
    with pytest.raises(KeyError, match="smiley"):
        render(Picture(BoardScene((Tile("smiley"), *EMPTY[1:]))))


@SIZES
@pytest.mark.parametrize("mark", ["x", "o"])
def test_each_state_of_a_tile_has_a_shape_of_its_own(height, mark):
    tiles = [Tile(mark), *(Tile(mark, **{state: True}) for state in ("last", "inverse", "fading", "outline"))]
    shapes = {tile_picture(tile, large=height == 64) for tile in tiles}
    assert len(shapes) == len(tiles)
    assert {len(shape) for shape in shapes} == {cell_size(large=height == 64)}


@SIZES
@pytest.mark.parametrize("strike", [(0, 2), (3, 5), (6, 8), (0, 6), (1, 7), (2, 8), (0, 8), (2, 6), (8, 0)])
def test_a_strike_crosses_the_middle_of_its_three_cells_and_no_other(height, strike):
    line = pixels(BoardScene(EMPTY, strike=strike), height) - pixels(BoardScene(EMPTY), height)
    first, last = strike
    for place in range(9):
        crossed = place in {first, (first + last) // 2, last}
        assert (len(line & cell(place, height)) > 4) == crossed


def test_two_lines_completed_at_once_are_struck_through_along_one():
    assert ends(Board.parse("xxx/oxo/xoo").line) == (0, 2)


@SIZES
@pytest.mark.parametrize("strike", [(3, 5), (1, 7), (2, 6)])
def test_a_line_grows_from_its_first_cell_to_its_last(height, strike):
    parts = [pixels(BoardScene(EMPTY, strike=strike, drawn=part / 8), height) for part in range(9)]
    assert all(before < after for before, after in pairwise(parts))
    assert parts[0] == pixels(BoardScene(EMPTY), height)
    assert parts[8] == pixels(BoardScene(EMPTY, strike=strike), height)
    begun, first, last = parts[2] - parts[0], *(cell(place, height) for place in strike)
    assert begun & first
    assert not begun & last


@SIZES
def test_a_bar_grows_with_the_hold(height):
    counts = [len(pixels(BoardScene(EMPTY, bar=fourth / 4), height)) for fourth in range(5)]
    assert counts == sorted(set(counts))


def test_a_score_has_at_most_three_characters_and_drawn_marks():
    counts = 0, 999, 1000, 1999, 99_999, 10**12
    assert [count_text(count) for count in counts] == ["0", "999", "1k", "1k", "99k", "99k"]
    labels = [item.picture for item in lay_out(BoardScene(EMPTY, score=(("x", 1), ("o", 2)))).items]
    for mark in "xo":
        assert tuple(column << 1 for column in icon(mark, large=False)) in labels


@SIZES
def test_the_first_notes_come_before_the_score_and_it_before_the_others_and_none_is_skipped(height):
    def shown(*notes, first=1, brief=()):
        scene = BoardScene(EMPTY, "My turn", "o", notes, SCORE, first=first, brief=brief)
        items = lay_out(scene, 128, height).items
        return [item.name for item in items if item.name in {"note", "count"}]

    assert shown("Easy", "very long indeed " * 3) == ["count"] * 3 + ["note"]
    long, tall = "very long indeed " * 3, height == 64
    assert shown("Easy", long, "Hard") == ["count"] * 3 + ["note"]
    assert shown("Easy", long, "Hard", first=2) == ["count"] * 3 + ["note"]
    assert shown("Easy", "Hard", "Menu", first=2) == (["count"] * 3 + ["note"] * 3 if tall else ["note"] * 2)
    assert shown(long, "Hard", brief=("Long", "Hard")) == ["count"] * 3 + ["note"] * (1 + tall)
    assert shown("long " * 10) == (["note"] * 4 if tall else ["count"] * 3)
    assert shown("word " * 99) == ["count"] * 3


@SIZES
@given(text=st.text(st.sampled_from("abgjlmwyÄÉŻŮ äéýąř.,!9"), max_size=300))
def test_the_text_of_an_error_fits_whatever_its_length(height, text):
    canvas = Canvas(128, height)
    for item in lay_out(PageScene("not ready", text), 128, height).items:
        assert item.y >= 0
        assert item.x + len(item.picture) <= 126
        canvas.blit(item.picture, item.x, item.y)
    assert all(column < 1 << height - free_rows(height) for column in canvas.columns())
    items = lay_out(PageScene("not ready", "word " * 99), 128, height).items
    assert sum(item.name == "line" for item in items) == (5 if height == 64 else 2)
    assert items[-1].picture[-5:] == text_columns("…")


@SIZES
def test_a_drift_moves_every_pixel_and_loses_none(height):
    still = pixels(SCENES["won"], height)
    for right, down in product(range(3), range(3)):
        moved = {(x + right, y + min(down, free_rows(height))) for x, y in still}
        assert pixels(SCENES["won"], height, (right, down)) == moved
