"""An exhibit on its own keys, its own display and its own database: what is there after a power cut."""

from random import Random

import pytest
from effort import longer

from appliance.config.reading import load_config
from appliance.core.session.view import view
from appliance.core.words import words
from appliance.simulator.virtual import VirtualBox
from appliance.storage.history import History

LANGUAGE = "language: de\n"
EXHIBIT = f"exhibit: yes\n{LANGUAGE}game: {{level: easy, first: you}}\n"
CENTRE = 4


def start(tmp_path, text, seed=0):
    (tmp_path / "box.yaml").write_text(text)
    return VirtualBox(load_config([tmp_path / "box.yaml"]), seed, tmp_path / "state", ask=True)


def mash(box, chance, presses):
    """Press at random on the real keypad."""
    for _ in range(presses):
        luck, key = chance.random(), chance.randrange(9)
        if luck < 0.15:
            box.tap(CENTRE, 1.1)
        elif luck < 0.2:
            box.chord(key, (key + 1) % 9)
        else:
            box.tap(key)
        box.wait(chance.uniform(0.05, 0.6))


def kept(tmp_path):
    """Return what is kept of a box but its history."""
    store = start(tmp_path, LANGUAGE)._store
    return store.load()


@pytest.mark.parametrize("seed", [0, *longer(1, 2, 3)])
def test_a_power_cut_in_the_middle_of_a_visit_leaves_only_games_and_visits(tmp_path, seed):
    box = start(tmp_path, EXHIBIT)
    new, lasting = box.session, box.session.lasting
    assert box.phase == "demo", "it does not ask for a language either"
    mash(box, Random(seed), 60)
    box.power_cut()
    games = len(list(History(tmp_path / "state").games()))
    box.power_on()
    assert box.session == new._replace(request=box.session.request, box=box.session.box)
    assert box.session.lasting == lasting
    box.power_cut()
    assert len(list(History(tmp_path / "state").games())) == games
    assert list(History(tmp_path / "state").visits().values()) == [1]
    assert kept(tmp_path) is None


def test_what_the_owner_had_chosen_and_played_is_there_again_without_the_exhibit(tmp_path):
    box = start(tmp_path, LANGUAGE)
    box.tap(0)
    box.wait_for("your_turn")
    box.tap(CENTRE, 1.1)
    for key in (7, 0):  # the settings, and the contrast
        box.tap(key)
    box.wait(21)
    owners = box.session
    assert owners.settings.contrast == 255
    box.power_cut()
    box = start(tmp_path, EXHIBIT)
    assert (box.session.settings.contrast, box.session.board) == (207, "." * 9)
    mash(box, Random(1), 60)
    box.power_cut()
    again = start(tmp_path, LANGUAGE).session
    assert (again.settings, again.board, again.scores) == (owners.settings, owners.board, owners.scores)


def test_the_next_start_speaks_the_configured_language_whatever_the_visitor_chose(tmp_path):
    box = start(tmp_path, EXHIBIT)
    box.tap(0)
    box.tap(CENTRE, 1.1)
    box.tap(7)
    box.tap(8)
    assert (box.session.settings.language, box.session.lasting.language) == ("cs", "de")


def test_the_demonstration_is_bright_moves_all_the_time_and_shifts_against_burn_in(tmp_path):
    box = start(tmp_path, f"exhibit: yes\n{LANGUAGE}display: {{contrast: 127}}\n")
    pictures, shifts = set(), set()
    for _ in range(120):
        box.wait(10)
        assert (box.phase, box.lit, box.hardware.chip.contrast) == ("demo", True, 127)
        pictures.add(box.hardware.chip.picture().data)
        shifts.add(view(box.session).shift)
    assert len(pictures) > 60
    assert len(shifts) > 6


def test_a_box_without_a_configured_language_begins_its_visits_in_english(tmp_path):
    box = start(tmp_path, "exhibit: yes\n")
    box.tap(0)
    assert view(box.session).scene.headline == words("en")["your_turn"]


@pytest.mark.parametrize(("text", "off", "place"), [
    ("exhibit: yes", 0.0, 1), ("exhibit: no", 600.0, None),
    ("exhibit: yes\nrest: {off: 600}", 600.0, 2),
    ("rest: {off: 900}\nexhibit: yes", 900.0, 1),
])  # fmt: skip
def test_an_exhibit_stays_lit_unless_a_file_says_otherwise(tmp_path, text, off, place):
    (tmp_path / "box.yaml").write_text(text)
    found = load_config([tmp_path / "box.yaml"])
    assert found.options.off == off
    assert found.origins.get("rest.off") == (place and f"{tmp_path}/box.yaml:{place}")
