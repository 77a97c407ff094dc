"""What a tap costs, in time and in bytes on the wire. tests/test_benchmark.py has a whole game."""

import random

import pytest

from appliance.config.schema import Config
from appliance.core.picture.raster import render
from appliance.core.session.settings import Settings
from appliance.core.session.view import view
from appliance.devices import panel
from appliance.simulator.virtual import VirtualBox

PERFECT = Config(Settings(first="you"))


@pytest.mark.parametrize("key", range(9))
@pytest.mark.parametrize("phase", [0.0, 0.0031, 0.0077, 0.0123, 0.0199])
@pytest.mark.parametrize("before", [(), (0, 8), (8, 1)], ids=str)
def test_a_tap_takes_at_most_40_ms_to_the_display_and_costs_at_most_52_bytes(key, phase, before):
    """And 45 ms with the time that its bytes take on a bus at 100 kHz."""
    box = VirtualBox(PERFECT)
    for cell in before:
        if box.session.board[cell] == ".":
            box.tap(cell)
            assert box.wait_for("your_turn")
    if box.session.board[key] != ".":
        return
    box.wait(3 + phase)
    board, start = box.session.board, box.time
    picture, count = box.hardware.chip.picture(), box.hardware.bus.bytes
    box.hardware.network.press(key)
    assert box.wait_until(lambda: box.hardware.chip.picture() != picture, 1.0)
    assert box.time - start <= 0.040
    assert box.session.board == f"{board[:key]}x{board[key + 1 :]}"
    assert box.phase == "placed"
    sent = box.hardware.bus.bytes - count
    assert 0 < sent <= 52
    assert box.time - start + sent * 9 / 100_000 <= 0.045  # a byte and its acknowledge are nine bits


def test_the_signs_of_the_coach_cost_a_press_nothing():
    """They go when the press is final, after the mark is there."""
    sent = []
    for coach in (False, True):
        box = VirtualBox(Config(Settings(first="you", coach=coach)))
        box.wait(3)
        before = box.hardware.bus.bytes
        box.press(0)
        sent.append(box.hardware.bus.bytes - before)
    assert sent[0] == sent[1] <= 52


def test_an_unchanged_picture_costs_only_refreshes_and_a_shift_down_one_command():
    """test_panel.py has what a refresh costs, and what at rest."""
    box = VirtualBox(PERFECT)
    box.wait(3)
    picture, count = view(box.session), box.hardware.bus.bytes
    box.wait(1)
    assert box.hardware.bus.bytes == count
    box.wait(49)
    assert box.hardware.bus.bytes - count <= 250 * 49
    count = box.hardware.bus.bytes
    box.loop.parts.panel.show(picture._replace(shift=(0, 1)), box.time)
    assert box.hardware.bus.bytes - count == 3
    assert box.hardware.chip.picture() == render(picture._replace(shift=(0, 1)))


def test_a_turn_of_ultimate_costs_some_340_bytes_and_one_in_four_more_than_400(monkeypatch):
    """Each changes all of the large board, and the place of the active one; no frame is sent twice.

    Choosing a board costs more: the nine boards take the place of the one just played, and give it back, and
    a banner says how to choose another. So does winning one, a few times in a game: the line is drawn, and
    goes again.
    """
    for pause in ("IN_PLAY", "AT_REST", "TOUCH_UP", "TOUCH_UP_AFTER", "CONSTANT"):
        monkeypatch.setattr(panel, pause, 1e9)  # no refresh in between
    chance, sent, chosen = random.Random(1), [], []
    for _ in range(3):
        box = VirtualBox(Config(Settings(players=2, rule="ultimate")))
        box.wait(3)
        while box.phase != "game_over":
            game, count = box.session.match.game, box.hardware.bus.bytes
            if free := box.session.form.board(game, None) is None:
                box.tap(chance.choice([move // 9 for move in game.moves()]))
                box.wait(0.6)  # the same key again would be taken for a second tap
            board = box.session.form.board(game, box.session.picked)
            box.tap(chance.choice([move % 9 for move in game.moves() if move // 9 == board]))
            box.wait_until(lambda box=box: box.phase != "placed" and not box.session.slide)
            box.wait(0.1)
            free = free or box.session.form.board(box.session.match.game, None) is None
            (chosen if free else sent).append(box.hardware.bus.bytes - count)
    assert sum(sent) / len(sent) <= 341  # between two people, whose number changes with the mark
    assert sum(each > 400 for each in sent) / len(sent) <= 0.28
    assert max(sent) <= 800
    assert max(chosen) <= 1350
