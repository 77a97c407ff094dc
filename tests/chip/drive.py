"""Drive the appliance's keypad on our own pins, or on gpiozero's with the real lgpio; print JSON.

Runs in its own process, with fakechip in LD_PRELOAD: `python drive.py WHAT`. $GPIOZERO_PIN_FACTORY chooses
the pins, as for the box.
"""

import ctypes
import json
import os
import re
import sys
import threading
import time
from functools import partial
from itertools import combinations, count, takewhile
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace

from key_rig import COLUMN_PINS, ROW_PINS, TestRig, keys_in

from appliance.core.keys import walk as walking
from appliance.core.keys.diagnosis import FAILED, Matrix
from appliance.core.keys.key_events import Blocked, Press, Release, Tap
from appliance.core.keys.scan import accept, keys_of
from appliance.devices.extras import open_sounder
from appliance.devices.keypad import PARK_AFTER, Keypad
from appliance.devices.pinout import make_factory
from appliance.service.threads import Scanner

COUNTERS = (
    "ioctls", "requests", "releases", "shorts", "rows_high", "armed", "edges", "busy", "floating",
    "undefined", "unpulled", "microamperes", "inputs", "watched", "pulled_up",
)  # fmt: skip


class Report(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in COUNTERS]


CHIP = ctypes.CDLL(None)


def report():
    now = Report()
    CHIP.fakechip_read(ctypes.byref(now))
    return {name: getattr(now, name) for name in COUNTERS}


class ChipRig(TestRig):
    def __init__(self):
        super().__init__(SimpleNamespace(factory=make_factory()))

    def close_keys(self, contacts):
        CHIP.fakechip_press(contacts)

    def rest(self, seconds=PARK_AFTER + 0.2):
        """Release all keys; a keypad that parks has parked a little over a second later."""
        self.close_keys(0)
        return self.run(seconds)


def costs():
    """Count what each kind of poll costs."""
    rig, figures = ChipRig(), {}

    def cost(name, keys):
        CHIP.fakechip_press(keys)
        before = report()
        rig.poll()
        after = report()
        figures[name] = {counter: after[counter] - before[counter] for counter in ("ioctls", "releases")}

    rig.run(0.1)
    cost("sense", 0)
    cost("first scan", 1 << 4)
    rig.run(0.1)
    cost("next scan", 1 << 4)
    cost("last scan", 0)
    rig.run(0.2)
    if hasattr(rig.keypad.pin_factory, "wait"):
        while rig.due < rig.keypad._park_at:
            rig.poll()
        cost("parking", 0)
        cost("first scan, parked", 1 << 4)
    return figures


def states():
    """Put the keys into each of their 512 states, parked before each if the pins can wait for edges."""
    rig = ChipRig()
    parks = hasattr(rig.keypad.pin_factory, "wait")
    rest, latest = (PARK_AFTER + 0.2, 0.005) if parks else (0.2, 0.025)
    rig.run(0.1)
    rig.rest(rest)
    lists = {name: [] for name in ("ghosts", "silent", "slow", "missed", "taps")}
    for contacts in range(512):
        missed = rig.keypad.parked != parks
        CHIP.fakechip_press(contacts)
        began = rig.now
        events = rig.run(0.1)
        first = Blocked if accept(rig.keypad.value) is None else Press
        what = {
            "ghosts": not keys_in(events) <= set(keys_of(contacts)),
            "silent": contacts and not isinstance(events[0], first),
            "slow": events and events[0].at - began > latest + 1e-6,
            "missed": missed or (contacts and rig.keypad.parked),
            "taps": [type(event) for event in events + rig.rest(rest)] == [Press, Tap],
        }
        for name in lists:
            lists[name] += [contacts] * bool(what[name])
    running = report()
    rig.keypad.close()
    rig.keypad.pin_factory.close()
    return {**lists, "running": running, "closed": report()}


def walks():
    """Walk over the keys of a keypad with each two of its wires bridged, and with each at ground or 3.3 V."""
    found = {}
    for one, other in combinations((*ROW_PINS, *COLUMN_PINS, "gnd", "3v3"), 2):
        if one == "gnd":
            continue
        assert not CHIP.fakechip_boot(f"bridge={one}:{other}".encode())
        rig, walk = ChipRig(), walking.start(1.0, 0.0)
        while not walk.over:
            rig.close_keys(1 << walk.key if walk.key >= 0 and not walk.pressed else 0)
            rig.run(0.02)
            walk = walking.advance(walk, rig.keypad.value, rig.now)
        rows = [row for row in walking.rows(walk, Matrix()) if row.verdict == FAILED]
        found[f"{one}:{other}"] = [(row.what, row.remedy) for row in rows]
        rig.keypad.close()
        rig.keypad.pin_factory.close()
    return found


