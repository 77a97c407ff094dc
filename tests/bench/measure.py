"""Measuring whole processes: time, CPU time, machine instructions."""

import json
import os
import re
import resource
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = ROOT / "build" / "bench"
RUNNER = [sys.executable]

_began = time.monotonic()


def progress(text):
    """Print what is running on standard error."""
    sys.stderr.write(f"{time.monotonic() - _began:4.0f} s  {text}\n")
    sys.stderr.flush()


@cache
def stand_ins():
    """Compile the stand-ins for the GPIO chip and the I2C bus; return LD_PRELOAD."""
    flags = ("-std=gnu11", "-O1", "-shared", "-fPIC")
    libraries = []
    for source in (HERE / "fakebus.c", HERE.parent / "chip" / "fakechip.c"):
        library = BUILD / f"{source.stem}.so"
        subprocess.run(["gcc", *flags, "-o", library, source, "-ldl", "-pthread"], check=True)
        libraries.append(str(library))
    return " ".join(libraries)


def run(command, **environment):
    """Run a process in the build folder; return (ms of wall clock, ms of CPU, stdout, stderr)."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    words = [str(part) for part in command]
    env = {"PATH": os.environ["PATH"], "PYTHONHASHSEED": "0", "HOME": str(BUILD), **environment}
    done = subprocess.run(words, cwd=BUILD, env=env, capture_output=True, text=True, check=False)
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise RuntimeError(f"{command[:3]} ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return 1000 * wall, 1000 * cpu, done.stdout, done.stderr


def json_of(command, **environment):
    """Run a process and return the JSON of its last line."""
    return json.loads(run(command, **environment)[2].splitlines()[-1])


def instructions(command, **environment):
    """Return how many million machine instructions a process takes."""
    flags = ("--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null")
    report = run(["valgrind", *flags, *command], **environment)[3]
    return int(re.search(r"I\s+refs:\s+([\d,]+)", report)[1].replace(",", "")) / 1e6


def in_turns(cases, rounds):
    """Call each of `cases` (name -> function) in turns; return name -> list of what it returned.

    A slow moment of the machine then affects all alike.
    """
    results = {name: [] for name in cases}
    for number in range(rounds):
        for name, call in cases.items():
            progress(f"{name}, {number + 1} of {rounds}")
            results[name].append(call())
    return results


def machine():
    """Return what the figures were measured on."""
    model = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text("utf-8"), re.MULTILINE)
    return {
        "processor": model[1] if model else os.uname().machine,
        "cores": os.cpu_count(),
        "system": f"{os.uname().sysname} {'.'.join(os.uname().release.split('.')[:2])}",
        "python": sys.version.split()[0],
        "load before": round(os.getloadavg()[0], 1),
    }
