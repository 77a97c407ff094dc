"""A simulated box under the quick test, and the person who tests it."""

import io

from appliance.boardtest import keys
from appliance.boardtest.display import display
from appliance.config.schema import Config
from appliance.core.keys.pins import COLUMN_PINS, ROW_PINS
from appliance.simulator.bus import SimulatedBus
from appliance.simulator.chips import Ssd1306
from appliance.simulator.person import SimulatedRig
from appliance.simulator.switches import SwitchNetwork

WHERE = "box.yaml"


class Wiring(SwitchNetwork):
    """Wired as ROW_PINS and COLUMN_PINS, whatever the configuration says.

    `wiring`: key (from 0) -> the contacts that it closes, if not only its own. `stays_down` are the keys that
    never open again.
    """

    def __init__(self, wiring, stays_down):
        super().__init__(ROW_PINS, COLUMN_PINS)
        self.rewire(wiring)
        self.stays_down = stays_down

    def release(self, key):
        if key not in self.stays_down:
            super().release(key)


class Box(SimulatedRig):
    """A simulated box with faults. `at` has functions to call, each at the first wait after its time."""

    def __init__(self, config=None, chip=None, address=0x3C, wiring=None, stuck=(), stays_down=()):
        self.network = Wiring(wiring or {}, stays_down)
        self.chip, self.bus = chip or Ssd1306(), SimulatedBus()
        self.bus.attach(address, self.chip)
        for key in stuck:
            self.network.stick(key)
        super().__init__(config or Config(), WHERE, hardware=self)
        self.out = io.StringIO()
        self.at = []

    def wait(self, seconds):
        super().wait(seconds)
        while self.at and self.at[0][0] <= self.passed:
            self.at.pop(0)[1]()

    def run(self, seconds=2.0):
        rows = [*keys.pins(self), *display(self)]
        with self.game_keypad() as keypad:
            rows += keys.check_keys(self, keypad, seconds)
        self.check_all_is_released()
        return rows

    def check_all_is_released(self):
        assert {self.network.factory.pin(pin).function for pin in self.network.pins} == {"input"}
        assert self.network.shorts == []
        assert self.network.driven_high == set()

    @property
    def terminal(self):
        return self.out.getvalue()


def bad(rows):
    return [(row.what, row.remedy) for row in rows if row.verdict != "ok"]
