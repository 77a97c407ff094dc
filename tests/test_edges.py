"""Edges from the kernel: what is asked of it, byte by byte, what ends the waiting, and what is given back."""

import ctypes
import errno
import os
import select
import sys
import threading
import types
from pathlib import Path

import pytest

from appliance.devices import edges
from appliance.devices.edges import KernelEdges, edges_of

LINES = (5, 6, 13)


class Attribute(ctypes.Structure):
    _fields_ = [
        ("id", ctypes.c_uint32),
        ("padding", ctypes.c_uint32),
        ("value", ctypes.c_uint64),
        ("mask", ctypes.c_uint64),
    ]


class Request(ctypes.Structure):
    """struct gpio_v2_line_request of <linux/gpio.h>, its config written out."""

    _fields_ = [
        ("offsets", ctypes.c_uint32 * 64),
        ("consumer", ctypes.c_char * 32),
        ("flags", ctypes.c_uint64),
        ("num_attrs", ctypes.c_uint32),
        ("config_padding", ctypes.c_uint32 * 5),
        ("attrs", Attribute * 10),
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


class Kernel:
    """Answers the two calls; the descriptor of a request is the end of a pipe, and an event a byte."""

    def __init__(self, path):
        self.path = path
        self.calls = []
        self.requests = []
        self.levels = 0b111
        self.fails = {}

    def ioctl(self, fd, number, data):
        if number == iowr(0x07, Request):
            self.calls.append("request")
            assert Path(f"/proc/self/fd/{fd}").readlink() == self.path
            if "request" in self.fails:
                raise self.fails["request"]
            request = Request.from_buffer_copy(data)
            self.requests.append(request)
            request.fd, self.events = os.pipe()
            self.fd = request.fd
            return bytes(request)
        assert number == iowr(0x0E, Values)
        self.calls.append("levels")
        assert fd == self.fd
        if "levels" in self.fails:
            raise self.fails["levels"]
        values = Values.from_buffer_copy(data)
        assert values.mask == 0b111
        values.bits = self.levels & values.mask
        return bytes(values)

    def release(self, line):
        self.calls.append(line)
        if line in self.fails:
            raise self.fails[line]

    def fall(self):
        os.write(self.events, b"e")

    def end(self):
        os.close(self.events)


@pytest.fixture
def kernel(monkeypatch, tmp_path):
    path = tmp_path / "gpiochip7"
    path.touch()
    kernel = Kernel(path)
    monkeypatch.setattr(edges, "fcntl", types.SimpleNamespace(ioctl=kernel.ioctl))
    return kernel


@pytest.fixture
def watch(kernel):
    before = descriptors()
    watch = KernelEdges(str(kernel.path), LINES, kernel.release)
    yield watch
    watch.close()
    if kernel.requests:
        kernel.end()
    assert descriptors() == before


def descriptors():
    return sorted(Path("/proc/self/fd").iterdir())


def is_open(fd):
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True


def test_what_is_asked_of_the_kernel(kernel, watch):
    watch.arm()
    assert kernel.calls == [5, 6, 13, "request", "levels"]
    (request,) = kernel.requests
    assert tuple(request.offsets) == (*LINES, *[0] * 61)
    assert request.num_lines == 3
    assert request.consumer == b"tictactoe"
    assert request.flags == 1 << 2 | 1 << 5 | 1 << 8  # an input, falling edges, pulled up
    assert request.num_attrs == request.event_buffer_size == 0
    assert bytes(request.config_padding) == bytes(request.padding) == bytes(20)
    assert bytes(request.attrs) == bytes(240)


def test_the_numbers_are_those_of_the_header():
    assert iowr(0x07, Request) == edges.GET_LINE
    assert iowr(0x0E, Values) == edges.GET_VALUES
    assert ctypes.sizeof(Request) == edges.REQUEST.size == 592


def test_an_edge_ends_the_waiting(kernel, watch):
    watch.arm()
    kernel.fall()
    watch.wait()
    watch.wait()  # it has fallen since: until it is armed anew, that does not change
    watch.disarm()
    assert not is_open(kernel.fd)


@pytest.mark.parametrize("levels", [0b110, 0b011, 0b000])
def test_a_line_that_was_low_before_ends_it_too(kernel, watch, levels):
    kernel.levels = levels
    watch.arm()
    watch.wait()
    watch.disarm()


def test_it_waits_for_nothing_when_it_is_not_armed(watch):
    watch.wait()
    watch.disarm()
    watch.wait()


def test_a_wake_up_ends_the_next_waiting_and_only_that(kernel, watch):
    watch.wake()
    watch.arm()
    watch.wake()
    watch.wait()
    poll = select.poll()
    poll.register(watch._wake, select.POLLIN)
    assert poll.poll(0) == []


def test_to_disarm_leaves_no_wake_up_behind(kernel, watch):
    watch.arm()
    watch.disarm()
    kernel.end()
    watch.arm()
    poll = select.poll()
    poll.register(watch._wake, select.POLLIN)
    assert poll.poll(0) == []


@pytest.mark.parametrize("culprit", [6, "request", "levels"])
def test_what_fails_is_raised_and_nothing_stays_open(kernel, watch, culprit):
    kernel.fails[culprit] = OSError(errno.EBUSY, "Device or resource busy")
    with pytest.raises(OSError, match="busy"):
        watch.arm()
    watch.disarm()
    watch.wait()
    kernel.fails.clear()
    if culprit == "levels":
        kernel.end()
    watch.arm()
    kernel.fall()
    watch.wait()


def test_a_chip_that_is_not_there(watch, kernel):
    kernel.path.unlink()
    with pytest.raises(FileNotFoundError):
        watch.arm()
    watch.disarm()


def test_closed_it_does_nothing_any_more(kernel, watch):
    watch.arm()
    watch.close()
    watch.close()
    watch.wake()
    watch.disarm()
    watch.wait()
    assert not is_open(kernel.fd)


class Slow:
    """A poll that says when it has begun, and when it has ended."""

    def __init__(self, poller, told, inside):
        self.poller, self.told, self.inside = poller, told, inside

    def register(self, *words):
        self.poller.register(*words)

    def poll(self):
        self.inside.set()
        self.poller.poll()
        self.told.append("awake")


@pytest.mark.parametrize("end", ["wake", "disarm", "close"])
def test_another_thread_ends_the_waiting_and_the_lines_go_after_it(kernel, watch, monkeypatch, end):
    """While a thread polls a descriptor, to close that does not give the lines back: it must go first."""
    told, inside, close, poll = [], threading.Event(), os.close, select.poll

    def closing(fd):
        if fd == kernel.fd:
            told.append("closed")
        close(fd)

    watch.arm()
    monkeypatch.setattr(edges.select, "poll", lambda: Slow(poll(), told, inside))
    monkeypatch.setattr(edges.os, "close", closing)
    thread = threading.Thread(target=watch.wait)
    thread.start()
    assert inside.wait(10)
    getattr(watch, end)()
    thread.join(10)
    assert not thread.is_alive()
    assert told == (["awake"] if end == "wake" else ["awake", "closed"])


def test_only_pins_of_lgpio_have_edges(monkeypatch):
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    assert edges_of(object(), LINES) is None

    freed = []

    class LGPIOFactory:
        chip, _handle = 4, 99

    backend = types.SimpleNamespace(
        LGPIOFactory=LGPIOFactory, lgpio=types.SimpleNamespace(gpio_free=lambda *words: freed.append(words))
    )
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", backend)
    assert edges_of(object(), LINES) is None
    watch = edges_of(LGPIOFactory(), LINES)
    assert watch._chip == "/dev/gpiochip4"
    watch._release(6)
    assert freed == [(99, 6)]
    watch.close()
