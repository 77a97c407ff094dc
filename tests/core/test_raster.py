"""From a scene to pixels: everything has its place, in every language, on both sizes of display.

The pictures in tests/golden are what a few scenes look like. After a change that is meant, look at them anew:
`REGENERATE=1 .venv/bin/pytest tests/core/test_raster.py` writes them, and `git diff` shows what has changed.
"""

import os
from itertools import combinations, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.core.font import text_columns
from appliance.core.icons import icon, names
from appliance.core.items import PAGES
from appliance.core.match import Match
from appliance.core.raster import count_text, lay_out, render
from appliance.core.scene import BoardScene, Light, PageScene, Picture, Tile
from appliance.core.settings import Scores, Settings, Tally
from appliance.core.state import Page, Phase, Session
from appliance.core.view import view
from appliance.core.words import LANGUAGES, words
from engine import LEVELS, RULES

GOLDEN = Path(__file__).parents[1] / "golden"
SIZES = pytest.mark.parametrize("height", [64, 32])
FREE = {64: (126, 62), 32: (126, 31)}  # what the drift leaves free at the right and below
EMPTY = (Tile(),) * 9


def board(marks, **changes):
    """Return the tiles of a board; `changes` maps c0 to c8 to what else that cell is."""
    tiles = [Tile("" if mark == "." else mark) for mark in marks]
    for name, change in changes.items():
        tiles[int(name[1])] = tiles[int(name[1])]._replace(**change)
    return tuple(tiles)


SCORE = (("You", 3), ("Box", 12), ("Tie", 7))
SCENES = {
    "playing": BoardScene(
        board("x.o.x....", c2={"last": True}), "Your turn", "x", ("Medium", "Vanishing"), SCORE
    ),
    "won": BoardScene(board("xxxoo...."), "You win!", "x", ("Tap: play again",), SCORE, strike=(0, 2)),
    "refused": BoardScene(
        board("x.o.x....", c4={"inverse": True}),
        "Your turn",
        "x",
        ("Taken!",),
        SCORE,
        badges=("stuck", "unsaved"),
    ),
    "hint": BoardScene(board("x.o.x...x", c8={"outline": True}, c0={"fading": True}), "Your turn", bar=0.5),
    "menu": BoardScene(
        tuple(map(Tile, ("new", "undo", "hint", "level", "back", "players", "stats", "settings", "power"))),
        "Menu",
    ),
    "languages": BoardScene(
        tuple(map(Tile, ("=EN", "=DE", "=FR", "", "back", "", "=ES", "=PL", "=CS"))), "Jazyk"
    ),
    "page": PageScene("Statistics", ("Won\t12", "Lost\t7", "Drawn\t31"), "stats", ("display",)),
}


def ink_of(item):
    """Return the smallest rectangle that holds an item's ink: column, row, width and height."""
    rows = 0
    for column in item.picture:
        rows |= column
    if not rows:
        return item.x, item.y, 0, 0
    lit = [x for x, column in enumerate(item.picture) if column]
    top = (rows & -rows).bit_length() - 1
    return item.x + lit[0], item.y + top, lit[-1] - lit[0] + 1, rows.bit_length() - top


def layout(scene, width=128, height=64):
    return [(item.name, ink_of(item)) for item in lay_out(scene, width, height).items]


def pixels(scene, height=64, shift=(0, 0)):
    frame = render(Picture(scene, shift=shift), 128, height)
    return {(x, y) for y, row in enumerate(frame.rows()) for x, dot in enumerate(row) if dot == "#"}


def cell(place, height=64):
    pitch = 21 if height == 64 else 10
    left, top = place % 3 * pitch, place // 3 * pitch
    return {(x, y) for x in range(left, left + pitch - 1) for y in range(top, top + pitch - 1)}


def overlaps(one, other):
    (x, y, width, height), (left, top, wide, high) = one, other
    return min(x + width, left + wide) > max(x, left) and min(y + height, top + high) > max(y, top)


def beside(parts, height):
    """Return the parts that are no tiles, and see to it that every tile is within its own cell."""
    pitch = 21 if height == 64 else 10
    for name, (x, y, wide, high) in parts:
        if name.startswith("tile."):
            row, column = divmod(int(name[5:]), 3)
            assert column * pitch <= x
            assert row * pitch <= y
            assert x + wide < (column + 1) * pitch
            assert y + high < (row + 1) * pitch
    words = [part for part in parts if not part[0].startswith("tile.")]
    if len(words) < len(parts):
        assert all(rect[0] >= 3 * pitch for _, rect in words)
    return words


