"""The key matrix with its voltages: what an input reads where pulls fight, and through resistors.

It stands for the pads of a Raspberry Pi and the wires between them. `SwitchNetwork`, which this extends, has
the pulls of the power-on. Here an input reads high from one voltage on, its threshold: no data sheet says
where between V_IL and V_IH that is (0.9 and 1.6 V on a Pi 0 to 3, 0.8 and 2.0 V on a Pi 4: data sheets of the
Compute Modules), nor how the two pulls of a chip differ (50 to 65 kOhm; 33 to 73 kOhm on a Pi 4). So tests
vary both.
"""

from functools import cache
from itertools import product
from typing import NamedTuple

from appliance.simulator.switches import SwitchNetwork, wires_of

SUPPLY = 3.3  # volts
PULL_UP = 50_000  # ohms
DRIVER = 50  # ohms: 0.4 V at 8 mA, the reset value of the pads' drive strength


class Electrics(NamedTuple):
    """The threshold of an input (volts), pull-down over pull-up, and the ohms in each key wire."""

    threshold: float = 1.8
    ratio: float = 1.0
    series: float = 0.0


DEFAULT = Electrics()  # here two pulls that fight read as low
CORNERS = [Electrics(*each) for each in product((1.3, 1.6, 1.8, 2.0), (0.5, 1.0, 2.0), (0.0, 470.0))]


class Wires(SwitchNetwork):
    """The key matrix, each pin of which reads its voltage."""

    def __init__(self, rows, columns, electrics=DEFAULT):
        self.electrics = electrics
        super().__init__(rows, columns)

    def _resolve_levels(self):
        super()._resolve_levels()
        volts = self.volts()
        low = sum(bit for pin, bit in self._bits.items() if volts[pin] is not None)
        high = sum(bit for pin, bit in self._bits.items() if (volts[pin] or 0.0) >= self.electrics.threshold)
        self._levels = low & ~high, high

    def volts(self):
        """Return the voltage at each pin; None where nothing drives or pulls its wire."""
        state = self._low, self._high, self._down, self._up
        return dict(zip(self.pins, _volts(self.electrics, self.contacts, *state), strict=True))


@cache
def _volts(electrics, contacts, low, high, down, up):
    volts = [None] * 6
    joined = wires_of(contacts)
    alone = [1 << node for node in range(6) if not any(wire >> node & 1 for wire in joined)]
    for wire in (*joined, *alone):
        nodes = [node for node in range(6) if wire >> node & 1]
        sources = {}  # node -> its source's volts and ohms; the wire is a star of these
        for node in nodes:
            if (low | high) >> node & 1:
                sources[node] = SUPPLY * (high >> node & 1), DRIVER
            elif (down | up) >> node & 1:
                is_up = up >> node & 1
                sources[node] = SUPPLY * is_up, PULL_UP * (1.0 if is_up else electrics.ratio)
        if not sources:
            continue
        conductance = sum(1 / (ohms + electrics.series) for _, ohms in sources.values())
        current = sum(source / (ohms + electrics.series) for source, ohms in sources.values())
        middle = current / conductance
        for node in nodes:
            source, ohms = sources.get(node, (middle, 1.0))
            volts[node] = middle + (source - middle) * electrics.series / (ohms + electrics.series)
    return volts
