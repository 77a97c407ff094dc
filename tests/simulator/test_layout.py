"""Pixels as characters, their brightness, and the screen's layout."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pseudo_terminal import pixels

from appliance.core.picture.canvas import Frame
from appliance.simulator.layout import Style, View, arrange, draw, inks, paint

ANY = (Style.BLOCKS, Style.BRAILLE)
DISPLAY = (128, 64)
BLANK = View(Frame.blank())


@settings(max_examples=30)
@given(st.integers(1, 12), st.integers(1, 4), st.data(), st.sampled_from(Style))
def test_every_pixel_can_be_read_back(pairs, pages, data, style):
    width, height = 2 * pairs, 8 * pages
    size = width * pages
    frame = Frame(width, height, data.draw(st.binary(min_size=size, max_size=size)))
    lines = paint(frame, style)
    columns, rows = style.size(width, height)
    assert (len(lines), {len(line) for line in lines}) == (rows, {columns})
    assert pixels(lines, style, width, height) == frame.rows()


@pytest.mark.parametrize(("environment", "count"), [
    ({"TERM": "xterm"}, 3), ({"TERM": "linux"}, 3), ({"TERM": "xterm", "NO_COLOR": ""}, 3),
    ({"TERM": "screen-256color"}, 8), ({"TERM": "xterm-direct"}, 8),
    ({"TERM": "tmux-256color", "COLORTERM": "truecolor"}, 8), ({"TERM": "xterm", "COLORTERM": "24bit"}, 8),
    ({"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"}, 1),
    ({"TERM": "vt220"}, 1), ({"TERM": "dumb"}, 1), ({}, 1),
])  # fmt: skip
def test_colours_follow_the_environment(environment, count):
    shades = inks(environment)
    assert len(set(shades)) == len(shades) == count
    assert all(shades) == (count > 1)


@pytest.mark.parametrize("term", ["xterm", "xterm-256color"])
def test_a_dimmed_display_looks_dimmer(term):
    shades = inks({"TERM": term})
    layout = arrange(80, 24, DISPLAY, ANY)
    pages = [
        "".join(draw(layout, BLANK._replace(contrast=contrast), 80, 24, shades)) for contrast in range(256)
    ]
    used = [next(shade for shade in shades if shade in page) for page in pages]
    assert [shades.index(shade) for shade in used] == sorted(shades.index(shade) for shade in used)
    assert (len({used[1], used[127], used[255]}), set(used)) == (3, set(shades))
    assert sum(one != other for one, other in pairwise(used)) == len(shades) - 1


@pytest.mark.parametrize(("columns", "rows", "styles", "expected"), [
    (80, 24, ANY, Style.BRAILLE), (160, 50, ANY, Style.BLOCKS), (130, 37, ANY, Style.BLOCKS),
    (129, 37, ANY, Style.BRAILLE), (130, 36, ANY, Style.BRAILLE), (66, 21, ANY, Style.BRAILLE),
    (160, 50, (Style.BRAILLE,), Style.BRAILLE),
    (65, 24, ANY, "too small: needs at least 66x21, has 65x24, or use --words"),
    (66, 20, ANY, "too small: needs at least 66x21, has 66x20, or use --words"),
    (80, 25, (Style.BLOCKS,), Style.BLOCKS), (66, 23, (Style.BLOCKS,), Style.BLOCKS),
    (66, 22, (Style.BLOCKS,), "too small: needs at least 66x23, has 66x22, or use --words"),
])  # fmt: skip
def test_the_style_follows_the_size(columns, rows, styles, expected):
    layout = arrange(columns, rows, DISPLAY, styles)
    assert (layout if isinstance(layout, str) else layout.style) == expected


def visible(columns, rows, view=BLANK, styles=ANY, height=64):
    """Return the screen's lines without their colours."""
    layout = arrange(columns, rows, (128, height), styles)
    lines = draw(layout, view, columns, rows, inks({"TERM": "xterm"}))
    return [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in lines]


