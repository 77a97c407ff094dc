"""Our own display drivers over the emulated chips: their bytes, and what a person sees meanwhile."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from luma.core.render import canvas
from panel_rig import INIT, INIT_SH1106, OFF, ON, PanelRig, hexes, marked, pattern, turned

from appliance.core.canvas import Frame
from appliance.core.scene import Light
from appliance.devices import i2c
from appliance.devices.i2c import I2cSerial
from appliance.devices.images import to_frame, to_image
from appliance.devices.oled import Ssd1306 as OledSsd1306
from appliance.simulator.bus import SimulatedBus
from appliance.simulator.chips import Ssd1306


@pytest.fixture
def rig():
    return PanelRig()


def test_the_first_frame_byte_by_byte(rig):
    rig.panel.show_frame(pattern(), ON, 0.0)
    expected = hexes(INIT, "00 21007f 220007", "40" + pattern().data.hex(), "00 af")
    assert rig.sent() == expected
    assert rig.chip.picture() == pattern()
    assert rig.bus.bytes == sum(1 + len(line) // 2 for line in expected)


def test_one_mark_costs_at_most_sixty_bytes(rig):
    rig.panel.show_frame(pattern(), ON, 0.0)
    before = rig.bus.bytes, rig.bus.transactions
    rig.sent()
    rig.panel.show_frame(marked(pattern()), ON, 1.0)
    content = b"".join(marked(pattern()).page(page)[24:39] for page in (1, 2, 3))
    assert rig.sent() == hexes("00 211826 220103", "40" + content.hex())
    assert (rig.bus.bytes - before[0], rig.bus.transactions - before[1]) == (55, 2)
    # The same place again: the chip's window is still set, and its pointers are back at the start.
    rig.panel.show_frame(pattern(), ON, 2.0)
    assert rig.sent() == ["40" + b"".join(pattern().page(page)[24:39] for page in (1, 2, 3)).hex()]
    assert rig.chip.picture() == pattern()


def test_contrast_and_light_alone(rig):
    rig.panel.show_frame(pattern(), ON, 0.0)
    rig.sent()
    for light, sent, lit in [
        (Light(on=True, contrast=0x7F), [], True),
        (Light(contrast=5), ["00 8105"], True),
        (OFF, ["00 ae"], False),
        (Light(on=False, contrast=9), [], False),
        (Light(contrast=9), ["00 8109", "00 af"], True),
    ]:
        rig.panel.show_frame(pattern(), light, 1.0)
        assert (rig.sent(), rig.chip.lit) == (hexes(*sent), lit)
    assert rig.chip.contrast == 9


def test_dark_before_the_frame_goes_and_lit_after_it_has_come(rig):
    rig.panel.show_frame(pattern(), ON, 0.0)
    rig.sent()
    rig.panel.show_frame(marked(pattern(), [(0, 0)]), OFF, 1.0)
    assert rig.sent()[0] == "00ae"
    rig.panel.show_frame(pattern(), ON, 2.0)
    assert rig.sent()[-1] == "00af"


@pytest.mark.parametrize(
    ("driver", "height", "init", "whole", "mark"),
    [("ssd1306", 64, INIT, 1065, 55), ("ssd1306", 32, INIT, 553, 55), ("sh1106", 64, INIT_SH1106, 1107, 66)],
)
@pytest.mark.parametrize("address", [0x3C, 0x3D])
@pytest.mark.parametrize("rotate", [0, 180])
def test_every_kind_of_display(driver, height, init, whole, mark, address, rotate):
    rig = PanelRig(driver, height, address=address, rotate=rotate)
    frame = pattern(height)
    seen = turned if rotate else lambda frame: frame
    if height == 32:
        init = init.replace("a83f", "a81f").replace("da12", "da02")
    if rotate:
        init = init.replace("a1 c8", "a0 c0")
    rig.panel.show_frame(frame, ON, 0.0)
    assert rig.chip.picture() == seen(frame)
    assert rig.sent()[0] == init.replace(" ", "")
    assert rig.bus.bytes == whole
    rig.panel.show_frame(marked(frame), ON, 1.0)
    assert rig.chip.picture() == seen(marked(frame))
    assert rig.bus.bytes == whole + mark


def test_an_adapter_that_knows_only_smbus_blocks():
    rig = PanelRig(smbus_only=True)
    rig.panel.show_frame(pattern(), ON, 0.0)
    assert rig.chip.picture() == pattern()
    assert max(len(line) // 2 for line in rig.sent()) == 33


@pytest.mark.parametrize("driver", ["ssd1306", "sh1106"])
def test_nothing_but_the_frame_is_ever_seen_on_a_cold_display(driver):
    rig = PanelRig(driver)
    seen = []
    rig.after = lambda: seen.append(rig.chip.picture())
    rig.panel.show_frame(pattern(), ON, 0.0)
    assert seen == [Frame.blank()] * (len(seen) - 1) + [pattern()]


@pytest.mark.parametrize("driver", ["ssd1306", "sh1106"])
def test_a_lit_display_is_taken_over_without_going_dark(driver):
    splash = PanelRig(driver)
    splash.panel.show_frame(pattern(), ON, 0.0)
    rig = PanelRig(driver, chip=splash.chip)
    lit = []
    rig.after = lambda: lit.append(rig.chip.lit)
    rig.panel.show_frame(marked(pattern()), ON, 0.0)
    assert all(lit)
    assert rig.chip.picture() == marked(pattern())


def test_turning_is_done_by_the_chip_in_the_dark(rig):
    rig.panel.turn(False, 0.0)
    assert rig.panel.due() is None
    rig.panel.show_frame(pattern(), ON, 0.0)
    assert rig.chip.picture() == pattern()
    seen = []
    rig.after = lambda: seen.append(rig.chip.picture())
    rig.panel.turn(True, 1.0)
    assert rig.chip.picture() == turned(pattern())
    assert set(seen) == {Frame.blank(), turned(pattern())}
    rig.sent()
    rig.panel.turn(True, 2.0)
    assert rig.sent() == []
    rig.panel.turn(False, 3.0)
    assert rig.chip.picture() == pattern()


@pytest.mark.parametrize("options", [{}, {"driver": "sh1106"}, {"height": 32}, {"rotate": 180}], ids=str)
@pytest.mark.parametrize("lower", [0, 1, 2])
def test_a_picture_stands_lower_by_a_register_where_there_is_one(options, lower):
    rig = PanelRig(options.pop("driver", "ssd1306"), options.pop("height", 64), **options)
    height = rig.chip.height
    frame = Frame(128, height, bytes(range(128)) * (height // 8)).lowered(0)
    shown = Frame(
        128, height, bytes(128 * height // 8 - 128) + bytes([1] * 128)
    )  # the last page but two rows
    for picture in (frame, shown):
        rig.panel.show_frame(picture, Light(lower=lower), 1.0)
        upright = rig.chip.picture().data
        if options:
            upright = bytes(int(f"{byte:08b}"[::-1], 2) for byte in reversed(upright))
        assert upright == picture.lowered(lower).data
    rig.sent()
    rig.panel.show_frame(shown, Light(lower=lower + 1), 2.0)
    assert len(rig.sent()) == 1 if height == 64 else True
    assert list(rig.panel._display.refresh()) is not None
    assert rig.chip.lit


def test_luma_users_can_draw_on_it():
    bus, chip = SimulatedBus(), Ssd1306()
    bus.attach(0x3C, chip)
    device = OledSsd1306(I2cSerial(lambda: bus, 0x3C), 128, 64, 0)
    with canvas(device) as draw:
        draw.rectangle((10, 20, 19, 29), fill="white")
    box = {(x, y) for x in range(10, 20) for y in range(20, 30)}
    shown = chip.picture()
    assert {(x, y) for x in range(128) for y in range(64) if shown.pixel(x, y)} == box
    before = bus.bytes
    with canvas(device) as draw:
        draw.rectangle((10, 20, 19, 30), fill="white")
    assert chip.picture().pixel(10, 30)
    assert bus.bytes - before == 20
    with pytest.raises(ValueError, match="128x32 for a display of 128x64"):
        device.update(Frame.blank(128, 32), ON)
    device.cleanup()
    assert chip.lit


@given(st.sampled_from([32, 64]), st.integers(0, 2**32))
def test_images_and_frames_are_the_same_pictures(height, seed):
    import random  # noqa: PLC0415 - only here

    frame = Frame(128, height, random.Random(seed).randbytes(16 * height))
    image = to_image(frame)
    assert image.size == (128, height)
    for x, y in [(0, 0), (127, 0), (0, height - 1), (127, height - 1), (77, 13), (8, 9)]:
        assert bool(image.getpixel((x, y))) == frame.pixel(x, y)
    assert to_frame(image) == frame


def test_the_kernel_waits_half_a_second_at_most_for_a_transaction(monkeypatch):
    calls = []

    class Bus:
        fd = 7

        def __init__(self, port):
            assert port == 1

    monkeypatch.setattr("smbus2.SMBus", Bus)
    monkeypatch.setattr("fcntl.ioctl", lambda *arguments: calls.append(arguments))
    assert isinstance(i2c.open_smbus(1), Bus)
    assert calls == [(7, 0x0702, 50)]  # in units of 10 ms
