"""Measuring whole processes: time, memory, machine instructions; medians of runs that take turns."""

import json
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = ROOT / "build" / "bench"
RUNNER = [sys.executable, "-I"]

_began = time.monotonic()


def progress(text):
    """Print what is running on standard error, on one line that the next replaces on a terminal."""
    line = f"{time.monotonic() - _began:4.0f} s  {text}"
    sys.stderr.write(f"\r\x1b[K{line}" if sys.stderr.isatty() else f"{line}\n")
    sys.stderr.flush()


def stand_ins():
    """Compile the stand-ins for the GPIO chip and the I2C bus; return LD_PRELOAD, "" without a compiler."""
    if not shutil.which("gcc"):
        return ""
    BUILD.mkdir(parents=True, exist_ok=True)
    libraries = []
    for source in (HERE / "fakebus.c", HERE.parent / "chip" / "fakechip.c"):
        library = BUILD / f"{source.stem}.so"
        subprocess.run(
            ["gcc", "-std=gnu11", "-O1", "-shared", "-fPIC", "-o", library, source, "-ldl", "-pthread"],
            check=True,
        )
        libraries.append(str(library))
    return " ".join(libraries)


def environment(**more):
    """Return the environment of a measured process: hashing is not seeded by chance, byte code is written."""
    plain = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    return {**plain, "PYTHONHASHSEED": "0", "HOME": str(BUILD), **more}


def run(command, timeout=None, **more):
    """Run a process in the build folder; return (ms of wall clock, ms of CPU, standard output)."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        [str(part) for part in command],
        cwd=BUILD, env=environment(**more), capture_output=True, text=True, timeout=timeout, check=False,
    )  # fmt: skip
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise RuntimeError(f"{command[:3]} ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return 1000 * wall, 1000 * cpu, done.stdout


def json_of(command, timeout=None, **more):
    """Run a process and return the JSON of its last line."""
    return json.loads(run(command, timeout, **more)[2].splitlines()[-1])


def in_turns(cases, rounds):
    """Call each of `cases` (name -> function) in turns; return name -> list of what it returned."""
    results = {name: [] for name in cases}
    for _ in range(rounds):
        for name, call in cases.items():
            results[name].append(call())
    return results


def median(values):
    """Return the median, None of nothing."""
    return statistics.median(values) if values else None


def instructions(command, **more):
    """Return how many million machine instructions a process takes, None where there is no valgrind."""
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        return None
    flags = ("--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null")
    done = subprocess.run(
        [valgrind, *flags, *map(str, command)],
        cwd=BUILD, env=environment(**more), capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    return int(found[1].replace(",", "")) / 1e6 if found else None


def machine():
    """Return what was measured on."""
    cpuinfo = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    model = re.search(r"^model name\s*: (.*)$", cpuinfo, re.MULTILINE)
    return {
        "processor": model[1] if model else os.uname().machine,
        "cores": os.cpu_count(),
        "system": f"{os.uname().sysname} {'.'.join(os.uname().release.split('.')[:2])}",
        "python": sys.version.split()[0],
        "load before": round(os.getloadavg()[0], 1),
    }
