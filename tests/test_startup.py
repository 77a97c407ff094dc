"""What the service imports on its way to the first board: nothing dear that nobody decided on."""

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# All that is imported until the board is shown.
BOX = """
import appliance.cli, appliance.commands.run
import appliance.devices.edges, appliance.devices.extras, appliance.devices.kernelpins, appliance.devices.oled
import appliance.devices.panel, appliance.devices.pinout, appliance.devices.power, appliance.core.words.en
import gpiozero, smbus2
"""
LIBRARIES = "import gpiozero, luma.core.device, luma.oled.const, smbus2"
OURS = ("appliance", "engine")

# What the box itself needs, and what for; some versions of the libraries import some of these too, others do
# not. To add one is a decision, and decides for what it imports in its turn.
DECIDED = {
    "typing": "the words of every signature",
    "dataclasses": "what every record is",
    "pathlib": "where the configuration and the state lie",
    "faulthandler": "tells where the box hung",
    "logging": "the journal",
    "socket": "tells systemd that the box is ready, and alive",
    "sqlite3": "what is kept",
    "subprocess": "switching off",
    "fcntl": "the lock on the state directory",
}
# Never on the way to the board, whoever imports it.
NEVER = {
    "argparse",
    "yaml",
    "asyncio",
    "json",
    "difflib",
    "gettext",
    "lgpio",
    "luma.oled.device",
}
DEAR = 0.1  # of the time that gpiozero takes to be imported: 5 ms where that takes 50
RUNS = 5
AGAIN = 2


@dataclass(frozen=True)
class Import:
    """A module, what importing it alone costs, in us, and the modules that were being imported meanwhile."""

    cost: int
    within: tuple[str, ...]


def imports(program):
    """Return every module that a program imports.

    A cost is the least of several runs: what else the machine does can only make an import dearer.
    """
    program = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{program}"
    command = [sys.executable, "-I", "-X", "importtime", "-c", program]
    found: dict[str, Import] = {}
    for _ in range(RUNS):
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        lines = re.findall(r"^import time: +(\d+) \| +\d+ \| ( *)(\S+)$", done.stderr, re.MULTILINE)
        path: list[str] = []
        for cost, indent, name in reversed(lines):  # a module is told after those that it imports
            del path[len(indent) // 2 :]
            least = min(int(cost), found[name].cost) if name in found else int(cost)
            found[name] = Import(least, tuple(path))
            path.append(name)
    return found


def new_and_dear(box, libraries):
    """Return the modules of nobody's decision, and what they cost, as sentences.

    A module costs what it takes alone and for those that it brings: not for what the libraries import too.
    """
    dear = DEAR * sum(one.cost for name, one in libraries.items() if "gpiozero" in (name, *one.within))
    costs: dict[str, int] = {}
    for name, one in box.items():
        if name in libraries or not DECIDED.keys().isdisjoint((name, *one.within)):
            continue
        for module in (name, *one.within):
            if module not in libraries and module.partition(".")[0] not in OURS:
                costs[module] = costs.get(module, 0) + one.cost
    return [
        f"{name} is new before the first board and costs {cost / 1000:.1f} ms: defer it, or decide for it"
        for name, cost in costs.items()
        if cost > dear
    ]


@pytest.fixture(scope="module")
def box():
    return imports(BOX)


@pytest.fixture(scope="module")
def libraries():
    return imports(LIBRARIES)


def test_no_dear_import_that_nobody_decided_on(box, libraries):
    """On a machine that does something else too, one may look dear once; one that is, is so each time."""
    named = new_and_dear(box, libraries)
    for _ in range(AGAIN):
        if not named:
            break
        named = new_and_dear(imports(BOX), imports(LIBRARIES))
    assert not named, "\n".join(named)


def test_such_an_import_would_be_named_and_what_it_brings_is_its_cost(libraries, tmp_path):
    (tmp_path / "greedy.py").write_text("import asyncio, http.server, unittest.mock, xml.dom.minidom\n")
    found = imports(BOX + f"sys.path.insert(0, {str(tmp_path)!r})\nimport greedy\n")
    assert found["asyncio"].within == ("greedy",)
    named = new_and_dear(found, libraries)
    assert any(sentence.startswith("greedy is new") for sentence in named)


def test_what_was_decided_on_is_needed(box):
    assert DECIDED.keys() <= box.keys()


def test_what_is_never_needed_before_the_board_is_not_imported(box):
    assert NEVER & set(box) == set()
    assert not any(name.startswith("appliance.simulator") for name in box)


def test_other_languages_and_other_commands_stay_where_they_are(box):
    assert {name for name in box if name.startswith("appliance.core.words.")} == {
        "appliance.core.words.vocabulary",
        "appliance.core.words.en",
    }
    commands = {name for name in box if name.startswith("appliance.commands.")}
    assert commands == {"appliance.commands.run"}
