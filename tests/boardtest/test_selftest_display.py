"""The self-test of the display: bus, address and chip."""

import errno
import re
from unittest.mock import Mock

import pytest
from selftest_box import Box, bad
from timed_bus import slow_down

from appliance.boardtest.display import display
from appliance.boardtest.picture import edge, if_an_edge_is_missing, picture
from appliance.config.schema import WIDE, Config, DisplayConfig
from appliance.core.errors import UserError
from appliance.core.keys.diagnosis import FAILED, OK, OPEN, Check
from appliance.core.picture.raster import render
from appliance.core.picture.scene import PatternScene, Picture
from appliance.simulator.chips import EMULATED, Sh1106, Ssd1306, Ssd1309, Ssd1315


def ssd1306(**status):
    """Return a chip that answers with this status (`return_value`), or with an error (`side_effect`)."""
    chip = Ssd1306()
    chip.status = Mock(**status)
    return chip


def sh1106(*settings):
    what = "display chip: SH1106 or compatible (status 0x48), not SSD1306"
    return [(what, f"set {' and '.join(settings)} under display: in box.yaml")]


SILENT = OSError(errno.EREMOTEIO, "Remote I/O error")
NONE = "no display answers at 0x3c or 0x3d"
NO_PINS = "check its wires: check the pins of bus 7; power, ground"
NO_WIRES = "check its wires: SDA is BCM 2 (pin 3), SCL is BCM 3 (pin 5); power, ground"
SSD1306 = "display chip: SSD1306 or compatible (status 0x46), not SH1106"
UNKNOWN, AS = "display chip: unknown (status", "; driven as SSD1306"
SET_SSD1306 = 'set "driver: ssd1306" under display: in box.yaml'
ADDRESS = ("display answers at 0x3d, not at 0x3c", 'set "address: 0x3d" under display: in box.yaml')

BIG, NEW = {"driver": "ssd1309"}, {"driver": "ssd1315"}
like_ssd1306 = Ssd1309()
like_ssd1306.low_status = {64: 0x6}

# The configuration, the chip, its address; then the rows that are not "ok".
# fmt: off
DISPLAYS = {
    "at the other address": ({}, Ssd1306(), 0x3D, [ADDRESS]),
    "at an address of its own": ({"address": 0x3E}, Ssd1306(), 0x3E, []),
    "not there": ({}, Ssd1306(), 0x20, [(NONE, NO_WIRES)]),
    "not there, on another bus": ({"port": 7}, Ssd1306(), 0x20, [(NONE, NO_PINS)]),
    "an sh1106": ({}, Sh1106(), 0x3C, sh1106('"driver: sh1106"')),
    "an sh1106 for 128x32": ({"height": 32}, Sh1106(), 0x3C, sh1106('"driver: sh1106"', '"height: 64"')),
    "an ssd1306": ({"driver": "sh1106"}, Ssd1306(), 0x3C, [(SSD1306, SET_SSD1306)]),
    "128x32": ({"height": 32}, Ssd1306(height=32), 0x3C, []),
    "an ssd1309": (BIG, Ssd1309(), 0x3C, [(f"{UNKNOWN} 0x40); driven as SSD1309", "")]),
    "an ssd1309 like an ssd1306": (BIG, like_ssd1306, 0x3C, []),
    "an ssd1315": (NEW, Ssd1315(), 0x3C, [(f"{UNKNOWN} 0x40); driven as SSD1315", "")]),
    "an ssd1315 like an ssd1306": (NEW, Ssd1306(), 0x3C, []),
    "of another kind": ({}, ssd1306(return_value=0x05), 0x3C, [(f"{UNKNOWN} 0x05){AS}", "")]),
    "write-only": ({}, ssd1306(side_effect=SILENT), 0x3C, [(f"display chip: sends no status{AS}", "")]),
}
# fmt: on


@pytest.mark.parametrize(("settings", "chip", "address", "reported"), DISPLAYS.values(), ids=DISPLAYS)
def test_each_display_is_recognised(settings, chip, address, reported):
    rows = Box(Config(display=DisplayConfig(**settings)), chip, address).run()
    assert bad(rows) == reported
    assert Check("keys 1 to 9: read correctly", OK) in rows, "the keys are tested anyway"


@pytest.mark.parametrize("driver", EMULATED)
def test_the_display_is_lit(driver):
    box = Box(Config(display=DisplayConfig(driver=driver)), EMULATED[driver]())
    assert Check("display takes a picture", OK) in list(display(box))
    assert box.chip.picture() == render(Picture(PatternScene(edges=True)))


@pytest.mark.parametrize("driver", EMULATED)
def test_whoever_sees_an_edge_missing_is_told_what_to_change(driver):
    box = Box(Config(display=DisplayConfig(driver=driver)), EMULATED[driver]())
    box.reply = lambda prompt: lambda: "n" if prompt.word == "ask_frame" else "y"
    assert picture(box)["frame"] == "no"
    change = 'change "column: 2" (0 to 4): lower if it is the right one, higher if the left'
    remedy = change if driver in WIDE else 'set "driver: sh1106"'
    assert f"\n    If an edge is missing, under display: in box.yaml {remedy}.\n" in box.terminal


