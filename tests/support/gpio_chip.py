"""The kernel's side of its GPIO character device, version 2 (<linux/gpio.h>), with the keys wired to it.

The structures are declared a second time, independently of the package: a byte out of place shows. Real
system calls, real threads and lgpio are in tests/chip.
"""

import ctypes
import errno
import math
import os
from collections import defaultdict
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import pytest
from gpiozero.pins.local import LocalPiFactory
from key_rig import COLUMNS, ROWS

from appliance.devices import kernelpins
from appliance.devices.kernelpins import KernelFactory
from appliance.simulator.switches import SwitchNetwork

INPUT, OUTPUT = 1 << 2, 1 << 3  # GPIO_V2_LINE_FLAG_...
RISING, FALLING = 1 << 4, 1 << 5
UP, DOWN, DISABLED = 1 << 8, 1 << 9, 1 << 10
PI_3B = 0xA02082


def structure(*fields):
    return type("Structure", (ctypes.Structure,), {"_fields_": fields})


Attribute = structure(
    ("id", ctypes.c_uint32),
    ("padding", ctypes.c_uint32),
    ("value", ctypes.c_uint64),
    ("mask", ctypes.c_uint64),
)
Config = structure(
    ("flags", ctypes.c_uint64),
    ("num_attrs", ctypes.c_uint32),
    ("padding", ctypes.c_uint32 * 5),
    ("attrs", Attribute * 10),
)
Request = structure(
    ("offsets", ctypes.c_uint32 * 64),
    ("consumer", ctypes.c_char * 32),
    ("config", Config),
    ("num_lines", ctypes.c_uint32),
    ("event_buffer_size", ctypes.c_uint32),
    ("padding", ctypes.c_uint32 * 5),
    ("fd", ctypes.c_int32),
)
Values = structure(("bits", ctypes.c_uint64), ("mask", ctypes.c_uint64))
Event = structure(
    ("timestamp_ns", ctypes.c_uint64),
    ("id", ctypes.c_uint32),
    ("offset", ctypes.c_uint32),
    ("seqno", ctypes.c_uint32),
    ("line_seqno", ctypes.c_uint32),
    ("padding", ctypes.c_uint32 * 6),
)


def iowr(number, structure):
    """_IOWR(0xB4, number, structure) of <linux/ioctl.h>, on all but some old architectures."""
    return 3 << 30 | ctypes.sizeof(structure) << 16 | 0xB4 << 8 | number


GET_LINE, SET_CONFIG = iowr(0x07, Request), iowr(0x0D, Config)
GET_VALUES, SET_VALUES = iowr(0x0E, Values), iowr(0x0F, Values)


def error(number):
    return OSError(number, os.strerror(number))


def descriptors():
    """Return the descriptors that this process has open."""
    return sorted(Path("/proc/self/fd").iterdir())


class Line:
    """One line: the descriptor that holds it, its flags, and what drives it outside (None: nothing)."""

    def __init__(self):
        self.fd = None
        self.flags = INPUT
        self.value = False
        self.outside = None


class Keys(SwitchNetwork):
    """The key matrix on the chip's lines."""

    def __init__(self, chip):
        self._chip = chip
        super().__init__(ROWS, COLUMNS)

    def _resolve_levels(self):
        before = self._levels
        super()._resolve_levels()
        for pin, bit in self._bits.items():
            for level in (False, True):
                if bit & before[not level] & self._levels[level]:
                    self._chip.edge(pin, level)


