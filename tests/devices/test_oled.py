"""Our own display drivers over the emulated chips: the bytes they send, and what shows in between."""

import pytest
from panel_rig import INIT, INIT_SH1106, INIT_SSD1309, OFF, ON, PanelRig, hexes, marked, pattern, turned
from second_chip import SecondChip

from appliance.config.schema import CHIPS
from appliance.core.picture.canvas import Frame
from appliance.core.picture.scene import Light
from appliance.simulator.chips import Sh1106

QUARTERS = ["40" + pattern().data[start : start + 256].hex() for start in range(0, 1024, 256)]


def test_one_mark_costs_at_most_sixty_bytes(display):
    before = display.bus.bytes, display.bus.transactions
    display.panel.show_frame(marked(pattern()), ON, 1.0)
    content = b"".join(page[24:39] for page in marked(pattern()).pages[1:4])
    assert display.sent() == hexes("00 211826 220103", "40" + content.hex())
    assert (display.bus.bytes - before[0], display.bus.transactions - before[1]) == (55, 2)
    # The same place again: the chip's window is still set, and its pointers have wrapped to its start.
    display.panel.show_frame(pattern(), ON, 2.0)
    assert display.sent() == ["40" + b"".join(page[24:39] for page in pattern().pages[1:4]).hex()]
    assert display.chip.picture() == pattern()


def test_what_a_change_of_the_light_sends(display):
    dot = marked(pattern(), [(0, 0)])
    # It may have lost everything while dark, so it is lit only after the frame.
    waking = [INIT.replace("817f", "8109"), "00 21007f 220007", *QUARTERS, "00 af"]
    for frame, light, sent in [
        (pattern(), Light(on=True, contrast=0x7F), []),
        (pattern(), Light(contrast=5), ["00 8105"]),
        (pattern(), OFF, ["00 ae"]),
        (pattern(), Light(on=False, contrast=9), []),
        (pattern(), Light(contrast=9), waking),
        (dot, OFF, ["00 ae", "00 210000 220000", f"40 {dot.data[0]:02x}"]),  # dark before the frame is sent
        (pattern(), Light(contrast=9), waking),
    ]:
        display.panel.show_frame(frame, light, 1.0)
        assert (display.sent(), display.chip.lit) == (hexes(*sent), light.on)
    assert display.chip.contrast == 9


KINDS = [
    ("ssd1306", 64, INIT, 1071, 55),
    ("ssd1306", 32, INIT, 555, 55),
    ("ssd1315", 64, INIT, 1071, 55),
    ("ssd1315", 32, INIT, 555, 55),
    ("ssd1309", 64, INIT_SSD1309, 1069, 55),
    ("sh1106", 64, INIT_SH1106, 1107, 66),
]


def test_each_kind_of_display_has_its_bytes():
    assert {kind[:2] for kind in KINDS} == {(chip, rows) for chip in CHIPS for rows in CHIPS[chip].heights}


@pytest.mark.parametrize(("driver", "height", "init", "complete", "mark"), KINDS)
@pytest.mark.parametrize("address", [0x3C, 0x3D])
@pytest.mark.parametrize("rotate", [0, 180])
def test_every_kind_of_display(driver, height, init, complete, mark, address, rotate):
    rig = PanelRig(driver, height, address=address, rotate=rotate)
    frame, changed = pattern(height), marked(pattern(height))
    if height == 32:
        init = init.replace("a83f", "a81f").replace("da12", "da02")
    if rotate:
        init = init.replace("a1 c8", "a0 c0")
    rig.panel.show_frame(frame, ON, 0.0)
    assert rig.chip.picture() == (turned(frame) if rotate else frame)
    sent = rig.sent()
    assert (sent[0], sent[-1]) == (init.replace(" ", ""), "00af")
    assert rig.bus.bytes == complete
    rig.panel.show_frame(changed, ON, 1.0)
    assert rig.chip.picture() == (turned(changed) if rotate else changed)
    assert rig.bus.bytes == complete + mark


