"""The service as a process on stand-ins, for tests that signal it or break it.

`running_box.py CONFIG DIR [FAULT]`: `DIR` keeps its state; it notifies NOTIFY_SOCKET.
"""

import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from appliance.config.schema import Config
from appliance.core.keys.key_events import Press, Tap
from appliance.devices import keypad, panel, pinout
from appliance.service import start, threads
from appliance.simulator.bus import SimulatedBus
from appliance.simulator.chips import Ssd1306
from appliance.simulator.switches import SwitchNetwork


def hang(*_):
    time.sleep(10_000)


def die(*_):
    raise BaseException  # noqa: TRY002  # no thread catches it


def fail(*_):
    raise OSError(5, "Input/output error")


def break_it(fault):
    """Break what the fault names, at once or when the box is asked to think."""
    thread, _, what = fault.partition(" ")
    does = {"hangs": hang, "dies": die, "fails": fail}.get(what)
    match thread:
        case "poll":
            keypad.Keypad.poll = does
        case "wait":
            keypad.Keypad.poll = lambda *_: ((), keypad.PARKED)
            keypad.Keypad.wait = does
            keypad.Keypad.wake = lambda _self: None
        case "engine":
            threads.answer = does
    match fault:  # only what is broken is given up soon: a busy machine may hold up the rest for long
        case "poll hangs":
            threads.REPLY = 0.3
        case "poll fails":
            threads.Scanner.GIVE_UP = 0.6
        case "wait hangs":
            threads.Scanner.ASK, threads.REPLY = 0.3, 2.0
        case "engine hangs":
            threads.Thinker.BOUND = 0.3


def main(config, directory, fault=""):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)  # a shell starts background jobs with SIGINT ignored
    settings = Config().keypad
    network, bus = SwitchNetwork(settings.rows, settings.columns), SimulatedBus()
    bus.attach(0x3C, Ssd1306())
    pinout.make_factory = lambda: network.factory
    panel.open_smbus = lambda _port: bus
    if fault:
        break_it(fault)
    play = start.play

    def played(service, *more):
        if fault.startswith("engine"):
            service.put(Press(time.monotonic(), 0))
            service.put(Tap(time.monotonic(), 0))
        if fault == "clock":
            service.loop.now = lambda: 5.0
        return play(service, *more)

    start.play = played
    return start.serve(Path(config), Path(directory))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
