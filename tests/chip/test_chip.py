"""The unmodified keypad over a stand-in for the kernel's GPIO chip (fakechip.c), on both kinds of pins.

Those are our own, straight on the kernel, and gpiozero's on the real lgpio library. Needs gcc and lgpio, and
fails without them: it is run by its own make target, `make test-chip`.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
ALL_INPUTS, COLUMNS = 0b111111, 0b111000


@pytest.fixture(scope="session")
def chip(tmp_path_factory):
    library = tmp_path_factory.mktemp("fakechip") / "fakechip.so"
    flags = ["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    subprocess.run(["gcc", *flags, "-o", library, HERE / "fakechip.c", "-ldl", "-pthread"], check=True)
    return library


@pytest.fixture(params=["", "lgpio"], ids=["our pins", "lgpio"])
def pins(request):
    return request.param


@pytest.fixture
def drive(chip, pins, tmp_path):
    def run(what):
        # lgpio makes its FIFO in the working directory, so that is one of the test's own.
        environment = {
            **os.environ, "LD_PRELOAD": str(chip), "PYTHONPATH": str(ROOT), "GPIOZERO_PIN_FACTORY": pins,
        }  # fmt: skip
        done = subprocess.run(
            [sys.executable, HERE / "drive.py", what],
            cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


def dump(figures):
    """Print figures, for whoever runs this with -rP."""
    print(json.dumps(figures))  # noqa: T201 - see above


def pins_were_spared(report):
    return {name: report[name] for name in ("shorts", "rows_high", "alerts", "busy", "floating")} == {
        "shorts": 0, "rows_high": 0, "alerts": 0, "busy": 0, "floating": 0,
    }  # fmt: skip


@pytest.mark.parametrize("what", ["states", "parked states"])
def test_all_states_of_the_keys(drive, what):
    told = drive(what)
    assert told["ghosts"] == []
    assert told["silent"] == []
    assert told["slow"] == [], "accepted later than by the second equal sample"
    assert told["missed"] == [], "every state ended the parking, and all keys up began it"
    assert told["taps"] == 9, "each key alone is a tap"
    running, closed = told["running"], told["closed"]
    assert pins_were_spared(running)
    assert running["inputs"] == COLUMNS, "at rest the rows are outputs"
    assert running["pulled_up"] & COLUMNS == COLUMNS
    assert (running["watched"], running["armed"] >= 512) == (
        (COLUMNS, True) if "parked" in what else (0, False)
    )
    assert pins_were_spared(closed)
    assert (closed["inputs"], closed["watched"]) == (ALL_INPUTS, 0)
    # A request for watching is one of three lines.
    assert closed["releases"] == closed["requests"] + 2 * closed["armed"], "every line was given back"


# Calls of the chip, and lines given back. Our pins give one back for nothing but parking.
MOST = {
    "": {
        "next scan": (14, 0), "first scan": (22, 0), "last scan": (22, 0), "first scan, parked": (22 + 3, 3),
    },
    "lgpio": {
        "next scan": (18, 4), "first scan": (28, 8), "last scan": (28, 8),
        "first scan, parked": (28 + 9, 8 + 6),
    },
}  # fmt: skip
# Calls that can fail: of a scan, of making a keypad, of ending the parking.
CALLS = {"": (14, 6, 22), "lgpio": (18, 9, 24)}


def test_what_a_look_costs(drive, pins):
    costs = {name: (cost["ioctls"], cost["releases"]) for name, cost in drive("costs").items()}
    dump(costs)
    assert costs.pop("sense") == (3, 0)
    assert costs.pop("parking") == (3 + 2, 3)
    assert costs.keys() == MOST[pins].keys()
    for name, (ioctls, releases) in costs.items():
        most_ioctls, most_releases = MOST[pins][name]
        assert ioctls <= most_ioctls, name
        assert releases <= most_releases, name


def test_faults_leave_inputs_and_heal(drive, pins):
    told = drive("faults")
    assert len(told["polls"]) >= CALLS[pins][0]
    assert len(told["makes"]) >= CALLS[pins][1]
    for poll in told["polls"]:
        assert poll["error"]
        assert poll["inputs"] == ALL_INPUTS
        assert poll["healed"] == ["Press", "Tap"]
    for make in told["makes"]:
        assert make["error"]
        assert make["inputs"] == ALL_INPUTS
    assert pins_were_spared(told["end"])


def test_faults_of_parking_leave_no_column_alone_and_heal(drive, pins):
    told = drive("parking faults")
    assert len(told["ends"]) >= CALLS[pins][2]
    looks, refusals = told["begins"][:3], told["begins"][3:]
    for fault in [*looks, *told["ends"]]:
        assert fault["error"]
        assert fault["after"]["inputs"] == ALL_INPUTS
    for fault in refusals:  # then it goes on polling
        assert fault["error"] is None
        assert not fault["parked"]
        assert fault["after"]["inputs"] == COLUMNS
        assert fault["after"]["pulled_up"] & COLUMNS == COLUMNS
    for fault in told["begins"] + told["ends"]:
        assert fault["after"]["watched"] == 0
        assert fault["healed"] == ["Press", "Tap"]
        assert fault["parks again"]
    assert pins_were_spared(told["end"])
    assert told["end"]["inputs"] == ALL_INPUTS


def test_where_the_kernel_refuses_it_polls(drive):
    told = drive("refusals")
    for refused in told["told"]:
        assert not refused["parked"]
        assert refused["healed"] == ["Press", "Tap"]
        assert refused["after"]["pulled_up"] & COLUMNS == COLUMNS
    assert told["end"]["busy"] == 1
    assert told["end"]["inputs"] == ALL_INPUTS


def test_wakeups_while_polling(drive, pins):
    told = drive("wakeups")
    dump({name: told[name] for name in ("latency", "awake", "asleep")})
    assert None not in told["latency"]
    its_own = 50 if pins == "lgpio" else 0
    assert told["awake"]["a second"] < its_own + 60
    assert told["asleep"]["a second"] < its_own + 30
    assert pins_were_spared(told["end"])
    assert told["end"]["inputs"] == ALL_INPUTS


def test_wakeups_while_parked(drive, pins):
    """Nothing is left, on our pins; lgpio's own thread wakes 50 times a second."""
    told = drive("parked wakeups")
    dump({name: told[name] for name in ("latency", "latency, parked", "awake", "asleep")})
    assert None not in told["latency"] + told["latency, parked"]
    for how in ("awake", "asleep"):
        assert told[how]["parked"]
        assert told[how]["a second"] < (56 if pins == "lgpio" else 1)
        assert told[how]["scanner"] < 1
    assert told["end"]["edges"] >= 9
    assert pins_were_spared(told["end"])
    assert (told["end"]["inputs"], told["end"]["watched"]) == (ALL_INPUTS, 0)


def test_closing_while_the_scanner_sleeps_in_the_kernel(drive):
    told = drive("closing")
    assert told["before"]["watched"] == COLUMNS
    assert (told["after"]["inputs"], told["after"]["watched"]) == (ALL_INPUTS, 0)
    assert pins_were_spared(told["after"])
    assert not told["alive"]
