"""Standard streams that are closed, full or read by nobody: any command has a status, and no traceback."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from effort import amount, longer

from appliance.cli import COMMANDS

HERE = {"PYTHONPATH": str(Path(__file__).parents[2])}  # it need not be installed
PROGRAM = f'"{sys.executable}" -c "import sys; from appliance.cli import main; sys.exit(main())"'
NOT_WRITTEN = "tictactoe: standard output: not everything could be written: "
CLOSED, FULL = f"{NOT_WRITTEN}Bad file descriptor\n", f"{NOT_WRITTEN}No space left on device\n"

# A line of each command that prints something, is soon over, and succeeds where nothing is in its way.
LINES = {
    "simulate": "simulate --words",
    "run": "run --help",
    "selftest": "selftest --simulate",
    "config": "config example",
    "analyse": "analyse xx.oo....",
    "review": "review 1 5 9",
    "lesson": "lesson '((2,7),(1,8))'",
    "stats": "stats --state .",
    "export": "export --state .",
    "transcript": "transcript --words 20",
    "reset": "reset --state . --yes",
    "boot": "boot wiring",
    "image": "image --help",
}
HELP = ["--help", "--version"]


def ended(line, way, folder, unbuffered=""):
    """Return the status of a command line, and what it says on standard error."""
    done = subprocess.run(
        ["sh", "-c", f"{{ {PROGRAM} {line}; echo $? >&3; }} 3>&2 {way}"],
        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False, cwd=folder,
        env=os.environ | HERE | {"PYTHONUNBUFFERED": unbuffered, "XDG_STATE_HOME": str(folder)},
    )  # fmt: skip
    *errors, status = done.stderr.splitlines(keepends=True)
    return int(status), "".join(errors)


def all_ended(lines, *how):
    """Return the same for some lines, by line."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(lines, pool.map(lambda line: ended(line, *how), lines), strict=True))


@pytest.mark.parametrize(
    ("way", "errors"),
    [
        (">/dev/full", FULL),
        *longer((">&- <&-", CLOSED)),
    ],
)
def test_output_of_any_command_that_cannot_be_written(way, errors, tmp_path):
    assert LINES.keys() == COMMANDS.keys()
    lines = [*HELP, *LINES.values()]
    assert all_ended(lines, way, tmp_path) == dict.fromkeys(lines, (2, errors))


@pytest.mark.more
@pytest.mark.parametrize(("way", "status", "errors"), [
    ("| true", 0, ""), (">/dev/full", 2, FULL), (">&- <&- 2>&-", 2, ""), (">/dev/null <&-", 0, ""),
])  # fmt: skip
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_streams_that_are_closed_full_or_read_by_nobody(way, status, errors, unbuffered, tmp_path):
    """Unbuffered, the first write fails, not the last flush."""
    names = amount(("export",), ("simulate", "selftest", "config", "export"))
    lines = ["--help", *(LINES[name] for name in names)]
    assert all_ended(lines, way, tmp_path, unbuffered) == dict.fromkeys(lines, (status, errors))


@pytest.mark.parametrize("way", ["2>&-", ">&- 2>&-", ">/dev/full 2>&-"])
def test_a_slip_of_which_nobody_can_be_told_keeps_its_status(way, tmp_path):
    assert ended("stat", way, tmp_path)[0] == 2


def test_a_question_without_an_input(tmp_path):
    asks = "tictactoe: reset asks first, and there is no terminal to ask on: add --yes\n"
    assert ended("reset --state .", "<&-", tmp_path) == (2, asks)
