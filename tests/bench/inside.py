"""What `box.py` runs inside a box whose chip and bus are preloaded: `inside.py WHAT NUMBER` prints JSON."""

import ctypes
import json
import os
import random
import re
import struct
import sys
import threading
import time
from pathlib import Path

from appliance.config.schema import Config
from appliance.core.keys.key_events import Press
from appliance.core.session.settings import Options, Settings
from appliance.service.daemon import Service, first_session
from appliance.service.start import real_parts

RECORD = struct.Struct("=QIHH")  # see struct record in tests/chip/bus.h
SELF = Path("/proc/self")


def make(**config):
    """Return a service on the pins and the bus of this process."""
    config = Config(**config)
    return Service(first_session(config), real_parts(config, None), time.monotonic, random.Random(1))


def status(folder, field):
    """Return a number from the status file of a process or thread."""
    text = (folder / "status").read_text(encoding="ascii")
    return int(re.search(rf"^{field}:\s+(\d+)", text, re.MULTILINE)[1])


def sleeps():
    """Return how often each thread of this process has gone to sleep so far."""
    return {task.name: status(task, "voluntary_ctxt_switches") for task in (SELF / "task").iterdir()}


def watch(seconds):
    """Run a box on which nobody presses; return what it costs awake, dimmed and asleep."""
    dim, off = seconds + 3, 2 * seconds + 4
    service = make(options=Options(dim=dim, off=off))
    figures = {}

    def look():
        started = time.monotonic()
        for name, at in (("awake", 2.0), ("dimmed", dim + 0.5), ("asleep", off + 0.5)):
            time.sleep(started + at - time.monotonic())
            before, cpu, began = sleeps(), time.process_time(), time.monotonic()
            time.sleep(seconds)
            after, cpu, lasted = sleeps(), time.process_time() - cpu, time.monotonic() - began
            woken = sum(count - before.get(thread, 0) for thread, count in after.items())
            figures[name] = {
                "CPU %": 100 * cpu / lasted,
                "wake-ups a second": woken / lasted,
                "MB": status(SELF, "VmRSS") / 1024,
            }
        service.stop()

    threading.Thread(target=look).start()
    service.run()
    return figures


def watch_polling(seconds):
    """Watch the same box on pins that deliver no edges: it polls the keys."""
    from appliance.devices.kernelpins import KernelFactory  # noqa: PLC0415

    del KernelFactory.wait
    return watch(seconds)


def time_presses(times):
    """Press keys at random moments of a two-person game; return ms from the contact to the mark's bytes.

    The stand-in for the bus takes no time, so what is measured is sampling, debounce and program. The stamp
    of the press parts them: "accepted" is what was before it, "program" what came after. Every other press is
    made while the keypad is parked, as the first after a pause is; the others come soon after another.
    """
    chip = ctypes.CDLL(None)
    log = Path(os.environ["FAKEBUS_LOG"])
    service = make(settings=Settings(players=2, first="you"))
    put, stamps, rng = service.loop.put, [], random.Random(2)
    figures = {"whole": [], "accepted": [], "program": [], "parked": []}

    def note(event):
        if isinstance(event, Press):
            stamps.append(event.at)
        put(event)

    service._scanner._put = note

    def press_all():
        time.sleep(1.0)
        for number in range(times):
            cell = number % 5  # x 0, o 1, x 2, o 3, x 4: nobody wins
            if cell == 0 and number:
                service.loop.session = fresh
                time.sleep(0.2)
            time.sleep(0.2 + rng.random() * 0.02)
            patience = time.monotonic() + 3.0 * (number % 2)
            while not service.loop.parts.keypad.parked and time.monotonic() < patience:
                time.sleep(0.05)
            size, stamps[:] = log.stat().st_size, []
            figures["parked"].append(service.loop.parts.keypad.parked)
            began = time.monotonic()
            chip.fakechip_press(1 << cell)
            time.sleep(0.1)
            chip.fakechip_press(0)
            # What comes later than this is another picture: that the press was a tap.
            mark = [at for at in transactions(log.read_bytes()[size:]) if at < stamps[0] + 0.04]
            figures["whole"].append(1000 * (mark[-1] - began))
            figures["accepted"].append(1000 * (stamps[0] - began))
            figures["program"].append(1000 * (mark[-1] - stamps[0]))
            time.sleep(0.1)

    def play():
        try:
            press_all()
        finally:
            service.stop()

    fresh = service.loop.session
    threading.Thread(target=play).start()
    service.run()
    if len(figures["program"]) < times:
        raise RuntimeError("a press was not noticed within 0.1 s: the machine is too busy to measure")
    return figures


def transactions(data):
    """Return when each transaction was made, in seconds of CLOCK_MONOTONIC."""
    times = []
    while data:
        nanoseconds, _, _, length = RECORD.unpack_from(data)
        times.append(nanoseconds / 1e9)
        data = data[RECORD.size + length :]
    return times


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]](int(sys.argv[2]))), flush=True)  # noqa: T201
    os._exit(0)  # lgpio's own threads never end
