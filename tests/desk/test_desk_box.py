"""The desk on a virtual clock: what the page asks for happens, and what is new is told, once."""

import pytest

from appliance.config.schema import CHIPS, Config
from appliance.core.picture.canvas import Frame
from appliance.core.session.settings import Options
from appliance.desk.asking import PAGE_COMMANDS
from appliance.desk.dimensions import panel_for


def json_of(message):
    return {} if isinstance(message, bytes) else message


def test_a_page_is_told_the_panel_and_sees_the_picture(make):
    page = make()
    assert page.shown["hello"]["panel"]["width"] == 90
    assert page.shown["hello"]["pins"] == {"rows": [17, 27, 22], "columns": [5, 6, 13]}
    page.until(phase="your_turn")
    hardware = page.desk.box.hardware
    lit, contrast, _, _ = page.shown["picture"][:4]
    assert (lit, contrast) == (1, hardware.chip.contrast)
    assert Frame(128, 64, page.shown["picture"][4:]) == hardware.picture()


def test_a_press_makes_a_mark_and_the_box_answers(page):
    page.hold(4)
    page.until(phase="your_turn")
    assert page.desk.box.session.board[4] == "x"
    assert page.desk.box.session.board.count("o") == 1


def test_a_hold_is_a_hold_and_opens_the_menu(page):
    page.says(down=4)
    page.wait(1.5)
    assert page.shown["phase"] == "menu"
    page.says(up=4)
    page.wait(0.2)
    assert page.shown["phase"] == "menu"


def test_two_fingers_make_a_chord(page):
    page.hold(0, 8)
    assert page.desk.box.session.board == "." * 9
    before = page.shown["says"]
    page.wait(0.2)
    assert page.shown["says"] == before
    assert page.shown["phase"] == "your_turn"


def test_the_cable_and_the_plug(make, tmp_path):
    page = make(state=tmp_path)
    page.until(phase="menu")  # a new box asks for the language
    page.hold(0)
    page.until(phase="your_turn")
    page.hold(4)
    page.until(phase="your_turn")
    board = page.desk.box.session.board
    page.says(cable=False)
    page.wait(0.1)
    assert (page.shown["cable"], page.shown["picture"][0]) == (False, 0)
    page.says(plug=False)
    page.wait(0.1)
    assert page.shown["phase"] == "off"
    page.says(plug=True)
    page.wait(0.1)
    assert (page.shown["plug"], page.shown["picture"][0]) == (True, 0)  # the cable is still out
    page.says(cable=True)
    page.wait(8)
    assert page.shown["picture"][0] == 1
    assert page.desk.box.session.board == board
    assert board != "." * 9


def test_nothing_is_sent_and_hardly_a_turn_made_while_nothing_changes(page):
    page.wait(3)
    told, turns = len(page.all), page.turns
    page.wait(50)
    assert len(page.all) == told
    assert page.turns - turns < 20


