"""Imports go one way; nothing but the listed arrows is allowed, and nothing impure at the core."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
STANDARD = set(__import__("sys").stdlib_module_names)

# Which rooms a room may import from. A room is `engine`, or a package or file of `appliance`.
ALLOWED = {
    "engine": "",
    "core": "engine __version__",
    "config": "engine core",
    "lesson": "engine core",
    "storage": "engine core",
    "commentary": "engine core",
    "devices": "config core",
    "service": "engine config core devices storage",
    "selftest": "config core devices",
    "card": "config core",
    "simulator": "config core devices service storage",
}
# Who may import which library, and where only inside a function: libraries are what start-up costs.
LIBRARIES = {
    "lgpio": "devices",
    "gpiozero": "devices simulator",
    "luma": "devices simulator",
    "smbus2": "devices simulator",
    "PIL": "devices simulator commands",
    "yaml": "config",
}
PURE = {"engine", "core"}
IMPURE = "threading queue time os io socket subprocess pathlib logging signal sqlite3"


def room(module: str) -> str:
    parts = module.split(".")
    return parts[1] if parts[0] == "appliance" and len(parts) > 1 else parts[0]


def imports(path: Path):
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield module, alias.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            if node.module == "appliance":
                for alias in node.names:
                    yield module, f"appliance.{alias.name}"
            else:
                yield module, node.module


FILES = (file for package in ("engine", "appliance") for file in (ROOT / package).rglob("*.py"))
EVERY = [pair for file in FILES for pair in imports(file)]


def wrong(module, imported):
    """Return why a module must not import another, or ""."""
    here, there = room(module), room(imported)
    if imported.split(".")[0] in {"engine", "appliance"}:
        # The commands and the command line stand above everything and may use all of it.
        allowed = there == here or here in {"commands", "cli"} or there in ALLOWED[here].split()
    elif here in PURE and there in IMPURE.split():
        # The engine's clock is a parameter; its default is the machine's.
        allowed = (module, imported) == ("engine.search", "time")
    else:
        allowed = there in STANDARD or here in LIBRARIES.get(there, "").split()
    return "" if allowed else f"{module} must not import {imported}"


@pytest.mark.parametrize("here", sorted({room(module) for module, _ in EVERY}))
def test_imports_go_one_way(here):
    found = [wrong(*pair) for pair in EVERY if room(pair[0]) == here]
    assert not any(found), "\n".join(filter(None, found))


def test_a_wrong_import_is_found():
    assert len(EVERY) > 100
    assert wrong("appliance.core.session", "gpiozero")
    assert wrong("engine.search", "appliance.core.match")
    assert wrong("engine.board", "time")
    assert wrong("appliance.devices.panel", "appliance.simulator.bus")
    assert not wrong("appliance.core.match", "engine")
