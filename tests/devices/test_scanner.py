"""The scanner: stamps, puts, survives faults, shows that it is alive, ends when it is stopped."""

import logging
import threading

import pytest

from appliance.core.events import Press, Stuck, Tap
from appliance.devices.keypad import PARKED, Keypad
from appliance.devices.scanner import Scanner
from appliance.simulator.switches import SwitchNetwork

ROWS, COLUMNS = (17, 27, 22), (5, 6, 13)


class Keys:
    """A keypad that follows a script: what `poll` returns, what `wait` returns, or an error to raise."""

    def __init__(self, *script):
        self.script = list(script)
        self.done = []
        self.after = lambda: None

    def _next(self, name):
        self.done.append(name)
        entry = self.script.pop(0)
        if not self.script:
            self.after()
        if isinstance(entry, BaseException):
            raise entry
        return entry

    def poll(self, _now):
        entry = self._next("poll")
        return entry if entry and isinstance(entry[0], tuple) else (entry, 0.02)

    def wait(self):
        return self._next("wait")

    def wake(self):
        self.done.append("wake")


PARK = ((), PARKED)


def test_the_scanner_stamps_and_puts_what_happened():
    network, events = SwitchNetwork(ROWS, COLUMNS), []
    keypad = Keypad(ROWS, COLUMNS, network.factory)
    clock = iter((0.0, 0.02, 0.04, 0.045, 0.2))
    scanner = Scanner(keypad, lambda: next(clock), events.append)
    scanner.step()
    scanner.step()
    network.press(7)
    assert [scanner.step() for _ in range(3)] == [0.005] * 3
    assert repr(events) == repr([Press(0.045, 7), Tap(0.2, 7)])


def test_the_scanner_survives_faults_and_logs_each_once(caplog):
    caplog.set_level(logging.INFO)
    error, press, events = OSError(5, "Input/output error"), Press(3.0, 1), []
    keys = Keys((), *[error] * 7, (press,), (), PARK, RuntimeError("again"), PARK, True, ())
    scanner = Scanner(keys, lambda: 3.0, events.append)
    delays = [scanner.step() for _ in range(13)]
    assert delays == [0.02, 0.25, 0.5, 1.0, 2.0, 4.0, 5.0, 5.0, 0.02, 0.02, 0.25, 0.0, 0.02]
    assert events == [press]
    assert [record.message for record in caplog.records] == [
        "the keys do not answer (OSError: [Errno 5] Input/output error); trying again",
        "the keys answer again",
        "the keys do not answer (RuntimeError: again); trying again",
        "the keys answer again",
    ]


def test_the_scanner_logs_stuck_keys_as_people_count_them(caplog):
    caplog.set_level(logging.INFO)
    scanner = Scanner(Keys((Stuck(0.0, (0, 8)),), (Stuck(9.0, ()),)), lambda: 0.0, [].append)
    scanner.step()
    scanner.step()
    assert [record.message for record in caplog.records] == [
        "stuck keys, counted from 1: 1, 9",
        "stuck keys, counted from 1: none",
    ]


@pytest.mark.parametrize(
    ("script", "done"),
    [
        ([((), 0.0)] * 3, ["poll", "poll", "poll", "wake"]),
        ([PARK, True, ((), 0.0), PARK, True], ["poll", "wait", "poll", "poll", "wait", "wake"]),
        ([PARK, False, False, True], ["poll", "wait", "wait", "wait", "wake"]),  # a nudge costs no poll
        ([PARK, False, False], ["poll", "wait", "wait", "wake"]),  # stopped while parked
    ],
)  # fmt: skip
def test_the_scanner_polls_or_sleeps_until_it_is_stopped(script, done):
    keys = Keys(*script)
    scanner = Scanner(keys, lambda: 1.0, [].append)
    keys.after = scanner.stop
    scanner.run()
    assert [name for name in keys.done if name != "wake"] == done[:-1]
    assert keys.done.count("wake") == 1
    assert scanner.daemon


class Parks:
    """A keypad that is parked; `deaf` ones never wake, as if their thread hung."""

    def __init__(self, *, deaf=False):
        self.asleep, self.replied, self.woken = threading.Event(), threading.Event(), threading.Semaphore(0)
        self.deaf, self.nudges = deaf, 0

    def poll(self, now):
        return (), PARKED

    def wait(self):
        self.asleep.set()
        self.woken.acquire()
        self.replied.set()
        return False

    def wake(self):
        self.nudges += 1
        if not self.deaf:
            self.woken.release()


def test_a_parked_scanner_is_asked_now_and_then_and_replies():
    keypad = Parks()
    scanner = Scanner(keypad, lambda: 0.0, [].append)
    assert scanner.trouble(0.0) == "", "not started yet"
    scanner.start()
    keypad.asleep.wait()
    now = 0.0
    for _ in range(3):
        moves, checks = scanner._moves, 0
        keypad.replied.clear()
        while not keypad.replied.is_set() and keypad.nudges < 1:
            now, checks = now + 2.5, checks + 1
            assert scanner.trouble(now) == ""
        assert checks == 10  # the first sees the last move, the tenth 22.5 s later asks
        keypad.replied.wait()
        keypad.nudges = 0
        while scanner._moves == moves:
            assert scanner.is_alive()
    scanner.stop()
    assert not scanner.is_alive()


def test_a_parked_scanner_that_does_not_reply_is_in_trouble():
    keypad = Parks(deaf=True)
    scanner = Scanner(keypad, lambda: 0.0, [].append)
    scanner.start()
    keypad.asleep.wait()
    found = [scanner.trouble(2.5 * turn) for turn in range(13)]
    assert found == [""] * 12 + ["the thread keypad has not moved for 8 s"]
    keypad.deaf = False
    scanner.stop()


@pytest.mark.parametrize(("late", "trouble"), [(4.9, ""), (5.1, "the thread keypad has not moved for 5 s")])
def test_a_scanner_that_hangs_in_a_poll_is_in_trouble(late, trouble):
    inside, end = threading.Event(), threading.Event()

    class Hangs(Parks):
        def poll(self, now):
            inside.set()
            end.wait()
            return (), 0.02

    scanner = Scanner(Hangs(), lambda: 0.0, [].append)
    scanner.start()
    inside.wait()
    assert scanner.trouble(100.0) == ""  # all the time before the first call counts for nothing
    assert scanner.trouble(100.0 + late) == trouble
    end.set()
    scanner.stop()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_scanner_that_has_died_is_in_trouble():
    scanner = Scanner(Keys((), SystemExit()), lambda: 0.0, [].append)
    scanner.start()
    scanner.join()
    assert scanner.trouble(0.0) == "the thread keypad has ended"


def test_the_scanners_thread_ends_when_it_is_stopped():
    keypad = Keypad(ROWS, COLUMNS, SwitchNetwork(ROWS, COLUMNS).factory)
    scanner = Scanner(keypad, lambda: 0.0, [].append)
    scanner.stop()  # not started yet
    scanner = Scanner(keypad, lambda: 0.0, [].append)
    scanner.start()
    scanner.stop()
    assert not scanner.is_alive()
    scanner.stop()
