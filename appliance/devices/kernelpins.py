"""gpiozero pins on the kernel's GPIO character device, version 2 (<linux/gpio.h>): no library, no thread.

lgpio, gpiozero's default on a Pi, runs a thread that wakes fifty times a second from the moment a chip is
opened; on a box at rest nothing else runs. These pins have levels, pulls and edges, but no PWM: for a tone,
see `pinout.sounding`. Edges are delivered by `KernelFactory.dispatch`, on the thread that calls it.
"""

import contextlib
import errno
import fcntl
import os
import select
import struct
import threading
from pathlib import Path
from typing import Any

from gpiozero.exc import PinFixedPull, PinInvalidEdges, PinInvalidFunction, PinInvalidPull, PinSetInput
from gpiozero.pins.local import LocalPiFactory, LocalPiPin

# GPIO_V2_GET_LINE_IOCTL, GPIO_V2_LINE_SET_CONFIG_IOCTL, ..._GET_VALUES_IOCTL, ..._SET_VALUES_IOCTL
GET_LINE, SET_CONFIG, GET_VALUES, SET_VALUES = 0xC250B407, 0xC110B40D, 0xC010B40E, 0xC010B40F
INPUT, OUTPUT = 1 << 2, 1 << 3  # GPIO_V2_LINE_FLAG_..., and so the next two lines
RISING, FALLING = 1 << 4, 1 << 5
UP, DOWN, DISABLED = 1 << 8, 1 << 9, 1 << 10  # without one of these the pull stays as it is
OUTPUT_VALUES = 2  # GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES
RISING_EDGE = 1  # GPIO_V2_LINE_EVENT_RISING_EDGE

# struct gpio_v2_line_config: flags; count of attributes, and ten (id, value, mask), of which one is used.
# struct gpio_v2_line_request: 64 line numbers, of which one is used; consumer; config; count of lines, size
# of the event buffer; the descriptor, which is the answer. struct gpio_v2_line_values: bits, mask.
# struct gpio_v2_line_event: nanoseconds of CLOCK_MONOTONIC; which edge; line and sequence numbers.
_CONFIG = "QI20x I4xQQ 216x"
CONFIG = struct.Struct("=" + _CONFIG)
REQUEST = struct.Struct("=I252x 32s" + _CONFIG + "II20x i")
VALUES = struct.Struct("=QQ")
EVENT = struct.Struct("=QI36x")

CONSUMER = b"tictactoe"  # who holds the line, for tools like gpioinfo
EVENTS = 16  # the kernel buffers no more for a line

_PULLS = {"up": UP, "down": DOWN, "floating": DISABLED}
_EDGES = {"none": 0, "rising": RISING, "falling": FALLING, "both": RISING | FALLING}


class LineError(OSError):
    """The kernel rejected an operation on a line: what, why, which chip and line."""


