"""The key matrix as a network of switches under gpiozero's MockFactory: pins read what wires would carry.

It stands in for six pins of a Raspberry Pi's header and the key matrix between them.

- Power-on: every pin is an input with its number's power-on pull, see `boot_pull`.
- A pin keeps its pull until it is given another: as an output, when released, and when reopened.
- The pins are the nodes. Closing key (r, c) joins row r and column c. A node has the level of whatever drives
  the wires it is joined to, else that of their pulls.
- Reading a wire without a level is an error: nothing drives or pulls it, or one pull is up and another down.
  Two pulls of 33 to 73 kOhm make 1 to 2.3 V, and no datasheet says what an input reads there: V_IL 0.9 V
  and V_IH 1.6 V on a Pi 0 to 3, 0.8 V and 2.0 V on a Pi 4 (datasheets of the Compute Modules 1, 3 and 4).
- Two drivers of different levels on joined wires are a short, which destroys real pins: also an error.

It has no clock and no thread: contacts bounce only when the caller makes them.
"""

import threading
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from gpiozero import PinInvalidFunction, PinSetInput
from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin

from appliance.core.keys.scan import COLUMNS, KEYS, ROWS, keys_of


class ShortCircuit(RuntimeError):  # noqa: N818 - the field's term
    """Two pins drive joined wires to different levels."""


class FloatingPin(RuntimeError):  # noqa: N818 - the field's term
    """A pin was read whose wire has no level: nothing drives it, and its pulls are missing or opposed.

    On real hardware the level is random, and a faulty driver could pass a test by luck. Here it is an error.
    """


class SwitchNetwork:
    """Nine keys between three rows and three columns (BCM numbers), and the pin factory wired to them.

    `shorts` records each set of pins that were shorted, `driven_high` the pins ever driven high.
    `listener` is called after each change of a level.
    """

    def __init__(self, rows: Sequence[int], columns: Sequence[int]) -> None:
        self._rows = tuple(rows)
        self._columns = tuple(columns)
        self._bits = {pin: 1 << node for node, pin in enumerate(self.pins)}
        # Bit sets of nodes: those that drive low or high, or pull up or down; and the resulting levels.
        self._low = self._high = 0
        self._up = sum(bit for pin, bit in self._bits.items() if boot_pull(pin) == "up")
        self._down = sum(self._bits.values()) - self._up
        self._levels = self._down, self._up
        self._pressed = 0
        self._stuck = 0
        self._rewired: dict[int, tuple[int, ...]] = {}
        # One thread closes keys while the scanner drives rows: both must see consistent levels.
        self._lock = threading.Lock()
        self.shorts: list[frozenset[int]] = []
        self.driven_high: set[int] = set()
        self.listener: Callable[[], None] | None = None
        self.factory = NetworkFactory(self)

    @property
    def pins(self) -> tuple[int, ...]:
        """The pins of the network: rows, then columns."""
        return (*self._rows, *self._columns)

    @property
    def contacts(self) -> int:
        """The contacts (bits) that pressed or stuck keys close."""
        closed = self._pressed | self._stuck
        if not self._rewired:
            return closed
        wiring = self.wiring
        return sum({1 << contact for key in keys_of(closed) for contact in wiring[key]})

    @property
    def wiring(self) -> tuple[tuple[int, ...], ...]:
        """The contacts that each key closes: its own, unless its wires are faulty."""
        return tuple(self._rewired.get(key, (key,)) for key in range(KEYS))

    @property
    def stuck(self) -> tuple[int, ...]:
        """The keys that stay closed."""
        return keys_of(self._stuck)

    @property
    def levels(self) -> int:
        """The wires (bits: rows, then columns) that are high."""
        return self._levels[1]

    def press(self, key: int) -> None:
        """Close a key, 0 to 8. Raise `ShortCircuit` if that joins opposite drivers, as any change may."""
        self._set(self._pressed | 1 << key, self._stuck)

    def release(self, key: int) -> None:
        """Take the finger off a key; it opens unless it is stuck."""
        self._set(self._pressed & ~(1 << key), self._stuck)

    def stick(self, key: int) -> None:
        """Keep a key closed, pressed or not."""
        self._set(self._pressed, self._stuck | 1 << key)

    def unstick(self, key: int) -> None:
        """Free a stuck key: it follows the finger again."""
        self._set(self._pressed, self._stuck & ~(1 << key))

    def rewire(self, contacts: Mapping[int, tuple[int, ...]]) -> None:
        """Make keys close other contacts than their own: none for a dead key, several for a bridged one."""
        with self._lock:
            self._rewired |= contacts
            self._resolve_levels()

    def level(self, pin: int) -> bool:
        """Return the level of a pin's wire, true for high. Raise `FloatingPin` if it has none."""
        bit = self._bits[pin]
        low, high = self._levels
        if not bit & (low | high):
            raise FloatingPin(
                f"GPIO{pin} is read, but its wire has no level: no driver, and no pulls or opposite ones"
            )
        return bool(bit & high)

    def drive(self, pin: int, level: bool | None) -> None:
        """Drive a pin's wire high or low; None stops driving it."""
        bit = self._bits[pin]
        with self._lock:
            self._low &= ~bit
            self._high &= ~bit
            if level:
                self._high |= bit
                self.driven_high.add(pin)
            elif level is not None:
                self._low |= bit
            self._resolve_levels()

    def pull(self, pin: int, pull: str) -> None:
        """Connect a pin's pull resistor: "up", "down" or "floating"."""
        bit = self._bits[pin]
        with self._lock:
            before = self._up, self._down
            self._up = self._up | bit if pull == "up" else self._up & ~bit
            self._down = self._down | bit if pull == "down" else self._down & ~bit
            if (self._up, self._down) != before:
                self._resolve_levels()

    def power_on(self) -> None:
        """Give each pin the pull with which it starts."""
        for pin in self.pins:
            self.pull(pin, boot_pull(pin))

    def pull_of(self, pin: int) -> str:
        """Return a pin's current pull."""
        bit = self._bits[pin]
        return "up" if self._up & bit else "down" if self._down & bit else "floating"

    def _set(self, pressed: int, stuck: int) -> None:
        if (pressed, stuck) != (self._pressed, self._stuck):
            with self._lock:
                self._pressed, self._stuck = pressed, stuck
                self._resolve_levels()

    def _resolve_levels(self) -> None:
        low, high, down, up = self._low, self._high, self._down, self._up
        for wire in wires_of(self.contacts):
            if low & wire:
                low |= wire
            if high & wire:
                high |= wire
            if down & wire:
                down |= wire
            if up & wire:
                up |= wire
        # A short reads low; a driver overrides the pulls; opposite pulls give no level.
        before, self._levels = self._levels, (low | (down & ~up & ~high), (high & ~low) | (up & ~down & ~low))
        if self.listener is not None and self._levels != before:
            self.listener()
        if low & high:
            shorted = [self._pins_of(wire) for wire in wires_of(self.contacts) if wire & low & high]
            self.shorts += map(frozenset, shorted)
            raise ShortCircuit(f"pins that drive high and low are joined: {shorted[0]}")

    def _pins_of(self, nodes: int) -> list[int]:
        return [pin for pin, bit in self._bits.items() if bit & nodes]


