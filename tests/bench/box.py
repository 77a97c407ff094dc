"""A box over the stand-ins, measured from inside: `box.py WHAT NUMBER` prints JSON."""

import ctypes
import json
import os
import random
import struct
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from appliance.commands.run import real_parts
from appliance.config import Config
from appliance.core.events import Press
from appliance.core.settings import Options, Settings
from appliance.daemon import Service, first_session

RECORD = struct.Struct("=QQHH4x")  # see struct record in fakebus.c


def make(**config):
    """Return a service on the pins and the bus of this process."""
    config = Config(**config)
    return Service(first_session(config), real_parts(config, None), time.monotonic, random.Random(1))


def threads():
    """Return how often each thread of this process has gone to sleep so far, by thread id."""
    counts = {}
    for task in Path("/proc/self/task").iterdir():
        status = (task / "status").read_text(encoding="ascii")
        line = next(line for line in status.splitlines() if line.startswith("voluntary_ctxt_switches"))
        counts[task.name] = int(line.split()[1])
    return counts


def memory():
    """Return the memory held now and at the peak, in MB of 2^20 bytes."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    lines = dict(line.split(":", 1) for line in status.splitlines())
    return {"MB now": int(lines["VmRSS"].split()[0]) / 1024, "MB peak": int(lines["VmHWM"].split()[0]) / 1024}


def watch(seconds):
    """Return what a minute of this process costs, from so many seconds of it."""
    before, cpu, began = threads(), time.process_time(), time.monotonic()
    time.sleep(seconds)
    after, cpu, lasted = threads(), time.process_time() - cpu, time.monotonic() - began
    each = {thread: (count - before.get(thread, 0)) / lasted for thread, count in after.items()}
    return {
        "CPU seconds a minute": 60 * cpu / lasted,
        "CPU %": 100 * cpu / lasted,
        "wake-ups a second": sum(each.values()),
        "by thread": sorted((round(rate, 1) for rate in each.values()), reverse=True),
    }


def idle(seconds):
    """Watch a box on which nobody presses: awake, dimmed, asleep."""
    dim, off = seconds + 3, 2 * seconds + 4
    service = make(options=Options(dim=dim, off=off))
    figures = {}

    def look():
        began = time.monotonic()
        for name, at in (("awake", 2.0), ("dimmed", dim + 0.5), ("asleep", off + 0.5)):
            time.sleep(began + at - time.monotonic())
            figures[name] = watch(seconds) | {"phase": service.loop.session.phase.value}
            figures[name]["parked"] = service.loop.parts.keypad.parked
        figures["memory"] = memory()
        service.stop()

    threading.Thread(target=look).start()
    service.run()
    return figures


def polling(seconds):
    """Watch the same box on pins that cannot be watched: it polls the keys all the time."""
    from appliance.devices.kernelpins import KernelFactory  # noqa: PLC0415

    del KernelFactory.dispatch
    return idle(seconds)


def library(seconds):
    """Watch a process that has opened the pins through gpiozero and lgpio, and does nothing with them."""
    from appliance.devices.pinout import make_factory  # noqa: PLC0415

    make_factory()
    time.sleep(1.0)
    return watch(seconds)


def press(times):
    """Press keys at chance moments of a two-person game; return ms from the contact to the mark's bytes.

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

    def play():
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
            mark = [at for at in records(log.read_bytes()[size:]) if at < stamps[0] + 0.04]
            figures["whole"].append(1000 * (mark[-1] - began))
            figures["accepted"].append(1000 * (stamps[0] - began))
            figures["program"].append(1000 * (mark[-1] - stamps[0]))
            time.sleep(0.1)
        service.stop()

    fresh = service.loop.session
    threading.Thread(target=play).start()
    service.run()
    return figures


def records(data):
    """Return when each transaction that was noted was made, in seconds of CLOCK_MONOTONIC."""
    times = []
    while data:
        wall, _, _, length = RECORD.unpack_from(data)
        times.append(wall / 1e9)
        data = data[RECORD.size + length :]
    return times


if __name__ == "__main__":
    work = (idle, polling, library, press)
    answer = next(function for function in work if function.__name__ == sys.argv[1])(int(sys.argv[2]))
    print(json.dumps(answer), flush=True)  # noqa: T201
    os._exit(0)  # lgpio's own threads never end
