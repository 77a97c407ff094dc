"""A keypad on a clock of its own, on simulated wires or others; and wires that can be watched for edges."""

from errno import EIO

from gpiozero.pins.mock import MockFactory

from appliance.devices.keypad import PARKED, Keypad
from appliance.simulator.switches import NetworkFactory, NetworkPin, SwitchNetwork

ROWS, COLUMNS = (17, 27, 22), (5, 6, 13)


def reads(contacts):
    """Return what a scan of these closed keys reads: rows that share a column read the same."""
    rows = [contacts >> row * 3 & 7 for row in range(3)]
    for _ in range(3):
        rows = [
            sum({bit for other in rows if other & row for bit in (1, 2, 4) if other & bit}) for row in rows
        ]
    return rows[0] | rows[1] << 3 | rows[2] << 6


class WatchedNetwork(SwitchNetwork):
    """Wires whose factory can wait for edges of the columns.

    `fail_after(n)` lets one operation on a column fail, the one after n others. `arms` counts how often a
    column was watched, `meanwhile` is called each time just before.
    """

    def __init__(self, rows=ROWS, columns=COLUMNS):
        self.woken = False
        self.edges = set()  # the columns that have fallen while they were watched
        self.arms = 0
        self.meanwhile = lambda: None
        self._others = None
        super().__init__(rows, columns)
        self.factory = WatchedFactory(self)

    @property
    def ready(self):
        """Return whether `dispatch` would return."""
        return self.woken or bool(self.edges)

    @property
    def watched(self):
        """Return how many columns are watched."""
        return sum(self.factory.pin(pin).when_changed is not None for pin in self._columns)

    def fail_after(self, others):
        self._others = others

    def count(self):
        """Count an operation on a column, and let it fail if its turn has come."""
        if self._others is not None:
            self._others -= 1
            if self._others < 0:
                self._others = None
                raise OSError(EIO, "Input/output error")

    def level(self, pin):
        if pin in self._columns:
            self.count()
        return super().level(pin)

    def _resolve_levels(self):
        _, high = self._levels
        super()._resolve_levels()
        fallen = high & self._levels[0]
        self.edges |= {
            pin for pin in self._columns if self._bits[pin] & fallen and self.factory.pin(pin).when_changed
        }


class WatchedFactory(NetworkFactory):
    """A factory that waits for edges only when it need not: there is one thread."""

    def pin(self, name):
        if name in self.network._columns:
            return MockFactory.pin(self, name, pin_class=WatchedPin)
        return super().pin(name)

    def dispatch(self):
        assert self.network.ready, "it would block"
        for pin in self.network.edges:
            if changed := self.pin(pin).when_changed:
                changed(0.0, False)
        self.network.woken, self.network.edges = False, set()

    def wake(self):
        self.network.woken = True


class WatchedPin(NetworkPin):
    """A column. Like ours, it is not watched when it could not be."""

    def _enable_event_detect(self):
        try:
            self._network.count()
        except OSError:
            self._when_changed = None
            raise
        self._network.meanwhile()
        self._network.arms += 1

    def _disable_event_detect(self):
        self._when_changed = None
        self._network.edges.discard(self._number)
        self._network.count()


class TestRig:
    """A keypad on a network, polled when it asks to be, on a clock of its own (seconds)."""

    __test__ = False  # pytest takes it for a test otherwise

    def __init__(self, network=None, *, parks=False):
        self.network = network or (WatchedNetwork() if parks else SwitchNetwork(ROWS, COLUMNS))
        self.keypad = Keypad(ROWS, COLUMNS, self.network.factory)
        self.now = 0.0
        self.due = 0.0
        self.delays = []

    def run(self, seconds, late=lambda: 0.0):
        """Let time go by; return the events."""
        events, end = [], self.now + seconds
        while True:
            if self.due == PARKED and (self.network.ready or not self.keypad.parked):
                self.keypad.wait()
                self.due = self.now + late()
            if self.due > end:
                break
            events += self.poll(late)
        self.now = end
        return events

    def poll(self, late=lambda: 0.0):
        """Poll when that is due, or now if it is parked; return the events."""
        if self.due != PARKED:
            self.now = self.due
        events, delay = self.keypad.poll(self.now)
        self.delays.append(delay)
        self.due = self.now + delay + late()
        return events

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
