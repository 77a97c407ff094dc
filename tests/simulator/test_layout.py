"""Pixels in characters, their brightness, and the arrangement of the screen around them."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.core.canvas import Frame
from appliance.simulator.layout import (
    Colours,
    Style,
    View,
    arrange,
    colours,
    draw,
    ink,
    paint,
)

ANY = (Style.BLOCKS, Style.BRAILLE)
DISPLAY = (128, 64)
# The dots of a braille character as Unicode numbers them, by column and row; dot n is bit n - 1.
DOTS = ((1, 2, 3, 7), (4, 5, 6, 8))


@st.composite
def frames(draw_from):
    width, pages = 2 * draw_from(st.integers(1, 12)), draw_from(st.integers(1, 4))
    return Frame(width, 8 * pages, draw_from(st.binary(min_size=width * pages, max_size=width * pages)))


def unpainted(lines, style, width, height):
    """Read the pixels back, one at a time, from the definition of the characters."""

    def lit(x, y):
        if style is Style.BRAILLE:
            return ord(lines[y // 4][x // 2]) - 0x2800 >> DOTS[x % 2][y % 4] - 1 & 1
        upper_and_lower = {
            " ": (0, 0),
            "▀": (1, 0),
            "▄": (0, 1),
            "█": (1, 1),
            "'": (1, 0),
            ".": (0, 1),
            ":": (1, 1),
        }
        return upper_and_lower[lines[y // 2][x]][y % 2]

    return ["".join(".#"[lit(x, y)] for x in range(width)) for y in range(height)]


@given(frame=frames(), style=st.sampled_from(Style))
def test_every_pixel_can_be_read_back(frame, style):
    lines = paint(frame, style)
    columns, rows = style.size(frame.width, frame.height)
    assert len(lines) == rows
    assert {len(line) for line in lines} == {columns}
    assert unpainted(lines, style, frame.width, frame.height) == frame.rows()


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"TERM": "xterm"}, Colours.FEW),
        ({"TERM": "linux"}, Colours.FEW),
        ({"TERM": "screen-256color"}, Colours.MANY),
        ({"TERM": "xterm-direct"}, Colours.MANY),
        ({"TERM": "tmux-256color", "COLORTERM": "truecolor"}, Colours.MANY),
        ({"TERM": "xterm", "COLORTERM": "24bit"}, Colours.MANY),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"}, Colours.NONE),
        ({"TERM": "xterm", "NO_COLOR": ""}, Colours.FEW),
        ({"TERM": "vt220"}, Colours.NONE),
        ({"TERM": "dumb"}, Colours.NONE),
        ({}, Colours.NONE),
    ],
)
def test_colours_follow_the_environment(environment, expected):
    assert colours(environment) is expected


@pytest.mark.parametrize("count", [Colours.FEW, Colours.MANY])
def test_a_dimmed_display_looks_dimmer(count):
    inks = [ink(count, contrast) for contrast in range(256)]
    assert len({inks[1], inks[127], inks[255]}) == 3
    # Each look is used for one stretch of contrasts only.
    assert len(set(inks)) == 1 + sum(one != other for one, other in pairwise(inks))


def test_no_colours_no_sequence():
    assert ink(Colours.NONE, 255) == ""


@pytest.mark.parametrize(
    ("columns", "rows", "styles", "expected"),
    [
        (80, 24, ANY, Style.BRAILLE),
        (160, 50, ANY, Style.BLOCKS),
        (130, 37, ANY, Style.BLOCKS),
        (129, 37, ANY, Style.BRAILLE),
        (130, 36, ANY, Style.BRAILLE),
        (66, 21, ANY, Style.BRAILLE),
        (160, 50, (Style.BRAILLE,), Style.BRAILLE),
        (160, 50, (Style.ASCII,), Style.ASCII),
        (65, 24, ANY, "too small: needs at least 66x21, has 65x24"),
        (66, 20, ANY, "too small: needs at least 66x21, has 66x20"),
        (80, 24, (Style.BLOCKS,), "too small: needs at least 130x37, has 80x24"),
    ],
)
def test_the_style_follows_the_size(columns, rows, styles, expected):
    layout = arrange(columns, rows, DISPLAY, styles)
    assert (layout if isinstance(layout, str) else layout.style) == expected


def visible(line):
    return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", line)


@given(
    columns=st.integers(1, 200),
    rows=st.integers(1, 60),
    height=st.sampled_from([32, 64]),
    styles=st.sampled_from([ANY, (Style.ASCII,), (Style.BRAILLE,)]),
    status=st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=300),
    down=st.frozensets(st.integers(0, 8)),
)
def test_nothing_is_wider_or_higher_than_the_terminal(columns, rows, height, styles, status, down):
    view = View(Frame.blank(128, height), label="off", down=down, status=status)
    layout = arrange(columns, rows, (128, height), styles)
    lines = draw(layout, view, columns, rows, Colours.FEW)
    assert len(lines) == rows
    assert max(len(visible(line)) for line in lines) <= columns
    for line in lines:
        # The rest of a line is cleared, but not where the cursor may still stand on its last character.
        assert line.endswith("\x1b[K") == (len(visible(line)) < columns)


def test_80x24_shows_the_picture_the_buttons_and_what_the_keys_do():
    layout = arrange(80, 24, DISPLAY, ANY)
    text = [visible(line) for line in draw(layout, View(Frame.blank()), 80, 24, Colours.NONE)]
    words = "\n".join(text)
    assert sum("\u2800" * 64 in line for line in text) == 16
    for hint in ("1-9, mouse press", "h5 hold", "c19 two at once", "q quit", "u ", "s5 ", "b5 ", "e9 "):
        assert hint in words
    assert layout.buttons is not None
    for row, digits in enumerate(("│1│ │2│ │3│", "│4│ │5│ │6│", "│7│ │8│ │9│")):
        assert digits in text[layout.buttons[1] + 3 * row + 1]


def test_a_number_pad_has_7_at_the_top_left():
    text = draw(arrange(80, 24, DISPLAY, ANY), View(Frame.blank(), numpad=True), 80, 24, Colours.NONE)
    assert [line.count("│7│ │8│ │9│") for line in map(visible, text)].index(1) < 12


def test_a_key_that_is_down_looks_so_without_colours_too():
    layout = arrange(80, 24, DISPLAY, ANY)
    up, down = (
        "\n".join(map(visible, draw(layout, View(Frame.blank(), down=keys), 80, 24, Colours.NONE)))
        for keys in (frozenset(), frozenset({4}))
    )
    assert "│5│" in up
    assert "┃5┃" in down
    assert "│4│" in down


def test_hints_and_status_fit_the_narrowest_terminal_whole():
    layout = arrange(66, 21, DISPLAY, ANY)
    view = View(Frame.blank(), status="the last line")
    text = [visible(line).rstrip() for line in draw(layout, view, 66, 21, Colours.NONE)]
    assert text[18].endswith("q quit")
    assert text[19].endswith("e9 bus error")
    assert text[20] == " the last line"


def test_ascii_is_ascii():
    layout = arrange(160, 50, DISPLAY, (Style.ASCII,))
    frame = Frame(128, 64, bytes(range(256)) * 4)
    assert "".join(draw(layout, View(frame, down=frozenset({2})), 160, 50, Colours.MANY)).isascii()


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
        if layout.buttons is not None:
            places.add(layout.button(key))
        assert {layout.key_at(*place, turned=False) for place in places} == {key}
    outside = ((left + board, top), (left - 1, top), (left, top - 1), (left, top + high), (0, size[1] - 1))
    assert {layout.key_at(*place, turned=False) for place in outside} == {None}


def test_a_turned_box_has_its_board_at_the_right_and_its_keys_where_they_are():
    layout = arrange(66, 21, DISPLAY, ANY)
    assert layout.key_at(1, 1, turned=True) is None
    assert layout.key_at(33, 1, turned=True) == 0
    assert layout.key_at(64, 16, turned=True) == 8


def test_the_gaps_between_the_buttons_are_no_buttons():
    layout = arrange(80, 24, DISPLAY, ANY)
    column, row = layout.button(0)
    assert [layout.key_at(column + across, row, turned=False) for across in range(-1, 12)] == [
        None, 0, 0, 0, None, 1, 1, 1, None, 2, 2, 2, None,
    ]  # fmt: skip
