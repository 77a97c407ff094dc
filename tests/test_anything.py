"""Whatever happens to the box, it keeps working, and two taps lead back to a board."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.config import Config
from appliance.core.match import Match
from appliance.core.raster import render
from appliance.core.settings import FIRST, PLAYERS, Options, Settings
from appliance.core.view import view
from appliance.simulator.virtual import VirtualBox
from engine import LEVELS, RULES

KEY = st.integers(0, 8)
ACTION = st.one_of(
    st.tuples(st.just("tap"), KEY),
    st.tuples(st.just("tap"), KEY),
    st.tuples(st.just("hold"), KEY, st.sampled_from([0.3, 0.9, 1.1, 31.0])),
    st.tuples(st.just("menu")),
    st.tuples(st.just("chord"), KEY, KEY),
    st.tuples(st.just("bounce"), KEY),
    st.tuples(st.just("stick"), KEY),
    st.tuples(st.just("unstick"), KEY),
    st.tuples(st.just("unplug")),
    st.tuples(st.just("plug")),
    st.tuples(st.just("fault"), st.integers(1, 300)),
    st.tuples(st.just("wait"), st.sampled_from([0.05, 0.5, 3.0, 25.0, 70.0, 700.0])),
)
# Made by functions: of a named tuple's own fields st.builds would choose those too that are not given here.
CONFIG = st.builds(
    lambda level, first, players, rule, attract: Config(
        Settings(level, rule, first, players), Options(attract=attract)
    ),
    st.sampled_from(list(LEVELS)),
    st.sampled_from(FIRST),
    st.sampled_from(PLAYERS),
    st.sampled_from(list(RULES)),
    st.booleans(),
)


def do(box, action, *arguments):
    match action:
        case "tap":
            box.tap(*arguments)
        case "hold":
            box.tap(*arguments)
        case "menu":
            box.tap(4, 1.1)
        case "chord" if arguments[0] != arguments[1]:
            box.chord(*arguments)
        case "bounce":
            box.bounce(arguments[0], 0.02)
        case "stick":
            box.desk.network.stick(arguments[0])
        case "unstick":
            box.desk.network.unstick(arguments[0])
        case "unplug":
            box.desk.bus.unplug()
        case "plug":
            box.desk.bus.plug()
        case "fault":
            box.desk.bus.fault(arguments[0])
        case "wait":
            box.wait(arguments[0])


def playable(box):
    return box.phase == "your_turn" and "." in box.session.board


@pytest.mark.untraced
@settings(max_examples=20)
@given(CONFIG, st.integers(0, 1000), st.lists(ACTION, max_size=10))
def test_thirty_seconds_and_two_taps_lead_back_to_a_board(config, seed, actions):
    box = VirtualBox(config, seed)
    for action, *arguments in actions:
        do(box, action, *arguments)
        match = box.session.match
        assert Match.replay(match.rule, match.human, match.moves).cells == match.cells
    for key in range(9):
        box.desk.network.release(key)
        box.desk.network.unstick(key)
    box.desk.bus.plug()
    taps = 0
    # Another 30 seconds at most, taps where they help.
    box.wait(22)
    while not playable(box) and taps < 2:
        cells = [cell for cell, mark in enumerate(box.session.board) if mark != "."]
        box.tap(cells[0] if cells else 4)
        taps += 1
        box.wait_until(lambda: playable(box), 4)
    assert playable(box), box.phase
    assert not box.desk.network.shorts
    box.wait(125)  # by then a lost display has been retried, and one that lost its memory refreshed
    assert box.desk.chip.picture() == render(view(box.session))


@pytest.mark.parametrize("rule", ["classic", "misere", "vanishing"])
@pytest.mark.parametrize("level", ["easy", "perfect"])
def test_the_box_plays_itself_by_every_rule(rule, level):
    box = VirtualBox(Config(Settings(players=0, rule=rule, level=level)), seed=1)
    assert box.wait_until(lambda: box.phase == "game_over", 600)
    assert box.wait_until(lambda: box.phase == "thinking", 5)
