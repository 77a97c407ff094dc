"""Run the device test on the stand-in, with each fault that it can have; print JSON, like drive.py.

The clock is the stand-in's own, which passes by calls, and while the rig waits: no figure depends on this
machine. The person does what the display asks for, in that time.
"""

import ctypes
import io
import json
import os
import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from drive import CHIP, report
from margins import HARD

from appliance.config.schema import Config
from appliance.core.errors import UserError
from appliance.core.keys.scan import keys_of
from appliance.devicetest.measures import MEASURES
from appliance.devicetest.plan import chosen
from appliance.devicetest.rig import BoardRig, Usage
from appliance.devicetest.runner import run

CHIP.fakechip_wait.restype = ctypes.c_uint64
CHIP.fakechip_wait.argtypes = [ctypes.c_uint64]
CHECKS = tuple(range(1, 9))  # those about the keys
THINKS = 0.4  # seconds from a request to the first press


class Finger(NamedTuple):
    """How presses make contact. `chatter` is in seconds; `answers`: key -> the keys (bits) that close."""

    chatter: float = 0.005
    rebound: bool = False  # each contact closes once more, 42 ms after a first one of 22 ms
    answers: Mapping = MappingProxyType({})
    stuck: int = 0


class ChipRig(BoardRig):
    """The stand-in with its clock, and the person."""

    def __init__(self, finger, access="gpio rw", oversleeps=0.0):
        super().__init__(Config(), "box.yaml")
        self.out = io.StringIO()
        self.finger, self._access, self._oversleeps = finger, access, oversleeps
        self._plan = []  # (when, keys that are closed from then on)
        self._word = ()
        self._sleeps = 0
        self._close(0)

    def access(self, _chip):
        return self._access

    def now(self):
        return CHIP.fakechip_wait(0) / 1e9

    def wait(self, seconds):
        self._sleeps += 1
        late = self._oversleeps if seconds >= 0.02 else 0.0
        self._pass(self.now() + seconds + late, lambda: False)

    def block(self, keypad, seconds):
        self._sleeps += 1
        return self._pass(self.now() + seconds, lambda: keypad.wait(0))

    def usage(self):
        return Usage(report()["ioctls"] * 5e-6, self._sleeps)

    def show(self, _scene):
        return False

    def flash(self, _frame):
        return False

    def ask(self, request):
        super().ask(request)
        if (request.word, request.keys) != self._word:
            self._word = (request.word, request.keys)
            self._close(0)
            self._plan = list(self._planned(request, self.now() + THINKS))

    def _pass(self, end, over):
        """Let time pass, with the presses that are due, until it ends or is over; return whether it is."""
        while not over():
            due = [self._plan.pop(0)] if self._plan and self._plan[0][0] <= end else []
            until = due[0][0] if due else end
            CHIP.fakechip_wait(max(0, round((until - self.now()) * 1e9)))
            if not due:
                return over()
            self._close(due[0][1])
        return True

    def _close(self, keys):
        closed = self.finger.stuck
        for key in keys_of(keys):
            closed |= self.finger.answers.get(key, 1 << key)
        CHIP.fakechip_press(closed)

    def _planned(self, request, at):
        """Yield what the person's fingers do."""
        if request.word == "hold_these":
            yield at, request.keys
        elif request.word == "press_this":
            yield from self._taps([keys_of(request.keys)[0]] * 10, at, 0.2)
        elif request.word == "tap_fast":
            yield from self._taps(
                [number * 4 % 9 for number in range(130)], at, 0.25 if self.finger.rebound else 0.15
            )
        elif request.word == "press_any":
            yield from self._taps([4], at, 1.0)

    def _taps(self, keys, at, apart):
        for number, key in enumerate(keys):
            began = at + number * apart + number % 10 * 0.002  # at any time between two polls
            if self.finger.rebound:
                yield began, 1 << key
                yield began + 0.022, 0
                began += 0.064
            for moment, closed in ((began, 1), (began + 0.07, 0)):
                turns = 2 * int(self.finger.chatter / 0.004)  # of 2 ms each
                for turn in range(turns):
                    yield moment + turn * 0.002, (closed ^ turn & 1) << key
                yield moment + turns * 0.002, closed << key


