"""Drives the appliance's own keypad through gpiozero's LGPIOFactory and the real lgpio library; prints JSON.

Runs in a process of its own, with fakechip in LD_PRELOAD: `python drive.py states|faults|wakeups`.
"""

import ctypes
import json
import os
import sys
import threading
import time
from pathlib import Path
from queue import SimpleQueue

from gpiozero.pins.lgpio import LGPIOFactory

from appliance.core.events import Chord, Press, Tap
from appliance.core.matrix import accept, keys_of
from appliance.devices.keypad import Keypad, Scanner

ROWS, COLUMNS = (17, 27, 22), (5, 6, 13)
COUNTERS = (
    "ioctls", "requests", "infos", "gets", "sets", "releases",
    "shorts", "rows_high", "edges_armed", "floating", "inputs",
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


class Bench:
    """The keypad, polled when it asks to be, on a virtual clock."""

    def __init__(self):
        self.keypad = Keypad(ROWS, COLUMNS, LGPIOFactory())
        self.now = 0.0

    def poll(self):
        events, delay = self.keypad.poll(self.now)
        self.now += delay
        return events

    def run(self, seconds):
        told, end = [], self.now + seconds
        while self.now < end:
            told += self.poll()
        return told


def states():
    """Put the keys into each of their 512 states, and count what a look at them costs."""
    bench = Bench()
    bench.run(0.1)
    costs = {"sense": cost(bench.poll)}
    CHIP.fakechip_press(1 << 4)
    costs["first scan"] = cost(bench.poll)
    bench.run(0.1)
    costs["next scan"] = cost(bench.poll)
    CHIP.fakechip_press(0)
    costs["last scan"] = cost(bench.poll)
    bench.run(0.5)
    ghosts, silent, taps = [], [], 0
    for contacts in range(512):
        CHIP.fakechip_press(contacts)
        told = bench.run(0.1)
        raw = bench.keypad.value
        keys = {key for event in told for key in (event.keys if isinstance(event, Chord) else (event.key,))}
        if not keys <= set(keys_of(contacts)) or (told and accept(raw) is None):
            ghosts.append(contacts)
        if contacts and accept(raw) is not None and not isinstance(told[0], Press):
            silent.append(contacts)
        CHIP.fakechip_press(0)
        told += bench.run(0.2)
        taps += [type(event) for event in told] == [Press, Tap]
    running = report()
    bench.keypad.close()
    bench.keypad.pin_factory.close()
    return {
        "costs": costs,
        "ghosts": ghosts,
        "silent": silent,
        "taps": taps,
        "running": running,
        "closed": report(),
    }


def faults():
    """Let one call of the chip fail, each one of a scan in turn, then each one of making a keypad."""
    bench = Bench()
    bench.run(0.1)
    polls, makes = [], []
    for others in range(18):
        CHIP.fakechip_press(1 << 4)
        bench.run(0.03)  # from here on, each poll is a scan
        CHIP.fakechip_fail(others)
        error = error_of(bench.poll)
        inputs = report()["inputs"]
        CHIP.fakechip_press(0)
        bench.run(0.2)
        CHIP.fakechip_press(1)
        healed = [type(event).__name__ for event in bench.run(0.1)]
        CHIP.fakechip_press(0)
        bench.run(0.2)
        polls.append({"error": error, "inputs": inputs, "healed": healed})
    bench.keypad.close()
    for others in range(9):
        CHIP.fakechip_fail(others)
        error = error_of(lambda: Keypad(ROWS, COLUMNS, bench.keypad.pin_factory))
        makes.append({"error": error, "inputs": report()["inputs"]})
    return {"polls": polls, "makes": makes, "end": report()}


def error_of(action):
    try:
        action()
    except Exception as error:  # noqa: BLE001 - whichever it is, the test is told
        return f"{type(error).__name__}: {error}"
    return None


def switches_of_all_threads():
    """Return how often each thread of this process has gone to sleep so far, by thread id."""
    counts = {}
    for task in Path("/proc/self/task").iterdir():
        status = (task / "status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("voluntary_ctxt_switches"))
        counts[int(task.name)] = int(line.split()[1])
    return counts


def wakeups():
    """Run the scanner's thread in real time: nine taps, then two seconds awake and two asleep without one."""
    events = SimpleQueue()
    keypad = Keypad(ROWS, COLUMNS, LGPIOFactory())
    scanner = Scanner(keypad, time.monotonic, events.put)
    scanner.start()
    result = {"latency": []}
    for key in range(9):
        time.sleep(0.1 + key * 0.0021)
        began = time.monotonic()
        CHIP.fakechip_press(1 << key)
        press = events.get(timeout=5)
        result["latency"].append(press.at - began if press == Press(press.at, key) else None)
        CHIP.fakechip_press(0)
        tap = events.get(timeout=5)
        assert tap == Tap(tap.at, key)
    time.sleep(0.2)
    for name, asleep in (("awake", False), ("asleep", True)):
        keypad.rest(asleep)
        time.sleep(0.1)
        before, began, cpu = switches_of_all_threads(), time.monotonic(), time.process_time()
        time.sleep(2.0)
        after, seconds, cpu = switches_of_all_threads(), time.monotonic() - began, time.process_time() - cpu
        each = {thread: (after[thread] - before.get(thread, 0)) / seconds for thread in after}
        result[name] = {
            "a second": sum(each.values()),
            "scanner": each[scanner.native_id],
            "others": sorted(round(rate, 1) for thread, rate in each.items() if thread != scanner.native_id),
            "cpu": cpu / seconds,
        }
    result["threads"] = len(after)
    result["python threads"] = threading.active_count()
    scanner.stop()
    keypad.close()
    return {**result, "end": report()}


if __name__ == "__main__":
    print(json.dumps({"states": states, "faults": faults, "wakeups": wakeups}[sys.argv[1]]()), flush=True)  # noqa: T201
    # lgpio's own threads never end, and one of them may run while the interpreter is being taken down.
    os._exit(0)
