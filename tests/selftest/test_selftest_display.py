"""The self-test of the display: bus, address, chip and pixels, and what it shows in the walk."""

import errno
import re
from unittest.mock import Mock

import pytest
from panel_rig import turned
from selftest_box import Box, bad

from appliance.config.schema import Config, DisplayConfig
from appliance.core.canvas import Frame
from appliance.core.diagnosis import FAILED, OK, OPEN, Row
from appliance.core.errors import UserError
from appliance.core.icons import tile_picture
from appliance.core.raster import Layout, render
from appliance.core.scene import PatternScene, Picture, Tile
from appliance.selftest.checks import checks
from appliance.simulator.chips import Sh1106, Ssd1306, Ssd1309


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
UNLIT = ("all pixels lit, all pixels dark, a frame along the edges", "")
NO_PINS = "check its wires: check the pins of bus 7; power, ground"
NO_WIRES = "check its wires: SDA is BCM 2 (pin 3), SCL is BCM 3 (pin 5); power, ground"
SSD1306 = "display chip: SSD1306 or compatible (status 0x46), not SH1106"
UNKNOWN, AS = "display chip: unknown (status", "; driven as SSD1306"
SET_SSD1306 = 'set "driver: ssd1306" under display: in box.yaml'
ADDRESS = ("display answers at 0x3d, not at 0x3c", 'set "address: 0x3d" under display: in box.yaml')

BIG = {"driver": "ssd1309"}
like_ssd1306 = Ssd1309()
like_ssd1306.low_status = {64: 0x6}

# The configuration, the chip, its address; then the rows that are not "ok".
# fmt: off
DISPLAYS = {
    "at the other address": ({}, Ssd1306(), 0x3D, [ADDRESS]),
    "at an address of its own": ({"address": 0x3E}, Ssd1306(), 0x3E, []),
    "not there": ({}, Ssd1306(), 0x20, [(NONE, NO_WIRES), UNLIT]),
    "not there, on another bus": ({"port": 7}, Ssd1306(), 0x20, [(NONE, NO_PINS), UNLIT]),
    "an sh1106": ({}, Sh1106(), 0x3C, sh1106('"driver: sh1106"')),
    "an sh1106 for 128x32": ({"height": 32}, Sh1106(), 0x3C, sh1106('"driver: sh1106"', '"height: 64"')),
    "an ssd1306": ({"driver": "sh1106"}, Ssd1306(), 0x3C, [(SSD1306, SET_SSD1306)]),
    "128x32": ({"height": 32}, Ssd1306(height=32), 0x3C, []),
    "an ssd1309": (BIG, Ssd1309(), 0x3C, [(f"{UNKNOWN} 0x40); driven as SSD1309", "")]),
    "an ssd1309 like an ssd1306": (BIG, like_ssd1306, 0x3C, []),
    "of another kind": ({}, ssd1306(return_value=0x07), 0x3C, [(f"{UNKNOWN} 0x07){AS}", "")]),
    "write-only": ({}, ssd1306(side_effect=SILENT), 0x3C, [(f"display chip: sends no status{AS}", "")]),
}
# fmt: on


@pytest.mark.parametrize(("settings", "chip", "address", "reported"), DISPLAYS.values(), ids=DISPLAYS)
def test_each_display_is_recognised(settings, chip, address, reported):
    rows = Box(Config(display=DisplayConfig(**settings)), chip, address).run()
    assert bad(rows) == reported
    assert Row("keys 1 to 9: each answers alone, as itself", OK) in rows, "the keys are tested all the same"
    if UNLIT not in reported:
        assert Row("all pixels lit", OK) in rows


def test_the_bus_is_not_probed_for_a_display_of_another_class():
    box = Box(Config(display=DisplayConfig(driver="luma.core.device:dummy")))
    box.open_bus = Mock(side_effect=OSError(errno.ENOENT, "No such file or directory"))
    [row, *_] = [row for row in box.run(None) if "display" in row.what]
    assert row == Row("display: driven by luma.core.device:dummy, so the I2C bus is not probed", OPEN)


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
    [(reported, how), unlit, _walk] = bad(box.run(None))
    assert (reported, unlit, remedy in how) == (what, UNLIT, True)