class Fault(NamedTuple):
    """A fault, the number of the check that it fails (0: it does no harm), and what makes it."""

    check: int
    board: str = ""
    finger: Finger = Finger()
    rig: Mapping = MappingProxyType({})


SWAPPED_ROWS = {key: 1 << (key + 3) % 6 for key in range(6)}
SWAPPED_COLUMNS = {key: 1 << key - 2 * (key % 3) + 2 for key in range(9)}
FAULTS = {
    "none": Fault(0),
    "long wires, resistors, thresholds of a Pi 4": Fault(0, "picofarads=200,series=470,low=0.8,high=2.0"),
    "lines left as outputs and alternate functions": Fault(0, "6=high,17=alt,persist=1"),
    "a chip that nobody knows": Fault(1, "label=pinctrl-other"),
    "another program holds GPIO 17": Fault(1, "hold=17:spi0 CS0"),
    "the chip's device belongs to root alone": Fault(1, rig={"access": "root rw"}),
    "GPIO 5 without working pulls": Fault(2, "nopull=5"),
    "row 1 at ground": Fault(2, "bridge=17:gnd"),
    "column 1 at 3.3 V": Fault(2, "bridge=5:3v3"),
    "rows 1 and 2 bridged": Fault(2, "bridge=17:27"),
    "columns 1 and 2 bridged": Fault(2, "bridge=5:6"),
    "row 1 and column 1 bridged": Fault(2, "bridge=17:5"),
    "button 3 stuck": Fault(2, finger=Finger(stuck=1 << 2)),
    "damp: 100 kilohms from each wire to ground": Fault(3, "leak=100"),
    "very long wires": Fault(3, "picofarads=3000"),
    "long wires": Fault(4, "picofarads=1100"),
    "a slow chip: 200 us a call": Fault(5, "call=200"),
    "contacts that chatter for 26 ms": Fault(6, finger=Finger(chatter=0.026)),
    "one edge in seven is lost": Fault(6, "drop=7"),
    "button 9 without contact": Fault(6, finger=Finger(answers={8: 0})),
    "rows 1 and 2 swapped": Fault(6, finger=Finger(answers=SWAPPED_ROWS)),
    "columns 1 and 3 swapped": Fault(6, finger=Finger(answers=SWAPPED_COLUMNS)),
    "contacts that close twice": Fault(7, finger=Finger(rebound=True)),
    "a machine that oversleeps by 120 ms": Fault(7, rig={"oversleeps": 0.12}),
    "no edge arrives": Fault(8, "drop=1"),
}  # fmt: skip


def tried(fault, only=CHECKS, fails=-1):
    assert not CHIP.fakechip_boot(f"clock=1,{fault.board}".encode())
    rig = ChipRig(fault.finger, **fault.rig)
    CHIP.fakechip_fail(fails)
    rows = run(rig, chosen(only), MEASURES, lambda _rows: None)
    after = report()
    return {
        "rows": {row.number: (row.verdict, row.measured()) for row in rows},
        "seconds": rig.now() - 1, "inputs": after["inputs"], "said": rig.out.getvalue(),
        "spared": after["shorts"] == after["rows_high"] == 0,
    }  # fmt: skip


def faults():
    """Return what all checks find on each board."""
    return {name: {"check": fault.check, **tried(fault)} for name, fault in FAULTS.items()}


def boards():
    """Return what the checks of the voltages find on the hardest boards that the datasheets allow."""
    return {board: tried(Fault(0, board), (2, 3, 4)) for board in HARD}


def alone():
    """Return what each check finds by itself on a good board."""
    return {number: tried(FAULTS["none"], (number,)) for number in CHECKS}


def lost_pins():
    """Return what each check finds if a call fails in its course: the first ones are before it."""
    return {number: tried(FAULTS["none"], (number,), fails=8 if number == 1 else 50) for number in CHECKS}


def service():
    """Return what the test says while the service holds a line."""
    try:
        tried(Fault(0, "hold=5:tictactoe"))
    except UserError as error:
        return str(error)
    return None


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]]()), flush=True)  # noqa: T201
    os._exit(0)  # as in drive.py
