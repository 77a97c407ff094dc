"""From a switch that closes to the chip's memory, through every part, on a virtual clock."""

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from panel_rig import turned

from appliance.config import Config, KeypadConfig
from appliance.core.raster import render
from appliance.core.settings import Settings
from appliance.core.view import view
from appliance.simulator.virtual import VirtualBox

PERFECT = Config(Settings(first="you"))


def shown(box):
    """Whether the display shows what the session looks like, upside down if a menu has turned the box."""
    frame = render(view(box.session))
    return box.desk.chip.picture() == (turned(frame) if box.session.settings.turned else frame)


def free(box):
    return [cell for cell, mark in enumerate(box.session.board) if mark == "."]


def test_the_first_picture_is_on_the_display_at_once():
    box = VirtualBox(Config())
    assert box.lit
    assert shown(box)


@pytest.mark.parametrize("key", range(9))
@pytest.mark.parametrize("phase", [0.0, 0.0031, 0.0077, 0.0123, 0.0199])
def test_from_a_tap_to_the_mark_in_the_display_at_most_40_ms(key, phase):
    box = VirtualBox(PERFECT)
    box.wait(1 + phase)
    before, start = box.desk.chip.picture(), box.time
    box.desk.network.press(key)
    assert box.wait_until(lambda: box.desk.chip.picture() != before, 1.0)
    assert box.time - start <= 0.040
    assert box.session.board == "." * key + "x" + "." * (8 - key)


@pytest.mark.untraced
def test_wherever_the_human_plays_the_perfect_box_is_never_beaten():
    # Every way to play against it, by always choosing the n-th free cell.
    for choices in itertools.product(range(3), range(3), range(2), range(2)):
        box = VirtualBox(PERFECT, seed=sum(choices))
        for choice in (*choices, 0):
            if box.phase != "your_turn":
                break
            cells = free(box)
            box.tap(cells[choice % len(cells)])
            assert box.wait_until(lambda box=box: box.phase in {"your_turn", "game_over"})
            assert shown(box)
        assert box.phase == "game_over"
        assert box.session.match.game.outcome != "x"


@pytest.mark.untraced
@settings(max_examples=25)
@given(
    st.lists(st.tuples(st.integers(0, 8), st.floats(0.01, 1.5), st.floats(0, 2)), max_size=12),
    st.integers(0, 99),
)
def test_whatever_is_pressed_the_display_shows_the_session(presses, seed):
    box = VirtualBox(Config(), seed)
    for key, down, up in presses:
        box.tap(key, down)
        box.wait(up)
        assert shown(box)
    box.stop()
    assert box.phase == "ended"
    assert shown(box)
    assert box.lit


def test_other_pins_play_as_well():
    keypad = KeypadConfig(rows=(23, 24, 25), columns=(16, 20, 21))
    box = VirtualBox(Config(Settings(first="you"), keypad=keypad))
    box.tap(8)
    assert box.session.board == "........x"


def test_the_same_seed_gives_the_same_bytes():
    def play(seed):
        box = VirtualBox(Config(), seed)
        for key in (0, 8, 2, 6, 3, 5):
            box.tap(key)
            box.wait(1)
        return box.session.board, box.frames, box.desk.bus.bytes

    assert play(3) == play(3)


@pytest.mark.parametrize("seed", range(12))
def test_out_of_the_box_it_is_never_beaten(seed):
    box, chance = VirtualBox(Config(), seed), random.Random(seed)
    box.tap(0)
    while box.wait_until(lambda: box.phase in {"your_turn", "game_over"}) and box.phase == "your_turn":
        box.tap(chance.choice(free(box)))
    assert box.session.match.game.outcome in {"o", "draw"}


HELD = [  # keys down, for seconds; another key; words on the display; the keys left out 3 s later
    ((0,), 0.5, 8, "Button 1 is held down", (0,)),
    ((4,), 1.5, 0, "Button 5 is held down", (4,)),  # in the menu, which the held centre has opened
    ((0, 8), 0.5, 4, "Held down: 1, 9", (0, 8)),
    ((0, 1), 0.5, 3, "Held down: 1, 2", (0, 1)),  # three on a corner: the scan is ambiguous
    ((0, 1, 3), 0.5, 8, "Held down: 1, 2, 4, 5", (0, 1, 3, 4)),
    ((0,), 600.5, 8, "Button 1 is stuck", (0,)),  # asleep: a clean press wakes
    ((0, 1), 600.5, 3, "Held down: 1, 2", (0, 1)),  # asleep: so does an ambiguous one
]


@pytest.mark.parametrize(("held", "seconds", "key", "words", "left_out"), HELD)
def test_a_held_key_never_silences_the_others(held, seconds, key, words, left_out):
    """From the contact to the chip's memory in 0.2 s; three seconds later the held keys are left out."""
    box = VirtualBox(Config(Settings(players=2)))
    box.wait(1)
    for each in held:
        box.desk.network.press(each)
    box.wait(seconds)
    before, start = box.desk.chip.picture(), box.time
    box.desk.network.press(key)
    assert box.wait_until(lambda: box.desk.chip.picture() != before, 1.0)
    assert box.time - start <= 0.2
    assert words in str(view(box.session).scene)
    assert shown(box)
    box.release(key)
    box.wait(3)
    assert box.session.stuck == left_out
    assert shown(box)
