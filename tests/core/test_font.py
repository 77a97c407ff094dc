# ruff: noqa: RUF001 -- characters that look like others are what is tested
"""The font: its letters, widths, and what fits a line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.core.font import (
    HEIGHT,
    bold_glyphs,
    fits,
    glyphs,
    shorten,
    text_columns,
    text_width,
    tiny_columns,
    wrap,
)

PRINTABLE = "".join(map(chr, range(33, 127)))
LETTERS = {
    "en": "",
    "de": "äöüÄÖÜßẞ„“",
    "fr": "àâæçéèêëîïôœùûüÿÀÂÆÇÉÈÊËÎÏÔŒÙÛÜŸ«»’",
    "es": "áéíñóúüÁÉÍÑÓÚÜ¿¡",
    "pl": "ąćęłńóśźżĄĆĘŁŃÓŚŹŻ",
    "cs": "áčďéěíňóřšťúůýžÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ",
}
SIGNS = "–—…·•×°−→←‘’“”„"
FONTS = pytest.mark.parametrize("font", [glyphs, bold_glyphs])
texts = st.text(st.sampled_from(PRINTABLE + "  " + "".join(LETTERS.values())), max_size=60)


@FONTS
@pytest.mark.parametrize("language", LETTERS)
def test_every_letter_of_every_language_has_a_picture_of_its_own(font, language):
    characters = PRINTABLE + LETTERS[language] + SIGNS
    pictures = [font()[character] for character in characters]
    assert all(any(picture) for picture in pictures)
    assert all(column < 1 << HEIGHT for picture in pictures for column in picture)


@FONTS
def test_no_two_letters_look_the_same(font):
    seen = {}
    for character, picture in font().items():
        if any(picture):
            seen.setdefault(picture, []).append(character)
    alike = {"".join(same) for same in seen.values() if len(same) > 1}
    assert alike <= {"x×", "`‘", "–−", "×x"}


@FONTS
@pytest.mark.parametrize(
    "character", [c for letters in LETTERS.values() for c in letters if c in "ÁÉÍÓÚÝÀÈÙÂÊÎÔÛ"]
)
def test_an_accent_on_a_capital_stands_clear_of_it(font, character):
    rows = 0
    for column in font()[character]:
        rows |= column
    assert rows & 0b111 == 0b011
    assert rows.bit_length() == 9


@FONTS
def test_a_letter_with_a_tail_or_an_accent_is_the_letter_and_more(font):
    for bare, more in (("a", "ą"), ("c", "ç"), ("e", "éèêëěę"), ("u", "ů"), ("z", "ż")):
        for character in more:
            widest = font()[character]
            start = (len(widest) - len(font()[bare])) // 2
            assert all(bits & widest[start + x] == bits for x, bits in enumerate(font()[bare])), character
            assert widest != font()[bare]


def test_a_text_is_as_wide_as_its_letters_and_the_gaps_between_them():
    assert text_width("") == 0
    assert text_width("i") == 1
    assert text_width("ii") == 3
    assert text_width("in") == 6
    assert text_width("i", bold=True) == 2
    assert text_columns("i")[0] == 0b111110100 & ~0b1000


def test_about_a_dozen_letters_fit_beside_the_board():
    assert text_width("Hold to menu") <= 61


def test_a_character_without_a_picture_is_a_question_mark():
    assert text_columns("a\N{SNOWMAN}") == text_columns("a?")


def test_the_tiny_letters_are_three_by_five_and_leave_out_what_they_lack():
    assert len(tiny_columns("CS")) == 7
    assert max(tiny_columns("PL")).bit_length() == 5
    assert tiny_columns("d!E") == tiny_columns("E")
    assert tiny_columns("") == ()


@given(texts, st.integers(20, 90), st.booleans(), st.integers(0, 12))
def test_wrapped_lines_fit_and_hold_the_whole_text(text, width, bold, indent):
    lines = wrap(text, width, bold=bold, indent=indent)
    for row, line in enumerate(lines):
        assert text_width(line, bold=bold) <= width - (0 if row else indent)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    words = [word for word in text.split(" ") if word]
    if fits(text, width - indent, bold=bold):
        assert " ".join(lines).split() == words


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("", 60, []),
        ("one two", 60, ["one two"]),
        ("one two", 20, ["one", "two"]),
        ("Donaudampfer", 30, ["Donaud", "ampfer"]),
        ("zu Donaudampfer", 30, ["zu", "Donaud", "ampfer"]),
    ],
)
def test_lines_are_broken_at_spaces_and_in_a_word_only_when_it_must_be(text, width, lines):
    assert wrap(text, width) == lines


@given(texts, st.integers(0, 80), st.booleans())
def test_a_shortened_text_fits_and_says_that_it_is_one(text, width, bold):
    short = shorten(text, width, bold=bold)
    assert text_width(short, bold=bold) <= width
    if text_width(text, bold=bold) <= width:
        assert short == text
    elif short:
        assert short.endswith("…")
        assert text.startswith(short[:-1])
