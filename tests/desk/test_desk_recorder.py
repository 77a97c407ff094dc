"""What one does becomes a scenario: played back, it makes the same moves at the same moments."""

import random

import pytest
from effort import amount

from appliance.config.schema import Config
from appliance.config.yamlfile import parse_yaml
from appliance.desk.recorder import MAX_STEPS
from appliance.simulator.scenario import play_scenario, scenario_from_node


def played_back(page):
    """End the recording; return the box as it was, and the report of its scenario."""
    box = page.desk.box
    page.says(record=False)
    report = play_scenario(scenario_from_node(parse_yaml(page.shown["recording_text"], "recording.yaml")))
    return box, report


@pytest.fixture
def record(make):
    def build(**options):
        page = make(**options)
        take = page._take

        def keep(messages):
            take(messages)
            for message in messages:
                if isinstance(message, dict) and message.get("recording"):
                    page.shown["recording_text"] = message["recording"]

        page._take = keep
        page.wait(1)
        page.says(record=True)
        page.wait(2)
        return page

    return build


def same(page):
    box, report = played_back(page)
    assert report["ok"], report
    assert report["final"]["virtual_seconds"] == round(box.time, 6)
    assert report["final"]["frames"] == box.frames
    assert report["final"]["bus_bytes"] == box.hardware.bus.bytes
    return box


def test_a_game_with_a_hold_and_a_chord_is_played_back(record):
    page = record()
    page.hold(4)
    page.wait(1.7)
    page.hold(0, 8)
    page.says(down=4)
    page.wait(1.5)
    page.says(up=4)
    page.wait(0.3)
    page.hold(8)
    page.wait(2)
    page.hold(2)
    page.wait(3)
    box = same(page)
    assert box.session.match.rule == "vanishing"
    assert page.shown["recording"] is None


def test_faults_the_cable_and_the_plug_are_played_back(record):
    page = record(config=Config()._replace(buzzer=18))
    page.hold(0)
    page.wait(2)
    page.says(cable=False)
    page.wait(1)
    page.says(plug=False)
    page.wait(1)
    page.says(plug=True)
    page.wait(1)
    page.says(plug=False)
    page.says(cable=True)
    page.says(cable=False)
    page.says(plug=True)
    page.wait(1)
    page.says(cable=True)
    page.wait(8)
    page.says(stick=5)
    page.wait(0.4)
    page.says(unstick=5)
    page.says(fault="bridge")
    page.hold(0)
    page.says(fault="none")
    page.wait(2)
    page.says(plug=False)
    assert same(page).phase == "off"


@pytest.mark.more
@pytest.mark.parametrize("seed", range(amount(1, 8)))
def test_whatever_one_does_is_played_back(record, seed):
    rng = random.Random(seed)
    page, down = record(), set()
    for _ in range(120):
        key = rng.randrange(9)
        down ^= {key}
        page.says(**{"down" if key in down else "up": key})
        page.wait(rng.choice((0, 0.001, 0.005, 0.02, 0.1, 0.8, rng.random())))
        if rng.random() < 0.03:
            page.says(plug=False)
            page.says(plug=True)
    same(page)


def test_ones_own_game_is_untouched(page):
    page.says(fault="dead:9")
    page.hold(4)
    page.until(phase="your_turn")
    own, at, board = page.desk.box, page.desk.box.time, page.desk.box.session.board
    page.says(record=True)
    page.wait(2)
    assert page.desk.box is not own
    page.hold(0)
    page.says(record=False)
    assert (page.desk.box, page.desk.box.session.board) == (own, board)
    assert page.desk.box.time == at
    page.wait(0.1)
    assert (page.shown["fault"], page.shown["recording"]) == ("dead:9", None)


def test_a_recording_ends_when_a_scenario_file_is_full(record):
    page = record()
    for _ in range(MAX_STEPS):
        page.says(unstick=5)
    page.says(unstick=5)
    assert page.shown["error"].startswith("the recording has ended")
    scenario_from_node(parse_yaml(page.shown["recording_text"], "recording.yaml"))
    page.wait(0.1)
    assert page.shown["recording"] is None
