"""A simulated box under the self-test, and the person who tests it."""

from appliance.config.schema import Config
from appliance.selftest import rig
from appliance.selftest.checks import checks
from appliance.selftest.report import Verdict
from appliance.simulator.bus import SimulatedBus
from appliance.simulator.chips import Ssd1306
from appliance.simulator.switches import SwitchNetwork

ROWS, COLUMNS = (17, 27, 22), (5, 6, 13)
OK, FAILED, OPEN = Verdict.OK, Verdict.FAILED, Verdict.OPEN
WHERE = "box.yaml"


class Box:
    """It is wired as ROWS and COLUMNS say, whatever `config` does."""

    def __init__(self, config=None, chip=None, address=0x3C, wiring=None, stuck=(), stays_down=()):
        self.config = config or Config()
        self.network = SwitchNetwork(ROWS, COLUMNS)
        self.chip = chip or Ssd1306()
        self.bus = SimulatedBus(lambda: self.person.time)
        self.bus.attach(address, self.chip)
        self.printed = []
        self.stays_down = stays_down  # keys (from 0) that never open again
        self.wiring = wiring or {}  # key -> the contacts that it closes, if not just its own
        for key in stuck:
            self.network.stick(key)
        self.person = rig.Person(self.press, self.release, self.chip.picture, self.printed.append)
        self.rig = rig.simulated_rig(self.config, WHERE, self.person, self.network.factory, self.bus)

    def press(self, key):
        for contact in self.wiring.get(key, (key,)):
            self.network.press(contact)

    def release(self, key):
        for contact in self.wiring.get(key, (key,)):
            if key not in self.stays_down:
                self.network.release(contact)

    def change(self, **parts):
        """Replace parts of the rig."""
        self.rig = self.rig._replace(**parts)

    def run(self, seconds=2.0):
        rows = list(checks(self.rig, seconds))
        self.check_all_is_released()
        return rows

    def check_all_is_released(self):
        assert not self.chip.lit
        assert {self.network.factory.pin(pin).function for pin in self.network.pins} == {"input"}
        assert self.network.shorts == []
        assert self.network.driven_high == set()

    def at(self, *plans):
        """Call each function at the first wait after its time."""
        left = list(plans)

        def wait(seconds):
            self.person.wait(seconds)
            while left and left[0][0] <= self.person.time:
                left.pop(0)[1]()

        self.change(wait=wait)

    @property
    def terminal(self):
        return "".join(self.printed)


def bad(rows):
    return [(row.what, row.remedy) for row in rows if row.verdict is not OK]


def bits(*numbers):
    """Keys as people count them, as bits."""
    return sum(1 << number - 1 for number in numbers)


def fails(error):
    def call(*_, **__):
        raise error

    return call
