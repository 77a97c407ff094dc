"""The stand-in for the chip, and how to run a program on it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def pytest_generate_tests(metafunc):
    """Run drive.py on both kinds of pins."""
    chosen = [mark for mark in metafunc.definition.iter_markers("parametrize") if mark.args[0] == "pins"]
    if "pins" in metafunc.fixturenames and not chosen:
        metafunc.parametrize("pins", ["", "lgpio"], ids=["our pins", "lgpio"])


@pytest.fixture(scope="session")
def chip(tmp_path_factory):
    library = tmp_path_factory.mktemp("fakechip") / "fakechip.so"
    flags = ["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    subprocess.run(["gcc", *flags, "-o", library, HERE / "fakechip.c", "-ldl", "-pthread"], check=True)
    return library


@pytest.fixture
def drive(chip, pins, tmp_path):
    def run(what, program="drive.py"):
        # lgpio creates its FIFO in the working directory, so each test has its own.
        environment = {
            **os.environ,
            "LD_PRELOAD": str(chip),
            "PYTHONPATH": f"{ROOT}:{ROOT}/tests/support",
            "GPIOZERO_PIN_FACTORY": pins,
        }
        done = subprocess.run(
            [sys.executable, HERE / program, what],
            cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run
