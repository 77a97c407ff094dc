"""Press keys of the simulated chip, and count the events of the installed package's own keypad.

Some presses come after a pause, when the kernel watches our pins: then only an edge can wake the scanner.

Prints JSON. Runs in the virtual machine, with settle.so in LD_PRELOAD: `presses.py COUNT`.
$GPIOZERO_PIN_FACTORY chooses the pins, as for the box.
"""

import ctypes
import json
import os
import sys
import time
from itertools import zip_longest
from pathlib import Path
from queue import Empty, SimpleQueue
from random import Random

sys.path.insert(0, "/usr/share/tictactoe-appliance")

from appliance.core.keys.pins import COLUMN_PINS, ROW_PINS
from appliance.devices.keypad import Keypad
from appliance.devices.pinout import gpio_chips, header_number, make_factory
from appliance.service.threads import Scanner

PAUSE = 20  # presses between pauses
HOLD = 600.0  # seconds: a machine that is slow to release a key holds none


def naps(thread):
    """Return how often a thread of this process has slept."""
    status = Path(f"/proc/self/task/{thread}/status").read_text()
    return int(status.split("voluntary_ctxt_switches:")[1].split()[0])


def main():
    count = int(sys.argv[1])
    wires = ctypes.CDLL("/srv/vm/settle.so")
    queue, events = SimpleQueue(), []
    factory = make_factory()
    edges = 0

    class Counted(Keypad):
        def wait(self):
            nonlocal edges
            ended = super().wait()
            edges += 1
            return ended

    keypad = Counted(ROW_PINS, COLUMN_PINS, factory, HOLD)
    parks = hasattr(factory, "wait")
    scanner = Scanner(keypad, time.monotonic, queue.put)
    scanner.start()
    rng, expected, began = Random(1), [], time.monotonic()

    def take(seconds):
        """Record the next event, and return it; None if there is none in time."""
        try:
            event = queue.get(timeout=seconds)
        except Empty:
            return None
        events.append([type(event).__name__, getattr(event, "key", None)])
        return events[-1]

    def collect(name, key):
        """Wait for an event of a key, two minutes at most."""
        expected.append([name, key])
        while take(120) not in (expected[-1], None):
            pass

    def pause():
        end = time.monotonic() + (300 if parks else 1.5)
        while not keypad.parked and time.monotonic() < end:
            time.sleep(0.05)
        return keypad.parked

    time.sleep(1)
    parked = 0
    for number in range(count):
        if number % PAUSE == 0:
            parked += pause()
        key = rng.randrange(9)
        for _ in range(rng.randrange(3)):  # a contact that bounces
            with keypad._lock:  # between two polls, or a slow machine would make a press of it
                wires.wires_press(1 << key)
                wires.wires_press(0)
        wires.wires_press(1 << key)
        collect("Press", key)
        wires.wires_press(0)
        collect("Tap", key)
        collect("Release", key)
    rested = pause()
    time.sleep(0.5)
    before = naps(scanner.native_id), edges
    time.sleep(3)
    after = naps(scanner.native_id), edges
    seconds = time.monotonic() - began
    while take(0):
        pass
    scanner.stop()
    wrong = (index for index, pair in enumerate(zip_longest(events, expected)) if pair[0] != pair[1])
    counts = {
        "chip": dict(gpio_chips())[header_number()],
        "factory": type(factory).__name__,
        "presses": sum(name == "Press" for name, _ in events),
        "taps": sum(name == "Tap" for name, _ in events),
        "events": len(events),
        "first wrong": next(wrong, None),
        "rows high": wires.wires_rows_high(),
        "parked": parked,
        "edges": before[1],
        "at rest": {"parked": rested, "wake-ups": after[0] - before[0], "edges": after[1] - before[1]},
        "seconds": seconds,
    }
    print(json.dumps(counts), flush=True)  # noqa: T201 - the result
    keypad.close()


if __name__ == "__main__":
    main()
    os._exit(0)  # lgpio's own threads never exit