STYLES = st.sampled_from([ANY, (Style.BLOCKS,), (Style.BRAILLE,)])


@settings(max_examples=60)
@given(st.integers(1, 200), st.integers(1, 60), st.sampled_from([32, 64]), STYLES)
def test_nothing_is_wider_or_higher_than_the_terminal(columns, rows, height, styles):
    frame = Frame(128, height, bytes(range(256)) * (height // 16))
    view = View(frame, label="off", down=frozenset({1}), status="status " * 30)
    lines = visible(columns, rows, view, styles, height)
    assert len(lines) == rows
    assert max(map(len, lines)) <= columns


def test_80x24_shows_the_picture_the_buttons_and_what_the_keys_do():
    text = visible(80, 24)
    words = "\n".join(text)
    assert sum("\u2800" * 64 in line for line in text) == 16
    for hint in ("1-9, mouse press", "h5 hold", "c19 two at once", "q quit", "u ", "s5 ", "e9 "):
        assert hint in words
    top = arrange(80, 24, DISPLAY, ANY).button(0)[1]
    for row, digits in enumerate(("│1│ │2│ │3│", "│4│ │5│ │6│", "│7│ │8│ │9│")):
        assert digits in text[top + 3 * row + 1]


def test_a_long_note_wraps_and_takes_the_place_of_the_hints_at_last():
    note = " ".join(f"word{number}" for number in range(24))
    for size, kept in (((80, 24), True), ((66, 21), False)):
        text = visible(*size, BLANK._replace(status=note))
        assert " ".join(" ".join(text).split()).endswith(note)
        assert ("q quit" in "".join(text)) is kept


def test_a_console_without_braille_shows_half_the_size_and_the_words():
    frame = Frame(128, 64, bytes([0b0100_0000, *bytes(1023)]))
    view = View(frame, words="O Můj tah | Menü… | Łatwy")
    text = visible(80, 25, view, (Style.BLOCKS,))
    assert [line.count("▄") for line in text[2:18]] == [0, 1, *[0] * 14]
    assert " O Můj tah | Menü… | Łatwy" in text
    assert "4" in "".join(text), "the buttons"


def test_hints_and_status_fit_the_narrowest_terminal():
    text = visible(66, 21, BLANK._replace(status="the last line"))
    assert [text[18][-6:], text[19][-12:], text[20]] == ["q quit", "e9 bus error", " the last line"]


@pytest.mark.parametrize("height", [32, 64])
@pytest.mark.parametrize("size", [(80, 24), (66, 21), (160, 50)])
def test_each_key_is_where_its_cell_and_its_button_are(size, height):
    layout = arrange(*size, (128, height), ANY)
    left, top = layout.left + 1, layout.top + 1
    wide, high = layout.size
    board = wide * height // 128
    for key in range(9):
        row, column = divmod(key, 3)
        # The middle of the cell, and of the button.
        places = {(left + board * (2 * column + 1) // 6, top + high * (2 * row + 1) // 6)}
        if layout.beside:
            places.add(layout.button(key))
        assert {layout.key_at(*place, turned=False) for place in places} == {key}
    outside = ((left + board, top), (left - 1, top), (left, top - 1), (left, top + high), (0, size[1] - 1))
    assert {layout.key_at(*place, turned=False) for place in outside} == {None}


def test_a_gap_is_no_button_and_a_turned_board_is_at_the_right():
    layout = arrange(80, 24, DISPLAY, ANY)
    column, row = layout.button(0)
    keys = [layout.key_at(column + across, row, turned=False) for across in range(-1, 12)]
    assert keys == [None, 0, 0, 0, None, 1, 1, 1, None, 2, 2, 2, None]
    # A turned box has its board at the right, but its keys in the same place.
    layout = arrange(66, 21, DISPLAY, ANY)
    places = {(1, 1): None, (33, 1): 0, (64, 16): 8}
    assert {place: layout.key_at(*place, turned=True) for place in places} == places
