"""The kernel's GPIO character device, version 2 (<linux/gpio.h>), with the keys wired to its lines.

It stands in for the GPIO block of a Raspberry Pi and the part of the kernel that drives it: gpiolib's
character device on pinctrl-bcm2835 (Pi 0 to 4) or pinctrl-rp1 (Pi 5). `SwitchNetwork` has the electrical
half; tests/chip has the voltages.

- Power-on: every line is an input with its number's pull and without a holder. `boot` gives a line another
  state: an output, or an alternate function that drives it, as firmware, device tree or a killed process may
  leave it. In the upstream device tree of a Zero 2 W GPIO 6 is an output.
- A request or a reconfiguration sets the direction first and the bias second (gpiolib,
  gpiod_direction_input). Without a bias flag it leaves the bias unchanged, which cannot be read back. A
  released line keeps its bias, and on some kernels its level too (pinctrl-bcm2835, persist_gpio_outputs):
  here it always does.
- It rejects two directions or two biases at once, edges on an output, and no direction (to the kernel "as it
  is", which our pins never request) with EINVAL, a line that is held with EBUSY, and setting the level of an
  input with EPERM (drivers/gpio/gpiolib-cdev.c).

Real system calls, real threads and lgpio are in tests/chip.
"""

import errno
import math
import os
import struct
from collections import defaultdict
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import pytest
from gpiozero.pins.local import LocalPiFactory
from key_rig import COLUMN_PINS, ROW_PINS

from appliance.devices import kernelpins
from appliance.devices.kernelpins import KernelFactory
from appliance.simulator.switches import SwitchNetwork, boot_pull

INPUT, OUTPUT = 1 << 2, 1 << 3  # GPIO_V2_LINE_FLAG_...
RISING, FALLING = 1 << 4, 1 << 5
EVENT = struct.Struct("=QI4xI28x")  # gpio_v2_line_event: ns of CLOCK_MONOTONIC, which edge, its number
UP, DOWN, DISABLED = 1 << 8, 1 << 9, 1 << 10
PI_3B = 0xA02082


def error(number):
    return OSError(number, os.strerror(number))


def descriptors():
    """Return the descriptors that this process has open."""
    return sorted(Path("/proc/self/fd").iterdir())


_PULL_FLAGS = {"up": UP, "down": DOWN}
_PULLS = {UP: "up", DOWN: "down"}


class Line:
    """One line: the descriptor that holds it, its flags, and what drives it from outside (None: nothing)."""

    def __init__(self, number):
        self.fd = None
        self.flags = INPUT | _PULL_FLAGS[boot_pull(number)]
        self.value = False
        self.outside = None
        self.edges = 0  # of this holder


class Keys(SwitchNetwork):
    """The key matrix on the chip's lines."""

    def __init__(self, chip):
        self._chip = chip
        super().__init__(ROW_PINS, COLUMN_PINS)

    def _resolve_levels(self):
        before = self._levels
        super()._resolve_levels()
        for pin, bit in self._bits.items():
            for level in (False, True):
                if bit & before[not level] & self._levels[level]:
                    self._chip.edge(pin, level)