class KernelPin(LocalPiPin):  # type: ignore[misc]  # gpiozero has no types
    """A pin that holds its line: an input at first, and after `close` until it is used again.

    It keeps its pull until it is given another. At first it has the pull of the power-on or of a previous
    holder, which the kernel does not report: `pull` is "floating" then. The kernel sets an input's direction
    before its pull, so an output that already has the pull is never an input without it.
    Each reconfiguration is one ioctl: no intermediate state. What the kernel rejects is raised as
    `LineError`: usually another program holds the line. When the chip has gone, the line is dropped: the next
    reconfiguration requests it again.
    """

    def __init__(self, factory: "KernelFactory", pin: Any) -> None:
        super().__init__(factory, pin)  # a number in gpiozero 1.6, the pin's description in 2
        self._descriptor = -1  # of the line; -1 after `close`
        self._flags = INPUT  # without those of edges
        self._pulled = 0  # UP, DOWN or DISABLED; 0 while it has had no pull from us
        self._edges = "both"
        self._watched = False  # for edges, whenever it is an input
        self._configure(INPUT)

    def close(self) -> None:
        """Make the pin an input, which keeps its pull, and release its line. May be called again."""
        if self._descriptor < 0:
            return
        self._unwatch()
        try:
            self._configure(self._input)  # a released line may stay what it is
        finally:
            self._drop()

    def output_with_state(self, state: bool) -> None:
        """Make the pin an output at this level, with no other level before it."""
        self._configure(OUTPUT, bool(state))

    def input_with_pull(self, pull: str) -> None:
        """Make the pin an input that is pulled "up" or "down", or "floating"."""
        if pull not in _PULLS:
            raise PinInvalidPull(f'invalid pull "{pull}" for pin {self!r}')
        self._configure(INPUT | _PULLS[pull])
        self._pulled = _PULLS[pull]

    @property
    def _input(self) -> int:
        return INPUT | self._pulled

    def read_edges(self) -> list[tuple[float, bool]]:
        """Return the edges since the last call, as (seconds of the monotonic clock, level after the edge)."""
        try:
            events = os.read(self._descriptor, EVENTS * EVENT.size)
        except BlockingIOError:
            return []
        except OSError as error:
            raise self._line_error(error) from error
        return [(at / 1e9, edge == RISING_EDGE) for at, edge in EVENT.iter_unpack(events)]

    def deliver(self, edges: list[tuple[float, bool]]) -> None:
        """Call `when_changed`, if it is set, for each of these edges: (ticks, level after the edge)."""
        with self._when_changed_lock:
            for ticks, state in edges:
                if self._when_changed is not None:
                    self._call_when_changed(ticks, state)

    def _configure(self, flags: int, level: bool = False) -> None:
        edges = _EDGES[self._edges] if self._watched and flags & INPUT else 0
        output = (1, OUTPUT_VALUES, level, 1) if flags & OUTPUT else (0, 0, 0, 0)
        if self._descriptor < 0:
            self._request(REQUEST.pack(self._number, CONSUMER, flags | edges, *output, 1, 0, 0))
        else:
            self._call(SET_CONFIG, CONFIG.pack(flags | edges, *output))
        self._flags = flags

    def _request(self, request: bytes) -> None:
        try:
            chip = os.open(self.factory.path, os.O_RDWR | os.O_CLOEXEC)
            try:
                answer = fcntl.ioctl(chip, GET_LINE, request)
            finally:
                os.close(chip)  # the line has a descriptor of its own
        except OSError as error:
            raise self._line_error(error) from error
        self._descriptor = REQUEST.unpack(answer)[-1]
        os.set_blocking(self._descriptor, False)

    def _call(self, request: int, argument: bytes) -> bytes:
        try:
            return fcntl.ioctl(self._descriptor, request, argument)
        except OSError as error:
            if error.errno == errno.ENODEV:  # for ever: a chip that comes back gives new lines
                self._drop()
            raise self._line_error(error) from error

    def _drop(self) -> None:
        """Release the line as it is."""
        self._unwatch()
        descriptor, self._descriptor, self._flags = self._descriptor, -1, self._input
        if descriptor >= 0:
            os.close(descriptor)

    def _line_error(self, error: OSError) -> LineError:
        return LineError(error.errno, error.strerror, f"{self.factory.path} line {self._number}")

    def _get_function(self) -> str:
        return "output" if self._flags & OUTPUT else "input"

    def _set_function(self, value: str) -> None:
        if value not in {"input", "output"}:
            raise PinInvalidFunction(f'invalid function "{value}" for pin {self!r}')
        self._configure(self._input if value == "input" else OUTPUT)

    def _get_state(self) -> bool:
        if self._descriptor < 0:
            self._configure(self._input)
        return bool(VALUES.unpack(self._call(GET_VALUES, VALUES.pack(0, 1)))[0])

    def _set_state(self, value: bool) -> None:
        if not self._flags & OUTPUT:
            raise PinSetInput(f"cannot set the state of pin {self!r}: it is an input")
        self._call(SET_VALUES, VALUES.pack(bool(value), 1))

    def _get_pull(self) -> str:
        return next((name for name, flag in _PULLS.items() if self._pulled == flag), "floating")

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
        try:
            if self._descriptor >= 0:
                self.read_edges()  # drop those that were left when it was last watched
            self._watched = True
            if self._flags & INPUT:
                self._configure(self._flags)
            self.factory.watch(self._descriptor, self)
        except OSError:
            self._watched, self._when_changed = False, None
            raise

    def _disable_event_detect(self) -> None:
        self._unwatch()
        if self._descriptor >= 0 and self._flags & INPUT:
            self._configure(self._flags)

    def _unwatch(self) -> None:
        if self._watched:
            self.factory.unwatch(self._descriptor)
        self._watched, self._when_changed = False, None


class KernelFactory(LocalPiFactory):  # type: ignore[misc]  # gpiozero has no types
    """Makes the pins of one GPIO chip; `chip` is its number, `path` its device.

    Raises `gpiozero.PinUnknownPi` where this is no Raspberry Pi, because its pins are not known, and
    `OSError` where the chip cannot be opened.
    """

    def __init__(self, chip: int, directory: Path = Path("/dev")) -> None:
        super().__init__()
        self._get_revision()
        self.chip = chip
        self.path = str(directory / f"gpiochip{chip}")
        os.close(os.open(self.path, os.O_RDWR | os.O_CLOEXEC))
        self.pin_class = KernelPin
        self._watched: dict[int, KernelPin] = {}  # by the line's descriptor
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
                pin = self._watched.get(descriptor)
                edges = pin.read_edges() if pin else []
            if pin:
                pin.deliver(edges)

    def wake(self) -> None:
        """Let `dispatch` return: the call under way, or the next. Any thread may call this."""
        os.eventfd_write(self._wake, 1)

    def watch(self, descriptor: int, pin: KernelPin) -> None:
        """Deliver the edges of a line to its pin."""
        with self._lock:
            self._poll.register(descriptor, select.EPOLLIN)
            self._watched[descriptor] = pin

    def unwatch(self, descriptor: int) -> None:
        """Stop delivering the edges of a line, before it is closed."""
        with self._lock:
            if self._watched.pop(descriptor, None):
                self._poll.unregister(descriptor)

    def close(self) -> None:
        """Close all pins, and stop dispatching. May be called again."""
        super().close()
        if not self._poll.closed:
            self._poll.close()
            os.close(self._wake)
