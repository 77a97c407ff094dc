"""Run the device test on the stand-in, with each fault that it can have; print JSON, like drive.py.

The clock is the stand-in's own, which passes by calls, and while the rig waits: no figure depends on this
machine.
"""

import ctypes
import json
import os
import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from device_person import CHECKS, Finger, PersonRig, used
from drive import CHIP, report
from margins import HARD

from appliance.core.errors import UserError
from appliance.devicetest.facts import gather
from appliance.devicetest.measures import MEASURES
from appliance.devicetest.plan import chosen
from appliance.devicetest.report import Report, compose
from appliance.devicetest.runner import run

CHIP.fakechip_wait.restype = ctypes.c_uint64
CHIP.fakechip_wait.argtypes = [ctypes.c_uint64]


class ChipRig(PersonRig):
    """The stand-in with its clock, and the person."""

    def now(self):
        return CHIP.fakechip_wait(0) / 1e9

    def elapse(self, seconds):
        CHIP.fakechip_wait(round(seconds * 1e9))

    def close_keys(self, keys):
        CHIP.fakechip_press(keys)

    def usage(self):
        return used(report()["ioctls"], self)


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
        "report": compose(Report(gather(rig.config, "2026-01-01"), rows)),
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
