"""A keypad with its own clock, on simulated wires or others."""

from appliance.core.keys.key_events import Release
from appliance.core.keys.pins import COLUMN_PINS, ROW_PINS
from appliance.devices.keypad import PARKED, Keypad
from appliance.simulator.switches import SwitchNetwork


def reads(contacts):
    """Return what a scan of these closed keys reads: rows that share a column read the same."""
    rows = [contacts >> row * 3 & 7 for row in range(3)]
    for _ in range(3):
        rows = [
            sum({bit for other in rows if other & row for bit in (1, 2, 4) if other & bit}) for row in rows
        ]
    return rows[0] | rows[1] << 3 | rows[2] << 6


def names(events):
    return [(type(event), event.key) for event in events]


def keys_in(events):
    return {key for event in events for key in (event.keys if hasattr(event, "keys") else (event.key,))}


class TestRig:
    """A keypad on a network, polled when it is due, with its own clock (seconds).

    `Release` events are left out: tests with a keypad do not need them.

    A network has the pin `factory`, and, to test presses, the other methods of `SwitchNetwork`.
    """

    __test__ = False  # otherwise pytest takes it for a test

    def __init__(self, network=None):
        self.network = network or SwitchNetwork(ROW_PINS, COLUMN_PINS)
        self.keypad = Keypad(ROW_PINS, COLUMN_PINS, self.network.factory)
        self.now = 0.0
        self.due = 0.0
        self.delays = []

    @property
    def woken(self):
        """Whether `wait` would return: it is not parked, or has an edge or a wake-up."""
        return not self.keypad.parked or bool(self.network.factory._poll.poll(0))

    def run(self, seconds, late=lambda: 0.0):
        """Let time pass; return the events."""
        events, end = [], self.now + seconds
        while True:
            if self.due == PARKED and self.woken:
                self.keypad.wait()
                self.due = self.now + late()
            if self.due > end:
                break
            events += self.poll(late)
        self.now = end
        return events

    def poll(self, late=lambda: 0.0):
        """Poll when it is due, or now if parked; return the events."""
        if self.due != PARKED:
            self.now = self.due
        events, delay = self.keypad.poll(self.now)
        self.delays.append(delay)
        self.due = self.now + delay + late()
        return [event for event in events if not isinstance(event, Release)]

    def tap(self, key):
        """Press and release a key; return the events."""
        self.network.press(key)
        events = self.run(0.1)
        self.network.release(key)
        return events + self.run(0.1)

    def close_keys(self, contacts):
        for key in range(9):
            (self.network.press if contacts >> key & 1 else self.network.release)(key)

    def functions(self):
        return [self.network.factory.pin(pin).function for pin in self.network.pins]

    def check_pins_were_spared(self):
        assert self.network.shorts == []
        assert self.network.driven_high == set()
