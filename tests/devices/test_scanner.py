"""The scanner: puts events, survives faults, shows that it is alive, ends when it is stopped."""

import logging
import threading
from itertools import count
from types import SimpleNamespace

import pytest

from appliance.core.events import Stuck, Tap
from appliance.devices.keypad import AWAKE, PARKED
from appliance.devices.scanner import Scanner
from appliance.devices.watched import WatchedThread

PARK, NOTHING = ((), PARKED), ((), AWAKE)


class Keys:
    """A keypad that follows a script: what `poll` or `wait` returns or raises."""

    def __init__(self, *script):
        self.script = list(script)
        self.calls = []
        self.after = lambda: None

    def _next(self, name):
        self.calls.append(name)
        entry = self.script.pop(0)
        if not self.script:
            self.after()
        if isinstance(entry, BaseException):
            raise entry
        return entry

    def poll(self, now):
        assert now == 3.0
        return self._next("poll")

    def wait(self):
        return self._next("wait")

    def wake(self):
        self.calls.append("wake")


def test_the_scanner_survives_faults_and_logs_each_once_and_stuck_keys(caplog):
    caplog.set_level(logging.INFO)
    error, stuck, free, events = OSError(5, "Input/output error"), Stuck(3.0, (0, 8)), Stuck(3.0, ()), []
    tap = Tap(3.0, 4)
    keys = Keys(
        NOTHING, *[error] * 7, ((stuck, tap), AWAKE), ((free,), AWAKE),
        PARK, RuntimeError("again"), PARK, True, NOTHING,
    )  # fmt: skip
    scanner = Scanner(keys, lambda: 3.0, events.append)
    delays = [scanner.step() for _ in range(13)]
    assert delays == [AWAKE, 0.25, 0.5, 1.0, 2.0, 4.0, 5.0, 5.0, AWAKE, AWAKE, 0.25, 0.0, AWAKE]
    assert repr(events) == repr([stuck, tap, free])
    assert [record.message for record in caplog.records] == [
        "the keys do not answer (OSError: [Errno 5] Input/output error); trying again",
        "the keys answer again",
        "stuck keys, counted from 1: 1, 9",
        "stuck keys, counted from 1: none",
        "the keys do not answer (RuntimeError: again); trying again",
        "the keys answer again",
    ]


@pytest.mark.parametrize(
    ("script", "calls"),
    [
        ([((), 0.0)] * 3, ["poll", "poll", "poll"]),
        ([PARK, True, ((), 0.0), PARK, True], ["poll", "wait", "poll", "poll", "wait"]),
        ([PARK, False, False, True], ["poll", "wait", "wait", "wait"]),  # a nudge costs no poll
        ([PARK, False, False], ["poll", "wait", "wait"]),  # stopped while parked
    ],
)
def test_the_scanner_polls_or_sleeps_until_it_is_stopped(script, calls):
    keys = Keys(*script)
    scanner = Scanner(keys, lambda: 3.0, [].append)
    keys.after = scanner.stop
    scanner.run()
    assert [name for name in keys.calls if name != "wake"] == calls
    assert keys.calls.count("wake") == 1


class Parks:
    """A keypad that is parked. It wakes when it is nudged, unless it is deaf, as if its thread hung."""

    def __init__(self):
        self.asleep, self.woken = threading.Event(), threading.Semaphore(0)
        self.deaf, self.nudges = False, 0

    def poll(self, now):
        return (), PARKED

    def wait(self):
        self.asleep.set()
        self.woken.acquire()
        return False

    def wake(self):
        self.nudges += 1
        if not self.deaf:
            self.woken.release()


def test_a_parked_scanner_is_nudged_now_and_then_and_is_in_trouble_if_it_does_not_reply():
    keypad = Parks()
    scanner = Scanner(keypad, lambda: 0.0, [].append)
    assert scanner.trouble(0.0) == "", "not started yet"
    scanner.start()
    keypad.asleep.wait()
    times = count(step=2.5)
    for nudges in range(1, 4):
        moves, checks = scanner._moves, 0
        while keypad.nudges < nudges:
            assert scanner.trouble(next(times)) == ""
            checks += 1
        assert checks == 10  # the first sees the last move, the tenth 22.5 s later nudges
        while scanner._moves == moves or scanner._bound is not None:
            assert scanner.is_alive()
    keypad.deaf = True
    troubles = [scanner.trouble(next(times)) for _ in range(13)]
    assert troubles == [""] * 12 + ["the thread keypad has not moved for 8 s"]
    keypad.deaf = False
    scanner.stop()
    scanner.stop()
    assert not scanner.is_alive()


@pytest.mark.parametrize(("late", "trouble"), [(4.9, ""), (5.1, "the thread keypad has not moved for 5 s")])
def test_a_scanner_that_hangs_in_a_poll_is_in_trouble(late, trouble):
    inside, end = threading.Event(), threading.Event()

    def hang(_now):
        inside.set()
        end.wait()
        return NOTHING

    scanner = Scanner(SimpleNamespace(poll=hang, wake=end.set), lambda: 0.0, [].append)
    scanner.start()
    inside.wait()
    assert scanner.trouble(100.0) == ""  # all the time before the first call counts for nothing
    assert scanner.trouble(100.0 + late) == trouble
    scanner.stop()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_scanner_that_has_died_is_in_trouble():
    scanner = Scanner(Keys(NOTHING, SystemExit()), lambda: 3.0, [].append)
    scanner.start()
    scanner.join()
    assert scanner.trouble(0.0) == "the thread keypad has ended"


class Wakes(WatchedThread):
    """A thread that wakes from a long sleep just after its watcher has read the attribute `read`."""

    def __init__(self):
        super().__init__("waking")
        self.end, self.read = threading.Event(), ""

    def run(self):
        self.end.wait()

    def __getattribute__(self, name):
        value = super().__getattribute__(name)
        if name != "read" and name == self.read:
            self.read = ""
            self.moved(1.0)
        return value


@pytest.mark.parametrize("read", ["_moves", "_bound"])
def test_a_thread_that_wakes_while_it_is_looked_at_is_not_late(read):
    thread = Wakes()
    thread.start()
    thread.moved(None)
    troubles = [thread.trouble(0.0), thread.trouble(100.0)]
    thread.read = read
    assert [*troubles, thread.trouble(200.0), thread.read] == [""] * 4
    thread.end.set()
    thread.join()
