"""Presses keys of the simulated chip, and counts what the installed package's own keypad makes of it.

Prints JSON. Runs in the virtual machine, with settle.so in LD_PRELOAD: `presses.py COUNT`.
"""

import ctypes
import json
import os
import sys
import time
from queue import Empty, SimpleQueue
from random import Random

sys.path.insert(0, "/usr/share/tictactoe-appliance")

from appliance.core.events import Press, Tap
from appliance.devices.keypad import Keypad, Scanner
from appliance.devices.pinout import header_chip, make_factory


def main():
    count = int(sys.argv[1])
    wires = ctypes.CDLL("/srv/vm/settle.so")
    events, told = SimpleQueue(), []
    keypad = Keypad((17, 27, 22), (5, 6, 13), make_factory())
    scanner = Scanner(keypad, time.monotonic, events.put)
    scanner.start()
    rng, pressed, began = Random(1), [], time.monotonic()

    def collect(kind, key):
        """Wait until the keypad has told of this key, 10 s at most; keep all that it tells."""
        try:
            while True:
                event = events.get(timeout=10)
                told.append((type(event).__name__, getattr(event, "key", None)))
                if isinstance(event, kind) and event.key == key:
                    return
        except Empty:
            return

    time.sleep(1)
    for _ in range(count):
        key = rng.randrange(9)
        pressed.append(key)
        for _ in range(rng.randrange(3)):  # a contact that bounces
            wires.wires_press(1 << key)
            wires.wires_press(0)
        wires.wires_press(1 << key)
        collect(Press, key)
        wires.wires_press(0)
        collect(Tap, key)
        # A tap may be told before its release has been debounced, and no finger is that fast: the next press
        # would be a second key beside this one.
        while keypad._state.contacts.down:
            time.sleep(0.002)
    time.sleep(1)
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
                "chip": header_chip(),
                "pressed": count,
                "presses": sum(name == "Press" for name, _ in told),
                "taps": sum(name == "Tap" for name, _ in told),
                "events": len(told),
                "in order": told == expected,
                "first wrong": first_wrong,
                "rows high": wires.wires_rows_high(),
                "seconds": seconds,
            }
        ),
        flush=True,
    )
    keypad.close()


if __name__ == "__main__":
    main()
    os._exit(0)  # lgpio's own threads never end