class NetworkPin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A pin that drives and senses its wire in a `SwitchNetwork`. It starts as an input that keeps its pull.

    `function = "output"` drives high until a level is set: some backends keep an old level, and high is the
    worst case. `output_with_state` drives its level from the start, as on a Pi.
    """

    def __init__(self, factory: "NetworkFactory", info: Any) -> None:
        super().__init__(factory, info)
        self._network = factory.network
        self._pull = self._network.pull_of(self._number)
        self._network.drive(self._number, None)  # the firmware or another program may have left an output

    def output_with_state(self, state: float) -> None:
        """Become an output that drives `state`, without a glitch."""
        self._function = "output"
        self._network.drive(self._number, bool(state))

    def _set_function(self, value: str) -> None:
        if value not in {"input", "output"}:
            raise PinInvalidFunction(f"GPIO{self._number} cannot be {value!r}")
        if value == self._function:
            return
        self._function = value
        self._network.drive(self._number, None if value == "input" else True)

    def _get_state(self) -> bool:
        return self._network.level(self._number)

    def _set_state(self, value: float) -> None:
        if self._function == "input":
            raise PinSetInput(f"GPIO{self._number} is an input: its level cannot be set")
        self._network.drive(self._number, bool(value))

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        self._network.pull(self._number, value)


class NetworkFactory(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    """gpiozero's MockFactory, with the keypad's pins wired to a network and all others unconnected."""

    pin_kind: type = NetworkPin  # of those pins

    def __init__(self, network: SwitchNetwork) -> None:
        super().__init__(pin_class=MockPWMPin)
        self.network = network
        # gpiozero 1.6 shares these between all factories of a process.
        self.pins: dict[Any, Any] = {}
        self._reservations: defaultdict[Any, list[Any]] = defaultdict(list)
        self._res_lock = threading.Lock()

    def pin(self, name: Any, pin_class: type | None = None, **kwargs: Any) -> Any:
        """Return the pin with this BCM number."""
        if name in self.network.pins:
            pin_class = self.pin_kind
        return super().pin(name, pin_class=pin_class, **kwargs)


def boot_pull(pin: int) -> str:
    """Return the power-on pull of a pin (a BCM number): up for GPIO 0 to 8, down for 9 to 27.

    From table 6-31 of "BCM2835 ARM Peripherals"; a Pi 4 and a Pi 5 print the same (`pinctrl`).
    """
    return "up" if pin <= 8 else "down"


@cache
def wires_of(contacts: int) -> tuple[int, ...]:
    """Return the sets of nodes (bits: rows, then columns) that closed contacts join."""
    wires: list[int] = []
    for key in keys_of(contacts):
        row, column = divmod(key, COLUMNS)
        joined = 1 << row | 1 << ROWS + column
        for wire in [wire for wire in wires if wire & joined]:
            wires.remove(wire)
            joined |= wire
        wires.append(joined)
    return tuple(wires)
