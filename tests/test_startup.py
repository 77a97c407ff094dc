"""What the service imports on its way to the first board: nothing expensive without a decision."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# All that is imported until the board is shown.
BOX = """
import appliance.cli, appliance.service.start
import appliance.devices.extras, appliance.devices.kernelpins, appliance.devices.oled
import appliance.devices.panel, appliance.devices.pinout, appliance.devices.systemd, appliance.core.words.en
import gpiozero, smbus2
"""
LIBRARIES = "import gpiozero, luma.core.device, luma.oled.const, smbus2"
OURS = ("appliance", "engine")

# What the box itself needs, and what for; some versions of the libraries import some of these too, others do
# not. To add one is a decision, and decides for what it imports in its turn.
DECIDED = {
    "typing": "the words of every signature",
    "pathlib": "where the configuration and the state lie",
    "faulthandler": "reports where the box hung",
    "logging": "the journal",
    "socket": "reports to systemd that the box is ready, and alive",
    "sqlite3": "what is kept",
    "fcntl": "the lock on the state directory",
}
# Never on the way to the board, whoever imports it.
NEVER = {"argparse", "yaml", "asyncio", "json", "difflib", "gettext", "lgpio", "luma.oled.device"}
EXPENSIVE = 0.05  # of the code that gpiozero brings: 5 ms where that takes 100
# The weight of each imported module, in bytes of compiled code: times depend on what else the machine does.
WEIGH = """
import os, sys
for name, module in list(sys.modules.items()):
    path = getattr(getattr(module, "__spec__", None), "cached", None)
    if path and os.path.isfile(path):
        print(name, os.path.getsize(path))
"""


def imports(program):
    """Return for each module that a program imports its bytes of code, and the modules it is within."""
    program = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{program}{WEIGH}"
    command = [sys.executable, "-I", "-X", "importtime", "-c", program]
    for _ in "compile", "load":
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    costs = {name: int(size) for name, size in map(str.split, done.stdout.splitlines())}
    found, path = {}, []
    lines = re.findall(r"^import time: +\d+ \| +\d+ \| ( *)(\S+)$", done.stderr, re.MULTILINE)
    for indent, name in reversed(lines):  # a module is printed after those that it imports
        del path[len(indent) // 2 :]
        found[name] = costs.get(name, 0), tuple(path)
        path.append(name)
    return found


def new_and_expensive(box):
    """Return the modules of nobody's decision, and what they cost, as sentences.

    A module costs its own code and that of the modules it brings: not what the libraries import too.
    """
    libraries = imports(LIBRARIES)
    gpiozero = sum(size for name, (size, within) in libraries.items() if "gpiozero" in (name, *within))
    costs = Counter()
    for name, (size, within) in box.items():
        if name in libraries or not DECIDED.keys().isdisjoint((name, *within)):
            continue
        for module in (name, *within):
            if module not in libraries and module.partition(".")[0] not in OURS:
                costs[module] += size
    return [
        f"{name} is new before the first board and brings {cost // 1000} kB: defer it, or decide for it"
        for name, cost in costs.items()
        if cost > EXPENSIVE * gpiozero
    ]


@pytest.fixture(scope="module")
def box():
    return imports(BOX)


def test_each_expensive_import_was_decided_on(box, tmp_path):
    named = new_and_expensive(box)
    assert not named, "\n".join(named)
    (tmp_path / "greedy.py").write_text("import asyncio, http.server, unittest.mock, xml.dom.minidom\n")
    greedy = imports(BOX + f"sys.path.insert(0, {str(tmp_path)!r})\nimport greedy\n")
    assert any(sentence.startswith("greedy is new") for sentence in new_and_expensive(greedy))


def test_what_was_decided_on_is_needed(box):
    assert DECIDED.keys() <= box.keys()


def test_what_is_never_needed_before_the_board_is_not_imported(box):
    assert NEVER & set(box) == set()
    assert not any(name.startswith("appliance.simulator") for name in box)


def test_other_languages_and_other_commands_stay_where_they_are(box):
    assert {name for name in box if name.startswith("appliance.core.words.")} == {"appliance.core.words.en"}
    assert not any(name.startswith("appliance.commands.") for name in box)
