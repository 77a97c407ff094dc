"""What the device test asks of the person, on the terminal and on the display in each language."""

import pytest

from appliance.core.picture.font import text_columns
from appliance.core.picture.raster import lay_out
from appliance.core.words import LANGUAGES, words
from appliance.devicetest.asking import Request, picture

WORDS = ("hands_off", "hold_these", "press_this", "tap_fast", "looking", "press_any")


def lit(*pictures):
    return sum(column.bit_count() for picture in pictures for column in picture)


@pytest.mark.parametrize("height", [64, 32])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("word", WORDS)
def test_a_request_fits_the_display_in_each_language(word, language, height):
    spoken = words(language)
    items = lay_out(picture(Request("", word, 511, "10/10"), spoken), 128, height).items
    assert lit(*(item.picture for item in items if item.name == "note")) == lit(text_columns(spoken[word]))
    assert [item.name for item in items].count("headline") == 1
    assert max(item.x + len(item.picture) for item in items) <= 128
    assert max(item.y + max(item.picture).bit_length() for item in items) <= height


def test_the_display_marks_the_buttons_that_are_meant():
    glyphs = [tile.glyph for tile in picture(Request("", "hold_these", 0b1001), words("en")).tiles]
    assert glyphs == ["=1", "", "", "=4", "", "", "", "", ""]


def test_the_terminal_counts_in_one_line(board):
    rig = board()
    for done in ("0/10", "1/10", "1/10"):
        rig.ask(Request("Tap button 1 ten times.", "press_this", 1, done))
    rig.ask(Request("Hands off.", "hands_off"))
    said = rig.out.getvalue()
    assert said.count("\n") == 2
    assert [line.rstrip() for line in said.replace("\r", "\n").split("\n")[1:]] == [
        "    Tap button 1 ten times. 0/10", "    Tap button 1 ten times. 1/10", "    Hands off.",
    ]  # fmt: skip
