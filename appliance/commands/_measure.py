"""Measuring programs: time inside of one, memory and machine instructions of a whole process."""

import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

Call = Callable[[], object]

REPORT_MEMORY = """
with open("/proc/self/status") as status:
    print(next(line.split()[1] for line in status if line.startswith("VmHWM")))
"""


def milliseconds(*calls: Call, seconds: float = 0.3, least: int = 3) -> list[float]:
    """Return the median time of each call, in ms. They take turns, so that a slow moment strikes all alike.

    There are at least `least` rounds, and more until so many `seconds` have passed.
    """
    times: list[list[float]] = [[] for _ in calls]
    end = time.perf_counter() + seconds
    while len(times[0]) < least or time.perf_counter() < end:
        for call, record in zip(calls, times, strict=True):
            start = time.perf_counter()
            call()
            record.append(1000 * (time.perf_counter() - start))
    return [statistics.median(record) for record in times]


def output_of(program: str, python: str = sys.executable, *before: str) -> tuple[str, str]:
    """Run a Python program and return what it wrote to standard output and to standard error.

    `before` stands before the interpreter on the command line. The program finds this project's packages, and
    is the same from run to run: hashing is not seeded by chance. Raise `CalledProcessError` if it fails.
    """
    root = str(Path(__file__).resolve().parents[2])
    environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": root}
    done = subprocess.run(  # noqa: S603  # our own programs
        [*before, python, "-c", program], capture_output=True, text=True, check=True, env=environment
    )
    return done.stdout, done.stderr


def peak_megabytes(program: str, python: str = sys.executable) -> float:
    """Return the most memory that a process held while it ran `program`, in MB of 2^20 bytes. On Linux."""
    return int(output_of(program + REPORT_MEMORY, python)[0].split()[-1]) / 1024


def million_instructions(program: str, python: str = sys.executable) -> float | None:
    """Return how many million machine instructions a process takes; None where there is no valgrind."""
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        return None
    flags = ("--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null")
    _, told = output_of(program, python, valgrind, *flags)
    match = re.search(r"I\s+refs:\s+([\d,]+)", told)
    return None if match is None else int(match[1].replace(",", "")) / 1e6


def progress(text: str) -> None:
    """Say on a terminal what is under way, in one line that the next replaces; elsewhere, say nothing."""
    if sys.stderr.isatty():
        room = shutil.get_terminal_size().columns - 1  # a line that wraps could not be replaced
        print(f"\r\x1b[K{text[:room]}", end="", file=sys.stderr, flush=True)
