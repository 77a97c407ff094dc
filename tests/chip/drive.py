"""Drives the appliance's own keypad on our own pins, or on gpiozero's over the real lgpio; prints JSON.

Runs in a process of its own, with fakechip in LD_PRELOAD: `python drive.py WHAT`. $GPIOZERO_PIN_FACTORY
chooses the pins, as for the box.
"""

import ctypes
import json
import os
import sys
import threading
import time
from itertools import count, takewhile
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace

from key_rig import COLUMNS, ROWS, TestRig

from appliance.core.events import Blocked, Chord, Press, Tap
from appliance.core.scan import accept, keys_of
from appliance.devices.keypad import QUIET, Keypad
from appliance.devices.pinout import make_factory
from appliance.devices.scanner import Scanner

COUNTERS = (
    "ioctls", "requests", "releases", "shorts", "rows_high", "armed", "edges", "busy", "floating",
    "inputs", "watched", "pulled_up",
)  # fmt: skip


class Report(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in COUNTERS]


CHIP = ctypes.CDLL(None)


def report():
    now = Report()
    CHIP.fakechip_read(ctypes.byref(now))
    return {name: getattr(now, name) for name in COUNTERS}


def cost(action):
    before = report()
    action()
    after = report()
    return {name: after[name] - before[name] for name in ("ioctls", "releases")}


class ChipRig(TestRig):
    def __init__(self):
        super().__init__(SimpleNamespace(factory=make_factory()))

    def close_keys(self, contacts):
        CHIP.fakechip_press(contacts)

    def rest(self, seconds=QUIET + 0.2):
        """Release all keys; in a second and a bit it has parked, if it does."""
        self.close_keys(0)
        return self.run(seconds)


def costs():
    """Count what each kind of look at the keys costs."""
    rig = ChipRig()
    rig.run(0.1)
    figures = {"sense": cost(rig.poll)}
    CHIP.fakechip_press(1 << 4)
    figures["first scan"] = cost(rig.poll)
    rig.run(0.1)
    figures["next scan"] = cost(rig.poll)
    CHIP.fakechip_press(0)
    figures["last scan"] = cost(rig.poll)
    rig.run(0.2)
    if hasattr(rig.keypad.pin_factory, "dispatch"):
        while rig.due < rig.keypad._park_at:
            rig.poll()
        figures["parking"] = cost(rig.poll)
        CHIP.fakechip_press(1 << 4)
        figures["first scan, parked"] = cost(rig.poll)
    return figures


def states(*, parks):
    """Put the keys into each of their 512 states."""
    rig = ChipRig()
    rest = QUIET + 0.2 if parks else 0.2
    rig.run(0.1)
    rig.rest(rest)
    ghosts, silent, slow, missed, taps = [], [], [], [], 0
    for contacts in range(512):
        if rig.keypad.parked != parks:
            missed.append(contacts)
        CHIP.fakechip_press(contacts)
        began = rig.now
        events = rig.run(0.1)
        raw = rig.keypad.value
        keys = {
            key
            for event in events
            for key in (event.keys if isinstance(event, Blocked | Chord) else (event.key,))
        }
        if not keys <= set(keys_of(contacts)):
            ghosts.append(contacts)
        if contacts and not isinstance(events[0], Blocked if accept(raw) is None else Press):
            silent.append(contacts)
        slow += [contacts for event in events[:1] if event.at - began > (0.005 if parks else 0.025) + 1e-6]
        if contacts and rig.keypad.parked:
            missed.append(contacts)
        events += rig.rest(rest)
        taps += [type(event) for event in events] == [Press, Tap]
    running = report()
    rig.keypad.close()
    rig.keypad.pin_factory.close()
    return {
        "ghosts": ghosts,
        "silent": silent,
        "slow": slow,
        "missed": missed,
        "taps": taps,
        "running": running,
        "closed": report(),
    }


def check(rig):
    """Press a key and release it; return the names of the events."""
    rig.run(0.2)
    CHIP.fakechip_press(1)
    events = rig.run(0.1)
    return [type(event).__name__ for event in events + rig.rest()]