def test_a_bus_that_this_user_may_not_open():
    box = Box()
    box.open_bus = Mock(side_effect=PermissionError("permission denied: be in the group i2c"))
    with pytest.raises(UserError, match=r"^permission denied: be in the group i2c$"):
        list(checks(box, None))


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
    found = [row.what for row in box.run(None) if row.verdict == FAILED]
    assert found == ([what] if what else [])
    box.bus.close.assert_called()


@pytest.mark.parametrize(("answer", "verdict"), [(True, OK), (False, FAILED), (None, OPEN)])
def test_the_person_judges_the_pixels(answer, verdict):
    box, asked = Box(), []
    began = box.time

    def ask(_question):
        asked.append(box.chip.picture().data)
        return answer

    box.ask = ask
    rows = [row for row in box.run(None) if row.what.startswith(("all pixels", "a frame"))]
    assert [row.verdict for row in rows] == [verdict] * 3
    assert asked[:2] == [b"\xff" * 1024, bytes(1024)]
    assert asked[2] == render(Picture(PatternScene(edges=True))).data
    assert (box.time - began >= 3.0) == (answer is None), "shown for a second each"


WRONG = ("a frame along the edges: wrong", "check driver and height under display: in box.yaml; else the ")


class Beside(Ssd1306):
    """Shows its memory two columns beside it, as an SH1106 does that is driven as an SSD1306."""

    def picture(self):
        picture, two = super().picture(), slice(2, None)
        pages = [picture.data[at : at + picture.width] for at in range(0, len(picture.data), picture.width)]
        return Frame(picture.width, picture.height, b"".join(page[two] + page[:2] for page in pages))


@pytest.mark.parametrize(
    ("height", "chip", "good"),
    [
        (64, Ssd1306(), True),
        (64, Beside(), False),
        (32, Ssd1306(height=32), True),
        (32, Ssd1306(), False),
        (64, Ssd1306(height=32), False),
    ],
)
def test_only_the_frame_shows_another_chip_or_height_where_the_status_does_not(height, chip, good):
    chip.status = Mock(side_effect=SILENT)
    rows = Box(Config(display=DisplayConfig(height=height)), chip).run()
    assert Row("all pixels dark", OK) in rows
    frame = [(what, remedy[: len(WRONG[1])]) for what, remedy in bad(rows) if "frame" in what]
    assert frame == ([] if good else [WRONG])


def test_a_display_that_is_lost_on_the_way(caplog):
    box = Box()

    def ask(_question):
        box.bus.unplug()
        return True

    box.ask = ask
    lost = [f"{what}: the display does not answer" for what in ("all pixels dark", "a frame along the edges")]
    assert [what for what, _ in bad(box.run())] == lost
    assert caplog.records == []


# What the display shows during the walk


def asked_for(picture):
    """Return the cell, from 1, that shows its number in a frame; None unless there is exactly one."""
    layout = Layout(picture.width, picture.height)
    cells = []
    for key in range(9):
        left, top = layout.cell_at(key)
        tile = tile_picture(Tile(f"={key + 1}", last=True), large=True)
        size = range(layout.cell)
        if all(picture.pixel(left + x, top + y) == bool(tile[x] >> y & 1) for x in size for y in size):
            cells.append(key + 1)
    return cells[0] if len(cells) == 1 else None


@pytest.mark.parametrize(("rotate", "upright"), [(0, lambda picture: picture), (180, turned)])
def test_the_display_shows_the_key_that_the_terminal_asks_for(rotate, upright):
    box = Box(chip=Sh1106(), config=Config(display=DisplayConfig(driver="sh1106", rotate=rotate)))
    shown, print_it = [], box.say

    def say(text):
        if asked := re.search(r"press key (\d)", text):
            shown.append((int(asked[1]), asked_for(upright(box.chip.picture()))))
        print_it(text)

    box.say = say
    assert bad(box.run()) == []
    assert shown == [(number, number) for number in range(1, 10)]


def test_a_display_that_comes_back_shows_the_key_that_is_waited_for():
    box, shown = Box(wiring={0: (), 1: ()}), []
    look = lambda: shown.append(asked_for(box.chip.picture()))  # noqa: E731 - said in one line
    # Key 2 is asked for from 2.3 s to 4.3 s.
    box.at = [(0.5, look), (1.0, box.bus.unplug), (2.5, look), (3.0, box.bus.plug), (4.0, look)]
    box.run(2.0)
    assert shown == [1, None, 2]
