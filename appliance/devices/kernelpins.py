"""gpiozero pins on the kernel's GPIO character device, without a library or a thread of their own.

gpiozero's default on a Pi, lgpio, runs a thread that wakes fifty times a second from the moment a chip is
opened; on a box at rest nothing else runs. These pins have levels, pulls and edges, but no PWM: for a tone,
see `pinout.sounding`. Edges are delivered by `KernelFactory.dispatch`, on the thread that calls it.
"""

import contextlib
import os
import select
import threading
from pathlib import Path
from typing import Any

from gpiozero.exc import PinFixedPull, PinInvalidEdges, PinInvalidFunction, PinInvalidPull, PinSetInput
from gpiozero.pins.local import LocalPiFactory, LocalPiPin

from appliance.devices import lines
from appliance.devices.lines import Line

INPUT, OUTPUT = lines.GPIO_V2_LINE_FLAG_INPUT, lines.GPIO_V2_LINE_FLAG_OUTPUT
RISING, FALLING = lines.GPIO_V2_LINE_FLAG_EDGE_RISING, lines.GPIO_V2_LINE_FLAG_EDGE_FALLING

_FUNCTIONS = {"input": INPUT, "output": OUTPUT}
_PULLS = {
    "up": lines.GPIO_V2_LINE_FLAG_BIAS_PULL_UP,
    "down": lines.GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN,
    "floating": lines.GPIO_V2_LINE_FLAG_BIAS_DISABLED,
}
_EDGES = {"none": 0, "rising": RISING, "falling": FALLING, "both": RISING | FALLING}


class KernelPin(LocalPiPin):  # type: ignore[misc]  # gpiozero has no types
    """A pin that holds its line: an input at first, and after `close` until it is used again.

    Each reconfiguration is one ioctl: no intermediate state. What the kernel rejects is raised as
    `appliance.devices.lines.LineError`.
    """

    def __init__(self, factory: "KernelFactory", pin: Any) -> None:
        super().__init__(factory, pin)  # a number in gpiozero 1.6, the pin's description in 2
        self._line: Line | None = None
        self._flags = INPUT  # without those of edges
        self._edges = "both"
        self._watched = False  # for edges, whenever it is an input
        self._configure(INPUT)

    def close(self) -> None:
        """Make the pin an input, and release its line. May be called again."""
        if self._line is None:
            return
        self._unwatch()
        try:
            self._configure(INPUT)  # a released line may stay what it is
        finally:
            self._line.close()
            self._line, self._flags = None, INPUT

    def output_with_state(self, state: bool) -> None:
        """Make the pin an output at this level, with no other level before it."""
        self._configure(OUTPUT, bool(state))

    def input_with_pull(self, pull: str) -> None:
        """Make the pin an input that is pulled "up" or "down", or "floating"."""
        self._configure(INPUT | self._bias(pull))

    def deliver(self, events: list[tuple[float, bool]]) -> None:
        """Call `when_changed`, if it is set, for each of these edges: (ticks, level after the edge)."""
        with self._when_changed_lock:
            for ticks, state in events:
                if self._when_changed is not None:
                    self._call_when_changed(ticks, state)

    def _configure(self, flags: int, level: bool = False) -> Line:
        wanted = flags | (_EDGES[self._edges] if self._watched and flags & INPUT else 0)
        if self._line is None:
            self._line = Line(self.factory.path, self._number, wanted, level)
        else:
            self._line.configure(wanted, level)
        self._flags = flags
        return self._line

    def _bias(self, pull: str) -> int:
        if pull not in _PULLS:
            raise PinInvalidPull(f'invalid pull "{pull}" for pin {self!r}')
        if pull != "up" and self._number in (2, 3):
            raise PinFixedPull(f"{self!r} has a pull-up resistor on the board")
        return _PULLS[pull]

    def _get_function(self) -> str:
        return "output" if self._flags & OUTPUT else "input"

    def _set_function(self, value: str) -> None:
        if value not in _FUNCTIONS:
            raise PinInvalidFunction(f'invalid function "{value}" for pin {self!r}')
        self._configure(_FUNCTIONS[value])

    def _get_state(self) -> bool:
        return (self._line or self._configure(INPUT)).read()

    def _set_state(self, value: bool) -> None:
        if self._line is None or not self._flags & OUTPUT:
            raise PinSetInput(f"cannot set the state of pin {self!r}: it is an input")
        self._line.write(bool(value))

    def _get_pull(self) -> str:
        return next((name for name, flag in _PULLS.items() if self._flags & flag), "floating")

    def _set_pull(self, value: str) -> None:
        if self._flags & OUTPUT:
            raise PinFixedPull(f"cannot set a pull on pin {self!r}: it is an output")
        self.input_with_pull(value)

    def _get_edges(self) -> str:
        return self._edges

    def _set_edges(self, value: str) -> None:
        if value not in _EDGES:
            raise PinInvalidEdges(f'invalid edges "{value}" for pin {self!r}')
        self._edges = value
        if self._watched and self._flags & INPUT:
            self._configure(self._flags)

    def _enable_event_detect(self) -> None:
        line = self._line or self._configure(self._flags)
        try:
            line.events()  # drop those that were left when it was last watched
            self._watched = True
            if self._flags & INPUT:
                self._configure(self._flags)
            self.factory.watch(line, self)
        except OSError:
            self._watched, self._when_changed = False, None
            raise

    def _disable_event_detect(self) -> None:
        self._unwatch()
        if self._line is not None and self._flags & INPUT:
            self._configure(self._flags)

    def _unwatch(self) -> None:
        if self._watched and self._line is not None:
            self.factory.unwatch(self._line)
        self._watched, self._when_changed = False, None


