"""The header's GPIO chip, as the kernel describes it; and pins that record every edge with its time."""

import fcntl
import os
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from appliance.boardtest.machine import ChipLine, Edge, HeaderChip
from appliance.devices.kernelpins import CONSUMER, FALLING, KernelFactory, KernelPin, LineError
from appliance.devices.pinout import CHIPINFO, CHIPINFO_SIZE, GET_LINEINFO, LINEINFO, USED, header_number

OUTPUT = 1 << 3  # GPIO_V2_LINE_FLAG_...
# struct gpio_v2_line_event: nanoseconds, which edge, offset, and its number among those of the request
EVENT = struct.Struct("=QIII28x")
RISING = 1 << 4
RISING_EDGE = 1  # GPIO_V2_LINE_EVENT_RISING_EDGE


def read_chip(numbers: Sequence[int], directory: Path = Path("/dev")) -> HeaderChip:
    """Return the chip. Raise `OSError` if there is none, `NoAccess` without the permission to open it."""
    chosen = header_number(directory)
    descriptor = os.open(str(directory / f"gpiochip{chosen}"), os.O_RDWR | os.O_CLOEXEC)
    try:
        info = fcntl.ioctl(descriptor, CHIPINFO, bytes(CHIPINFO_SIZE))
        label = info[32:64].split(b"\0")[0].decode(errors="replace")
        lines = tuple(_line(descriptor, number) for number in numbers)
        return HeaderChip(chosen, label, lines, any(line.holder == CONSUMER.decode() for line in lines))
    finally:
        os.close(descriptor)


def _line(descriptor: int, number: int) -> ChipLine:
    answer = fcntl.ioctl(descriptor, GET_LINEINFO, LINEINFO.pack(b"", b"", number, 0, 0))
    _, consumer, _, _, flags = LINEINFO.unpack(answer)
    holder = consumer.split(b"\0")[0].decode(errors="replace") or "the kernel"
    return ChipLine(number, holder if flags & USED else "", bool(flags & OUTPUT))


class TracedPin(KernelPin):
    """A pin that can record its edges, in both directions, also while the keypad waits for them."""

    BUFFERED = 512  # chattering contacts make dozens in a few milliseconds

    def __init__(self, factory: "TracedFactory", pin: Any) -> None:
        self._traced = False
        self._edges: list[Edge] = []
        super().__init__(factory, pin)

    @property
    def _input(self) -> int:
        return super()._input | (RISING | FALLING if self._traced else 0)

    def input_with_pull(self, pull: str) -> None:
        """Make the pin an input that is pulled "up" or "down", or "floating"."""
        super().input_with_pull(pull)
        if self._traced:
            self._configure(self._input)

    def trace(self) -> None:
        """Record the edges of the pin, an input, from now on."""
        self._traced = True
        self._configure(self._input)
        self.edges()

    def drain(self) -> None:
        """Record the edges so far."""
        try:
            while data := os.read(self._descriptor, EVENT.size * 64):
                self._edges += [
                    Edge(at / 1e9, kind == RISING_EDGE, number)
                    for at, kind, _, number in EVENT.iter_unpack(data)
                ]
        except BlockingIOError:
            pass
        except OSError as error:
            raise LineError(error.errno, error.strerror, f"line {self._number}") from error

    def edges(self) -> list[Edge]:
        """Return the edges since the last call, the first one first."""
        self.drain()
        edges, self._edges = self._edges, []
        return edges


class TracedFactory(KernelFactory):
    """Makes traced pins."""

    def __init__(self, chip: int, directory: Path = Path("/dev")) -> None:
        super().__init__(chip, directory)
        self.pin_class = TracedPin
