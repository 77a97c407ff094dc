"""The unmodified keypad on the real lgpio library, over a stand-in for the kernel's GPIO chip (fakechip.c).

Needs gcc and lgpio, and fails without them: it is run by its own make target, `make test-lgpio`.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
ALL_INPUTS = 0b111111


@pytest.fixture(scope="session")
def chip(tmp_path_factory):
    library = tmp_path_factory.mktemp("fakechip") / "fakechip.so"
    flags = ["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    subprocess.run(["gcc", *flags, "-o", library, HERE / "fakechip.c", "-ldl", "-pthread"], check=True)
    return library


@pytest.fixture
def drive(chip, tmp_path):
    def run(what):
        # lgpio makes its FIFO in the working directory, so that is one of the test's own.
        environment = {**os.environ, "LD_PRELOAD": str(chip), "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, HERE / "drive.py", what],
            cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        told = json.loads(done.stdout)
        print(json.dumps(told, indent=1))  # noqa: T201 - the figures, for whoever runs this with -rP
        return told

    return run


def pins_were_spared(report):
    return {name: report[name] for name in ("shorts", "rows_high", "edges_armed", "floating")} == {
        "shorts": 0, "rows_high": 0, "edges_armed": 0, "floating": 0,
    }  # fmt: skip


def test_all_states_of_the_keys(drive):
    told = drive("states")
    assert told["ghosts"] == []
    assert told["silent"] == []
    assert told["taps"] == 9, "each key alone is a tap"
    assert pins_were_spared(told["running"])
    assert told["running"]["inputs"] == 0b111000, "at rest the rows are outputs"
    assert pins_were_spared(told["closed"])
    assert told["closed"]["inputs"] == ALL_INPUTS
    assert told["closed"]["releases"] == told["closed"]["requests"], "every line was given back"


def test_what_a_look_costs(drive):
    costs = {name: (cost["ioctls"], cost["releases"]) for name, cost in drive("states")["costs"].items()}
    assert costs["sense"] == (3, 0)
    assert costs["next scan"] <= (18, 4)
    assert costs["first scan"] <= (28, 8)
    assert costs["last scan"] <= (28, 8)


def test_faults_leave_inputs_and_heal(drive):
    told = drive("faults")
    for poll in told["polls"]:
        assert poll["error"]
        assert poll["inputs"] == ALL_INPUTS
        assert poll["healed"] == ["Press", "Tap"]
    for make in told["makes"]:
        assert make["error"]
        assert make["inputs"] == ALL_INPUTS
    assert pins_were_spared(told["end"])


def test_wakeups(drive):
    told = drive("wakeups")
    assert None not in told["latency"]
    assert told["awake"]["a second"] < 160
    assert told["asleep"]["a second"] < 80
    assert pins_were_spared(told["end"])
    assert told["end"]["inputs"] == ALL_INPUTS