def within(rect, height):
    x, y, wide, high = rect
    right, bottom = FREE[height]
    return x >= 0 and y >= 0 and x + wide <= right and y + high <= bottom


@SIZES
@pytest.mark.parametrize("name", SCENES)
def test_golden(name, height):
    rows = "\n".join(render(Picture(SCENES[name]), 128, height).rows()) + "\n"
    path = GOLDEN / f"{name}-{height}.txt"
    if os.environ.get("REGENERATE"):
        path.write_text(rows)
    assert rows == path.read_text()


# --- every screen that there is, in every language


def sessions(language):
    scores = Scores(Tally(23, 456, 78), Tally(45, 6, 789))
    notices = (
        "taken",
        "one_key",
        "nothing_to_undo",
        "box_turn",
        "would_power_off",
        "power_failed",
        "damaged_store",
    )
    games = [(), (0,), (0, 4), (0, 3, 1, 4, 2), (0, 3, 1, 4, 8, 5), (0, 1, 2, 4, 3, 5, 7, 6, 8)]
    for rule, players, moves in product(RULES, (1, 2, 0), games):
        level = list(LEVELS)[(len(moves) + players) % len(LEVELS)]
        settings = Settings(level=level, rule=rule, players=players, language=language)
        match = Match.replay("classic", "x", moves)._replace(rule=rule)
        session = Session(
            match, settings, scores=scores, phase=Phase.GAME_OVER if match.over else Phase.YOUR_TURN
        )
        yield session
        yield session._replace(match=match._replace(human="o"))
        yield session._replace(progress=0.5, badges=("unsaved",))
        yield session._replace(hint=8)
        yield session._replace(stuck=(1,), badges=("damaged", "unsaved"))
        yield session._replace(badges=("damaged",))
        yield session._replace(badges=("damaged", "unsaved"))
        yield session._replace(stuck=(1, 2, 5))
        yield session._replace(stuck=tuple(range(8)))
        for notice in notices if len(moves) in {1, 5} else ():
            yield session._replace(notice=notice, flash=4)
        yield session._replace(notice="held_key", held=(8,), progress=0.5, stuck=(1,))
        yield session._replace(notice="held_keys", held=(0, 1, 3, 4))
    settings = Settings(language=language, level="perfect", rule="vanishing")
    session = Session(Match.new("classic", "x"), settings, phase=Phase.MENU, scores=scores)
    for page, items in PAGES.items():
        yield session._replace(page=page)
        yield session._replace(page=page, badges=("unsaved",))
        yield session._replace(page=page, settings=settings._replace(rule="misere", sound=False, turned=True))
        for notice in (*notices, "would_restart"):
            yield session._replace(page=page, notice=notice)
        for key, item in enumerate(items):
            if item:
                yield session._replace(page=page, pressed=key)
                settings = settings._replace(sound=not settings.sound)
                picked = item.action(session._replace(page=page, settings=settings, picked=key), 0.0)[0]
                yield picked
    for goodbye in ("goodbye_off", "goodbye_restart", "goodbye_stop"):
        yield session._replace(phase=Phase.LEAVING, goodbye=goodbye)
    yield session._replace(phase=Phase.DEMO, demo=Match.replay("classic", "x", (0, 4)))


def lit(*texts, bold=False):
    """Return how many pixels of texts are lit. Breaking a text at its spaces changes nothing of that."""
    return sum(column.bit_count() for text in texts for column in text_columns(text, bold=bold))


def whole(scene, height):
    """Return whether all the words of a scene are shown, of a board's notes at least the first."""
    shown = dict.fromkeys(("headline", "title", "note", "line", "figures"), 0)
    for item in lay_out(scene, 128, height).items:
        kind = item.name.split(".")[0]
        if kind in shown:
            shown[kind] += sum(column.bit_count() for column in item.picture)
    if isinstance(scene, PageScene):
        texts = [line.partition("\t") for line in scene.lines]
        said = lit(*(text for text, _, _ in texts)), lit(*(figures for _, _, figures in texts))
        return (shown["title"], shown["line"], shown["figures"]) == (lit(scene.title, bold=True), *said)
    some = [scene.notes[:count] for count in range(1, len(scene.notes) + 1)]
    notes = {lit(*notes) for notes in some} | {lit(" · ".join(notes)) for notes in some}
    return shown["headline"] == lit(scene.headline, bold=True) and shown["note"] in (notes or {0})


