"""Presses keys of the simulated chip, and counts what the installed package's own keypad makes of them.

Some come after a pause, when our pins are watched by the kernel: then only its edge can wake the scanner.

Prints JSON. Runs in the virtual machine, with settle.so in LD_PRELOAD: `presses.py COUNT`.
$GPIOZERO_PIN_FACTORY chooses the pins, as for the box.
"""

import ctypes
import json
import os
import sys
import time
from pathlib import Path
from queue import Empty, SimpleQueue
from random import Random

sys.path.insert(0, "/usr/share/tictactoe-appliance")

from appliance.core.events import Press, Tap
from appliance.devices.keypad import Keypad
from appliance.devices.pinout import gpio_chips, header_number, make_factory
from appliance.service.threads import Scanner

ROWS, COLUMNS = (17, 27, 22), (5, 6, 13)
PAUSE = 20  # presses from one pause to the next


def naps(thread):
    """Return how often a thread of this process has gone to sleep."""
    status = Path(f"/proc/self/task/{thread}/status").read_text()
    return int(status.split("voluntary_ctxt_switches:")[1].split()[0])


def main():
    count = int(sys.argv[1])
    wires = ctypes.CDLL("/srv/vm/settle.so")
    events, told = SimpleQueue(), []
    factory = make_factory()
    woken = [0]

    class Counted(Keypad):
        def wait(self):
            ended = super().wait()
            woken[0] += 1
            return ended

    keypad = Counted(ROWS, COLUMNS, factory)
    parks = hasattr(factory, "dispatch")
    scanner = Scanner(keypad, time.monotonic, events.put)
    scanner.start()
    rng, pressed, began = Random(1), [], time.monotonic()

    def collect(kind, key):
        """Wait for this event of this key, two minutes at most; keep all events."""
        try:
            while True:
                event = events.get(timeout=120)
                told.append((type(event).__name__, getattr(event, "key", None)))
                if isinstance(event, kind) and event.key == key:
                    return
        except Empty:
            return

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
        pressed.append(key)
        for _ in range(rng.randrange(3)):  # a contact that bounces
            wires.wires_press(1 << key)
            wires.wires_press(0)
        wires.wires_press(1 << key)
        collect(Press, key)
        wires.wires_press(0)
        collect(Tap, key)
        # A tap may come before its release has been debounced, and no finger is that fast: the next press
        # would be blocked by this key.
        while keypad._state.contacts.down:
            time.sleep(0.002)
    rested = pause()
    time.sleep(0.5)
    before = naps(scanner.native_id), woken[0]
    time.sleep(3)
    after = naps(scanner.native_id), woken[0]
    seconds = time.monotonic() - began
    while not events.empty():
        event = events.get()
        told.append((type(event).__name__, getattr(event, "key", None)))
    scanner.stop()
    expected = [pair for key in pressed for pair in (("Press", key), ("Tap", key))]
    first_wrong = next((i for i, pair in enumerate(zip(told, expected)) if pair[0] != pair[1]), None)  # noqa: B905
    print(  # noqa: T201 - the result
        json.dumps(
            {
                "chip": dict(gpio_chips())[header_number()],
                "factory": type(factory).__name__,
                "pressed": count,
                "presses": sum(name == "Press" for name, _ in told),
                "taps": sum(name == "Tap" for name, _ in told),
                "events": len(told),
                "in order": told == expected,
                "first wrong": first_wrong,
                "rows high": wires.wires_rows_high(),
                "parked": parked,
                "edges": before[1],
                "at rest": {
                    "parked": rested,
                    "wake-ups": after[0] - before[0],
                    "edges": after[1] - before[1],
                },
                "seconds": seconds,
            }
        ),
        flush=True,
    )
    keypad.close()


if __name__ == "__main__":
    main()
    os._exit(0)  # lgpio's own threads never end