def faults():
    """Make one call of the chip fail: each in turn of a scan, of constructing a keypad, and of closing it."""
    rig = ChipRig()
    rig.run(0.1)

    def scan(others):
        CHIP.fakechip_press(1 << 4)
        rig.run(0.03)  # from here on, each poll is a scan
        error = error_of(rig.poll, others)
        inputs = report()["inputs"]
        CHIP.fakechip_press(0)
        rig.run(0.2)
        CHIP.fakechip_press(1)
        events = rig.run(0.1) + rig.rest()
        healed = [type(event).__name__ for event in events]
        return error and {"error": error, "inputs": inputs, "healed": healed}

    def make(others):
        error = error_of(lambda: Keypad(ROW_PINS, COLUMN_PINS, rig.keypad.pin_factory).close(), others)
        return error and {"error": error, "inputs": report()["inputs"]}

    def close(others):
        keypad = Keypad(ROW_PINS, COLUMN_PINS, rig.keypad.pin_factory)
        before = report()["ioctls"]
        error_of(keypad.close, others)
        struck = report()["ioctls"] - before > others
        return struck and {name: report()[name] for name in ("inputs", "pulled_up")}

    def for_each_call(fail):
        return list(takewhile(bool, map(fail, count())))  # until there is no call left to fail

    polls = for_each_call(scan)
    rig.keypad.close()
    return {
        "polls": polls, "makes": for_each_call(make), "closes": for_each_call(close), "end": report(),
    }  # fmt: skip


def error_of(action, others):
    """Make one call fail during an action, after `others` good ones; return the action's error, or None."""
    CHIP.fakechip_fail(others)
    try:
        action()
    except Exception as error:  # noqa: BLE001 - any error is reported
        return f"{type(error).__name__}: {error}"
    finally:
        CHIP.fakechip_fail(-1)
    return None


def naps():
    """Return how often each thread of this process has slept so far, by thread id."""
    return {
        int(status.parent.name): int(re.search(r"\nvoluntary_ctxt_switches:\s+(\d+)", status.read_text())[1])
        for status in Path("/proc/self/task").glob("*/status")
    }


def wakeups():
    """Nine taps, parked before each if it parks; two seconds awake, two asleep; close while it rests.

    No tap of a slow machine is a hold.
    """
    events, keypad = SimpleQueue(), Keypad(ROW_PINS, COLUMN_PINS, make_factory(), hold=600.0)
    scanner = Scanner(keypad, time.monotonic, events.put)
    scanner.start()

    def until_parked():
        while not keypad.parked and hasattr(keypad.pin_factory, "wait"):
            time.sleep(0.01)

    for key in range(9):
        until_parked()
        time.sleep(0.1 + key * 0.0021)
        CHIP.fakechip_press(1 << key)
        press = events.get()
        CHIP.fakechip_press(0)
        tap, release = events.get(), events.get()
        expected = Press(press.at, key), Tap(tap.at, key), Release(release.at, key, soon=True)
        assert repr((press, tap, release)) == repr(expected)
    result = {}
    for name, asleep in (("awake", False), ("asleep", True)):
        keypad.rest(asleep)
        time.sleep(0.2)
        until_parked()
        polls, before, began = scanner._move[0], naps(), time.monotonic()
        time.sleep(2.0)
        woken = {thread: count - before.get(thread, 0) for thread, count in naps().items()}
        polls, seconds = scanner._move[0] - polls, time.monotonic() - began
        figures = {"seconds": seconds, "polls": polls, "scanner": woken.pop(scanner.native_id)}
        del woken[threading.main_thread().native_id]
        result[name] = figures | {"others": sum(woken.values())}
    result["parked"] = report()
    keypad.close()
    result["closed"] = report()
    scanner.stop()
    return {**result, "alive": scanner.is_alive()}


def sounds():
    """Play a win on each kind of buzzer with a tone of its own; return its levels in units of 50 ms."""
    found = {}
    for kind, pin in (("active", 24), ("active-low", 25)):
        level, heard = partial(CHIP.fakechip_level, pin), []
        factory = make_factory()
        sounder = open_sounder(pin, kind, factory)
        before = level()
        sounder.play("win", lambda seconds, to=heard, of=level: to.extend([of()] * round(seconds / 0.05)))
        after = level()
        sounder.close()
        found[kind] = "".join(map(str, [before, *heard, after, level()]))
        factory.close()
    return found


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]]()), flush=True)  # noqa: T201
    # lgpio's own threads never end, and one may run while the interpreter shuts down.
    os._exit(0)