class KernelFactory(LocalPiFactory):  # type: ignore[misc]  # gpiozero has no types
    """Makes the pins of one GPIO chip; `chip` is its number, `path` its device.

    Raises `gpiozero.PinUnknownPi` where this is no Raspberry Pi, because its pins are not known.
    """

    def __init__(self, chip: int, directory: Path = Path("/dev")) -> None:
        super().__init__()
        self._get_revision()
        self.chip = chip
        self.path = str(directory / f"gpiochip{chip}")
        self.pin_class = KernelPin
        self._watched: dict[int, tuple[Line, KernelPin]] = {}  # by the line's descriptor
        self._lock = threading.Lock()  # a watched line is not closed while its edges are read
        self._wake = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self._poll = select.epoll()
        self._poll.register(self._wake, select.EPOLLIN)

    def dispatch(self) -> None:
        """Block until a watched pin has an edge, or until `wake`; call the `when_changed` of such pins.

        One thread at a time may call this. Raises `LineError` when an edge cannot be read.
        """
        for descriptor, _ in self._poll.poll():
            if descriptor == self._wake:
                with contextlib.suppress(BlockingIOError):
                    os.eventfd_read(self._wake)
                continue
            with self._lock:
                line, pin = self._watched.get(descriptor, (None, None))
                events = line.events() if line else []
            if pin:
                pin.deliver(events)

    def wake(self) -> None:
        """Let `dispatch` return: the call under way, or the next. Any thread may call this."""
        os.eventfd_write(self._wake, 1)

    def watch(self, line: Line, pin: KernelPin) -> None:
        """Deliver the edges of a line to its pin."""
        with self._lock:
            self._poll.register(line.descriptor, select.EPOLLIN)
            self._watched[line.descriptor] = line, pin

    def unwatch(self, line: Line) -> None:
        """Stop delivering the edges of a line, before it is closed."""
        with self._lock:
            if self._watched.pop(line.descriptor, None):
                self._poll.unregister(line.descriptor)

    def close(self) -> None:
        """Close all pins, and stop dispatching. May be called again."""
        super().close()
        if not self._poll.closed:
            self._poll.close()
            os.close(self._wake)
