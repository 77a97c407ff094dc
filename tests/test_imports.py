"""Imports go one way; nothing but the listed arrows is allowed."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
STANDARD = set(__import__("sys").stdlib_module_names)

# Which rooms a room may import from. A room is a package, or a file of `appliance` itself.
ALLOWED = {
    "engine": set(),
    "appliance.errors": set(),
    "appliance.yamlfile": {"appliance.errors"},
    "appliance.values": {"appliance.yamlfile"},
    "appliance.core": {"engine"},
    "appliance.config": {
        "engine",
        "appliance.errors",
        "appliance.yamlfile",
        "appliance.values",
        "appliance.core",
    },
    "appliance.storage": {"engine", "appliance.errors", "appliance.core"},
    "appliance.devices": {"appliance.config", "appliance.core", "appliance.errors"},
    "appliance.splash": {"appliance.config", "appliance.core", "appliance.devices"},
    "appliance.service": {
        "engine",
        "appliance.config",
        "appliance.core",
        "appliance.devices",
        "appliance.errors",
        "appliance.storage",
        "appliance.yamlfile",
    },
    "appliance.selftest": {"appliance.config", "appliance.core", "appliance.devices", "appliance.errors"},
    "appliance.card": {"appliance.config", "appliance.core", "appliance.errors", "appliance.yamlfile"},
    "appliance.simulator": {
        "appliance.config",
        "appliance.core",
        "appliance.devices",
        "appliance.errors",
        "appliance.service",
        "appliance.storage",
        "appliance.values",
        "appliance.yamlfile",
    },
}
# Who may import which library, and where only inside a function: libraries are what start-up costs.
LIBRARIES = {
    "lgpio": {"appliance.devices"},
    "gpiozero": {"appliance.devices", "appliance.simulator"},
    "luma": {"appliance.devices", "appliance.simulator"},
    "smbus2": {"appliance.devices", "appliance.simulator"},
    "PIL": {"appliance.devices", "appliance.simulator", "appliance.commands"},
    "yaml": {"appliance.yamlfile"},
}
PURE_FORBIDS = {
    "threading",
    "queue",
    "time",
    "os",
    "io",
    "socket",
    "subprocess",
    "pathlib",
    "logging",
    "signal",
}


def files():
    for package in ("engine", "appliance"):
        yield from sorted((ROOT / package).rglob("*.py"))


def room(module: str) -> str:
    parts = module.split(".")
    if parts[0] == "appliance" and len(parts) > 1:
        return ".".join(parts[:2])
    return parts[0]


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


EVERY = [pair for path in files() for pair in imports(path)]


def test_something_is_walked():
    assert len(EVERY) > 100


def wrong(module, imported):
    """Return why a module must not import another, or ""."""
    here, there = room(module), room(imported)
    if there == here or there in STANDARD:
        return ""
    if there in {"engine", "appliance"} or there.startswith("appliance."):
        # The commands and the command line stand above everything and may use all of it.
        allowed = here in {"appliance.commands", "appliance.cli"} or there in ALLOWED[here]
    else:
        allowed = here in LIBRARIES.get(there, set())
    return "" if allowed else f"{module} must not import {imported}"


@pytest.mark.parametrize("here", sorted({room(module) for module, _ in EVERY}))
def test_imports_go_one_way(here):
    told = [wrong(*pair) for pair in EVERY if room(pair[0]) == here]
    assert not any(told), "\n".join(filter(None, told))


def test_a_wrong_import_is_found():
    assert wrong("appliance.core.session", "gpiozero")
    assert wrong("engine.search", "appliance.core.match")
    assert wrong("appliance.devices.panel", "appliance.simulator.bus")
    assert not wrong("appliance.core.match", "engine")


@pytest.mark.parametrize(
    "path", sorted((ROOT / "appliance/core").glob("*.py")) + sorted((ROOT / "engine").glob("*.py")), ids=str
)
def test_the_core_is_pure(path):
    for module, imported in imports(path):
        # The engine's clock is a parameter; its default is the machine's.
        if (module, imported) == ("engine.search", "time"):
            continue
        assert imported.split(".")[0] not in PURE_FORBIDS, f"{module} must not import {imported}"


def test_the_daemon_never_imports_the_simulator():
    for module, imported in EVERY:
        if imported.startswith("appliance.simulator"):
            assert room(module) in {"appliance.simulator", "appliance.commands"}, module
