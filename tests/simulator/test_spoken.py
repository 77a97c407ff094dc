"""What the display shows in words: the names of the buttons, and one line for each change."""

import pytest

from appliance.config.schema import Config
from appliance.core.session.settings import Options, Settings
from appliance.core.words import LANGUAGES, words
from appliance.simulator.spoken import Reader, button_names, why_dark
from appliance.simulator.virtual import VirtualBox


class Listener:
    """A box, and all that is said of it."""

    def __init__(self, settings=Settings(), options=Options(), **box):  # noqa: B008 - it has no state
        self.box, self.reader = VirtualBox(Config(settings, options), 3, **box), Reader()
        self.wait(2)

    def wait(self, seconds):
        """Let time pass; return the lines that are said meanwhile."""
        said, end = [], self.box.time + seconds
        while self.box.time < end:
            self.box.wait(1 / 30)
            said += [line] if (line := self.reader.news(self.box)) else []
        return said

    def press(self, number, seconds=0.1):
        self.box.hardware.network.press(number - 1)
        said = self.wait(seconds)
        self.box.hardware.network.release(number - 1)
        return said + self.wait(2)

    def names(self):
        return button_names(self.box)


def test_a_press_that_does_nothing_is_said():
    box = Listener()
    said = []
    for number in (5, 1):  # the second while the box thinks
        box.box.hardware.network.press(number - 1)
        said += box.wait(0.12)
        box.box.hardware.network.release(number - 1)
        said += box.wait(0.1)
    assert said == ["x took 5. O My turn.", "1 ✗.", "o took 3. X Your turn."]


def test_each_move_and_the_end_are_said_once():
    box = Listener()
    assert box.press(5) == ["x took 5. O My turn.", "o took 3. X Your turn."]
    assert box.press(5) == ["Taken!"]
    assert box.press(5) == ["Taken!"]
    assert box.names()[2:6] == ["3, o", "4, empty", "5, x", "6, empty"]
    said = [line for number in (1, 7, 4, 8, 6, 2, 9) for line in box.press(number)]
    assert box.box.session.match.over
    assert said[-1].startswith("x took")


def test_the_end_names_the_winner_the_line_and_the_score():
    box = Listener(Settings(players=2))
    for number in (1, 4, 2, 5):
        box.press(number)
    (line,) = box.press(3)
    assert line == "x took 3. Player 1, X, wins! 1, 2, 3. Play again? Player 2 starts. 1 : 0 : 0."
    assert box.wait(20) == []


def test_the_menu_names_its_items_and_says_the_pressed_one():
    box = Listener()
    assert box.press(5, 1.5) == ["Menu. Tap: choose. Hold: name. 0 : 0 : 0."]
    assert box.names()[:5] == ["1, New game", "2, Undo", "3, Hint", "4, Level", "5, Back"]
    assert box.press(4)[0] == "Level."
    assert "7, Adaptive, ✓" in box.names()
    assert "1, Easy" in box.names()


def test_a_hint_is_a_place_and_undo_names_the_empty_cell():
    box = Listener(Settings(players=2))
    box.press(9)
    box.press(5, 1.5)
    assert box.press(2)[-1].startswith("9, empty. Player 1, X, to move.")
    box.press(5, 1.5)
    said = box.press(3)[-1]
    cell = box.box.session.hint + 1
    assert f"Try this one. {cell}." in said
    assert box.names()[cell - 1] == f"{cell}, empty, Try this one"
    assert box.wait(20) == []  # it blinks


def test_a_vanishing_mark_and_the_coachs_verdicts_are_in_the_names():
    box = Listener(Settings(players=2, rule="vanishing"))
    for number in (1, 2, 3, 4, 5, 6):
        box.press(number)
    assert box.names()[0] == "1, x, The oldest goes"
    assert box.press(9) == ["1, empty. x took 9. Player 2, O, to move. The oldest goes: 2."]
    assert box.press(7) == ["2, empty. o took 7. Player 1, X, to move. The oldest goes: 3."]
    assert box.names()[2] == "3, x, The oldest goes"


def test_the_coach_says_what_each_cell_is_worth_and_once_that_the_game_does_not_count():
    box = Listener(Settings(coach=True))
    assert box.names() == [f"{number}, draws" for number in range(1, 10)]
    assert box.press(1)[-1] == "o took 4. X Your turn. Wins 2, 3, 5; draws 6, 7, 8, 9."
    assert box.press(2)[-1] == "o took 3. X Your turn. Wins 5; draws 6; loses 7, 8, 9."


def test_ultimate_names_the_board_and_what_is_on_each_that_may_be_chosen():
    box = Listener(Settings(players=2, rule="ultimate"))
    assert box.names()[4] == "board 5"
    assert box.press(5) == ["Board 5. Hold: back."]
    assert box.names()[6] == "7, empty, board 5"
    assert box.press(7) == ["x took 7, board 5. Board 7."]


def test_ultimate_says_who_wins_a_board_and_what_a_hint_is():
    box = Listener(Settings(players=2, rule="ultimate"))
    for number in (1, 1, 2, 1, 5, 1):
        box.press(number)
    box.press(5, 1.5)
    assert box.press(3)[-1] == "Board 1. Try this one. 8, board 1."
    assert box.press(8) == ["o took 8, board 1. Board 1, o wins! Board 8."]


def test_the_win_of_a_match_keeps_the_board_and_the_last_move():
    box = Listener(Settings(players=2, series=3))
    for _ in range(5):
        for number in (1, 4, 2, 5):
            box.press(number)
        said = box.press(3)
        names = box.names()
        if any("Match won!" in line for line in said):
            break
        box.press(9)
    assert said[0].startswith("x took 3. Player 1, X, wins! 1, 2, 3. Match won!")
    assert names[2:5] == ["3, x", "4, o", "5, o"]


def test_a_review_names_buttons_and_better_cells_by_number():
    box = Listener(Settings(players=2))
    for number in (1, 5, 2, 3, 6, 7):
        box.press(number)
    box.press(5, 1.5)
    assert box.press(3)[-1] == "7, empty. X Move 5. Missed a block. Loses, 7 draws. 5 end. 8 how?"


def test_statistics_say_their_figures_although_the_menu_has_shown_them():
    box = Listener()
    box.press(5, 1.5)
    assert box.press(7) == ["Statistics.", "Games. All levels. 0 : 0 : 0."]


def test_the_self_test_says_which_button_it_asks_for():
    box = Listener()
    for number, seconds in ((5, 1.5), (8, 0.1), (6, 0.1)):
        box.press(number, seconds)
    assert box.wait(5)[-1] == "0/9. Press this button: 1."
    assert box.press(1)[-1] == "1/9. Press this button: 2."


def test_a_dark_display_says_nothing_and_why_and_then_all():
    box = Listener(options=Options(dim=1, off=2))
    box.wait(3)
    assert why_dark(box.box) == "the box sleeps: any button wakes it"
    assert box.names() == list("123456789")
    assert box.press(5) == ["X Your turn. Hold centre: menu. Adaptive."]
    box.box.hardware.bus.unplug()
    assert why_dark(box.box) == "unplugged"
    box.box.power_cut()
    assert why_dark(box.box) == "the box has no power"


def test_an_exhibit_invites_once():
    box = Listener(options=Options(exhibit=True))
    assert box.wait(30) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_is_said_in_the_displays_language(language):
    text = words(language)
    box = Listener(Settings(players=2, language=language))
    assert box.names()[0] == f"1, {text['empty']}"
    assert box.press(1)[0].startswith(text["took"].format(mark="x", cell=1))
