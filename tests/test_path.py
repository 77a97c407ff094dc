"""From a switch to the chip's memory, through every part, on a virtual clock, whatever happens."""

import random
from contextlib import nullcontext
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from panel_rig import turned
from session_rig import last_open

from appliance.config.schema import Config, KeypadConfig
from appliance.core.keys import gestures
from appliance.core.picture.raster import render
from appliance.core.picture.scene import BoardScene, Overview, Picture, Tile
from appliance.core.session.form import form_of
from appliance.core.session.match import Match
from appliance.core.session.settings import FIRST, LEVEL_NAMES, PLAYERS, Options, Settings
from appliance.core.session.two_people import person
from appliance.core.session.view import view
from appliance.devices.keypad import Keypad
from appliance.simulator import scenario
from appliance.simulator.virtual import VirtualBox
from engine import RULES


def shown(box):
    """Whether the display shows what the session looks like, upside down if a menu has turned the box."""
    frame = render(view(box.session))
    return box.hardware.chip.picture() == (turned(frame) if box.session.settings.turned else frame)


def free(box):
    return [cell for cell, mark in enumerate(box.session.board) if mark == "."]


@settings(max_examples=8)
@given(
    st.lists(st.tuples(st.integers(0, 8), st.floats(0.01, 1.5), st.floats(0, 2)), max_size=12),
    st.integers(0, 99),
)
def test_whatever_is_pressed_the_display_shows_the_session(presses, seed):
    box = VirtualBox(Config(), seed)
    assert box.lit
    assert shown(box)
    for key, down, up in presses:
        box.tap(key, down)
        box.wait(up)
        assert shown(box)
    box.stop()
    assert box.phase == "ended"
    assert shown(box)
    assert box.lit


def test_each_step_of_a_whole_game_on_nine_boards_is_on_the_display(tmp_path):
    """Choices, one of them given up, an undo across one, cuts of the power, the end."""
    story = scenario.read_scenario(Path(__file__).parent / "scenarios" / "ultimate.yaml")
    box = VirtualBox(story.config, story.seed, tmp_path)
    choices = 0
    for name, value in story.steps:
        assert not scenario.STEPS[name].play(box, value)
        choices += name == "tap" and box.session.picked is not None
        assert not box.lit or shown(box), (name, value)
    assert (box.phase, choices) == ("game_over", 8)


