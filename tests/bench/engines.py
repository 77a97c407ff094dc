"""The engine against the textbook and two libraries: time, positions visited, memory, instructions."""

import subprocess
import sys

from measure import BUILD, HERE, RUNNER, in_turns, instructions, json_of, median, progress
from solve import ENGINES, POSITIONS

PATIENCE = 15  # seconds for one search
SLOW = {("textbook minimax", "empty 4x4"), ("textbook alpha-beta", "empty 4x4"), ("easyAI", "empty 4x4")}
# Their instructions would take minutes to count.
UNCOUNTED = {"textbook minimax", "easyAI"}
SOURCES = {"easyAI": "easyAI", "easyAI with table": "easyAI", "OpenSpiel": "open_spiel"}


def peers():
    """Install easyAI and OpenSpiel in an environment of their own; return its interpreter, "" without one."""
    folder = BUILD / "peers"
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        progress("installing easyAI and OpenSpiel in build/bench/peers")
        try:
            for command in (
                [sys.executable, "-m", "venv", "--clear", folder],
                [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "easyAI", "open_spiel"],
            ):
                subprocess.run(command, check=True, capture_output=True)
        except subprocess.CalledProcessError as error:
            reason = (error.stderr.decode(errors="replace").strip() or "no reason given").splitlines()[-1]
            progress(f"easyAI and OpenSpiel are left out: {reason}")
            return ""
        (folder / "ready").touch()
    return str(python)


def versions(python):
    """Return which peers were measured: name -> version."""
    program = "import json; from importlib.metadata import version as v; "
    program += "print(json.dumps({name: v(name) for name in ('easyAI', 'open_spiel')}))"
    return json_of([python, "-I", "-c", program]) if python else {}


def measure():
    """Return rows: one for each position and engine."""
    other = peers()
    engines = [name for name in ENGINES if other or name not in SOURCES]

    def command(name, position, *more):
        runner = [other, "-I"] if name in SOURCES else RUNNER
        return [*runner, HERE / "solve.py", name, position, *more]

    rows = []
    for position in POSITIONS:
        rounds = 1 if position == "empty 4x4" else 5
        tried = [name for name in engines if (name, position) not in SLOW]
        calls = {name: _search(command(name, position), f"{name}: {position}") for name in tried}
        results = in_turns(calls, rounds)
        for name in engines:
            found = [one for one in results.get(name, []) if one]
            row = {"position": position, "engine": name, "ms": median([one["ms"] for one in found])}
            row["nodes"] = found[0]["nodes"] if found else None
            row["MB"] = median([one["MB"] for one in found])
            row["million instructions"] = None
            if found and "3x3" in position and name not in UNCOUNTED:
                progress(f"counting instructions: {name}: {position}")
                whole = instructions(command(name, position))
                bare = instructions(command(name, position, "import"))
                row["million instructions"] = None if whole is None or bare is None else whole - bare
            if not found:
                row["remark"] = f"no end within {PATIENCE} s" if name in tried else "not tried: hours"
            rows.append(row)
    return rows, versions(other)


def _search(command, what):
    def call():
        progress(what)
        try:
            return json_of(command, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return None

    return call


def cost(rows, position, name, key="ms"):
    """Return one figure of the rows, None where it is missing."""
    return next((row[key] for row in rows if row["position"] == position and row["engine"] == name), None)
