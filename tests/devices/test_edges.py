"""Edges from the kernel: what is asked of it, byte by byte, what ends the waiting, and what is given back."""

import errno
import os
import select
import sys
import threading
import types

import pytest
from gpio_chip import FALLING, GET_LINE, GET_VALUES, INPUT, UP, Chip

from appliance.devices import edges
from appliance.devices.edges import KernelEdges, edges_of
from appliance.devices.lines import LineError

LINES = (5, 6, 13)


class Kernel(Chip):
    """The chip, and who held the lines before: `calls` are what was asked of both, in its order."""

    def __init__(self, path):
        super().__init__(path)
        self.calls = []

    def ioctl(self, fd, number, data):
        self.calls.append({GET_LINE: "request", GET_VALUES: "levels"}[number])
        return super().ioctl(fd, number, data)

    def release(self, line):
        self.calls.append(line)
        if error := self.fails.pop(line, None):
            raise error

    @property
    def fd(self):
        return self.lines[LINES[0]].fd


@pytest.fixture
def kernel(monkeypatch, tmp_path):
    with Kernel(tmp_path / "gpiochip7").in_place(monkeypatch) as kernel:
        yield kernel


@pytest.fixture
def watch(kernel):
    watch = KernelEdges(str(kernel.path), LINES, kernel.release)
    yield watch
    watch.close()


def test_what_is_asked_of_the_kernel(kernel, watch):
    watch.arm()
    assert kernel.calls == [5, 6, 13, "request", "levels"]
    assert kernel.told == [(line, INPUT | FALLING | UP, False) for line in LINES]


def test_an_edge_ends_the_waiting(kernel, watch):
    watch.arm()
    kernel.fall(6)
    watch.wait()
    watch.wait()  # it has fallen since: until it is armed anew, that does not change
    watch.disarm()
    assert kernel.held() == set()


@pytest.mark.parametrize("levels", [0b110, 0b011, 0b000])
def test_a_line_that_was_low_before_ends_it_too(kernel, watch, levels):
    for place, line in enumerate(LINES):
        kernel.lines[line].outside = bool(levels >> place & 1)
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
    watch.arm()
    kernel.fall(6)
    watch.wait()


def test_a_chip_that_is_not_there(watch, kernel):
    kernel.path.unlink()
    with pytest.raises(LineError, match="No such file"):
        watch.arm()
    watch.disarm()


def test_closed_it_does_nothing_any_more(kernel, watch):
    watch.arm()
    watch.close()
    watch.close()
    watch.wake()
    watch.disarm()
    watch.wait()
    assert kernel.held() == set()


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
    inside.wait()
    getattr(watch, end)()
    thread.join()
    assert told == (["awake"] if end == "wake" else ["awake", "closed"])


def test_only_pins_of_lgpio_and_our_own_have_edges(monkeypatch):
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    assert edges_of(object(), LINES) is None

    freed = []
    own = types.SimpleNamespace(path="/dev/gpiochip7", let_go=freed.append)
    watch = edges_of(own, LINES)
    assert watch._chip == "/dev/gpiochip7"
    watch._release(13)
    assert freed == [13]
    watch.close()

    freed.clear()

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
