"""Luma devices of any class: full frames, bus errors, and classes that cannot be used."""

from itertools import pairwise

import pytest
from luma.core.device import dummy
from panel_rig import OFF, ON, PanelRig, marked, pattern, turned

from appliance.config.schema import DisplayConfig
from appliance.devices.anyluma import to_image
from appliance.devices.panel import Panel
from appliance.simulator.bus import SimulatedBus
from appliance.simulator.chips import Ssd1306


class Recording(dummy):
    """A luma device that records its calls."""

    log = None
    fault = None

    def __init__(self, width=128, height=64, **options):
        if Recording.fault:
            raise Recording.fault
        super().__init__(width, height, **options)
        Recording.log.append("made")

    def display(self, image):
        super().display(image)
        Recording.log.append("display")
        Recording.shown = self.image

    def command(self, *cmd):
        Recording.log.append(bytes(cmd).hex())
        if Recording.fault:
            raise Recording.fault


@pytest.fixture
def recording():
    Recording.log, Recording.fault = [], None
    return Recording


def is_shown(frame):
    return Recording.shown.convert("1").tobytes() == to_image(frame).tobytes()


def any_panel(name, **options):
    return Panel(DisplayConfig(driver=f"{__name__}:{name}", **options), clock=lambda: 0.0)


def test_any_luma_device_is_shown_full_images(recording):
    panel = any_panel("Recording")
    assert recording.log == []
    panel.show_frame(pattern(), ON, 0.0)
    assert recording.log == ["made", "display", "817f", "af"]
    assert is_shown(pattern())
    panel.show_frame(marked(pattern()), ON, 1.0)
    panel.show_frame(marked(pattern()), OFF, 2.0)
    panel.show_frame(marked(pattern()), ON, 3.0)
    assert recording.log[4:] == ["display", "ae", "display", "817f", "af"]
    panel.turn(True, 4.0)
    assert is_shown(turned(marked(pattern())))
    panel.close()
    assert recording.log[-1] == "af"  # neither hidden nor cleared
    any_panel("Recording", rotate=180).show_frame(pattern(), ON, 0.0)
    assert is_shown(turned(pattern()))


def test_any_luma_device_is_made_again_after_a_fault_and_shown_again_when_idle(recording):
    panel = any_panel("Recording")
    panel.show_frame(pattern(), ON, 0.0)
    panel.service(60.0)
    panel.service(60.0)
    assert recording.log[4:] == ["display", "817f", "af"]
    recording.fault = OSError("not found")
    panel.show_frame(pattern(), OFF, 61.0)
    assert not panel.healthy
    panel.service(61.25)
    panel.show_frame(pattern(), ON, 61.5)
    recording.fault = None
    panel.service(62.0)
    assert panel.healthy
    assert recording.log[7:] == ["ae", "made", "display", "817f", "af"]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Pillow, in luma's own display()
def test_a_stock_driver_by_name_over_the_same_bus():
    rig = PanelRig("luma.oled.device:ssd1306", chip=Ssd1306())
    rig.bus.unplug()
    rig.panel.show_frame(pattern(), ON, 0.0)
    assert (rig.panel.healthy, rig.bus.bytes) == (False, 1)
    rig.bus.plug()
    rig.panel.service(0.25)
    assert rig.chip.picture() == pattern()
    rig.panel.show_frame(marked(pattern()), ON, 1.0)
    assert rig.chip.picture() == marked(pattern())


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Pillow, in luma's own display()
def test_a_stock_driver_is_set_up_again_when_it_was_reset_also_in_its_sleep():
    rig = PanelRig("luma.oled.device:ssd1306", chip=Ssd1306(), rotate=180)
    rig.panel.show_frame(pattern(), ON, 0.0)
    for moment in (0.5, 7.0, 14.5, 61.0, 75.0, 89.0):  # in play and at rest
        rig.serve(0.0, moment)
        rig.chip.power_on()
        rig.serve(0.0, moment + (5.0 if moment < 30.0 else 10.0))
        assert (rig.chip.picture(), rig.chip.contrast) == (turned(pattern()), ON.contrast), moment
    rig.panel.show_frame(pattern(), OFF, 110.0)
    rig.chip.power_on()
    rig.panel.show_frame(pattern(), ON, 115.0)
    assert (rig.chip.picture(), rig.chip.contrast) == (turned(pattern()), ON.contrast)


class Broken(Recording):
    """A driver that fails with a given exception."""

    def display(self, _image):
        raise ZeroDivisionError("1 / 0")


def test_a_driver_that_is_slow_is_given_up_before_its_next_frame(recording):
    times = iter([0.0, 2.0])  # the clock before and after the first frame
    panel = Panel(DisplayConfig(driver=f"{__name__}:Recording"), clock=lambda: next(times, 2.5))
    panel.show_frame(pattern(), ON, 0.0)
    assert panel.healthy
    panel.show_frame(marked(pattern()), ON, 2.5)
    assert str(panel.problem).endswith("is too slow: it held the box up for 1 s")
    assert recording.log.count("display") == 1


@pytest.mark.parametrize(("driver", "options", "problem"), [
    ("nosuch.module:thing", {}, "thing cannot be imported (No module named 'nosuch'); install its p"),
    ("luma.core.device:nothing", {}, "luma.core.device:nothing cannot be imported"),
    ("luma.oled.device:ssd1327", {}, "(DeviceDisplayModeError: Unsupported display mode: 128 x 64"),
    ("luma.oled.device:ssd1306", {"width": 77}, "Unsupported display mode: 77 x 64"),
    (f"{__name__}:Broken", {}, "cannot be used (ZeroDivisionError: 1 / 0)"),
    (f"{__name__}:is_shown", {}, "cannot be used (TypeError: is_shown() got an unexpected keyword"),
])  # fmt: skip
def test_a_driver_that_cannot_be_used_is_reported_once(recording, caplog, driver, options, problem):
    bus = SimulatedBus()
    bus.attach(0x3C, Ssd1306())
    panel = Panel(DisplayConfig(driver=driver, **options), lambda: bus, clock=lambda: 0.0)
    tries = [0.0]
    panel.show_frame(pattern(), ON, 0.0)
    while len(tries) < 6:
        tries.append(panel.due())
        panel.show_frame(marked(pattern()), ON, tries[-1] - 1.0)
        panel.service(tries[-1])
    assert [later - earlier for earlier, later in pairwise(tries)] == [60, 120, 240, 480, 960]
    assert problem in str(panel.problem)
    assert [record.message for record in caplog.records] == [f"{panel.problem}; the game goes on without it"]
    panel.close()


def test_a_driver_may_be_installed_later(recording, monkeypatch):
    panel = any_panel("Late")
    panel.show_frame(pattern(), ON, 0.0)
    assert "Late cannot be imported" in str(panel.problem)
    monkeypatch.setattr(f"{__name__}.Late", recording, raising=False)
    panel.service(60.0)
    assert (panel.healthy, panel.problem) == (True, None)
