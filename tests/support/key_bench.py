"""A keypad on simulated wires and a clock of its own; and wires whose columns something else can watch.

What watches them here stands for the kernel. It is waited for only when it answers at once.
"""

from errno import EBUSY, EIO

from appliance.devices.keypad import Keypad
from appliance.devices.parking import PARKED
from appliance.simulator.switches import SwitchNetwork

ROWS, COLUMNS = (17, 27, 22), (5, 6, 13)


class WatchedNetwork(SwitchNetwork):
    """Wires whose columns belong to gpiozero's pins or to `Edges`, never to both.

    `fail_after(n)` lets one operation on a column fail, the one after n others.
    """

    def __init__(self, rows=ROWS, columns=COLUMNS):
        self.taken = False
        self.fallen = False  # a column, while they are taken
        self._others = None
        super().__init__(rows, columns)

    def fail_after(self, others):
        self._others = others

    def count(self):
        """Count an operation on a column, and let it fail if that is its lot."""
        if self._others is not None:
            self._others -= 1
            if self._others < 0:
                self._others = None
                raise OSError(EIO, "Input/output error")

    def level(self, pin):
        self._belongs(pin)
        return super().level(pin)

    def pull(self, pin, pull):
        self._belongs(pin)
        super().pull(pin, pull)

    def _belongs(self, pin):
        if pin in self._columns:
            self.count()
            if self.taken:
                raise OSError(EBUSY, "Device or resource busy")

    def lose_pulls(self, pull="floating"):
        """Nobody holds the columns: what a chip does with their pulls then is its own affair."""
        for pin in self._columns:
            super().pull(pin, pull)

    def columns_low(self):
        return bool(self._levels[0] & self.nodes(self._columns))

    def nodes(self, pins):
        return sum(self._bits[pin] for pin in pins)

    def _resolve_levels(self):
        _, high = self._levels
        super()._resolve_levels()
        self.fallen |= self.taken and bool(high & self._levels[0] & self.nodes(self._columns))


class Edges:
    """What the kernel's edges are to a keypad, on a `WatchedNetwork`."""

    def __init__(self, network):
        self.network = network
        self.woken = False
        self.closed = False
        self.arms = 0  # times that the columns were taken
        self.meanwhile = lambda: None  # happens between the last look at the keys and the watching

    @property
    def ready(self):
        """Whether `wait` would return."""
        return self.woken or self.network.fallen

    def arm(self):
        for _ in COLUMNS:
            self.network.count()
        self.network.lose_pulls()
        self.network.count()
        self.meanwhile()
        self.network.taken = True
        self.arms += 1
        self.network.lose_pulls("up")
        self.network.count()
        self.woken |= self.network.columns_low()

    def wait(self):
        assert self.ready, "it would sleep"
        self.woken = False

    def wake(self):
        self.woken = True

    def disarm(self):
        if self.network.taken:
            self.network.taken = self.network.fallen = False
            self.network.lose_pulls()
        self.woken = False

    def close(self):
        self.disarm()
        self.closed = True


class Bench:
    """A keypad on a network, polled when it asks to be, on a clock of its own (seconds)."""

    def __init__(self, network=None, *, parks=False):
        self.network = network or (WatchedNetwork() if parks else SwitchNetwork(ROWS, COLUMNS))
        self.edges = Edges(self.network) if parks else None
        self.keypad = Keypad(ROWS, COLUMNS, self.network.factory, edges=self.edges)
        self.now = 0.0
        self.due = 0.0
        self.delays = []

    def run(self, seconds, late=lambda: 0.0):
        """Let time go by; return the events."""
        told, end = [], self.now + seconds
        while True:
            if self.due == PARKED and self.edges.ready:
                self.keypad.wait()
                self.due = self.now + late()
            if self.due > end:
                break
            self.now = self.due
            events, delay = self.keypad.poll(self.now)
            told += events
            self.delays.append(delay)
            self.due = self.now + delay + late()
        self.now = end
        return told

    def close_keys(self, contacts):
        for key in range(9):
            (self.network.press if contacts >> key & 1 else self.network.release)(key)

    def functions(self):
        return [self.network.factory.pin(pin).function for pin in self.network.pins]

    def check_pins_were_spared(self):
        assert self.network.shorts == []
        assert self.network.driven_high == set()
