"""What the test asks of the person, on the terminal and on the display in each language; and the answers."""

import pytest
from display_board import Board

from appliance.boardtest.picture import answer, pressed
from appliance.boardtest.prompts import AGAIN, NO, YES, Prompt, question_picture
from appliance.core.keys.scan import CENTRE
from appliance.core.picture.font import text_columns
from appliance.core.picture.raster import lay_out
from appliance.core.picture.scene import PatternScene
from appliance.core.words import LANGUAGES, words

WORDS = ("hands_off", "hold_these", "press_this", "tap_fast", "looking", "press_any")


def lit(*pictures):
    return sum(column.bit_count() for picture in pictures for column in picture)


@pytest.mark.parametrize("height", [64, 32])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("word", WORDS)
def test_a_request_fits_the_display_in_each_language(word, language, height):
    spoken = words(language)
    items = lay_out(question_picture(Prompt("", word, 511, "10/10"), spoken), 128, height).items
    assert lit(*(item.picture for item in items if item.name == "note")) == lit(text_columns(spoken[word]))
    assert [item.name for item in items].count("headline") == 1
    assert max(item.x + len(item.picture) for item in items) <= 128
    assert max(item.y + max(item.picture).bit_length() for item in items) <= height


def test_the_display_marks_the_buttons_that_are_meant():
    glyphs = [tile.glyph for tile in question_picture(Prompt("", "hold_these", 0b1001), words("en")).tiles]
    assert glyphs == ["=1", "", "", "=4", "", "", "", "", ""]


@pytest.mark.parametrize("terminal", [True, False])
def test_the_terminal_counts_in_one_line(board, terminal):
    rig = board()
    rig.out.isatty = lambda: terminal
    for done in ("0/10", "1/10", "1/10"):
        rig.ask(Prompt("Tap button 1 ten times.", "press_this", 1, done))
    rig.ask(Prompt("Hands off.", "hands_off"))
    said = rig.out.getvalue()
    assert said.count("\n") == 2
    assert [line.rstrip() for line in said.replace("\r", "\n").split("\n")[1:]] == [
        "    Tap button 1 ten times. 0/10", *["    Tap button 1 ten times. 1/10"] * terminal,
        "    Hands off.",
    ]  # fmt: skip
    assert ("\r" in said) == terminal


# The answers


@pytest.fixture
def alone():
    """A board with nobody at it, but for the fingers that a test plans in `at`."""
    rig = Board()
    rig.person = False
    return rig


def press(rig, at, key, seconds=0.1):
    rig.at += [(at, 1 << key), (at + seconds, 0)]


@pytest.mark.parametrize("said", [YES, AGAIN, NO])
def test_the_person_answers_with_the_top_row_and_other_buttons_are_no_answer(alone, said):
    for at, key in ((1, 7), (2, CENTRE), (3, said)):
        press(alone, at, key)
    assert answer(alone, "Well?", "ask_lit", "1/6") == said
    assert 3 < alone.now() < 3.2


def test_any_button_but_the_centre_goes_on_and_nobody_is_waited_for_for_ever(alone):
    press(alone, 1, CENTRE)
    press(alone, 2, 8)
    assert pressed(alone) == 8
    assert pressed(alone, 5.0) is None


def test_whoever_holds_the_centre_ends_the_test(alone):
    press(alone, 1, CENTRE, 3.0)
    with pytest.raises(KeyboardInterrupt):
        pressed(alone)


def test_without_pins_there_are_answers_on_the_terminal(alone):
    def busy():
        raise OSError(16, "busy")

    alone.open_factory = busy
    alone.typed = lambda: "yes" if alone.now() > 2 else None
    assert answer(alone, "Well?", "ask_lit", "1/6") == YES
    assert alone.now() < 3


def test_a_question_that_is_asked_again_is_shown_again(alone):
    question = Prompt("Well?", "ask_lit", done="1/6", question=True)
    alone.ask(question)
    asked = alone.module.eye()
    alone.show(PatternScene(edges=False))
    assert alone.module.eye() != asked
    alone.ask(question)
    assert alone.module.eye() == asked
