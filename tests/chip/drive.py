"""Drives the appliance's own keypad on our own pins, or on gpiozero's over the real lgpio; prints JSON.

Runs in a process of its own, with fakechip in LD_PRELOAD: `python drive.py WHAT`. Which pins they are says
$GPIOZERO_PIN_FACTORY, as for the box.
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

from appliance.core.events import Blocked, Chord, Press, Tap
from appliance.core.matrix import accept, keys_of
from appliance.devices.edges import KernelEdges, edges_of
from appliance.devices.keypad import Keypad
from appliance.devices.parking import AGAIN, PARKED, QUIET
from appliance.devices.pinout import make_factory
from appliance.devices.scanner import Scanner

ROWS, COLUMNS = (17, 27, 22), (5, 6, 13)
COUNTERS = (
    "ioctls", "requests", "infos", "gets", "sets", "configs", "releases",
    "shorts", "rows_high", "alerts", "armed", "edges", "busy", "floating", "inputs", "watched", "pulled_up",
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


def make(factory, *, parks):
    return Keypad(ROWS, COLUMNS, factory, edges=edges_of(factory, COLUMNS) if parks else None)


class Bench:
    """The keypad, polled when it asks to be, on a virtual clock. While it is parked, only an edge is due."""

    def __init__(self, *, parks):
        self.keypad = make(make_factory(), parks=parks)
        self.now = 0.0
        self.edges = None  # that had been when it parked

    def poll(self):
        events, delay = self.keypad.poll(self.now)
        self.edges = report()["edges"] if delay == PARKED else None
        self.now += 0.0 if delay == PARKED else delay
        return events

    def run(self, seconds):
        told, end = [], self.now + seconds
        while self.now < end:
            if self.edges is not None:
                if self.edges == report()["edges"]:
                    self.now = end
                    break
                self.keypad.wait()  # does not: there has been an edge
            told += self.poll()
        return told

    def rest(self):
        """Let go of all keys, and wait until it has parked if it does."""
        CHIP.fakechip_press(0)
        told = self.run(0.2)
        return told + self.run(QUIET)


def costs():
    """Count what each kind of look at the keys costs."""
    bench = Bench(parks=True)
    bench.run(0.1)
    told = {"sense": cost(bench.poll)}
    CHIP.fakechip_press(1 << 4)
    told["first scan"] = cost(bench.poll)
    bench.run(0.1)
    told["next scan"] = cost(bench.poll)
    CHIP.fakechip_press(0)
    told["last scan"] = cost(bench.poll)
    bench.run(0.2)
    while bench.now < bench.keypad._parking._due:
        bench.poll()
    told["parking"] = cost(bench.poll)
    CHIP.fakechip_press(1 << 4)
    told["first scan, parked"] = cost(bench.poll)
    return told


def states(*, parks):
    """Put the keys into each of their 512 states."""
    bench = Bench(parks=parks)
    bench.run(0.1)
    bench.rest()
    ghosts, silent, slow, missed, taps = [], [], [], [], 0
    for contacts in range(512):
        if bench.keypad.parked != parks:
            missed.append(contacts)
        CHIP.fakechip_press(contacts)
        began = bench.now
        told = bench.run(0.1)
        raw = bench.keypad.value
        keys = {
            key
            for event in told
            for key in (event.keys if isinstance(event, Blocked | Chord) else (event.key,))
        }
        if not keys <= set(keys_of(contacts)):
            ghosts.append(contacts)
        if contacts and not isinstance(told[0], Blocked if accept(raw) is None else Press):
            silent.append(contacts)
        slow += [contacts for event in told[:1] if event.at - began > (0.005 if parks else 0.025) + 1e-6]
        if contacts and bench.keypad.parked:
            missed.append(contacts)
        told += bench.rest()
        taps += [type(event) for event in told] == [Press, Tap]
    running = report()
    bench.keypad.close()
    bench.keypad.pin_factory.close()
    return {
        "ghosts": ghosts,
        "silent": silent,
        "slow": slow,
        "missed": missed,
        "taps": taps,
        "running": running,
        "closed": report(),
    }


def check(bench):
    """Press a key and let it go: return what is told of that."""
    bench.run(0.2)
    CHIP.fakechip_press(1)
    told = bench.run(0.1)
    return [type(event).__name__ for event in told + bench.rest()]


def faults():
    """Let one call of the chip fail, each one of a scan in turn, then each one of making a keypad."""
    bench = Bench(parks=False)
    bench.run(0.1)

    def scan(others):
        CHIP.fakechip_press(1 << 4)
        bench.run(0.03)  # from here on, each poll is a scan
        error = error_of(bench.poll, others)
        inputs = report()["inputs"]
        CHIP.fakechip_press(0)
        return error and {"error": error, "inputs": inputs, "healed": check(bench)}

    def make(others):
        error = error_of(lambda: Keypad(ROWS, COLUMNS, bench.keypad.pin_factory).close(), others)
        return error and {"error": error, "inputs": report()["inputs"]}

    polls = for_each_call(scan)
    bench.keypad.close()
    makes = for_each_call(make)
    return {"polls": polls, "makes": makes, "end": report()}


def parking_faults():
    """Let one call of the chip fail: each one of parking in turn, then each one of ending that."""
    bench = Bench(parks=True)
    bench.run(0.1)
    begins = []
    for others in range(5):  # three columns read; the request; the levels
        while bench.now < bench.keypad._parking._due or bench.keypad.parked:
            bench.poll()
        error = error_of(bench.poll, others)
        after, parked = report(), bench.keypad.parked
        begins.append({"error": error, "after": after, "parked": parked, "healed": check(bench)})
        bench.run(AGAIN)
        begins[-1]["parks again"] = bench.keypad.parked

    def end(others):
        CHIP.fakechip_press(1 << 4)
        error = error_of(bench.poll, others)
        after = report()
        CHIP.fakechip_press(0)
        healed = check(bench)
        return error and {
            "error": error,
            "after": after,
            "healed": healed,
            "parks again": bench.keypad.parked,
        }

    # The columns claimed, and read; the scan.
    ends = for_each_call(end)
    bench.keypad.close()
    return {"begins": begins, "ends": ends, "end": report()}


def refusals():
    """Let the kernel refuse: the lines are held, there is no such chip, it is no chip."""
    factory, told = make_factory(), []
    for chip in ("/dev/gpiochip0", "/dev/gpiochip1", os.devnull):
        bench = Bench(parks=False)
        bench.keypad.close()
        bench.keypad = Keypad(ROWS, COLUMNS, factory, edges=KernelEdges(chip, COLUMNS, lambda _line: None))
        bench.run(QUIET + 0.5)
        told.append({"parked": bench.keypad.parked, "healed": check(bench), "after": report()})
        bench.keypad.close()
    return {"told": told, "end": report()}


def for_each_call(fail):
    """Return what `fail(0)`, `fail(1)` and so on return, as long as there is a call that can fail."""
    return list(takewhile(bool, map(fail, count())))


def error_of(action, others):
    """Return the error of an action of which the chip lets one call fail, after so many others; or None."""
    CHIP.fakechip_fail(others)
    try:
        action()
    except Exception as error:  # noqa: BLE001 - whichever it is, the test is told
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
        self.keypad = make(make_factory(), parks=parks)
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
            latencies.append(press.at - began if press == Press(press.at, key) else None)
            CHIP.fakechip_press(0)
            tap = self.events.get()
            assert tap == Tap(tap.at, key)
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
    "parking faults": parking_faults,
    "refusals": refusals,
    "wakeups": lambda: wakeups(parks=False),
    "parked wakeups": lambda: wakeups(parks=True),
    "closing": closing,
}

if __name__ == "__main__":
    print(json.dumps(WORK[sys.argv[1]]()), flush=True)  # noqa: T201
    # lgpio's own threads never end, and one of them may run while the interpreter is being taken down.
    os._exit(0)
