"""Falling edges, from the kernel itself: its GPIO character device, version 2 (<linux/gpio.h>).

lgpio tells of edges too, but while one is armed, a thread of its own looks for it every half millisecond. So
the lines are taken from lgpio while they are watched, and asked of the kernel: who waits for them, sleeps.
"""

import contextlib
import fcntl
import os
import select
import struct
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

GET_LINE = 0xC250B407  # GPIO_V2_GET_LINE_IOCTL: a request of lines
GET_VALUES = 0xC010B40E  # GPIO_V2_LINE_GET_VALUES_IOCTL: their levels

# struct gpio_v2_line_request: 64 line numbers; consumer; flags, count of attributes, attributes; count of
# lines, size of the event buffer; the descriptor, which is the answer.
REQUEST = struct.Struct("=64I 32s QI20x240x II20x i")
VALUES = struct.Struct("=QQ")  # struct gpio_v2_line_values: bits, mask

INPUT, EDGE_FALLING, BIAS_PULL_UP = 1 << 2, 1 << 5, 1 << 8  # GPIO_V2_LINE_FLAG_...
CONSUMER = b"tictactoe"  # whom tools like gpioinfo name as the one that holds the lines


class KernelEdges:
    """Falling edges of some lines of one GPIO chip, each an input that is pulled up.

    `chip` is the path of the chip's device, `lines` are numbers on it, and `release` makes whoever holds a
    line give it back to the kernel. One thread arms and waits; any may wake it, disarm and close.
    """

    def __init__(self, chip: str, lines: Sequence[int], release: Callable[[int], object]) -> None:
        self._chip = chip
        self._lines = tuple(lines)
        self._release = release
        self._request = -1  # the descriptor of the lines while they are watched
        self._wake = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self._waiting = threading.Lock()  # held while a thread waits: the lines are taken until it has let go

    def arm(self) -> None:
        """Take the lines and watch them. A line that is low by then ends the waiting as an edge does.

        Raises `OSError` when the kernel refuses, and what `release` raises. Some lines may be released then:
        `disarm`, and claim them again.
        """
        for line in self._lines:
            self._release(line)
        count = len(self._lines)
        offsets = (*self._lines, *[0] * (64 - count))
        flags = INPUT | EDGE_FALLING | BIAS_PULL_UP
        chip = os.open(self._chip, os.O_RDWR | os.O_CLOEXEC)
        try:
            wanted = REQUEST.pack(*offsets, CONSUMER, flags, 0, count, 0, 0)
            self._request = REQUEST.unpack(fcntl.ioctl(chip, GET_LINE, wanted))[-1]
        finally:
            os.close(chip)
        # What fell before the kernel watched was no edge to it.
        every = (1 << count) - 1
        high, _ = VALUES.unpack(fcntl.ioctl(self._request, GET_VALUES, VALUES.pack(0, every)))
        if high != every:
            self.wake()

    def wait(self) -> None:
        """Sleep until a line falls, or has fallen since `arm`, or until `wake`; not at all when not armed."""
        with self._waiting:
            if self._request >= 0:
                poll = select.poll()
                poll.register(self._request, select.POLLIN)
                poll.register(self._wake, select.POLLIN)
                poll.poll()
            self._forget()

    def wake(self) -> None:
        """Let `wait` return: the one that is under way, or the next."""
        if self._wake >= 0:
            os.eventfd_write(self._wake, 1)

    def disarm(self) -> None:
        """Watch no longer, and give the lines back to the kernel. May be called at any time, and again."""
        self.wake()  # as long as a thread waits for them, closing the descriptor does not free the lines
        with self._waiting:
            self._forget()
            request, self._request = self._request, -1
        if request >= 0:
            os.close(request)

    def close(self) -> None:
        """Disarm for good. May be called again."""
        self.disarm()
        with self._waiting:
            wake, self._wake = self._wake, -1
        if wake >= 0:
            os.close(wake)

    def _forget(self) -> None:
        if self._wake >= 0:
            with contextlib.suppress(BlockingIOError):  # nobody has woken it
                os.eventfd_read(self._wake)


def edges_of(factory: Any, lines: Sequence[int]) -> KernelEdges | None:
    """Return the edges of these pins of gpiozero's lgpio factory, and None for any other factory."""
    backend = sys.modules.get("gpiozero.pins.lgpio")  # another factory must not load lgpio
    if backend is None or not isinstance(factory, backend.LGPIOFactory):
        return None
    # gpiozero's own pin.close() claims the line anew; nothing of its interface lets one go.
    return KernelEdges(
        f"/dev/gpiochip{factory.chip}",
        lines,
        lambda line: backend.lgpio.gpio_free(factory._handle, line),  # noqa: SLF001 - see above
    )