@pytest.mark.parametrize("rotate", [0, 180])
@pytest.mark.parametrize(("column", "now"), [(0, 2), (1, 2), (3, 2), (4, 2), (2, 0), (2, 4)])
def test_the_edge_of_an_sh1106_that_is_missing_tells_its_column(column, now, rotate):
    box = Box(Config(display=DisplayConfig("sh1106", rotate=rotate, column=now)), Sh1106(column=column))
    box.flash(edge(128, 64))
    rows = box.chip.picture().rows()
    seen = [row[::-1] for row in rows[::-1]] if rotate else rows
    lines = ["".join(pixels) for pixels in zip(*seen, strict=True)]
    (missing,) = (side for side, end in (("left", lines[:5]), ("right", lines[-5:])) if "#" * 64 not in end)
    advice = if_an_edge_is_missing(box.config.display, "box.yaml")
    way = re.search(rf"(lower|higher) if (?:it is )?the {missing}\b", advice)[1]
    assert way == ("lower" if column < now else "higher")
    assert f'"column: {now}" (0 to 4)' in advice


TOO_SLOW = "look for a loose wire; a bus below 10 kHz is too slow: set i2c_arm_baudrate in config.txt"
TIMED_OUT = "the display (ssd1306 at 0x3c on bus 1) does not answer ([Errno 110] Connection timed out)"


@pytest.mark.parametrize(("hertz", "reported"), [
    (100_000, []), (10_000, []), (6_250, []), (4_000, [(f"picture: {TIMED_OUT}", TOO_SLOW)]),
])  # fmt: skip
def test_a_bus_that_is_too_slow_for_a_picture(hertz, reported):
    box = Box()
    slow_down(box.bus, hertz, lambda _seconds: None)
    assert bad(box.run()) == reported


@pytest.mark.parametrize(("name", "found"), [
    ("dummy", [("display takes a picture", OK)]),
    ("nothing", [("picture: the display (luma.core.dev", FAILED)]),
])  # fmt: skip
def test_a_display_of_another_class_is_lit_and_the_bus_is_not_probed_for_it(name, found):
    driver = f"luma.core.device:{name}"
    box = Box(Config(display=DisplayConfig(driver=driver)))
    box.open_bus = Mock(side_effect=OSError(errno.ENOENT, "No such file or directory"))
    row, *others = [row for row in box.run() if "display" in row.what]
    assert row == Check(f"display: driven by {driver}, so the I2C bus is not probed", OPEN)
    assert [(other.what[:35], other.verdict) for other in others] == found
    assert "set" not in box.terminal
    assert {other.remedy for other in others} == {""}


@pytest.mark.parametrize(
    ("error", "what", "remedy"),
    [
        (FileNotFoundError(), "I2C bus 1: there is no /dev/i2c-1", "dtparam=i2c_arm=on"),
        (OSError("gone"), "I2C bus 1: gone", "SDA is BCM 2"),
    ],
)
def test_a_bus_that_cannot_be_opened(error, what, remedy):
    box = Box()
    box.open_bus = Mock(side_effect=error)
    [(reported, how)] = bad(box.run())
    assert (reported, remedy in how) == (what, True)


def test_a_bus_that_this_user_may_not_open():
    box = Box()
    box.open_bus = Mock(side_effect=PermissionError("permission denied: be in the group i2c"))
    with pytest.raises(UserError, match=r"^permission denied: be in the group i2c$"):
        list(display(box))


def answer(errors, usual):
    """Return a function that answers an address with its error, or with the usual one; 0 is none."""

    def talk(address):
        if code := errors.get(address, usual):
            raise OSError(code, "the adapter's message")
        return 0x46

    return talk


# The errors of a quick write, then of a read, by address; and the row that failed.
NOT_KNOWN, BUSY = dict.fromkeys((0x3C, 0x3D), errno.EOPNOTSUPP), errno.EBUSY
HELD = "display at 0x3c: a kernel driver holds it"
BUSES = {
    "an adapter without quick write": (NOT_KNOWN, {0x3C: 0}, None),
    "the same, and nobody there": (NOT_KNOWN, {}, NONE),
    "without any probe": (NOT_KNOWN, NOT_KNOWN, NONE),
    "held by the kernel": ({0x3C: BUSY, 0x3D: 0}, {0x3D: 0}, HELD),
    "the other address held by the kernel": ({0x3C: 0, 0x3D: BUSY}, {0x3C: 0}, None),
    "hangs": ({0x3C: errno.ETIMEDOUT}, {}, "I2C bus 1: the adapter's message"),
}


@pytest.mark.parametrize(("quick", "read", "what"), BUSES.values(), ids=BUSES)
def test_buses(quick, read, what):
    box = Box()
    box.bus.write_quick, box.bus.read_byte = answer(quick, errno.EREMOTEIO), answer(read, errno.ENXIO)
    box.bus.close = Mock()
    found = [row.what for row in box.run() if row.verdict == FAILED]
    assert found == ([what] if what else [])
    box.bus.close.assert_called()