class Chip:
    """A chip of 54 lines at `path`, with the keys wired to it; it rejects what the kernel rejects.

    `changes` are the reconfigurations so far: (line, flags, value). `fails` has an `OSError` for the next
    call of its key: "request", "config", "levels" or "set"; `fail_after(n)` fails the call after n others.
    `before_config` is called before each reconfiguration, with its flags.
    """

    def __init__(self, path):
        self.path = path
        self.lines = [Line() for _ in range(54)]
        self.changes = []
        self.fails = {}
        self.before_config = lambda _flags: None
        self.requests = {}  # descriptor -> its line's number
        self.network = Keys(self)
        self._fail_after = math.inf
        self._ends = {}
        self._close = os.close

    @classmethod
    @contextmanager
    def somewhere(cls):
        """Make a chip for one example of a test."""
        with (
            TemporaryDirectory() as directory,
            pytest.MonkeyPatch.context() as patch,
            cls(Path(directory) / "gpiochip0").in_place(patch) as chip,
        ):
            yield chip

    @contextmanager
    def in_place(self, patch):
        """Answer what the package asks for; in the end, check that nothing was left open."""
        self.path.touch()
        with patch.context() as here:
            # Factories share their pins and reservations: let the next be the first of its process, on a Pi.
            here.setattr(LocalPiFactory, "pins", {})
            here.setattr(LocalPiFactory, "_reservations", defaultdict(list))
            here.setattr(KernelFactory, "_get_revision", lambda _self: PI_3B)
            here.setattr(kernelpins, "fcntl", SimpleNamespace(ioctl=self.ioctl))
            here.setattr("os.close", self.close)
            before = descriptors()
            self.network.factory = KernelFactory(0, self.path.parent)
            yield self
            for _ in "closed", "closed again":
                self.network.factory.close()
            assert self.held() == set()
            assert descriptors() == before

    def ioctl(self, fd, number, data):
        self._fail_after -= 1
        if self._fail_after < 0:
            self._fail_after = math.inf
            raise error(errno.EIO)
        if number == GET_LINE:
            assert Path(f"/proc/self/fd/{fd}").readlink() == self.path
            return self._request(Request.from_buffer_copy(data))
        if fd not in self.requests:
            raise error(errno.EBADF)
        if number == SET_CONFIG:
            self._fail("config")
            self._configure(self.requests[fd], Config.from_buffer_copy(data))
            return data
        return self._values(self.requests[fd], number, Values.from_buffer_copy(data))

    def close(self, fd):
        if fd in self.requests:
            self.lines[self.requests.pop(fd)].fd = None
            self._close(self._ends.pop(fd))
        self._close(fd)

    def fail_after(self, others):
        """Let one call fail, the one after so many others."""
        self._fail_after = others

    def drive(self, number, level, at=0.0):
        """Let something outside drive a line at some time (seconds)."""
        if number in self.network.pins:
            self.network.drive(number, level)
            return
        self.lines[number].outside = level
        self.edge(number, level, at)

    def edge(self, number, level, at=0.0):
        """Report a level to whoever watches the line for this edge."""
        line = self.lines[number]
        if line.flags & (RISING if level else FALLING):
            event = Event(timestamp_ns=round(at * 1e9), id=1 if level else 2, offset=number)
            os.write(self._ends[line.fd], bytes(event))

    def level(self, number):
        """Return the level of a line; a wire of the keys that nothing drives or pulls has none."""
        line = self.lines[number]
        if number in self.network.pins:
            return self.network.level(number)
        if line.flags & OUTPUT:
            return line.value
        return bool(line.flags & UP) if line.outside is None else line.outside

    def held(self):
        """Return the numbers of the lines that somebody holds."""
        return {number for number, line in enumerate(self.lines) if line.fd is not None}

    @property
    def watched(self):
        """The numbers of the lines that are watched for edges."""
        return {number for number, line in enumerate(self.lines) if line.flags & (RISING | FALLING)}

    def _fail(self, what):
        if fault := self.fails.pop(what, None):
            raise fault

    def _request(self, request):
        self._fail("request")
        assert request.consumer == b"tictactoe"
        assert bytes(request.padding) == bytes(20)
        assert (request.num_lines, request.event_buffer_size) == (1, 0)
        number, *others = request.offsets
        assert others == [0] * 63
        if number >= len(self.lines):
            raise error(errno.EINVAL)
        if number in self.held():
            raise error(errno.EBUSY)
        self._configure(number, request.config)
        request.fd, end = os.pipe()
        self._ends[request.fd] = end
        self.requests[request.fd] = number
        self.lines[number].fd = request.fd
        return bytes(request)

    def _configure(self, number, config):
        assert bytes(config.padding) == bytes(20)
        assert bytes(config.attrs)[24 * config.num_attrs :] == bytes(24 * (10 - config.num_attrs))
        directions, biases = config.flags & (INPUT | OUTPUT), config.flags & (UP | DOWN | DISABLED)
        known = INPUT | OUTPUT | FALLING | RISING | UP | DOWN | DISABLED
        if (
            config.flags & ~known
            or directions not in {INPUT, OUTPUT}
            or biases & (biases - 1)
            or (config.flags & (FALLING | RISING) and directions != INPUT)
        ):
            raise error(errno.EINVAL)
        assert config.num_attrs == bool(config.flags & OUTPUT), "levels are for outputs"
        value = False
        for attribute in config.attrs[: config.num_attrs]:
            assert (attribute.id, attribute.padding, attribute.mask) == (2, 0, 1), "the level of an output"
            value = bool(attribute.value)
        self.before_config(config.flags)
        line = self.lines[number]
        kept = 0 if biases else line.flags & (UP | DOWN | DISABLED)
        line.flags, line.value = config.flags | kept, value
        self.changes.append((number, config.flags, value))
        if number in self.network.pins:
            self.network.drive(number, value if config.flags & OUTPUT else None)
            pulls = {UP: "up", DOWN: "down"}
            self.network.pull(number, pulls.get(line.flags & (UP | DOWN), "floating"))

    def _values(self, number, request, values):
        assert values.mask == 1
        if request == GET_VALUES:
            self._fail("levels")
            values.bits = self.level(number)
            return bytes(values)
        assert request == SET_VALUES
        self._fail("set")
        line = self.lines[number]
        if line.flags & INPUT:
            raise error(errno.EPERM)
        line.value = bool(values.bits)
        if number in self.network.pins:
            self.network.drive(number, line.value)
        return bytes(values)
