"""The kernel's side of its GPIO character device, version 2 (<linux/gpio.h>), for tests of who asks it.

The structures are written out a second time, in another way than in the package: a byte out of place shows.
"""

import ctypes
import errno
import os
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

from appliance.devices import lines

INPUT, OUTPUT = 1 << 2, 1 << 3  # GPIO_V2_LINE_FLAG_...
FALLING, RISING = 1 << 5, 1 << 4
UP, DOWN, DISABLED = 1 << 8, 1 << 9, 1 << 10


class Attribute(ctypes.Structure):
    _fields_ = [
        ("id", ctypes.c_uint32),
        ("padding", ctypes.c_uint32),
        ("value", ctypes.c_uint64),
        ("mask", ctypes.c_uint64),
    ]


class Config(ctypes.Structure):
    _fields_ = [
        ("flags", ctypes.c_uint64),
        ("num_attrs", ctypes.c_uint32),
        ("padding", ctypes.c_uint32 * 5),
        ("attrs", Attribute * 10),
    ]


class Request(ctypes.Structure):
    _fields_ = [
        ("offsets", ctypes.c_uint32 * 64),
        ("consumer", ctypes.c_char * 32),
        ("config", Config),
        ("num_lines", ctypes.c_uint32),
        ("event_buffer_size", ctypes.c_uint32),
        ("padding", ctypes.c_uint32 * 5),
        ("fd", ctypes.c_int32),
    ]


class Values(ctypes.Structure):
    _fields_ = [("bits", ctypes.c_uint64), ("mask", ctypes.c_uint64)]


def iowr(number, structure):
    """_IOWR(0xB4, number, structure) of <linux/ioctl.h>, on all but some old architectures."""
    return 3 << 30 | ctypes.sizeof(structure) << 16 | 0xB4 << 8 | number


GET_LINE, SET_CONFIG = iowr(0x07, Request), iowr(0x0D, Config)
GET_VALUES, SET_VALUES = iowr(0x0E, Values), iowr(0x0F, Values)


def descriptors():
    """Return the descriptors that this process has open."""
    return sorted(Path("/proc/self/fd").iterdir())


class Line:
    """One line: who holds it, what it is, and what is wired to it outside (None: nothing)."""

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
    """A chip of 54 lines at `path`, which refuses what the kernel refuses.

    `told` are the changes that it was told of: (line, flags, value). `fails` has an `OSError` for the next
    call that is like its key: "request", "config", "levels" or "set".
    """

    def __init__(self, path):
        self.path = path
        self.lines = [Line() for _ in range(54)]
        self.told = []
        self.fails = {}
        self.requests = {}  # descriptor -> its lines
        self._ends = {}
        self._close = os.close

    @contextmanager
    def in_place(self, patch):
        """Be there, and answer what the package asks; in the end, see that nothing was left open."""
        self.path.touch()
        with patch.context() as here:
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
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        if number == SET_CONFIG:
            self._fail("config")
            self._configure(self.requests[fd], Config.from_buffer_copy(data))
            return data
        return self._values(self.requests[fd], number, Values.from_buffer_copy(data))

    def close(self, fd):
        for number in self.requests.pop(fd, ()):
            self.lines[number].fd = None
        if fd in self._ends:
            self._close(self._ends.pop(fd))
        self._close(fd)

    def fall(self, number):
        """Let whoever watches a line see it fall."""
        os.write(self._ends[self.lines[number].fd], bytes(48))  # struct gpio_v2_line_event

    def held(self):
        """Return the numbers of the lines that somebody holds."""
        return {number for number, line in enumerate(self.lines) if line.fd is not None}

    def _fail(self, what):
        if error := self.fails.pop(what, None):
            raise error

    def _request(self, request):
        self._fail("request")
        assert request.consumer == b"tictactoe"
        assert bytes(request.padding) == bytes(20)
        assert request.event_buffer_size == 0
        numbers = request.offsets[: request.num_lines]
        assert list(request.offsets[request.num_lines :]) == [0] * (64 - request.num_lines)
        if not numbers or max(numbers) >= len(self.lines):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        if self.held() & set(numbers):
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        self._configure(numbers, request.config)
        request.fd, end = os.pipe()
        self._ends[request.fd] = end
        self.requests[request.fd] = numbers
        for number in numbers:
            self.lines[number].fd = request.fd
        return bytes(request)

    def _configure(self, numbers, config):
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
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        assert config.num_attrs == bool(config.flags & OUTPUT), "levels are for outputs"
        values = 0
        for attribute in config.attrs[: config.num_attrs]:
            assert attribute.id == 2, "levels of outputs"
            assert attribute.padding == 0
            values |= attribute.value & attribute.mask
        for place, number in enumerate(numbers):
            line = self.lines[number]
            kept = 0 if biases else line.flags & (UP | DOWN | DISABLED)
            line.flags, line.value = config.flags | kept, bool(values >> place & 1)
            self.told.append((number, config.flags, line.value))

    def _values(self, numbers, number, values):
        lines = [self.lines[name] for place, name in enumerate(numbers) if values.mask >> place & 1]
        assert len(lines) == values.mask.bit_count(), "no line but those that are held"
        if number == GET_VALUES:
            self._fail("levels")
            values.bits = sum(line.level << place for place, line in enumerate(lines))
            return bytes(values)
        assert number == SET_VALUES
        self._fail("set")
        if any(line.flags & INPUT for line in lines):
            raise OSError(errno.EPERM, os.strerror(errno.EPERM))
        for place, (name, line) in enumerate(zip(numbers, lines, strict=True)):
            line.value = bool(values.bits >> place & 1)
            self.told.append((name, line.flags, line.value))
        return bytes(values)
