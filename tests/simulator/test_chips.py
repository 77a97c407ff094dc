"""The display chips, byte by byte: what their datasheets say, and how they respond to stock luma.oled."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from luma.core.interface.serial import i2c
from luma.oled.device import ssd1306
from panel_rig import pattern, turned
from PIL import Image

from appliance.core.picture.canvas import Frame
from appliance.devices.i2c import I2cSerial
from appliance.simulator.bus import SimulatedBus
from appliance.simulator.chip import ChipError
from appliance.simulator.chips import Sh1106, Ssd1306, Ssd1309, Ssd1315

LIT = "8d 14 af"
UPRIGHT = "a1 c8"
REJECTED = {
    Ssd1306: """23, 2b, 30, 82, a2, a9, ad, b8, c1, d4, e0, ff, 26, 29, 2f, a3,
20 03, 20 10, 21 05 04, 21 00 80, 22 03 02, 22 00 08, a8 0e, a8 40, d3 40,
8d 04, d9 0f, d9 f0, da 00, da 42, db 50, 20 00 b0, 20 00 01, 20 00 11, 20 01 11""",
    Ssd1309: "8d 14, ad, 20 03, 21 00 80, 22 00 08, a8 40, db 20, db 40, 20 00 b0",
    Ssd1315: "81 00, 8d 04, 8d 15, ad 01, ad 40, db 40, db 34, 20 03, 20 00 b0",
    Sh1106: "20 00, 21 00 7f, 22 00 07, 2e, 8d 14, ae ad 00, ad 8c, 34, a8 40",
}


def send(chip, commands="", data=b""):
    """Send commands (hexadecimal) in one transaction, and then data in another."""
    if commands:
        chip.write(b"\x00" + bytes.fromhex(commands))
    if data:
        chip.write(b"\x40" + bytes(data))


def cleared(chip):
    """Return the chip as after power-on, but with its memory all 0."""
    chip._memory[:] = bytes(len(chip._memory))
    return chip


def stored(chip):
    """Return the bytes of the memory that are not 0, by page and column address."""
    return {divmod(at, chip.columns): byte for at, byte in enumerate(chip.memory) if byte}


def picture_of(frame, commands, chip=None):
    """Return the picture after these commands and a frame written by address."""
    chip = chip or Ssd1306(height=frame.height)
    send(chip, f"20 00 22 00 {len(frame.pages) - 1:02x} {commands} {LIT}", frame.data)
    return chip.picture()


def test_power_on_gives_garbage_and_darkness():
    chip = Ssd1306(seed=1)
    assert chip.memory == Ssd1306(seed=1).memory != Ssd1306(seed=2).memory
    assert (chip.lit, chip.contrast, chip.inverted, chip.mode) == (False, 0x7F, False, 2)
    assert Sh1106().contrast == 0x80
    first = chip.memory
    send(chip, f"81 10 a7 {LIT}")
    assert chip.picture() != Frame.blank()
    chip.power_off()
    assert (chip.lit, chip.picture()) == (False, Frame.blank())
    chip.power_on()
    assert (chip.lit, chip.contrast, chip.inverted) == (False, 0x7F, False)
    assert chip.memory != first


@pytest.mark.parametrize(("commands", "data", "expected"), [
    # Page addressing, the mode after reset: B0 the page, 00 and 10 the column's nibbles.
    ("b3 05 12", [1, 2], {(3, 0x25): 1, (3, 0x26): 2}),
    ("b7 0f 17", [1, 2], {(7, 127): 1, (7, 0): 2}),
    # Horizontal: along the window's columns, then the next page; after the last byte the first.
    ("20 00 21 7e 7f 22 02 03", [1, 2, 3, 4], {(2, 126): 1, (2, 127): 2, (3, 126): 3, (3, 127): 4}),
    ("20 00 21 7e 7f 22 02 03", [1, 2, 3, 4, 5], {(2, 126): 5, (2, 127): 2, (3, 126): 3, (3, 127): 4}),
    # Vertical: down the window's pages, then the next column; after the last byte the first.
    ("20 01 21 05 06 22 02 03", [1, 2, 3, 4], {(2, 5): 1, (3, 5): 2, (2, 6): 3, (3, 6): 4}),
    ("20 01 21 05 06 22 02 03", [1, 2, 3, 4, 5], {(2, 5): 5, (3, 5): 2, (2, 6): 3, (3, 6): 4}),
    # Each window command moves only its own pointer.
    ("20 00 21 05 06 22 02 03 21 08 08", [1], {(2, 8): 1}),
    # A window on other columns keeps the current page.
    ("20 00 21 00 01 22 02 03 / 21 08 09", [1, 2], {(2, 0): 1, (2, 1): 2, (3, 8): 1, (3, 9): 2}),
    # In page mode windows move no pointer.
    ("b1 03 10 21 10 20 22 02 03", [9], {(1, 3): 9}),
    # A pointer that another mode left outside the window wraps into it at the end of the memory.
    ("21 00 10 22 00 01 b7 0f 17 20 00", [1, 2], {(7, 127): 1, (0, 0): 2}),
])  # fmt: skip
def test_addressing(commands, data, expected):
    chip = cleared(Ssd1306())
    for each in commands.split(" / "):
        send(chip, each, data)
    assert stored(chip) == expected


def test_nothing_lights_unless_the_charge_pump_is_on_before_the_display():
    chip = Ssd1306()
    steps = {"af": False, "8d 14": False, "e3 af": True, "8d 10": False, "8d 14 af": True, "ae": False}
    for commands, lit in steps.items():
        send(chip, commands)
        assert chip.lit is lit, commands


def test_the_ssd1309_needs_no_charge_pump_and_has_other_levels():
    chip = Ssd1309()
    send(chip, f"20 00 22 00 07 {UPRIGHT} db 34 af", pattern().data)
    assert (chip.status(), chip.picture()) == (0x00, pattern())


def test_the_ssd1315_is_an_ssd1306_with_more_voltages():
    for voltage in ("14", "94", "95"):
        chip = Ssd1315()
        send(chip, f"20 00 22 00 07 {UPRIGHT} db 10 ad 30 8d {voltage} af", pattern().data)
        assert (chip.status(), chip.picture()) == (0x00, pattern())
    send(chip, "8d 10")
    assert not chip.lit


def test_the_control_byte_separates_commands_and_data():
    chip = cleared(Ssd1306())
    # Co set: one byte, then another control byte; commands and data in one transaction.
    chip.write(bytes.fromhex("80 b1 80 02 80 10 c0 aa 40 bb cc"))
    assert stored(chip) == {(1, 2): 0xAA, (1, 3): 0xBB, (1, 4): 0xCC}
    chip.write(b"")
    chip.write(b"\x00")  # a probe
    chip.write(b"\x40")
    for byte in (0x81, 0x33):  # arguments may come in a later transaction
        chip.write(bytes([0x00, byte]))
    assert chip.contrast == 0x33


@pytest.mark.parametrize("payload", ["01 af", "7f 00", "80", "c0", "80 af 80", "80 81 40 01"])
def test_bad_framing(payload):
    complaint = "data while a command waits" if payload == "80 81 40 01" else "control byte"
    with pytest.raises(ChipError, match=complaint):
        Ssd1306().write(bytes.fromhex(payload))


@pytest.mark.parametrize(
    ("kind", "commands"), [(kind, each) for kind in REJECTED for each in re.split(r",\s", REJECTED[kind])]
)
def test_a_command_that_the_chip_does_not_have_is_rejected(kind, commands):
    with pytest.raises(ChipError):
        send(kind(), commands)


@pytest.mark.parametrize("commands", ["2e", "d5 f0", "d9 22", "db 30", "da 32", "e3"])
def test_some_commands_have_no_visible_effect(commands):
    chip = Ssd1306()
    before = (chip.memory, chip.picture(), chip.mode)
    send(chip, commands)
    assert (chip.memory, chip.picture(), chip.mode) == before


@given(
    st.lists(st.binary(max_size=20), max_size=10), st.sampled_from([Ssd1306, Ssd1309, Sh1106]), st.booleans()
)
def test_no_bytes_do_anything_but_work_or_raise_chip_error(payloads, kind, torn):
    chip = kind()
    for payload in payloads:
        try:
            chip.write(payload, torn=torn)
        except ChipError:
            break
    assert len(chip.memory) == 8 * chip.columns
    assert len(chip.picture().data) == 1024


def test_a_torn_command_takes_its_arguments_from_what_comes_next():
    chip = Ssd1306()
    send(chip, "20 00 21 10 1f 22 01 02")
    chip.write(bytes.fromhex("00 21"), torn=True)
    send(chip, "e3 e3")  # arguments beyond the last column: no error
    assert chip.column_window == (0x10, 0x1F)
    send(chip, "e3 81 44")
    assert chip.contrast == 0x44
    with pytest.raises(ChipError):
        send(chip, "21 e3 e3")


def test_the_scan_direction_turns_the_picture_and_segment_remap_what_is_written_later():
    frame, chip = pattern(), Ssd1306()
    assert picture_of(frame, UPRIGHT, chip) == frame
    assert chip.memory == frame.data
    send(chip, "a0")
    assert chip.picture() == frame
    send(chip, data=frame.data)
    assert chip.picture() == Frame(128, 64, b"".join(page[::-1] for page in frame.pages))
    assert picture_of(frame, UPRIGHT, chip) == frame
    send(chip, "c0")  # takes effect at once, without a write
    assert chip.picture().rows() == frame.rows()[::-1]
    assert picture_of(frame, "a0 c0") == turned(frame)


@pytest.mark.parametrize(("commands", "rows"), [
    # Multiplex 56, offset or start line 8, from the datasheet's table of COM pins: eight are idle.
    ("da 02 a8 37 d3 08", [*range(8, 56), *[None] * 8, *range(8)]),
    ("da 02 a8 37 48", [*range(8, 64), *[None] * 8]),
    ("da 02 c8", [*range(63, -1, -1)]),
    ("da 12", [*range(0, 64, 2), *range(1, 64, 2)]),  # the two halves of the pads alternate
    ("da 32", [*range(1, 64, 2), *range(0, 64, 2)]),  # the halves swapped
])  # fmt: skip
def test_com_pins_as_tabulated(commands, rows):
    chip = Ssd1306()
    send(chip, commands)
    assert [chip.row(pad) for pad in range(64)] == rows


@given(
    st.sampled_from([32, 64]), st.integers(0x0F, 0x3F), st.integers(0, 63), st.integers(0, 63),
    st.sampled_from(["da02", "da12", "da22", "da32"]), st.sampled_from(["c0", "c8"]),
    st.sampled_from(["a6", "a7", "a5"]),
)  # fmt: skip
def test_the_picture_is_what_a_loop_over_its_pixels_says(height, multiplex, line, offset, pins, scan, mode):
    chip = Ssd1306(height=height)
    send(chip, f"{LIT} a8{multiplex:02x} {0x40 | line:02x} d3{offset:02x} {pins} {scan} {mode}")
    picture, memory = chip.picture(), chip.memory
    for y in range(height):
        below = height - 1 - y
        row = chip.row(below // 2 + 32 * (below % 2) if height == 64 else below)
        for x in (0, 1, 127):
            bit = row is not None and memory[row // 8 * 128 + 127 - x] >> row % 8 & 1
            assert picture.pixel(x, y) == (row is not None and (mode == "a5" or bit != (mode == "a7")))


def test_the_status_has_the_kind_and_whether_it_is_on():
    for chip, status in ((Ssd1306(), 0x46), (Ssd1306(height=32), 0x43), (Sh1106(), 0x48)):
        assert chip.status() == status
        send(chip, "af")
        assert chip.status() == status & ~0x40


# SH1106


def test_the_sh1106_shows_the_middle_of_its_132_columns():
    chip = cleared(Sh1106())
    frame = pattern()
    mirrored = Frame(128, 64, b"".join(page[::-1] for page in frame.pages))
    for directions, picture in (("a0 c8", mirrored), (UPRIGHT, frame)):
        send(cleared(chip), f"{directions} af")
        for page in range(8):
            send(chip, f"{0xB0 | page:02x} 02 10", frame.pages[page])
        send(chip, UPRIGHT)  # too late for data already written
        assert chip.picture() == picture
    assert chip.memory == b"".join(b"\0\0" + page + b"\0\0" for page in frame.pages)


def test_the_sh1106_neither_wraps_nor_goes_on():
    chip = cleared(Sh1106())
    send(chip, "b2 03 18", [7])
    assert stored(chip) == {(2, 131): 7}
    with pytest.raises(ChipError, match="column 132: the memory ends"):
        send(chip, data=[8])


def test_the_dc_dc_converter_may_only_be_switched_while_dark():
    chip = Sh1106()
    send(chip, "af")
    assert chip.lit
    with pytest.raises(ChipError, match="while the display is on"):
        send(chip, "ad 8a")
    send(chip, "ae ad 8a af 31 db 35")
    assert not chip.lit


# Stock luma.oled


# luma's display() calls a deprecated function of Pillow; this test uses luma unmodified.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(("height", "serial", "cost"), [
    (64, lambda bus: i2c(bus=bus, address=0x3C), (1096, 33)),  # in blocks of 32 bytes
    (32, lambda bus: i2c(bus=bus, address=0x3C), (552, 17)),
    (64, lambda bus: I2cSerial(lambda: bus, 0x3C), (1040, 5)),  # in pieces of 256 bytes
    (32, lambda bus: I2cSerial(lambda: bus, 0x3C), (524, 3)),
])  # fmt: skip
def test_stock_luma_is_understood(height, serial, cost):
    bus, chip, frame = SimulatedBus(), Ssd1306(height=height), pattern(height)
    bus.attach(0x3C, chip)
    device = ssd1306(serial(bus), width=128, height=height)
    device.persist = True
    assert (chip.picture(), chip.lit, chip.contrast) == (Frame.blank(128, height), True, 0xCF)
    before = bus.bytes, bus.transactions
    image = Image.new("1", (128, height))
    image.putdata([255 * (pixel == "#") for row in frame.rows() for pixel in row])
    device.display(image)
    assert chip.picture() == frame
    assert (bus.bytes - before[0], bus.transactions - before[1]) == cost
