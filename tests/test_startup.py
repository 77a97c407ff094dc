"""What the service imports on its way to the first board: nothing dear that nobody decided on."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# All that is imported until the board is shown; lgpio is not on every machine, and imports next to nothing.
BOX = """
import appliance.cli, appliance.commands.run
import appliance.devices.extras, appliance.devices.keypad, appliance.devices.oled, appliance.devices.panel
import appliance.devices.pinout, appliance.devices.power, appliance.core.words.en
import gpiozero, smbus2
"""
LIBRARIES = "import gpiozero, luma.core.device, luma.oled.const, smbus2"
OURS = ("appliance", "engine")

# What the box imports beyond the libraries it cannot do without, and what for. To add one is a decision.
DECIDED = {
    "faulthandler": "tells where the box hung",
    "logging": "the journal",
    "traceback": "comes with logging",
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


def costs(program):
    """Return for each module that a program imports what it costs with all that it imports first, in us.

    It is the least of three runs: what else the machine does can only make an import dearer.
    """
    program = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{program}"
    command = [sys.executable, "-I", "-X", "importtime", "-c", program]
    least: dict[str, int] = {}
    for _ in range(3):
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        lines = re.findall(r"^import time: +\d+ \| +(\d+) \| +(\S+)$", done.stderr, re.MULTILINE)
        for cost, name in lines:
            least[name] = min(int(cost), least.get(name, int(cost)))
    return least


def new_and_dear(box, libraries, decided=DECIDED):
    """Return the modules of nobody's decision, and what they cost, as sentences."""
    dear = DEAR * libraries["gpiozero"]
    return [
        f"{name} is new before the first board and costs {cost / 1000:.1f} ms: defer it, or decide for it"
        for name, cost in box.items()
        if cost > dear and name not in libraries and name.partition(".")[0] not in (*OURS, *decided)
    ]


@pytest.fixture(scope="module")
def box():
    return costs(BOX)


@pytest.fixture(scope="module")
def libraries():
    return costs(LIBRARIES)


def test_no_dear_import_that_nobody_decided_on(box, libraries):
    assert not new_and_dear(box, libraries), "\n".join(new_and_dear(box, libraries))


def test_such_an_import_would_be_named(libraries):
    named = new_and_dear(costs(BOX + "import asyncio\n"), libraries)
    assert any(sentence.startswith("asyncio is new") for sentence in named)


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