@pytest.mark.untraced
@SIZES
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_screen_has_room_for_its_words_and_nothing_overlaps(language, height):
    scenes = {view(session).scene for session in sessions(language)}
    assert len(scenes) > 200
    for scene in scenes:
        assert whole(scene, height), scene
        parts = layout(scene, 128, height)
        assert all(within(rect, height) for _, rect in parts), scene
        for (name, rect), (other, against) in combinations(beside(parts, height), 2):
            assert not overlaps(rect, against), (name, other, scene)


def test_those_screens_use_words_that_exist_and_icons_that_exist():
    assert {
        item.icon for items in PAGES.values() for item in items if item and item.icon[0] != "="
    } <= names()
    assert {Page.MAIN, Page.STATISTICS} <= PAGES.keys()
    assert {"taken", "damaged_store", "would_restart"} <= words("en").keys()


# --- any state of a board with words that the box says, and a page of any words at all

HEADLINES = ("your_turn", "box_turn", "you_win", "box_wins", "x_wins", "draw", "demo", "menu", "level")
NOTES = ("taken", "one_key", "tap_again", "hold_menu", "hint_text", "easy", "misere", "vanishing")
spoken = st.sampled_from(list(LANGUAGES)).map(words)
anything = st.text(st.sampled_from("abgjlmwyÄÉŻŮ äéýąř.,!9"), max_size=30)
tile = st.builds(
    Tile,
    st.sampled_from(["", "x", "o", "=PL", "=a", *sorted(names())]),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
badges = st.lists(st.sampled_from(["unsaved", "stuck", "display"]), max_size=3, unique=True).map(tuple)
boards = st.builds(
    BoardScene,
    st.lists(tile, min_size=9, max_size=9).map(tuple),
    st.builds(dict.__getitem__, spoken, st.sampled_from(HEADLINES)),
    st.sampled_from(["", "x", "o"]),
    st.lists(st.builds(dict.__getitem__, spoken, st.sampled_from(NOTES)), max_size=4).map(tuple),
    st.builds(
        lambda text, counts: tuple(zip((text["you"], text["box"], text["tie"]), counts, strict=False)),
        spoken,
        st.lists(st.integers(0, 10**10), max_size=3),
    ),
    st.none() | st.sampled_from([(0, 2), (0, 6), (0, 8), (2, 6), (8, 0)]),
    st.none() | st.floats(0, 1),
    badges,
)
lines = st.lists(anything | st.builds("{}\t{}".format, anything, st.integers(0, 10**6)), max_size=8).map(
    tuple
)
pages = st.builds(PageScene, anything, lines, st.sampled_from(["", "logo", "power", "level2"]), badges)
shifts = st.tuples(st.integers(0, 2), st.integers(0, 2))


@pytest.mark.untraced
@SIZES
@given(scene=boards | pages, shift=shifts)
def test_any_scene_stays_on_the_display_wherever_it_drifts(height, scene, shift):
    for name, rect in layout(scene, 128, height):
        assert within(rect, height), name
    still = pixels(scene, height)
    right, down = shift[0], min(shift[1], 1 if height == 32 else 2)
    assert pixels(scene, height, shift) == {(x + right, y + down) for x, y in still}


@SIZES
@given(scene=boards | pages)
def test_in_any_scene_words_and_board_keep_apart(height, scene):
    parts = layout(scene, 128, height)
    for (name, one), (other, (x, y, wide, high)) in combinations(beside(parts, height), 2):
        # Lines of text may share one row, the one of tails and of accents on capitals.
        texts = all(kind.startswith(("headline", "note", "title", "line", "fig")) for kind in (name, other))
        assert not overlaps(one, (x, y + 1, wide, max(high - 1, 0)) if texts else (x, y, wide, high)), (
            name,
            other,
        )


# --- each thing that a scene can tell


@SIZES
@pytest.mark.parametrize("state", ["last", "inverse", "fading", "outline"])
@pytest.mark.parametrize("mark", ["x", "o"])
def test_each_state_of_a_tile_has_its_own_shape_in_its_own_cell(height, state, mark):
    plain = pixels(BoardScene(board("...." + mark + "....")), height)
    shown = pixels(BoardScene(board("...." + mark + "....", c4={state: True})), height)
    assert shown != plain
    assert shown ^ plain <= cell(4, height)
    others = [
        pixels(BoardScene(board("...." + mark + "....", c4={other: True})), height)
        for other in ("last", "inverse", "fading", "outline")
        if other != state
    ]
    assert shown not in others


@SIZES
def test_inverse_turns_every_pixel_of_a_cell(height):
    plain = pixels(BoardScene(board("x........")), height)
    shown = pixels(BoardScene(board("x........", c0={"inverse": True})), height)
    assert shown ^ plain == cell(0, height)


@SIZES
@pytest.mark.parametrize("strike", [(0, 2), (3, 5), (6, 8), (0, 6), (1, 7), (2, 8), (0, 8), (2, 6), (8, 0)])
def test_a_strike_crosses_the_middle_of_its_three_cells_and_no_other(height, strike):
    plain = pixels(BoardScene(EMPTY), height)
    line = pixels(BoardScene(EMPTY, strike=strike), height) - plain
    first, last = strike
    crossed = {first, (first + last) // 2, last}
    for place in range(9):
        assert (len(line & cell(place, height)) > 4) == (place in crossed)


@SIZES
def test_a_bar_grows_with_the_hold(height):
    counts = [len(pixels(BoardScene(EMPTY, bar=fraction), height)) for fraction in (0, 0.25, 0.5, 0.75, 1)]
    assert counts == sorted(set(counts))


@SIZES
def test_the_mark_the_score_and_the_badges_are_there(height):
    scene = BoardScene(
        EMPTY, "Your turn", "o", ("Easy",), (("x", 1), ("O", 2), ("Tie", 3)), badges=("stuck",)
    )
    shown = {name for name, _ in layout(scene, 128, height)}
    assert {"headline", "mark", "note.0", "badge.stuck", "score.label.0", "score.count.2"} <= shown


def test_a_score_in_marks_is_drawn_as_marks():
    parts = {item.name: item.picture for item in lay_out(BoardScene(EMPTY, score=(("X", 1), ("O", 2)))).items}
    for place, mark in enumerate("xo"):
        assert parts[f"score.label.{place}"] == tuple(column << 2 for column in icon(mark, large=False))


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0"), (999, "999"), (1000, "1k"), (1999, "1k"), (99_999, "99k"), (10**12, "99k")],
)
def test_a_count_takes_three_characters_at_most(count, text):
    assert count_text(count) == text


def test_the_score_gives_way_to_a_message_and_comes_back():
    def names_of(note):
        scene = BoardScene(EMPTY, "Box is thinking", "o", (note,), SCORE)
        return {name for name, _ in layout(scene)}

    assert "score.count.0" in names_of("Easy")
    assert "score.count.0" not in names_of("It is a long story and will take several lines")


def test_later_notes_share_a_line_and_then_yield():
    def count(*notes):
        return sum(name.startswith("note") for name, _ in layout(BoardScene(EMPTY, "Box", "o", notes, SCORE)))

    assert count("a", "b", "c") == 3
    assert count("a", "b", "c", "d") == 1
    assert count("one two three four five six", "seven eight nine ten") == 2
    assert whole(BoardScene(EMPTY, "Box", "o", ("one", *["very long indeed"] * 9), SCORE), 64)


def test_an_icon_that_does_not_exist_is_an_error():
    with pytest.raises(ValueError, match="no icon is called 'smiley'"):
        render(Picture(BoardScene((Tile("smiley"), *EMPTY[1:]))))


def test_both_sizes_of_icons_have_the_same_names_and_fit_their_cells():
    for name in names():
        large, small = icon(name, large=True), icon(name, large=False)
        assert len(large) <= 15
        assert max(large) < 1 << 15
        assert len(small) <= 7
        assert max(small) < 1 << 7
        assert any(large)
        assert any(small)


def test_figures_after_a_tab_stand_at_the_right():
    parts = dict(layout(PageScene("Score", ("Won\t1", "Lost\t123"))))
    ends = {name: rect[0] + rect[2] for name, rect in parts.items()}
    assert 124 <= ends["figures.1"] <= 126
    assert 124 <= ends["figures.0"] <= 126
    assert parts["line.0"][0] == 0


def test_a_flat_page_uses_two_columns_when_it_must():
    parts = dict(layout(PageScene("Score", ("Won\t1", "Lost\t2", "Drawn\t3", "Games\t4")), 128, 32))
    assert parts["line.1"][0] > 60
    assert parts["line.1"][1] == parts["line.0"][1]
    assert whole(PageScene("Score", ("Won\t1", "Lost\t2", "Drawn\t3", "Games\t4")), 32)


def test_an_icon_makes_room_for_the_words_of_a_page():
    short, long = PageScene("A", ("b",), "power"), PageScene("A", ("b c " * 40,), "power")
    assert "icon" in dict(layout(short))
    assert "icon" not in dict(layout(long))


def test_the_light_changes_no_pixel_and_the_same_picture_gives_the_same_bytes():
    scene = SCENES["playing"]
    assert render(Picture(scene, Light(on=False))) == render(Picture(scene, Light(contrast=1)))
    text_columns.cache_clear()
    assert render(Picture(scene)) == render(Picture(scene))
