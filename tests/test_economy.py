"""What the display costs on the wire, counted by the bus. tests/test_benchmark.py has a whole game."""

import pytest

from appliance.config.schema import Config
from appliance.core.raster import render
from appliance.core.settings import Settings
from appliance.core.view import view
from appliance.simulator.virtual import VirtualBox

PERFECT = Config(Settings(first="you"))


@pytest.mark.parametrize("before", [(), (0, 8), (8, 1)], ids=str)
@pytest.mark.parametrize("key", range(9))
def test_one_mark_costs_at_most_52_bytes_and_45_ms_at_100_khz(key, before):
    box = VirtualBox(PERFECT)
    for cell in before:
        if box.session.board[cell] == ".":
            box.tap(cell)
            assert box.wait_for("your_turn")
    if box.session.board[key] != ".":
        return
    box.wait(3)
    count, start = box.desk.bus.bytes, box.time
    box.desk.network.press(key)
    assert box.wait_until(lambda: box.phase == "placed", 1.0)
    sent = box.desk.bus.bytes - count
    assert 0 < sent <= 52
    assert box.time - start + sent * 9 / 100_000 <= 0.045  # a byte and its acknowledge are nine bits


def test_an_unchanged_picture_costs_nothing_and_a_shift_down_one_command():
    box = VirtualBox(PERFECT)
    box.wait(3)
    picture, count = view(box.session), box.desk.bus.bytes
    box.wait(50)
    assert box.desk.bus.bytes == count
    box.loop.parts.panel.show(picture._replace(shift=(0, 1)), box.time)
    assert box.desk.bus.bytes - count == 3
    assert box.desk.chip.picture() == render(picture._replace(shift=(0, 1)))
