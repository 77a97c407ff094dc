"""What the display costs on the wire, counted by the bus: a mark, and a whole game beside stock luma.oled."""

import warnings

import pytest
from luma.core.interface.serial import i2c
from luma.oled.device import ssd1306

from appliance.config.schema import Config
from appliance.core.raster import render
from appliance.core.settings import Settings
from appliance.core.view import view
from appliance.devices.anyluma import to_image
from appliance.simulator.bus import SimulatedBus
from appliance.simulator.chips import Ssd1306
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


def test_a_game_with_a_menu_visit_costs_less_than_a_tenth_of_what_stock_luma_sends():
    box, frames = VirtualBox(PERFECT), []
    panel, count = box.loop.parts.panel, box.desk.bus.bytes
    show = panel.show_frame
    panel.show_frame = lambda frame, *rest: (frames.append(frame), show(frame, *rest))
    box.tap(0)
    assert box.wait_for("your_turn")
    box.tap(2, 1.3)
    box.wait_for("your_turn")
    box.tap(4, 1.3)
    assert box.phase == "menu"
    box.tap(4)
    while box.phase != "game_over":
        box.tap(box.session.board.index("."))
        box.wait_until(lambda: box.phase in {"your_turn", "game_over"})
    box.wait(5)
    ours = box.desk.bus.bytes - count

    bus = SimulatedBus()
    bus.attach(0x3C, Ssd1306())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # luma.oled still calls Image.getdata
        stock = ssd1306(i2c(bus=bus, address=0x3C))
        stock.persist = True
        count = bus.bytes
        for frame in frames:
            stock.display(to_image(frame))
    theirs = bus.bytes - count
    print(f"{len(frames)} frames, {ours} bytes; stock luma.oled {theirs}: {ours / theirs:.3f}")  # noqa: T201
    assert ours < theirs / 10
