"""The first start asks for the language until one was chosen or a game begun; afterwards none does."""

import pytest
from store_world import World, play_games

from appliance.config.reading import load_config
from appliance.core.session.state import Page, Stage
from appliance.core.session.view import scene
from appliance.core.words import LANGUAGES, words
from appliance.simulator.virtual import VirtualBox

CENTRE, IDLE = 4, 20.5


def start(tmp_path, configuration=""):
    (tmp_path / "box.yaml").write_text(configuration)
    return VirtualBox(load_config([tmp_path / "box.yaml"]), 0, tmp_path / "state", ask=True)


def asks(box):
    return (box.phase, box.session.page) == ("menu", Page.FIRST)


@pytest.mark.parametrize(("configuration", "asked"), [
    ("", True), ("game: {level: easy}", True), ("language: en", False), ("language: cs", False),
])  # fmt: skip
def test_a_box_without_a_language_asks(tmp_path, configuration, asked):
    assert asks(start(tmp_path, configuration)) is asked


def test_a_box_that_was_updated_does_not_ask(tmp_path):
    play_games(World(tmp_path / "state"))
    assert not asks(start(tmp_path))


@pytest.mark.parametrize(("happens", "asked"), [
    ([], True), ([VirtualBox.stop], True), ([IDLE], True), ([IDLE, VirtualBox.stop], True),
    ([0], False), ([CENTRE], False),  # English, or whatever it is
    ([IDLE, 0], False),  # a mark: somebody plays
])  # fmt: skip
def test_it_asks_again_until_there_was_an_answer_or_a_move(tmp_path, happens, asked):
    box = start(tmp_path)
    for what in happens:
        if callable(what):
            what(box)
        elif isinstance(what, int):
            box.tap(what)
        else:
            box.wait(what)
    box.power_cut()
    box.power_on()
    assert asks(box) is asked


@pytest.mark.parametrize("ended", ["result dismissed", "result left alone", "key never released"])
def test_a_new_box_asks_after_the_self_test_that_a_key_held_at_power_on_starts(tmp_path, ended):
    box = start(tmp_path)
    box.power_cut()
    box.hardware.network.press(3)
    box.power_on()
    box.wait(0.5)
    assert box.phase == "self_test"
    if ended != "key never released":
        box.release(3)
        assert box.wait_until(lambda: box.session.test.stage is Stage.RESULT, 120.0)
    if ended == "result dismissed":
        box.tap(0)
    assert box.wait_until(lambda: box.phase != "self_test", 300.0)
    assert asks(box)
    box.tap(1)
    assert (box.phase, box.session.settings.language) == ("your_turn", LANGUAGES[1])


@pytest.mark.parametrize("menu", [0, 20])
def test_a_new_box_asks_when_it_wakes_until_there_was_an_answer(tmp_path, menu):
    box = start(tmp_path, f"rest: {{menu: {menu}, off: 61}}")
    box.wait(70.0)
    assert box.phase == "asleep"
    box.tap(0)
    assert asks(box)
    box.wait(0.5)
    box.tap(0)
    box.wait(70.0)
    box.tap(0)
    assert box.phase == "your_turn"


def test_a_rule_that_is_chosen_is_played_although_the_box_falls_asleep_in_the_menu(tmp_path):
    box = start(tmp_path, "language: en\nrest: {menu: 0, off: 61}")
    box.tap(CENTRE, 1.2)
    box.tap(8)
    box.tap(1)
    box.wait(70.0)
    box.tap(0)
    assert (box.session.settings.rule, box.session.match.rule) == ("misere", "misere")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_greets_while_its_key_is_down_and_then_the_board_is_there(tmp_path, language):
    box = start(tmp_path)
    key = [tile.glyph for tile in scene(box.session).tiles].index(f"={language.upper()}")
    box.press(key)
    shown, text = scene(box.session), words(language)
    assert (shown.headline, shown.notes) == (text["hello"], (text["name"],))
    box.release(key)
    assert box.phase == "your_turn"
    assert scene(box.session).headline == text["your_turn"]
