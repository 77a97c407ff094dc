"""A simulated board under the hardware test, and a person who does what it asks for. It needs no POSIX."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from appliance.boardtest.machine import Edge, HeaderChip, Machine
from appliance.boardtest.prompts import Prompt
from appliance.boardtest.rig import Rig, Usage
from appliance.config.schema import Config
from appliance.core.keys.scan import KEYS, keys_of
from appliance.devices.keypad import Keypad
from appliance.devices.pinout import HEADER_LABELS
from appliance.simulator.switches import FloatingPin, NetworkFactory, NetworkPin, SwitchNetwork

THINKS = 0.4  # seconds from a request to the first press
LOOKS = 1.0  # seconds from a question to its answer
CLOSED_SECONDS = 0.07  # seconds for which a tap closes a contact
BYTE = 9 / 400e3  # seconds of a byte on the bus

# How often a key is tapped, and after how many seconds again, by the words of the request.
TAPS = {"press_this": (10, 0.2), "once_more": (10, 0.2), "tap_fast": (130, 0.15), "press_any": (1, 0.0)}


class SimulatedMachine(Machine):
    """A machine without files, whose cores do nothing."""

    def __init__(self) -> None:
        super().__init__(Path("/nonexistent"))

    @contextmanager
    def busy(self) -> Iterator[int]:
        """Count as busy inside the block."""
        yield 1


class SimulatedRig(Rig):
    """A simulated box, and a person who presses the keys that are asked for, and says yes to each question.

    Only `wait` and bytes on the bus move the clock. `hardware` has the box's stand-ins: network, bus, chip.
    """

    def __init__(self, config: Config, where: str, hardware: Any) -> None:
        super().__init__(config, where)
        self.machine = SimulatedMachine()
        self.hardware = hardware
        self.passed = 0.0
        self.sleeps = 0
        self._plan: list[tuple[float, Callable[[], object]]] = []
        self._doing: tuple[object, ...] = ()
        self.awaited: Callable[[], str | None] = lambda: None  # what the person types, once it is time

    def now(self) -> float:
        """Return the virtual time."""
        return self.passed + float(self.hardware.bus.bytes) * BYTE

    def elapse(self, seconds: float) -> None:
        """Let time pass without a press."""
        self.passed += seconds

    def wait(self, seconds: float) -> None:
        """Let time pass; planned presses and releases happen."""
        self.sleeps += 1
        self._pass(self.now() + seconds, lambda: False)

    def block(self, keypad: Keypad, seconds: float) -> bool:
        """Wait while the keypad is parked."""
        self.sleeps += 1
        return self._pass(self.now() + seconds, lambda: keypad.wait(0))

    def _pass(self, end: float, over: Callable[[], bool]) -> bool:
        """Let time pass, with what is planned, until it ends or is over; return whether it is."""
        while not over():
            due = [self._plan.pop(0)] if self._plan and self._plan[0][0] <= end else []
            self.elapse(max(0.0, (due[0][0] if due else end) - self.now()))
            if not due:
                return over()
            due[0][1]()
        return True

    def usage(self) -> Usage:
        """Return the sleeps so far; the processor's time is not simulated."""
        return Usage(0.0, self.sleeps)

    def undervoltage(self) -> bool | None:
        """Return False: the supply holds."""
        return False

    def chip(self) -> HeaderChip:
        """Return a chip that nobody else uses."""
        return HeaderChip(0, HEADER_LABELS[0])

    def access(self, _chip: HeaderChip) -> str:
        """Return what is expected of a chip's device."""
        return "gpio rw"

    def open_factory(self) -> Any:
        """Return the factory of the simulated switches."""
        return self.hardware.network.factory

    def open_traced(self) -> Any:
        """Return a factory whose pins record edges."""
        return RecordingFactory(self.hardware.network, self.now)

    def open_bus(self) -> Any:
        """Return the simulated bus."""
        return self.hardware.bus

    # The person

    def close_keys(self, keys: int) -> None:
        """Press these keys (bits), and let go of the others."""
        for key in range(KEYS):
            (self.hardware.network.press if keys >> key & 1 else self.hardware.network.release)(key)

    def present(self, prompt: Prompt) -> None:
        """Show what is asked for, and let the person do it."""
        super().present(prompt)
        doing = (prompt.word, prompt.keys, prompt.wire)
        if doing != self._doing or prompt.question:
            self._doing = doing
            self.close_keys(0)
            at = self.now() + THINKS
            self._plan = [(when, partial(self.close_keys, keys)) for when, keys in self.planned(prompt, at)]
            self.awaited = self.reply(prompt)

    def planned(self, prompt: Prompt, at: float) -> Iterator[tuple[float, int]]:
        """Yield when which keys (bits) are pressed from then on."""
        if prompt.word == "hold_these":
            yield at, prompt.keys
        count, apart = TAPS.get(prompt.word, (0, 0.0))
        for number in range(count):
            key = keys_of(prompt.keys)[0] if prompt.keys else number * 4 % KEYS
            yield from self.tapped(key, at + number * (apart + 0.002))  # at any time between two polls

    def tapped(self, key: int, at: float) -> Iterator[tuple[float, int]]:
        """Yield the presses of one tap."""
        yield at, 1 << key
        yield at + CLOSED_SECONDS, 0

    def reply(self, prompt: Prompt) -> Callable[[], str | None]:
        """Return what tells the answer, None until there is one; unplug the display if that is asked for."""
        at = self.now() + LOOKS
        if prompt.word == "do_replug":
            bus, back = self.hardware.bus, at + 3.0
            self._plan = [(at, bus.unplug), (back, bus.plug)]
            return lambda: "" if self.now() > back and self.hardware.chip.lit else None
        text = "y" if prompt.question else "" if prompt.word == "do_lamp" else None
        return lambda: text if self.now() >= at else None

    def typed(self) -> str | None:
        """Return the answer, once."""
        text = self.awaited()
        if text is not None:
            self.awaited = lambda: None
        return text