def test_pictures_are_those_of_the_bus_and_at_most_thirty_a_second(page):
    written, pictures, lags = [], 0, []
    page.desk.box.hardware.bus.listener = lambda *_: written.append(page.now)
    page.says(speed=16)  # more pictures on the bus than are told
    for turn in range(400):
        before = len(page.all)
        page.says(**{"up" if turn % 2 else "down": turn // 2 % 9})
        page.wait(0.005)
        if told := sum(isinstance(message, bytes) for message in page.all[before:]):
            pictures += told
            lags += [page.now - at for at in written]
            written.clear()
    assert 20 < pictures <= 2 * 30 + 1
    assert max(lags) <= 0.05


def test_time_runs_faster_and_stands(page):
    page.says(speed=16)
    before = page.desk.box.time
    page.wait(1)
    assert 15 < page.desk.box.time - before < 17
    page.says(speed=0)
    before = page.desk.box.time
    page.wait(1)
    assert page.desk.box.time == before
    assert page.shown["speed"] == 0


def test_stuck_dead_and_bridged_buttons(page):
    page.says(stick=3)
    page.wait(0.1)
    assert page.shown["stuck"] == [3]
    page.says(unstick=3)
    page.wait(0.1)
    assert page.desk.box.hardware.network.contacts == 0
    for fault, contacts in (("dead:5", 0), ("bridge", 0b011000), ("none", 0b010000)):
        page.says(fault=fault)
        page.says(down=4)
        assert page.desk.box.hardware.network.contacts == contacts
        assert sum(1 << contact for contact in page.shown["wiring"][4]) == contacts
        page.says(up=4)
        page.wait(0.1)
        assert page.shown["fault"] == fault


def test_only_what_is_watched_is_told(page):
    page.hold(0)
    assert not {"bus", "pins", "journal"} & page.shown.keys()
    page.says(watch=["bus", "pins"])
    page.hold(1)
    page.desk.journal.append("a line")
    page.wait(1)
    bus = [entry for message in page.all if "bus" in json_of(message) for entry in message["bus"]]
    assert any("data, page" in entry["says"] for entry in bus)
    assert {entry["address"] for entry in bus} == {0x3C}
    pins = [change for message in page.all if "pins" in json_of(message) for change in message["pins"]]
    assert pins == sorted(pins, key=lambda change: change[0])
    assert len({bits for _, bits in pins}) > 3
    assert "journal" not in page.shown
    page.says(watch=["journal"])
    page.wait(0.1)
    assert page.shown["journal"] == ["a line"]
    assert page.desk.box.hardware.bus.watcher is None


def test_a_caption_says_why_the_display_is_dark(make):
    page = make(Config(options=Options(dim=1, off=2)))
    assert page.shown["caption"] == ""
    page.until(caption="The box sleeps: any button wakes it")
    assert page.shown["names"] == list("123456789")
    page.hold(4)
    assert (page.shown["caption"], page.shown["names"][4]) == ("", "5, empty")


def test_the_buzzer_is_heard(make):
    for config, beep in (Config(), None), (Config(buzzer=18), "press"):
        page = make(config)
        page.wait(2)
        page.hold(4)
        assert page.shown.get("beep") == beep


@pytest.mark.parametrize(("kind", "press"), [("passive", 880), ("active", 2300)])
def test_the_page_is_told_how_the_buzzer_sounds(make, kind, press):
    assert make(Config()).shown["hello"]["buzzer"] is None
    page = make(Config(buzzer=18, buzzer_kind=kind))
    assert page.shown["hello"]["buzzer"]["press"] == [(press, 0.03)]


def test_a_scenario_is_played_step_by_step_in_a_box_of_its_own(make, tmp_path):
    page = make(state=tmp_path)
    own = page.desk.box
    page.says(scenario="seed: 7\nsteps:\n- tap: 5\n- wait_for: your_turn\n- expect: {board: xxxxxxxxx}\n")
    page.wait(3)
    assert page.desk.box.time == 0  # it stands between the steps
    assert page.shown["scenario"]["of"] == 3
    assert page.shown["scenario"]["next"] == "tap: 5"
    for _ in range(3):
        page.says(next=True)
        page.wait(0.1)
    assert page.shown["scenario"]["step"] == 3
    assert not page.shown["scenario"]["ok"]
    assert page.shown["scenario"]["why"].startswith("board is")
    page.says(next=True)
    assert page.shown["error"] == "next: no step of a scenario is left: send a scenario first"
    page.says(scenario=None)
    page.wait(0.1)
    assert page.shown["scenario"] is None
    assert page.desk.box is own


def test_games_become_files_once_there_are_some(make, tmp_path):
    page = make(state=tmp_path)
    page.says(games=True)
    assert page.shown["error"] == "no game has been finished yet: play one, then save it"
    page.until(phase="menu")
    page.hold(0)
    while page.shown["phase"] != "game_over":
        page.until(phase="your_turn")
        page.hold(page.desk.box.session.board.index("."))
        page.wait(5)
    page.says(games=True)
    assert [*page.shown["games"]] == ["games.csv", "games.html"]
    assert page.shown["games"]["games.csv"].count("\n") == 2


def test_a_scenario_from_a_page_writes_no_files(page):
    page.says(scenario="- tap: 5\n- screenshot: a.png\n")
    assert page.shown["error"] == "scenario: step 2: a page writes no files: take screenshot out"
    page.says(scenario="- fly: 5")
    assert page.shown["error"].startswith("scenario:1")


KNOWN = ", ".join(PAGE_COMMANDS)
KEY = "expected a key from 0 to 8, found"


@pytest.mark.parametrize(("text", "error"), [
    ("{", 'message:1: not valid YAML: "{" (check indentation, colons, quotes, brackets here and above)'),
    ("[]", f"message:1: expected one of {KNOWN} with a colon and a value, found []"),
    ("{}", "message:1: expected exactly one entry, found 0"),
    ('{"jump": 1}', f'message:1: jump: unknown key, expected one of {KNOWN} (did you mean "up"?)'),
    ('{"down": 1, "up": 1}', "message:1: expected exactly one entry, found 2"),
    ('{"down": 9}', f"message:1: down: {KEY} 9"),
    ('{"up": [1]}', f"message:1: up: {KEY} [1]"),
    ('{"down": NaN}', f'message:1: down: {KEY} "NaN"'),
    ('{"next": false}', 'message:1: next: expected true, found "false"'),
    ('{"plug": 0}', "message:1: plug: expected yes or no, found 0 (write no)"),
    ('{"speed": 2}', "message:1: speed: expected one of 0, 0.25, 1, 4, 16, found 2"),
    ('{"watch": "bus"}', 'message:1: watch: expected a list, found "bus" in quotes'),
    ('{"scenario": 1}', "message:1: scenario: expected the text of a scenario, or null, found 1"),
    ('{"next": true}', "next: no step of a scenario is left: send a scenario first"),
])  # fmt: skip
def test_the_sentence_for_what_is_wrong(page, text, error):
    page.text(text)
    assert page.shown["error"] == error


def test_the_drawings_have_a_display_of_each_chip():
    assert all(panel_for(chip, height)["lit"] for chip, facts in CHIPS.items() for height in facts.heights)


@pytest.mark.parametrize(("driver", "height", "lit"), [
    ("ssd1306", 64, (21.7, 10.9)),
    ("sh1106", 64, (29.4, 14.7)),
    ("ssd1306", 32, (22.4, 5.6)),
    ("ssd1309", 64, (55, 27.5)),
])  # fmt: skip
def test_the_panel_has_the_usual_display_of_the_chip(driver, height, lit):
    assert panel_for(driver, height)["lit"] == lit
