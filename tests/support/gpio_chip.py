"""The kernel's side of its GPIO character device, version 2 (<linux/gpio.h>), without wires.

The structures are declared a second time, independently of the package: a byte out of place shows. The wires
of a key matrix, real threads and lgpio are in tests/chip/fakechip.c.
"""

import ctypes
import errno
import os
from collections import defaultdict
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

from gpiozero.pins.local import LocalPiFactory

from appliance.devices import lines
from appliance.devices.kernelpins import KernelFactory

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
    """One line: the descriptor that holds it, what it is, and what is wired to it outside (None: nothing)."""

    def __init__(self):
        self.fd = None
        self.flags = INPUT
        self.value = False
        self.outside = None

    @property
    def level(self):
        if self.flags & OUTPUT:
            return self.value
        if self.outside is not None:
            return self.outside
        return bool(self.flags & UP)


class Chip:
    """A chip of 54 lines at `path`, which rejects what the kernel rejects.

    `changes` are the reconfigurations so far: (line, flags, value). `fails` has an `OSError` for the next
    call that is like its key: "request", "config", "levels" or "set".
    """

    def __init__(self, path):
        self.path = path
        self.lines = [Line() for _ in range(54)]
        self.changes = []
        self.fails = {}
        self.requests = {}  # descriptor -> its line's number
        self._ends = {}
        self._close = os.close

    @contextmanager
    def in_place(self, patch):
        """Answer what the package asks for; in the end, check that nothing was left open."""
        self.path.touch()
        with patch.context() as here:
            # Factories share their pins and reservations: let the next be the first of its process, on a Pi.
            here.setattr(LocalPiFactory, "pins", {})
            here.setattr(LocalPiFactory, "_reservations", defaultdict(list))
            here.setattr(KernelFactory, "_get_revision", lambda _self: PI_3B)
            here.setattr(lines, "fcntl", SimpleNamespace(ioctl=self.ioctl))
            here.setattr("os.close", self.close)
            before = descriptors()
            yield self
            assert self.held() == set()
            assert descriptors() == before

    def ioctl(self, fd, number, data):
        if number == GET_LINE:
            assert Path(f"/proc/self/fd/{fd}").readlink() == self.path
            return self._request(Request.from_buffer_copy(data))
        if fd not in self.requests:
            raise error(errno.EBADF)
        if number == SET_CONFIG:
            self._fail("config")
            self._configure(self.requests[fd], Config.from_buffer_copy(data))
            return data
        return self._values(self.lines[self.requests[fd]], number, Values.from_buffer_copy(data))

    def close(self, fd):
        if fd in self.requests:
            self.lines[self.requests.pop(fd)].fd = None
            self._close(self._ends.pop(fd))
        self._close(fd)

    def drive(self, number, level, at=0.0):
        """Let something outside drive a line at some time (seconds), as whoever watches it sees."""
        line = self.lines[number]
        line.outside = level
        if line.flags & (RISING if level else FALLING):
            event = Event(timestamp_ns=round(at * 1e9), id=1 if level else 2, offset=number)
            os.write(self._ends[line.fd], bytes(event))

    def held(self):
        """Return the numbers of the lines that somebody holds."""
        return {number for number, line in enumerate(self.lines) if line.fd is not None}

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
        line = self.lines[number]
        kept = 0 if biases else line.flags & (UP | DOWN | DISABLED)
        line.flags, line.value = config.flags | kept, value
        self.changes.append((number, config.flags, value))

    def _values(self, line, number, values):
        assert values.mask == 1
        if number == GET_VALUES:
            self._fail("levels")
            values.bits = line.level
            return bytes(values)
        assert number == SET_VALUES
        self._fail("set")
        if line.flags & INPUT:
            raise error(errno.EPERM)
        line.value = bool(values.bits)
        return bytes(values)