class RecordingPin(NetworkPin):
    """A simulated pin that records the edges of its wire, and reads one without a level as low."""

    def __init__(self, factory: "RecordingFactory", info: Any) -> None:
        super().__init__(factory, info)
        self.watched = self._traced = False
        self._edges: list[Edge] = []
        self._count = 0
        self._high = self._get_state()
        factory.recording.append(self)

    def trace(self) -> None:
        """Record the edges from now on."""
        self._traced, self._edges = True, []

    def edges(self) -> list[Edge]:
        """Return the edges since the last call, the first one first."""
        edges, self._edges = self._edges, []
        return edges

    def watch(self) -> None:
        """Let edges end the factory's wait."""
        self.watched = True

    def unwatch(self) -> None:
        """Do so no longer."""
        self.watched = False

    def changed(self, at: float) -> bool:
        """Take note of the wire's level; return whether it has fallen and is watched."""
        before, self._high = self._high, self._get_state()
        if self._high != before and self._traced:
            self._count += 1
            self._edges.append(Edge(at, self._high, self._count))
        return self.watched and before and not self._high

    def _get_state(self) -> bool:
        try:
            return super()._get_state()
        except FloatingPin:  # the test measures what no datasheet promises
            return False


class RecordingFactory(NetworkFactory):
    """Makes such pins; it can wait for the edges of those that are watched."""

    pin_kind = RecordingPin

    def __init__(self, network: SwitchNetwork, now: Callable[[], float]) -> None:
        super().__init__(network)
        self.recording: list[RecordingPin] = []
        self._now = now
        self._woken = False
        self._before = network.listener
        network.listener = self._changed

    def _changed(self) -> None:
        at = self._now()
        self._woken |= any([pin.changed(at) for pin in self.recording])  # noqa: C419 - each has to note it

    def wait(self, _seconds: float | None = None) -> bool:
        """Return whether a watched pin has fallen, or `wake` was called, since the last call."""
        woken, self._woken = self._woken, False
        return woken

    def wake(self) -> None:
        """Make `wait` return."""
        self._woken = True

    def close(self) -> None:
        """Release the pins."""
        super().close()
        self.network.listener = self._before