class Chip:
    """A chip with 54 lines at `path`, with the keys wired to it; it rejects what the kernel rejects.

    `changes` are the reconfigurations so far: (line, flags, value). `fails` are ioctl numbers; the next call
    of each fails. After `fail_after` calls, one call of any kind fails. `before_config` is called before each
    reconfiguration, with its flags.
    """

    def __init__(self, path):
        self.path = path
        self.lines = [Line(number) for number in range(54)]
        self.changes = []
        self.fails = set()
        self.before_config = lambda _flags: None
        self.requests = {}  # descriptor -> its line's number
        self.network = Keys(self)
        self.fail_after = math.inf
        self.now = lambda: 0.0  # the clock of the edges
        self._ends = {}
        self._close = os.close
        self._read = os.read
        self._gone = set()  # descriptors of lines that disappeared with the chip

    @classmethod
    @contextmanager
    def in_place(cls):
        """Make a chip that answers the package's calls; at the end, check that nothing was left open."""
        with TemporaryDirectory() as directory, pytest.MonkeyPatch.context() as here:
            chip = cls(Path(directory) / "gpiochip0")
            chip.path.touch()
            # Factories share pins and reservations: make the next one the first of its process, on a Pi.
            here.setattr(LocalPiFactory, "pins", {})
            here.setattr(LocalPiFactory, "_reservations", defaultdict(list))
            here.setattr(KernelFactory, "_get_revision", lambda _self: PI_3B)
            here.setattr(kernelpins, "fcntl", SimpleNamespace(ioctl=chip.ioctl))
            here.setattr("os.close", chip.close)
            here.setattr("os.read", chip.read)
            before = descriptors()
            chip.network.factory = KernelFactory(0, chip.path.parent)
            yield chip
            for _ in "closed", "closed again":
                chip.network.factory.close()
            assert chip.held() == set()
            assert descriptors() == before

    def ioctl(self, fd, number, data):
        self.fail_after -= 1
        if self.fail_after < 0 or number in self.fails:
            self.fail_after = math.inf
            self.fails.discard(number)
            raise error(errno.EIO)
        if number == kernelpins.GET_LINE:
            assert Path(f"/proc/self/fd/{fd}").readlink() == self.path
            return self._request(data)
        if fd in self._gone:
            raise error(errno.ENODEV)
        if fd not in self.requests:
            raise error(errno.EBADF)
        if number == kernelpins.SET_CONFIG:
            self._configure(self.requests[fd], *kernelpins.CONFIG.unpack(data))
            return data
        return self._values(self.requests[fd], number, *kernelpins.VALUES.unpack(data))

    def close(self, fd):
        if fd in self.requests:
            self.lines[self.requests.pop(fd)].fd = None
            self._close(self._ends.pop(fd))
        self._gone.discard(fd)
        self._close(fd)

    def read(self, fd, size):
        if fd in self._gone:
            raise error(errno.ENODEV)
        return self._read(fd, size)

    def unplug(self):
        """Remove the chip: threads that wait for an edge wake up, and its lines answer only ENODEV."""
        self.path.unlink()
        for fd in self.requests:
            self._gone.add(fd)
            self._close(self._ends.pop(fd))
        self.requests.clear()
        self.lines = [Line(number) for number in range(len(self.lines))]  # as at power-on
        for number in self.network.pins:
            self.network.drive(number, None)
            self.network.pull(number, boot_pull(number))

    def plug(self):
        """Bring the chip back; its lines must be requested again."""
        self.path.touch()

    def drive(self, number, level, at=0.0):
        """Drive a line from outside, at some time (seconds)."""
        if number in self.network.pins:
            self.network.drive(number, level)
            return
        self.lines[number].outside = level
        self.edge(number, level, at)

    def boot(self, number, level):
        """Make a line drive this level before it is requested."""
        line = self.lines[number]
        line.flags, line.value = OUTPUT | line.flags & (UP | DOWN | DISABLED), level
        if number in self.network.pins:
            self.network.drive(number, level)
            self.network.driven_high.clear()  # not driven by us

    def edge(self, number, level, at=0.0):
        """Report an edge to this level, if the line is watched for it."""
        line = self.lines[number]
        if line.flags & (RISING if level else FALLING):
            line.edges += 1
            stamp = round((at or self.now()) * 1e9)
            os.write(self._ends[line.fd], EVENT.pack(stamp, 1 if level else 2, line.edges))

    def level(self, number):
        """Return a line's level; raise an error for a key wire that nothing drives or pulls."""
        line = self.lines[number]
        if number in self.network.pins:
            return self.network.level(number)
        if line.flags & OUTPUT:
            return line.value
        return bool(line.flags & UP) if line.outside is None else line.outside

    def pull(self, number):
        """Return a line's current pull."""
        return _PULLS.get(self.lines[number].flags & (UP | DOWN), "floating")

    def held(self):
        """Return the numbers of the lines that are held."""
        return {number for number, line in enumerate(self.lines) if line.fd is not None}

    @property
    def watched(self):
        """The numbers of the lines that are watched for edges."""
        return {number for number, line in enumerate(self.lines) if line.flags & (RISING | FALLING)}

    def _request(self, request):
        number, consumer, *config, lines, buffer_size, _ = kernelpins.REQUEST.unpack(request)
        assert (consumer.rstrip(b"\0"), lines, buffer_size in {0, 512}) == (b"tictactoe", 1, True)
        if number >= len(self.lines):
            raise error(errno.EINVAL)
        if number in self.held():
            raise error(errno.EBUSY)
        self._configure(number, *config)
        fd, end = os.pipe()
        self._ends[fd] = end
        self.requests[fd] = number
        self.lines[number].fd, self.lines[number].edges = fd, 0
        return kernelpins.REQUEST.pack(number, consumer, *config, lines, buffer_size, fd)

    def _configure(self, number, flags, *attribute):
        directions, biases = flags & (INPUT | OUTPUT), flags & (UP | DOWN | DISABLED)
        known = INPUT | OUTPUT | FALLING | RISING | UP | DOWN | DISABLED
        if (
            flags & ~known
            or directions not in {INPUT, OUTPUT}
            or biases & (biases - 1)
            or (flags & (FALLING | RISING) and directions != INPUT)
        ):
            raise error(errno.EINVAL)
        value = bool(attribute[2])
        assert attribute == ((1, 2, value, 1) if flags & OUTPUT else (0, 0, 0, 0)), "the level of an output"
        self.before_config(flags)
        line = self.lines[number]
        kept = 0 if biases else line.flags & (UP | DOWN | DISABLED)
        line.flags, line.value = flags | kept, value
        self.changes.append((number, flags, value))
        if number in self.network.pins:
            self.network.drive(number, value if flags & OUTPUT else None)
            self.network.pull(number, self.pull(number))

    def _values(self, number, request, bits, mask):
        assert mask == 1
        if request == kernelpins.GET_VALUES:
            return kernelpins.VALUES.pack(self.level(number), 1)
        assert request == kernelpins.SET_VALUES
        line = self.lines[number]
        if line.flags & INPUT:
            raise error(errno.EPERM)
        line.value = bool(bits)
        if number in self.network.pins:
            self.network.drive(number, line.value)
        return kernelpins.VALUES.pack(bits, 1)
