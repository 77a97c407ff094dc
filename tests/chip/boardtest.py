"""Run the full test on the stand-in, with each fault that it can have; print JSON, like drive.py.

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

from device_person import KEYS, Finger, PersonRig, used
from drive import CHIP, report
from margins import HARD

from appliance.boardtest.machine import facts
from appliance.boardtest.plan import chosen
from appliance.boardtest.report import Report, compose_report
from appliance.boardtest.runner import refuse_elsewhere, run
from appliance.core.errors import UserError
from appliance.core.keys.pins import COLUMN_PINS, ROW_PINS

CHIP.fakechip_wait.restype = ctypes.c_uint64
CHIP.fakechip_wait.argtypes = [ctypes.c_uint64]


class ChipRig(PersonRig):
    """The stand-in with its clock, and the person."""

    def now(self):
        return CHIP.fakechip_wait(0) / 1e9

    def elapse(self, seconds):
        CHIP.fakechip_wait(round(seconds * 1e9))

    def close_contacts(self, keys):
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
    "a chip that nobody knows": Fault(5, "label=pinctrl-other"),
    "another program holds GPIO 17": Fault(5, "hold=17:spi0 CS0"),
    "the chip's device belongs to root alone": Fault(5, rig={"access": "root rw"}),
    "GPIO 5 without working pulls": Fault(6, "nopull=5"),
    "row 1 at ground": Fault(6, "bridge=17:gnd"),
    "column 1 at 3.3 V": Fault(6, "bridge=5:3v3"),
    "rows 1 and 2 bridged": Fault(6, "bridge=17:27"),
    "columns 1 and 2 bridged": Fault(6, "bridge=5:6"),
    "row 1 and column 1 bridged": Fault(6, "bridge=17:5"),
    "button 3 stuck": Fault(6, finger=Finger(stuck=1 << 2)),
    "damp: 100 kilohms from each wire to ground": Fault(7, "leak=100"),
    "very long wires": Fault(7, "picofarads=3000"),
    "long wires": Fault(8, "picofarads=1100"),
    "a slow chip: 200 us a call": Fault(9, "call=200"),
    "contacts that chatter for 26 ms": Fault(10, finger=Finger(chatter=0.026)),
    "one edge in seven is lost": Fault(10, "drop=7"),
    "button 9 without contact": Fault(3, finger=Finger(answers={8: 0})),
    "rows 1 and 2 swapped": Fault(3, finger=Finger(answers=SWAPPED_ROWS)),
    "columns 1 and 3 swapped": Fault(3, finger=Finger(answers=SWAPPED_COLUMNS)),
    "contacts that close twice": Fault(11, finger=Finger(rebound=True)),
    "a machine that oversleeps by 120 ms": Fault(11, rig={"oversleeps": 0.12}),
    "no edge arrives": Fault(12, "drop=1"),
}  # fmt: skip


def tried(fault, only=KEYS, fails=-1):
    assert not CHIP.fakechip_boot(f"clock=1,{fault.board}".encode())
    rig = ChipRig(fault.finger, **fault.rig)
    CHIP.fakechip_fail(fails)
    rows = run(rig, chosen(only), lambda _rows: None)
    after = report()
    return {
        "rows": {row.number: (row.verdict, row.measured()) for row in rows},
        "seconds": rig.now() - 1, "inputs": after["inputs"], "said": rig.out.getvalue(),
        "spared": after["shorts"] == after["rows_high"] == 0,
        "report": compose_report(Report(tuple(facts(rig.config, "2026-01-01", rig.machine)), rows)),
    }  # fmt: skip


def faults():
    """Return what all checks find on each board. The walk would find the faults of the wires, too."""
    return {
        name: {"check": fault.check, **tried(fault, (3, *KEYS) if fault.check in {0, 3} else KEYS)}
        for name, fault in FAULTS.items()
    }


def high():
    """Return what the quick checks of the keys find with each wire at 3.3 V, and on boards without that."""
    wires = {str(pin): f"bridge={pin}:3v3" for pin in ROW_PINS + COLUMN_PINS}
    stuck = Fault(0, finger=Finger(stuck=0b111))
    return {
        **{pin: tried(Fault(1, board), (1, 3)) for pin, board in wires.items()},
        **{
            f"behind resistors {pin}": tried(Fault(1, f"series=470,{board}"), (1,))
            for pin, board in wires.items()
        },
        **{board: tried(Fault(0, board), (1,)) for board in HARD},
        "damp": tried(FAULTS["damp: 100 kilohms from each wire to ground"], (1,)),
        "stuck": tried(stuck, (1,)),
        "left high": tried(Fault(0, "17=high,6=alt,persist=1"), (1,)),
    }


def boards():
    """Return what the checks of the voltages find on the hardest boards that the datasheets allow."""
    return {board: tried(Fault(0, board), (6, 7, 8)) for board in HARD}


def alone():
    """Return what each check finds by itself on a good board."""
    return {number: tried(FAULTS["none"], (number,)) for number in KEYS}


def lost_pins():
    """Return what each check finds if a call fails in its course: the first ones are before it."""
    return {number: tried(FAULTS["none"], (number,), fails=4 if number == 5 else 50) for number in KEYS}


def service():
    """Return what the test says while the service holds a line."""
    assert not CHIP.fakechip_boot(b"clock=1,hold=5:tictactoe")
    try:
        refuse_elsewhere(ChipRig())
    except UserError as error:
        return str(error)
    return None


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]]()), flush=True)  # noqa: T201
    os._exit(0)  # as in drive.py
