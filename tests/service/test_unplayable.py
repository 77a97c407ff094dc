"""Ultimate's values are damaged: the box plays classic and says so, and nothing keeps it from starting."""

import re
import sys

import pytest
from damaged_values import DAMAGE, damaged_values

from appliance.cli import main
from appliance.config.reading import load_config
from appliance.core.errors import UserError
from appliance.core.session.match import unplayable
from appliance.core.session.view import scene
from appliance.core.words import LANGUAGES, words
from appliance.games.saved import replayed
from appliance.simulator.virtual import VirtualBox
from engine import RULES

SENTENCE = re.compile(
    r"ultimate cannot be played: /\S+/engine/ultimate/values\.bin is missing or damaged \(.+\): "
    r"install the program again"
)
CENTRE, ULTIMATE = 4, 6  # the latter on the page of the rules


def start(tmp_path, configuration="", **options):
    (tmp_path / "box.yaml").write_text(f"language: en\n{configuration}")
    return VirtualBox(load_config([tmp_path / "box.yaml"]), 0, tmp_path / "state", **options)


def choose_ultimate(box):
    box.tap(CENTRE, 1.2)
    box.tap(8)
    box.tap(ULTIMATE)


def rules(box):
    return box.session.settings.rule, box.session.match.rule


@pytest.mark.parametrize("damage", DAMAGE)
def test_the_engine_says_which_file_is_damaged_and_reads_it_again(damage):
    with damaged_values(DAMAGE[damage]):
        assert SENTENCE.fullmatch(unplayable("ultimate"))
        with pytest.raises(OSError, match=r"values\.bin"):
            RULES["ultimate"].start()
        assert {unplayable(rule) for rule in RULES if rule != "ultimate"} == {""}
    assert unplayable("ultimate") == ""


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_configured_rule_that_cannot_be_played_counts_again_once_it_can(tmp_path, damage, caplog):
    with damaged_values(DAMAGE[damage]):
        box = start(tmp_path, "game: {rule: ultimate, first: you}")
        assert (box.phase, *rules(box)) == ("your_turn", "classic", "classic")
        assert words("en")["rule_damaged"] in str(scene(box.session))
        assert SENTENCE.fullmatch(box.session.fault)
        assert [record.getMessage() for record in caplog.records] == [box.session.fault]
        box.tap(0)
        box.power_cut()
        box.power_on()
        box.wait(1.0)
        assert (box.session.match.moves[0], *rules(box)) == (0, "classic", "classic")
        box.tap(CENTRE, 1.2)
        box.tap(0)  # a new game, to begin with an empty board
        box.power_cut()
    box.power_on()
    assert (*rules(box), box.session.fault) == ("ultimate", "ultimate", "")


@pytest.mark.parametrize("moves", [0, 2])
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_chosen_rule_and_its_game_do_not_keep_the_box_from_starting(tmp_path, damage, moves):
    box = start(tmp_path, "game: {first: you, level: easy}")
    choose_ultimate(box)
    box.tap(CENTRE, 1.2)
    for key in (4, 3)[:moves]:
        box.tap(key)
        box.wait(1.0)
    assert (*rules(box), bool(box.session.match.moves)) == ("ultimate", "ultimate", moves > 0)
    box.power_cut()
    with damaged_values(DAMAGE[damage]):
        box.power_on()
        assert (box.phase, *rules(box), box.session.match.moves) == ("your_turn", "classic", "classic", ())
        assert SENTENCE.fullmatch(box.session.fault)
        assert box.session.settings.level == "easy"
        assert [file.name for file in (tmp_path / "state").glob("damaged*")] == []
        box.tap(0)
        box.wait(1.0)
        assert (box.session.badges, box.session.match.moves[0]) == ((), 0)
        box.power_cut()
        box.power_on()
        assert (box.session.fault, box.session.match.moves[0]) == ("", 0), "classic is saved like any choice"


def test_a_game_in_progress_gives_way_to_the_rule_that_the_configuration_has_now(tmp_path):
    box = start(tmp_path, "game: {rule: ultimate, first: you}")
    box.tap(0)
    box.tap(1)
    assert box.session.match.moves[0] == 1
    box.power_cut()
    with damaged_values():
        box = start(tmp_path, "game: {rule: misere, first: you}")
        assert (*rules(box), box.session.match.moves) == ("misere", "misere", ())
        assert SENTENCE.fullmatch(box.session.fault)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_menu_refuses_a_rule_that_cannot_be_played_and_says_why(tmp_path, language, caplog):
    box = start(tmp_path, "game: {first: you}")
    box.loop.session = box.session._replace(settings=box.session.settings._replace(language=language))
    box.tap(0)
    box.wait(1.0)
    before = box.session.match
    with damaged_values():
        choose_ultimate(box)
        assert (box.phase, *rules(box), box.session.match) == ("menu", "classic", "classic", before)
        assert words(language)["rule_damaged"] in scene(box.session).notes
        assert SENTENCE.fullmatch(box.session.fault)
        assert box.session.fault in caplog.text
        box.tap(CENTRE, 1.2)
        assert (box.phase, box.session.match) == ("your_turn", before)
    choose_ultimate(box)
    assert rules(box) == ("ultimate", "ultimate")


def test_an_exhibit_begins_with_classic_and_its_visitors_are_refused_too(tmp_path):
    with damaged_values():
        box = start(tmp_path, "exhibit: yes\ngame: {rule: ultimate, first: you}")
        assert (box.phase, box.session.demo.rule, *rules(box)) == ("demo", "classic", "classic", "classic")
        box.tap(CENTRE)
        choose_ultimate(box)
        assert rules(box) == ("classic", "classic")
        box.wait(100.0)
        assert (box.phase, box.session.demo.rule) == ("demo", "classic")
        assert SENTENCE.fullmatch(box.session.fault)


def test_who_plays_something_else_never_reads_the_file(tmp_path):
    with damaged_values():
        box = start(tmp_path)
        box.tap(0)
        box.wait(1.0)
        box.power_cut()
        box.power_on()
        assert (box.phase, box.session.fault) == ("your_turn", "")
        assert "engine.ultimate" not in sys.modules


def test_a_person_who_asks_is_told(tmp_path, capsys):
    file = tmp_path / "box.yaml"
    file.write_text("language: en\ngame:\n  rule: ultimate\n")
    with damaged_values():
        assert main(["config", "check", str(file)]) == 2
        sentence = capsys.readouterr().err
        place = f"tictactoe: {file}:3: game.rule: "
        assert sentence.startswith(place)
        assert SENTENCE.fullmatch(sentence.removeprefix(place).removesuffix("\n"))
        with pytest.raises(UserError, match=r"^ultimate cannot be played: "):
            replayed(7, "ultimate", (40,))
    assert main(["config", "check", str(file)]) == 0
