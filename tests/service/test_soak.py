"""A short soak; `make soak` lasts thirty days."""

import subprocess
import sys
from pathlib import Path

import pytest
from soak import Row, grown

SOAK = Path(__file__).parents[1] / "support/soak.py"
DAY = Row(40.0, 40_000, files=15, threads=1, database=1_200_000, games=50, lines=20, presses=750, seconds=8.0)


def test_some_days_leave_no_file_and_no_thread_behind_and_little_memory():
    """In a process of its own: what others have left would count. Caches are still filling."""
    command = [sys.executable, SOAK, "--days", "2", "--seconds", "1", "--growth", "4"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert len(done.stdout.splitlines()) == 6


@pytest.mark.parametrize(("change", "sentence"), [
    ({}, ""),
    ({"MB": 40.9}, ""),
    ({"MB": 41.1}, "memory grew from 40.00 to 41.10 MB"),
    ({"files": 19}, ""),
    ({"files": 20}, "files were left open"),
    ({"threads": 2}, "threads were left or have ended"),
    ({"database": 1_800_000}, "a database is too large"),
    ({"lines": 200}, "a day had more than 72 lines of the log"),
])  # fmt: skip
def test_growth_is_found(change, sentence):
    week = [DAY] * 7
    assert grown([*week, DAY, *[DAY._replace(**change)] * 7], 1.0) == [sentence] * bool(sentence)
