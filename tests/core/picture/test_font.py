# ruff: noqa: RUF001 -- the font has characters that look like others
"""The font: its letters, their widths, and breaking lines to fit."""

from functools import reduce
from operator import or_

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.core.picture.font import (
    HEIGHT,
    letter_columns,
    shorten,
    text_columns,
    text_width,
    tiny_columns,
    wrap,
)

PRINTABLE = "".join(map(chr, range(33, 127)))
LETTERS = (
    "äöüÄÖÜß„“"
    "àâæçéèêëîïôœùûüÿÀÂÆÇÉÈÊËÎÏÔŒÙÛÜŸ«»’"
    "áéíñóúüÁÉÍÑÓÚÜ¿¡"
    "ąćęłńóśźżĄĆĘŁŃÓŚŹŻ"
    "áčďéěíňóřšťúůýžÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ"
    "–…‘’“”„"
)
FONTS = pytest.mark.parametrize("bold", [False, True], ids=["regular", "bold"])


def rows_of(picture):
    return reduce(or_, picture, 0)


@FONTS
def test_every_letter_has_a_picture_of_its_own(bold):
    pictures = {character: letter_columns(character, bold=bold) for character in PRINTABLE + LETTERS}
    assert all(0 < rows_of(picture) < 1 << HEIGHT for picture in pictures.values())
    assert pictures["`"] == pictures["‘"]
    del pictures["‘"]
    assert len(set(pictures.values())) == len(pictures)


@FONTS
def test_an_accented_letter_contains_the_bare_one_and_a_capitals_accent_does_not_touch_it(bold):
    def font(character):
        return letter_columns(character, bold=bold)

    for character in "ÁÉÍÓÚÝÀÈÙÂÊÎÔÛ":
        rows = rows_of(font(character))
        assert (rows & 0b111, rows.bit_length()) == (0b011, 9), character
    for bare, more in (("a", "ą"), ("c", "ç"), ("e", "éèêëěę"), ("u", "ů"), ("z", "ż")):
        for character in more:
            widest = font(character)
            start = (len(widest) - len(font(bare))) // 2
            assert all(bits & widest[start + x] == bits for x, bits in enumerate(font(bare))), character


def test_a_missing_character_is_a_question_mark_or_in_tiny_letters_left_out():
    assert text_columns("a\N{SNOWMAN}") == text_columns("a?")
    assert tiny_columns("d!E") == tiny_columns("E")


@given(st.text(st.sampled_from(PRINTABLE + "  " + LETTERS), max_size=60), st.integers(20, 90))
def test_wrapped_lines_fit_and_hold_the_whole_text(text, width):
    lines = wrap(text, width)
    assert all(text_width(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    if all(text_width(word) <= width for word in text.split()):
        assert " ".join(lines).split() == text.split()


@pytest.mark.parametrize(("text", "width", "lines"), [
    ("", 60, []), ("one two", 60, ["one two"]), ("one two", 20, ["one", "two"]),
    ("Donaudampfer", 30, ["Donaud", "ampfer"]), ("zu Donaudampfer", 30, ["zu", "Donaud", "ampfer"]),
    (" Donau", 30, ["Donau"]),
])  # fmt: skip
def test_lines_break_at_spaces_and_in_a_word_only_if_it_is_too_wide(text, width, lines):
    assert wrap(text, width) == lines


@pytest.mark.parametrize(
    ("text", "width", "short"),
    [("one", 90, "one…"), ("one two", 28, "one t…"), ("one two", 24, "one…"), ("one", 5, "…"), ("", 0, "…")],
)
def test_a_shortened_text_ends_in_an_ellipsis_and_fits(text, width, short):
    assert shorten(text, width) == short
