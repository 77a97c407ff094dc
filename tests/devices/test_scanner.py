"""The scanner: stamps, puts, outlives faults, ends when it is told to."""

import logging
import threading

from appliance.core.events import Press, Stuck, Tap
from appliance.devices.keypad import PARKED, Keypad
from appliance.devices.scanner import Scanner
from appliance.simulator.switches import SwitchNetwork

ROWS, COLUMNS = (17, 27, 22), (5, 6, 13)


class Keys:
    """A keypad that does as a script says: events, or an error to raise."""

    def __init__(self, *script):
        self.script = list(script)

    def poll(self, _now):
        entry = self.script.pop(0)
        if isinstance(entry, Exception):
            raise entry
        return entry, 0.02


def test_the_scanner_stamps_and_puts_what_happened():
    network, told = SwitchNetwork(ROWS, COLUMNS), []
    keypad = Keypad(ROWS, COLUMNS, network.factory)
    times = (0.0, 0.02, 0.04, 0.045, 0.2)
    clock = iter(times)
    scanner = Scanner(keypad, lambda: next(clock), told.append)
    scanner.step()
    scanner.step()
    network.press(7)
    assert [scanner.step() for _ in range(3)] == [0.005] * 3
    assert told == [Press(0.045, 7), Tap(0.2, 7)]


def test_the_scanner_outlives_faults_and_says_so_once(caplog):
    caplog.set_level(logging.INFO)
    error, press = OSError(5, "Input/output error"), Press(3.0, 1)
    told = []
    scanner = Scanner(
        Keys((), *[error] * 7, (press,), (), RuntimeError("again"), ()), lambda: 3.0, told.append
    )
    delays = [scanner.step() for _ in range(12)]
    assert delays == [0.02, 0.25, 0.5, 1.0, 2.0, 4.0, 5.0, 5.0, 0.02, 0.02, 0.25, 0.02]
    assert told == [press]
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


def test_the_scanner_runs_until_it_is_stopped():
    polls = []
    scanner = None

    class Stops:
        def poll(self, now):
            polls.append(now)
            if len(polls) == 3:
                scanner.stop()
            return (), 0.0

        def wake(self):
            return

    scanner = Scanner(Stops(), lambda: 1.0, [].append)
    scanner.run()
    assert polls == [1.0] * 3
    assert scanner.daemon


def test_the_scanner_waits_as_long_as_the_keypad_is_parked():
    done, press = [], Press(1.0, 4)
    looks = [((), 0.0), ((), PARKED), ((press,), 0.0), ((), PARKED), ((), PARKED)]
    scanner = None

    class Parks:
        def poll(self, now):
            done.append("look")
            return looks.pop(0)

        def wait(self):
            done.append("wait")
            if not looks:
                scanner.stop()

        def wake(self):
            done.append("wake")

    scanner = Scanner(Parks(), lambda: 1.0, done.append)
    scanner.run()
    assert done == ["look", "look", "wait", "look", press, "look", "wait", "look", "wait", "wake"]


def test_a_parked_scanners_thread_ends_when_it_is_told_to():
    class Parks:
        def __init__(self):
            self.asleep, self.woken = threading.Event(), threading.Event()

        def poll(self, now):
            return (), PARKED

        def wait(self):
            self.asleep.set()
            self.woken.wait()

        def wake(self):
            self.woken.set()

    keypad = Parks()
    scanner = Scanner(keypad, lambda: 0.0, [].append)
    scanner.start()
    keypad.asleep.wait()
    scanner.stop()
    assert not scanner.is_alive()


def test_the_scanners_thread_ends_when_it_is_told_to():
    keypad = Keypad(ROWS, COLUMNS, SwitchNetwork(ROWS, COLUMNS).factory)
    scanner = Scanner(keypad, lambda: 0.0, [].append)
    scanner.stop()  # not started yet
    scanner = Scanner(keypad, lambda: 0.0, [].append)
    scanner.start()
    scanner.stop()
    assert not scanner.is_alive()
    scanner.stop()