def test_from_a_key_to_the_chip_the_last_open_board_needs_no_choice():
    """The chip shows its cells, and the key plays there at once."""
    moves, game = last_open()
    box = VirtualBox(Config(Settings(rule="ultimate", players=2), Options(drift=0.0)))
    for ply, move in enumerate(moves):
        if form_of(game).board(box.session.match.game, None) is None:
            box.tap(move // 9)
            box.wait(0.6)
        box.tap(move % 9)
        box.wait(1.5)
        assert box.session.match.moves == moves[: ply + 1]
    start = 9 * game.boards.index(".")
    frame = box.hardware.chip.picture().rows()
    tiles = tuple(Tile(mark.strip(".")) for mark in game.cells[start : start + 9])
    side = Overview(game.cells, game.boards, game.boards.index("."), last=moves[-1])
    assert (
        frame
        == render(Picture(BoardScene(tiles, mark=person(box.session.match, game.to_move), side=side))).rows()
    )
    box.tap(game.moves()[0] % 9)
    assert box.session.match.moves == (*moves, game.moves()[0])
    assert box.hardware.chip.picture().rows() != frame
    assert shown(box)


def test_other_pins_play_as_well():
    keypad = KeypadConfig(rows=(23, 24, 25), columns=(16, 20, 21))
    box = VirtualBox(Config(Settings(first="you"), keypad=keypad))
    box.tap(8)
    assert box.session.board == "........x"


@pytest.mark.parametrize("seed", range(12))
def test_a_perfect_box_is_never_beaten(seed):
    box, chance = VirtualBox(Config(Settings(level="perfect")), seed), random.Random(seed)
    while box.wait_until(lambda: box.phase in {"your_turn", "game_over"}) and box.phase == "your_turn":
        box.tap(chance.choice(free(box)))
        assert shown(box)
    assert box.session.match.game.outcome in {"o", "draw"}


HELD = [  # keys down, for seconds; another key; words on the display; the keys left out 3 s later
    ((0,), 0.5, 8, "Button 1 is held down", (0,)),
    ((4,), 1.5, 0, "Button 5 is held down", (4,)),  # in the menu, which the held centre has opened
    ((0, 8), 0.5, 4, "Held down: 1, 9", (0, 8)),
    ((0, 1), 0.5, 3, "Held down: 1, 2", (0, 1)),  # three on a corner: the scan is ambiguous
    ((0, 1, 3), 0.5, 8, "Held down: 1, 2, 4, 5", (0, 1, 3, 4)),
    ((0,), 32.0, 8, "Button 1 is stuck", (0,)),  # asleep: a clean press wakes
    ((0, 1), 32.0, 3, "Held down: 1, 2", (0, 1)),  # asleep: so does an ambiguous one
]


@pytest.mark.parametrize(("held", "seconds", "key", "words", "left_out"), HELD)
def test_a_held_key_never_silences_the_others(held, seconds, key, words, left_out):
    """From the contact to the chip's memory in 0.2 s; three seconds later the held keys are left out."""
    box = VirtualBox(Config(Settings(players=2), Options(off=31.0)))
    box.wait(1)
    for each in held:
        box.hardware.network.press(each)
    box.wait(seconds)
    before, start = box.hardware.chip.picture(), box.time
    box.hardware.network.press(key)
    assert box.wait_until(lambda: box.hardware.chip.picture() != before, 1.0)
    assert box.time - start <= 0.2
    assert words in str(view(box.session).scene)
    assert shown(box)
    box.release(key)
    box.wait(3)
    assert box.session.stuck == left_out
    assert shown(box)


KEY = st.integers(0, 8)
# fmt: off
ACTION = st.one_of(*(st.tuples(st.just(name), *arguments) for name, *arguments in [
    ("tap", KEY),
    ("tap", KEY),
    ("tap", KEY, st.sampled_from([0.3, 0.9, 1.1, 4.0])),
    ("tap", st.just(4), st.just(1.1)),  # the menu
    ("chord", KEY, KEY),
    ("bounce", KEY, st.just(0.02)),
    ("stick", KEY),
    ("unstick", KEY),
    ("unplug",),
    ("plug",),
    ("fault", st.integers(1, 300)),
    ("wait", st.sampled_from([0.05, 0.5, 3.0, 6.0, 15.0])),
]))
# fmt: on
# Made by a function: of a named tuple's own fields st.builds would choose those too that are not given here.
CONFIG = st.builds(
    lambda level, first, players, rule, attract: Config(
        Settings(level, rule, first, players),
        Options(menu=4.0, dim=5.0, off=12.0, attract=attract),
    ),
    *(st.sampled_from(list(values)) for values in (LEVEL_NAMES, FIRST, PLAYERS, RULES, (False, True))),
)


def playable(box):
    return box.phase == "your_turn" and "." in box.session.board


def act(box, action, *arguments):
    if action != "chord" or arguments[0] != arguments[1]:
        owner = next(one for one in (box, box.hardware.network, box.hardware.bus) if hasattr(one, action))
        getattr(owner, action)(*arguments)


@patch.object(gestures, "STUCK", 3.0)
@settings(max_examples=20)
@given(CONFIG, st.integers(0, 1000), st.lists(ACTION, max_size=10))
@example(Config(), 0, [("tap", 4, 1.1), ("tap", 7), ("tap", 5)])  # opens the self-test
def test_six_seconds_and_two_taps_lead_back_to_a_board(config, seed, actions):
    box = VirtualBox(config, seed)
    for action, *arguments in actions:
        act(box, action, *arguments)
        match = box.session.match
        assert Match.replay(match.rule, match.human, match.moves).game == match.game
    for key in range(9):
        box.hardware.network.release(key)
        box.hardware.network.unstick(key)
    box.hardware.bus.plug()
    taps = 0
    box.wait(6)  # the menu has closed
    if box.phase == "self_test":
        box.wait_until(lambda: box.phase != "self_test", 240)  # it ends by itself if nobody presses
    while not playable(box) and taps < 2:
        cells = [cell for cell, mark in enumerate(box.session.board) if mark != "."]
        box.tap(cells[0] % 9 if cells else 4)  # a key: of a cell of nine boards the one in its place
        taps += 1
        box.wait_until(lambda: playable(box), 4)
    assert playable(box), box.phase
    assert not box.hardware.network.shorts
    if not shown(box):
        box.wait(125)  # by then a lost display has been retried, and one that lost its memory refreshed
        box.tap(0)  # a display that came back in the dark gets its picture when the box wakes
        box.wait(1)
    assert shown(box)


def test_a_day_with_a_stuck_key_takes_few_polls():
    box = VirtualBox(Config(Settings(first="you")))
    box.hardware.network.stick(2)
    with patch.object(Keypad, "poll", autospec=True, side_effect=Keypad.poll) as poll:
        box.wait(86_000)
    assert box.session.stuck == (2,)
    assert poll.call_count < 20_000
    box.hardware.network.unstick(2)
    box.wait(0.6)
    assert box.session.stuck == ()


@patch.object(gestures, "STUCK", 3.0)
@settings(max_examples=10)
@given(CONFIG, st.lists(ACTION, max_size=6))
def test_a_poll_that_the_simulator_leaves_out_would_have_changed_nothing(config, actions):
    ends = []
    for every_poll in (False, True):
        box = VirtualBox(config)
        box.wait(0.0017)  # or contacts would move at the very moment of a poll
        with patch.object(Keypad, "settled", new=False) if every_poll else nullcontext():
            for action in actions:
                act(box, *action)
        session = box.session
        ends.append((session.phase, session.board, session.stuck, session.page, session.settings, box.lit))
    assert ends[0] == ends[1]


@pytest.mark.parametrize("rule", ["classic", "misere", "vanishing"])
@pytest.mark.parametrize("level", ["easy", "adaptive", "perfect"])
def test_the_box_plays_itself_by_every_rule(rule, level):
    box = VirtualBox(Config(Settings(players=0, rule=rule, level=level)), seed=1)
    assert box.wait_until(lambda: box.phase == "game_over", 600)
    assert box.wait_until(lambda: box.phase == "thinking", 5)
