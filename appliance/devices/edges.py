"""Falling edges, from the kernel itself: who waits for them sleeps, and a thread of a library's does not.

gpiozero tells of edges too, on a thread of its library's: lgpio's looks for one every half millisecond while
any is armed. So the lines are taken from gpiozero while they are watched.
"""

import contextlib
import os
import select
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

from appliance.devices.lines import BIAS_PULL_UP, EDGE_FALLING, INPUT, Lines


class KernelEdges:
    """Falling edges of some lines of one GPIO chip, each an input that is pulled up.

    `chip` is the path of the chip's device, `lines` are numbers on it, and `release` makes whoever holds a
    line give it back to the kernel. One thread arms and waits; any may wake it, disarm and close.
    """

    def __init__(self, chip: str, lines: Sequence[int], release: Callable[[int], object]) -> None:
        self._chip = chip
        self._lines = tuple(lines)
        self._release = release
        self._watched: Lines | None = None  # while they are
        self._wake = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self._waiting = threading.Lock()  # held while a thread waits: the lines are taken until it has let go

    def arm(self) -> None:
        """Take the lines and watch them. A line that is low by then ends the waiting as an edge does.

        Raises `LineError` when the kernel refuses, and what `release` raises. Some lines may be released
        then: `disarm`, and claim them again.
        """
        for line in self._lines:
            self._release(line)
        self._watched = Lines(self._chip, self._lines, INPUT | EDGE_FALLING | BIAS_PULL_UP)
        # What fell before the kernel watched was no edge to it.
        if self._watched.read() != (1 << len(self._lines)) - 1:
            self.wake()

    def wait(self) -> None:
        """Sleep until a line falls, or has fallen since `arm`, or until `wake`; not at all when not armed."""
        with self._waiting:
            if self._watched is not None:
                poll = select.poll()
                poll.register(self._watched.descriptor, select.POLLIN)
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
            watched, self._watched = self._watched, None
        if watched is not None:
            watched.close()

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
    """Return the edges of these pins of our own factory or lgpio's, None for those of any other."""
    if hasattr(factory, "let_go"):
        return KernelEdges(factory.path, lines, factory.let_go)
    backend = sys.modules.get("gpiozero.pins.lgpio")  # another factory must not load lgpio
    if backend is None or not isinstance(factory, backend.LGPIOFactory):
        return None
    # gpiozero's own pin.close() claims the line anew; nothing of its interface lets one go.
    return KernelEdges(
        f"/dev/gpiochip{factory.chip}",
        lines,
        lambda line: backend.lgpio.gpio_free(factory._handle, line),  # noqa: SLF001 - see above
    )
