"""gpiozero pins on the kernel's GPIO character device, version 2 (<linux/gpio.h>): no library, no thread.

lgpio, gpiozero's default on a Pi, starts a thread that wakes fifty times a second as soon as a chip is
opened; on a box at rest it would be the only thing that runs. These pins have levels and pulls, but no PWM:
for a tone, see `pinout.sounding`. `KernelFactory.wait` waits for falling edges of the inputs it watches.
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

from gpiozero.exc import PinInvalidPull, PinSetInput
from gpiozero.pins.local import LocalPiFactory, LocalPiPin

# GPIO_V2_GET_LINE_IOCTL, GPIO_V2_LINE_SET_CONFIG_IOCTL, ..._GET_VALUES_IOCTL, ..._SET_VALUES_IOCTL
GET_LINE, SET_CONFIG, GET_VALUES, SET_VALUES = 0xC250B407, 0xC110B40D, 0xC010B40E, 0xC010B40F
INPUT, OUTPUT = 1 << 2, 1 << 3  # GPIO_V2_LINE_FLAG_..., as are the next two lines
FALLING = 1 << 5
UP, DOWN, DISABLED = 1 << 8, 1 << 9, 1 << 10  # without any of these the pull is left unchanged
OUTPUT_VALUES = 2  # GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES

# struct gpio_v2_line_config: flags; count of attributes, and ten (id, value, mask); we use one.
# struct gpio_v2_line_request: 64 line numbers, we use one; consumer; config; count of lines, size of the
# event buffer; the descriptor, which is the answer. struct gpio_v2_line_values: bits, mask.
_CONFIG = "QI20x I4xQQ 216x"
CONFIG = struct.Struct("=" + _CONFIG)
REQUEST = struct.Struct("=I252x 32s" + _CONFIG + "II20x i")
VALUES = struct.Struct("=QQ")

CONSUMER = b"tictactoe"  # the line's holder, as gpioinfo shows it
EVENTS = 16 * 48  # bytes: the kernel buffers 16 of struct gpio_v2_line_event per line

_PULLS = {"up": UP, "down": DOWN, "floating": DISABLED}


class LineError(OSError):
    """The kernel rejected an operation on a line; the message has the reason, chip and line."""


class KernelPin(LocalPiPin):  # type: ignore[misc]  # gpiozero has no types
    """A pin that holds its line. It is an input at first, and again after `close` until its next use.

    It keeps its pull until it is given another. It starts with the pull of power-on or of a previous holder,
    which the kernel does not report: `pull` is "floating" then. The kernel sets an input's direction before
    its pull, so an output that already has the pull never becomes an input without it.
    Each reconfiguration is one ioctl: no intermediate state. What the kernel rejects is raised as
    `LineError`: usually another program holds the line. When the chip disappears, the line is dropped; the
    next reconfiguration requests it again.
    """

    BUFFERED = 0  # edges that the kernel keeps for the line; 0 for its default, 16

    def __init__(self, factory: "KernelFactory", pin: Any) -> None:
        super().__init__(factory, pin)  # a number in gpiozero 1.6, the pin's description in 2
        self._descriptor = -1  # of the line; -1 after `close`
        self._flags = INPUT
        self._pulled = 0  # UP, DOWN or DISABLED; 0 until we set a pull
        self._configure(INPUT)

    def close(self) -> None:
        """Make the pin an input that keeps its pull, and release its line. May be called again."""
        if self._descriptor < 0:
            return
        try:
            self._configure(self._input)  # a released output may stay an output
        finally:
            self._drop()

    def output_with_state(self, state: bool) -> None:
        """Make the pin an output at this level, without a glitch."""
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

    def watch(self) -> None:
        """Watch the pin, an input, for falling edges from now on."""
        if self._descriptor >= 0:
            self.drain()  # those that were left when it was last watched
        self._configure(self._input | FALLING)
        self.factory.watch(self._descriptor, self)

    def unwatch(self) -> None:
        """Stop watching the pin; no-op if it is not watched."""
        if self._flags & FALLING:
            self.factory.unwatch(self._descriptor)
            self._configure(self._input)

    def drain(self) -> None:
        """Forget the edges so far."""
        try:
            os.read(self._descriptor, EVENTS)
        except BlockingIOError:
            pass
        except OSError as error:
            raise self._line_error(error) from error

    def _configure(self, flags: int, level: bool = False) -> None:
        output = (1, OUTPUT_VALUES, level, 1) if flags & OUTPUT else (0, 0, 0, 0)
        if self._descriptor < 0:
            self._request(REQUEST.pack(self._number, CONSUMER, flags, *output, 1, self.BUFFERED, 0))
        else:
            self._call(SET_CONFIG, CONFIG.pack(flags, *output))
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
            if error.errno == errno.ENODEV:  # permanent: a chip that returns has new lines
                self._drop()
            raise self._line_error(error) from error

    def _drop(self) -> None:
        """Release the line as it is."""
        self.factory.unwatch(self._descriptor)
        descriptor, self._descriptor, self._flags = self._descriptor, -1, self._input
        if descriptor >= 0:
            os.close(descriptor)

    def _line_error(self, error: OSError) -> LineError:
        return LineError(error.errno, error.strerror, f"{self.factory.path} line {self._number}")

    def _get_function(self) -> str:
        return "output" if self._flags & OUTPUT else "input"

    def _get_state(self) -> bool:
        if self._descriptor < 0:
            self._configure(self._input)
        return bool(VALUES.unpack(self._call(GET_VALUES, VALUES.pack(0, 1)))[0])

    def _set_state(self, value: bool) -> None:
        if not self._flags & OUTPUT:
            raise PinSetInput(f"cannot set the state of pin {self!r}: it is an input")
        self._call(SET_VALUES, VALUES.pack(bool(value), 1))


class KernelFactory(LocalPiFactory):  # type: ignore[misc]  # gpiozero has no types
    """Makes the pins of one GPIO chip; `chip` is its number, `path` its device.

    Raises `gpiozero.PinUnknownPi` if this is not a Raspberry Pi, since its pins are unknown, and `OSError`
    if the chip cannot be opened.
    """

    def __init__(self, chip: int, directory: Path = Path("/dev")) -> None:
        super().__init__()
        self._get_revision()
        self.chip = chip
        self.path = str(directory / f"gpiochip{chip}")
        os.close(os.open(self.path, os.O_RDWR | os.O_CLOEXEC))
        self.pin_class = KernelPin
        self._watched: dict[int, KernelPin] = {}  # by the line's descriptor
        self._lock = threading.Lock()  # keeps a watched line open while its edges are read
        self._wake = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self._poll = select.epoll()
        self._poll.register(self._wake, select.EPOLLIN)

    def wait(self, seconds: float | None = None) -> bool:
        """Block until a watched pin has an edge or `wake` is called; return whether there was an edge.

        With `seconds`, no longer than that. One thread at a time may call this. Raises `LineError` if an edge
        cannot be read.
        """
        edge = False
        for descriptor, _ in self._poll.poll(seconds):
            if descriptor == self._wake:
                with contextlib.suppress(BlockingIOError):
                    os.eventfd_read(self._wake)
                continue
            with self._lock:
                if pin := self._watched.get(descriptor):
                    pin.drain()
                    edge = True
        return edge

    def wake(self) -> None:
        """Make `wait` return: the current call, or else the next. Any thread may call this."""
        os.eventfd_write(self._wake, 1)

    def watch(self, descriptor: int, pin: KernelPin) -> None:
        """Wait for the edges of a line, too."""
        with self._lock:
            self._poll.register(descriptor, select.EPOLLIN)
            self._watched[descriptor] = pin

    def unwatch(self, descriptor: int) -> None:
        """Stop waiting for a line's edges; call this before closing it."""
        with self._lock:
            if self._watched.pop(descriptor, None):
                self._poll.unregister(descriptor)

    def close(self) -> None:
        """Close all pins. May be called again."""
        super().close()
        if not self._poll.closed:
            self._poll.close()
            os.close(self._wake)
