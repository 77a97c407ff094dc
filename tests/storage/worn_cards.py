"""The slow tests of worn cards: a dead block or a wrong bit in one copy of the database loses nothing.

They need gcc, some of them root, and print their figures: `make test-power`. The harms are in
`tests/support/worn_table.py`, which prints the whole table; what the box does then is in `worn_box.py`.
"""

import json
import os
import subprocess

import pytest
from power_tools import report
from worn_card import HEALS, HIDES, STAYS, on_a_worn_card
from worn_table import COLUMNS, MEASURES, figures, measured


@pytest.mark.parametrize("name", MEASURES)
def test_a_harmed_copy_loses_nothing(name):
    if "partition" in name and os.geteuid() != 0:
        pytest.skip("needs root to mount a file system")
    rows = measured(name, quick=True)
    for harmed, found in rows.items():
        shown = zip(COLUMNS, figures(found), strict=True)
        report(f"{name}, {harmed}: {', '.join(f'{what} {figure}' for what, figure in shown)}")
    # Of a region of the card that has blocks of both copies, something may be lost.
    found = [one for harmed, found in rows.items() if " and " not in harmed for one in found]
    assert found
    assert [one for one in found if not (one["start"] and one["whole"]) or one["saved"] is None] == []


# On three blocks, of which the second is dead for ten seconds.
STEPS = """
import json, os, sys
from pathlib import Path
from worn_card import card
path, found = Path(sys.argv[1]), []
path.write_bytes(bytes(12288))
card().renew(json.loads(sys.argv[2]))
card().harm(path, 4096, 8192, 10.0)
def attempt(call, *arguments):
    try:
        file = os.open(path, os.O_RDWR)
        found.append(call(file, *arguments))
        os.close(file)
    except OSError as error:
        found.append(error.strerror)
def read(file, size, at):
    return len(os.pread(file, size, at))
def write(file, size, at):
    return os.pwrite(file, bytes(size), at)
attempt(read, 4096, 0)
attempt(read, 9000, 100)
attempt(read, 512, 4096)
attempt(os.read, 4096)
path = path.rename(path.with_name("aside"))
attempt(read, 512, 7680)
attempt(write, 512, 4608)
attempt(write, 8192, 0)
attempt(write, 4096, 4096)
attempt(read, 512, 4096)
card().forget_cache()
attempt(read, 512, 4096)
card().now = 10.0
attempt(read, 512, 4096)
found[3] = len(found[3])
print(json.dumps(found))
"""
FAILS = "Input/output error"


@pytest.mark.parametrize(
    ("kind", "after"), [(HEALS, [512, 512]), (STAYS, [FAILS, FAILS]), (HIDES, [512, FAILS])]
)
def test_the_card_refuses_what_it_says(tmp_path, kind, after):
    """A card that refuses nothing would let the tests above pass."""
    command = ("-c", STEPS, str(tmp_path / "file"), json.dumps(kind))
    found = json.loads(on_a_worn_card(*command, stdout=subprocess.PIPE).stdout)
    assert found == [4096, 3996, FAILS, 4096, FAILS, FAILS, 8192, 4096, *after, 512]
