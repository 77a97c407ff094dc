"""The display of a box in play: how long a slow bus, on a virtual clock that it advances, blocks the loop."""

from itertools import pairwise

import pytest
from effort import longer
from timed_bus import slow_down

from appliance.config.schema import Config, DisplayConfig
from appliance.core.keys.key_events import HoldProgress, Press
from appliance.core.picture.raster import render
from appliance.core.session.settings import Settings
from appliance.core.session.view import view
from appliance.devices.i2c import TIMEOUT
from appliance.devices.panel import BUDGET
from appliance.simulator.virtual import VirtualBox

HALF_THE_WATCHDOG = 2.5  # seconds


class SlowBox:
    """A box whose every `nth` transaction on the display's bus takes `seconds`."""

    def __init__(self, display, seconds, nth=1):
        self.box = VirtualBox(Config(settings=Settings(level="perfect", first="you"), display=display))
        self.seconds, self.nth, self.count = seconds, nth, 0
        self.longest = 0.0  # seconds that a turn of the loop took at most
        self._carry, self._turn = self.box.hardware.bus._carry, self.box.loop.turn
        self.box.hardware.bus._carry = self.carry
        self.box.loop.turn = self.turn

    def carry(self, address, length):
        self.count += 1
        if self.count % self.nth == 0:
            self.box.time += self.seconds
        return self._carry(address, length)

    def spend(self, seconds):
        self.box.time += seconds

    def turn(self, event=None):
        start = self.box.time
        self._turn(event)
        self.longest = max(self.longest, self.box.time - start)

    def play(self):
        """Play for a minute and a half, opening the menu once."""
        for key in (0, 2, 4, 6, 8, 1, 3, 5, 7) * 3:
            self.box.tap(key, 1.3 if key == 4 else 0.08)
            self.box.wait(3.0)

    def hold(self):
        """Hold the centre while the loop is busy, so that it handles all the events in one turn."""
        self.box.loop.put(Press(self.box.time, 4))
        for step in range(1, 32):
            self.box.loop.put(HoldProgress(self.box.time, 4, step / 32))
        self.box._run_ready()


@pytest.mark.parametrize("options", [{}, {"height": 32}, {"driver": "sh1106"}], ids=str)
@pytest.mark.parametrize(("seconds", "nth"), [(0.1, 1), (0.5, 1), *longer((0.25, 3), (1.0, 7)), (1.0, 50)])
def test_a_slow_display_never_holds_the_loop_up_for_long(options, seconds, nth):
    slow = SlowBox(DisplayConfig(**options), seconds, nth)
    slow.hold()
    slow.play()
    assert slow.longest <= 2 * BUDGET + min(seconds, TIMEOUT) <= HALF_THE_WATCHDOG


@pytest.mark.parametrize("driver", ["ssd1306", "sh1106"])
@pytest.mark.parametrize("hertz", [6_250, *longer(10_000)])  # what a Pi 3 at rest makes of 10 kHz; that
def test_the_slowest_bus_makes_a_sluggish_display_and_no_lost_one(hertz, driver, caplog):
    slow = SlowBox(DisplayConfig(driver=driver), 0.0)
    panel = slow.box.loop.parts.panel
    slow_down(slow.box.hardware.bus, hertz, slow.spend)
    for _ in "first", "back after an outage":
        slow.hold()
        slow.play()
        slow.box.wait(60)
        assert panel.healthy
        assert slow.box.hardware.chip.picture() == render(view(slow.box.session))
        assert slow.longest < HALF_THE_WATCHDOG
        assert caplog.messages == []
        slow.box.hardware.bus.unplug()
        slow.box.tap(0)
        slow.box.hardware.bus.plug()
        slow.box.wait(10)
        caplog.clear()


@pytest.mark.parametrize("hertz", [1_000, 4_000])
def test_a_bus_that_is_too_slow_for_a_picture_does_not_hold_the_loop_up(hertz):
    slow = SlowBox(DisplayConfig(), 0.0)
    slow_down(slow.box.hardware.bus, hertz, slow.spend)
    slow.play()
    assert not slow.box.loop.parts.panel.healthy
    assert slow.longest < HALF_THE_WATCHDOG


def test_a_slow_display_is_given_up_and_comes_back_when_it_is_fast_again(caplog):
    caplog.set_level("INFO")
    slow = SlowBox(DisplayConfig(), TIMEOUT)
    panel = slow.box.loop.parts.panel
    slow.hold()
    assert not panel.healthy
    assert (
        str(panel.problem) == "the display (ssd1306 at 0x3c on bus 1) is too slow: it held the box up for 1 s"
    )
    start, tries = slow.box.time, []
    slow.carry = slow.box.hardware.bus._carry
    while slow.box.time < start + 300:
        before = slow.count
        slow.box.wait(0.5)
        tries += [slow.box.time - start] * (slow.count > before)
    # Tries of two transactions, a second, with pauses of 5, 10, 20, 40 and then 60 seconds.
    assert [round(later - earlier) for earlier, later in pairwise(tries)] == [11, 21, 41, 61, 61, 61]
    slow.seconds = 0.0
    slow.box.wait(61)
    assert panel.healthy
    assert panel.problem is None
    assert slow.box.hardware.chip.picture() == render(view(slow.box.session))
    assert [message.partition(" is ")[2][:10] for message in caplog.messages] == ["too slow: ", "back after"]


def test_a_display_that_is_slow_now_and_then_is_kept():
    slow = SlowBox(DisplayConfig(), 0.2, nth=25)
    slow.play()
    assert slow.box.loop.parts.panel.healthy
    assert slow.longest < 0.3