@pytest.mark.parametrize(("column", "wired"), [(0, 4), (1, 3), (2, 2), (4, 0)])
@pytest.mark.parametrize("rotate", [0, 180])
def test_an_sh1106_whose_panel_is_elsewhere_in_the_memory(column, wired, rotate):
    """Under 0xA1 address 0 is the last output, 131; turned, the same panel begins at 4 - column."""
    rig = PanelRig("sh1106", chip=Sh1106(column=column), rotate=rotate, column=column)
    second = SecondChip("sh1106", 64, bytes(8 * 132), wired)
    rig.after = lambda: second.write(bytes.fromhex(rig.log[-1]))
    frame, upright = pattern(), rotate == 0
    for now, moved in enumerate((False, True, False)):
        rig.panel.show_frame(frame, ON, float(now))
        rig.panel.turn(moved, now + 0.5)
        assert rig.chip.picture() == (frame if upright != moved else turned(frame))
        assert second.eye() == rig.chip.picture().rows()
        frame = marked(frame, [(now, 0), (now, 127)])


def test_the_lowest_contrast_of_each_chip():
    for driver, lowest in {"ssd1306": 0, "ssd1315": 1}.items():
        rig = PanelRig(driver)
        for number, contrast in enumerate((0, 9, 0)):  # set with the registers, and then alone
            rig.panel.show_frame(pattern(), Light(contrast=contrast), float(number))
            assert rig.chip.contrast == (contrast or lowest)


@pytest.mark.parametrize("driver", ["ssd1306", "sh1106"])
def test_a_cold_display_shows_nothing_but_the_frame_and_a_lit_one_is_never_dark(driver):
    splash = PanelRig(driver)
    pictures = splash.watch()
    splash.panel.show_frame(pattern(), ON, 0.0)
    assert pictures == [Frame.blank()] * (len(pictures) - 1) + [pattern()]
    rig = PanelRig(driver, chip=splash.chip)
    pictures = rig.watch()
    rig.panel.show_frame(marked(pattern()), ON, 0.0)
    assert Frame.blank() not in pictures
    assert rig.chip.picture() == marked(pattern())


def test_turning_is_done_by_the_chip_in_the_dark():
    rig = PanelRig()
    rig.panel.turn(False, 0.0)
    rig.panel.service(0.0)
    assert (rig.panel.due(), rig.sent()) == (None, []), "nothing is due before the first frame"
    rig.panel.show_frame(pattern(), ON, 0.0)
    assert rig.chip.picture() == pattern()
    pictures = rig.watch()
    rig.panel.turn(True, 1.0)
    assert rig.chip.picture() == turned(pattern())
    assert set(pictures) == {Frame.blank(), turned(pattern())}
    rig.sent()
    rig.panel.turn(True, 2.0)
    assert rig.sent() == []
    rig.panel.turn(False, 3.0)
    assert rig.chip.picture() == pattern()


@pytest.mark.parametrize("options", [{}, {"driver": "sh1106"}, {"height": 32}, {"rotate": 180}], ids=str)
@pytest.mark.parametrize("lower", [0, 1, 2])
def test_a_picture_stands_lower_by_a_register_where_there_is_one(options, lower):
    rig = PanelRig(**options)
    height = rig.chip.height
    full = Frame(128, height, bytes(range(128)) * (height // 8))
    top_row_of_the_last_page = Frame(128, height, bytes(16 * height - 128) + bytes([1]) * 128)
    for frame in (full, top_row_of_the_last_page):
        rig.panel.show_frame(frame, Light(lower=lower), 1.0)
        shown = frame.lowered(lower)
        assert rig.chip.picture() == (turned(shown) if "rotate" in options else shown)
    rig.sent()
    rig.panel.show_frame(frame, Light(lower=lower + 1), 2.0)
    assert len(rig.sent()) == 1 or height == 32
    assert rig.chip.lit
