"""What the service imports on its way to the first board: nothing without a decision."""

import ast
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

ROOT = Path(__file__).resolve().parent.parent
OURS = ("appliance", "engine")

# Imports all that is imported until the board is shown, and prints it.
BOX = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
import appliance.cli, appliance.service.start
import appliance.devices.extras, appliance.devices.kernelpins, appliance.devices.oled
import appliance.devices.panel, appliance.devices.pinout, appliance.devices.systemd, appliance.core.words.en
import gpiozero, smbus2
for name, module in list(sys.modules.items()):
    print(name, getattr(module, "__file__", None))
"""
# Everything that our own modules import at once. To add one is a decision, and decides for what it imports in
# its turn: weigh it with `python3 -X importtime`.
DECIDED = {
    "abc", "collections", "collections.abc", "contextlib", "dataclasses", "enum",
    "faulthandler", "fcntl", "functools", "gpiozero", "gpiozero.exc", "gpiozero.pins.local", "heapq",
    "importlib", "logging", "luma.core.device", "luma.oled.const", "math", "operator", "os", "pathlib",
    "queue", "random", "re", "select", "signal", "socket", "sqlite3", "stat", "struct", "threading",
    "types", "typing", "zlib",
}  # fmt: skip
# Never on the way to the board, whoever imports it.
NEVER = {"argparse", "yaml", "asyncio", "json", "difflib", "gettext", "lgpio", "luma.oled.device"}
# Newer gpiozero than Debian's imports importlib.metadata, which imports json from Python 3.13 on.
UNAVOIDABLE = {"json"} if sys.version_info >= (3, 13) else set()


@pytest.fixture(scope="module")
def modules():
    """Return each module that is imported until the board is shown, with its file."""
    command = [sys.executable, "-I", "-c", BOX]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return dict(line.split(" ", 1) for line in printed.splitlines())


def test_each_import_of_ours_was_decided_on(modules):
    files = [file for module, file in modules.items() if module.startswith(OURS)]
    nodes = [node for file in files for node in ast.parse(Path(file).read_text()).body]  # not in functions
    found = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    found |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and not node.level}
    free = set(sys.builtin_module_names)  # part of the interpreter: some builds have more of them
    assert {name for name in found if not name.startswith(OURS)} - free == DECIDED - free


def test_the_engine_offers_what_it_has_yet_to_import():
    ask = """
        import appliance, engine
        assert {*engine.__all__, "__doc__"} <= {*dir(engine)}, dir(engine)
        assert len({*dir(engine)}) == len(dir(engine)), "listed twice"
        assert not hasattr(engine, "nonsense")
        assert engine.textbook.minimax is engine.minimax
        assert engine.ultimate.Ultimate is engine.Ultimate
        assert engine.__version__ == appliance.__version__
        from engine import *
        assert Tree(3).__class__ is engine.Tree
        assert [name for name in engine.__all__ if name not in globals()] == []
    """
    subprocess.run([sys.executable, "-c", dedent(ask)], cwd=ROOT, check=True)


def test_what_is_never_needed_before_the_board_is_not_imported(modules):
    unavoidable = UNAVOIDABLE if "importlib.metadata" in modules else set()
    assert NEVER & set(modules) <= unavoidable
    assert not [name for name in modules if name.startswith(("appliance.simulator", "appliance.commands."))]
    later = {
        "appliance.config.advice",
        "appliance.config.salvage",
        "appliance.config.slips",
        "appliance.core.keys.causes",
        "appliance.core.keys.model",
    }
    later |= {"appliance.service.health", "appliance.service.mistake"}
    later |= {f"engine.{name}" for name in ("_version", "foresight", "misere", "notation", "record", "svg")}
    later |= {
        f"engine.{name}" for name in ("textbook", "threats", "tracing", "tree", "ultimate", "vanishing")
    }
    assert later & set(modules) == set()
    words = [name for name in modules if name.startswith("appliance.core.words.")]
    assert words == ["appliance.core.words.en"]