def faults():
    """Let one call of the chip fail, each one of a scan in turn, then each one of making a keypad."""
    rig = ChipRig()
    rig.run(0.1)

    def scan(others):
        CHIP.fakechip_press(1 << 4)
        rig.run(0.03)  # from here on, each poll is a scan
        error = error_of(rig.poll, others)
        inputs = report()["inputs"]
        CHIP.fakechip_press(0)
        return error and {"error": error, "inputs": inputs, "healed": check(rig)}

    def make(others):
        error = error_of(lambda: Keypad(ROWS, COLUMNS, rig.keypad.pin_factory).close(), others)
        return error and {"error": error, "inputs": report()["inputs"]}

    polls = for_each_call(scan)
    rig.keypad.close()
    makes = for_each_call(make)
    return {"polls": polls, "makes": makes, "end": report()}


def for_each_call(fail):
    """Return what `fail(0)`, `fail(1)` and so on return, as long as there is a call that can fail."""
    return list(takewhile(bool, map(fail, count())))


def error_of(action, others):
    """Return the error of an action of which the chip lets one call fail, after so many others; or None."""
    CHIP.fakechip_fail(others)
    try:
        action()
    except Exception as error:  # noqa: BLE001 - whichever it is, it is reported
        return f"{type(error).__name__}: {error}"
    finally:
        CHIP.fakechip_fail(-1)
    return None


def switches_of_all_threads():
    """Return how often each thread of this process has gone to sleep so far, by thread id."""
    counts = {}
    for task in Path("/proc/self/task").iterdir():
        status = (task / "status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("voluntary_ctxt_switches"))
        counts[int(task.name)] = int(line.split()[1])
    return counts


class Timed:
    """A keypad and its scanner's thread, in real time."""

    def __init__(self, *, parks):
        self.events = SimpleQueue()
        self.keypad = Keypad(ROWS, COLUMNS, make_factory())
        self.keypad._parks = parks
        self.scanner = Scanner(self.keypad, time.monotonic, self.events.put)
        self.scanner.start()

    def until_parked(self):
        while not self.keypad.parked:
            time.sleep(0.01)

    def taps(self, *, parked):
        """Return the seconds from the contact to the accepted press, for each key, None for a wrong one."""
        latencies = []
        for key in range(9):
            if parked:
                self.until_parked()
            time.sleep(0.1 + key * 0.0021)
            began = time.monotonic()
            CHIP.fakechip_press(1 << key)
            press = self.events.get()
            latencies.append(press.at - began if repr(press) == repr(Press(press.at, key)) else None)
            CHIP.fakechip_press(0)
            tap = self.events.get()
            assert repr(tap) == repr(Tap(tap.at, key))
        return latencies

    def watch(self):
        """Return what two seconds without a key cost."""
        before, began, cpu = switches_of_all_threads(), time.monotonic(), time.process_time()
        time.sleep(2.0)
        after, seconds, cpu = switches_of_all_threads(), time.monotonic() - began, time.process_time() - cpu
        each = {thread: (after[thread] - before.get(thread, 0)) / seconds for thread in after}
        scanner = self.scanner.native_id
        return {
            "a second": sum(each.values()),
            "scanner": each[scanner],
            "others": sorted(round(rate, 1) for thread, rate in each.items() if thread != scanner),
            "cpu": cpu / seconds,
            "threads": len(after),
            "python threads": threading.active_count(),
        }


def wakeups(*, parks):
    """Nine taps, and nine parked ones; then two seconds awake and two asleep without one."""
    timed = Timed(parks=parks)
    result = {"latency": timed.taps(parked=False)}
    if parks:
        result["latency, parked"] = timed.taps(parked=True)
        timed.until_parked()
    time.sleep(0.2)
    for name, asleep in (("awake", False), ("asleep", True)):
        timed.keypad.rest(asleep)
        time.sleep(0.1)
        if parks:
            timed.until_parked()
        result[name] = timed.watch() | {"parked": timed.keypad.parked}
    timed.scanner.stop()
    timed.keypad.close()
    return {**result, "end": report()}


def closing():
    """Close the keypad while its scanner's thread sleeps in the kernel, then the scanner."""
    timed = Timed(parks=True)
    timed.until_parked()
    before = report()
    timed.keypad.close()
    after = report()
    timed.scanner.stop()
    return {"before": before, "after": after, "alive": timed.scanner.is_alive()}


WORK = {
    "costs": costs,
    "states": lambda: states(parks=False),
    "parked states": lambda: states(parks=True),
    "faults": faults,
    "wakeups": lambda: wakeups(parks=False),
    "parked wakeups": lambda: wakeups(parks=True),
    "closing": closing,
}

if __name__ == "__main__":
    print(json.dumps(WORK[sys.argv[1]]()), flush=True)  # noqa: T201
    # lgpio's own threads never end, and one of them may run while the interpreter is being taken down.
    os._exit(0)
