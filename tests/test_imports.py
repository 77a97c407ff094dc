"""Imports go one way; nothing but the listed arrows is allowed, and nothing impure at the core."""

import ast
from collections import defaultdict
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
STANDARD = set(__import__("sys").stdlib_module_names)

# Which rooms a room may import from, and so what it can never load. A room is `engine`, or a package or file
# of `appliance`; those of `core` are rooms of their own, and "core" is what all share: errors, problems,
# english.
ALLOWED = {
    "engine": "",
    "core": "",
    "core.words": "",
    "core.picture": "engine",
    "core.keys": "core",
    "core.session": "engine core.words core.picture core.keys __version__",
    # The schema's defaults and allowed values are those of the settings.
    "config": "core core.words core.keys core.session",
    # Saves a game, and knows no other part of the session: see ONLY.
    "storage": "core core.session",
    # For a desk: no room of the daemon may import it, since a Pi Zero pays for each line at every start.
    "teaching": "engine core core.session __version__",
    # How far long work is: for commands, and what a checkout measures with.
    "progress": "core",
    # The page and the figures of a history. For a desk, too, and for root's job on the image.
    "games": "engine core core.words storage",
    # A driver that knew the session could not be tried alone, on a bench or by the hardware test.
    "devices": "config core core.keys core.picture",
    # Has to run where the game cannot: it sees neither the session nor the database. It reads config.txt for
    # its report.
    "boardtest": "config core core.words core.keys core.picture devices bootfiles __version__",
    # Reads a card in another computer: no hardware, no game. It writes as safely as the store does: see ONLY.
    "bootfiles": "config core core.keys storage",
    # The daemon. The stand-ins are never the product: nothing below imports the simulator.
    "service": "engine config core core.words core.keys core.picture core.session devices storage",
    # Root changes the card in a process of its own; the game has no rights to it.
    "slots": "config core core.words service storage",
    # The simulated box in a browser, which is a place of its own: no other room may need it.
    "desk": "config core core.keys games simulator storage",
    # It stands in for a board in the hardware test, too, and keeps the engine's table in the thinker's place.
    "simulator": (
        "engine config core core.keys core.picture core.session core.words devices boardtest service storage"
    ),
}
# Of a room only these files.
ONLY = {
    ("storage", "core.session"): "events form match resume settings",  # what is saved, and when
    ("config", "core.session"): "settings",
    ("teaching", "core.session"): "match",  # a finished game
    ("bootfiles", "storage"): "files",
    ("games", "storage"): "database days history rows",
    ("desk", "games"): "page",
    ("desk", "storage"): "history",
    ("slots", "storage"): "files owner",
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
PURE = {"engine", "core", "core.words", "core.picture", "core.keys", "core.session"}
IMPURE = "threading queue time os io socket subprocess pathlib logging signal sqlite3"


def room(module: str) -> str:
    """Return the room of a module: `appliance.core.keys.scan` is in core.keys."""
    first, *parts = module.split(".")
    if first != "appliance" or not parts:
        return first
    return ".".join(parts[:2]) if f"{parts[0]}.{''.join(parts[1:2])}" in ALLOWED else parts[0]


def imports(path: Path):
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield module, alias.name
        elif isinstance(node, ast.ImportFrom):
            source = node.module
            # Except the engine's, which people install under another name: see engine/pyproject.toml.
            if room(module) == "engine":
                assert room(source) != "engine", f"{path}: the engine's imports of itself are relative"
                above = module.split(".")[: -node.level]
                source = ".".join(filter(None, [*above, source])) if node.level else source
            else:
                assert node.level == 0, f"{path}: imports are absolute"
            # A name may be a module of that package.
            for alias in node.names:
                inner = f"{source}.{alias.name}"
                package = (ROOT / source.replace(".", "/")).is_dir()
                yield module, inner if package and room(inner) != "engine" else source


FILES = [
    *(ROOT / "engine").glob("*.py"),
    *(ROOT / "engine/ultimate").glob("*.py"),
    *(ROOT / "appliance").rglob("*.py"),
]
EVERY = [pair for file in FILES for pair in imports(file)]


def wrong(module, imported):
    """Return why a module must not import another, or ""."""
    here, there = room(module), room(imported)
    if imported.split(".")[0] in {"engine", "appliance"}:
        # The commands and the command line stand above everything and may use all of it.
        allowed = there == here or here in {"commands", "cli"} or there in ALLOWED[here].split()
        only = ONLY.get((here, there))
        file = imported.removeprefix(f"appliance.{there}").split(".")[1:2]
        allowed = allowed and (only is None or file in ([], *([name] for name in only.split())))
    elif here in PURE and there in IMPURE.split():
        # The engine's clock is a parameter; its default is the machine's.
        allowed = (module, imported) == ("engine.deepening", "time")
    else:
        allowed = there in STANDARD or here in LIBRARIES.get(there, "").split()
    return "" if allowed else f"{module} must not import {imported}"


@pytest.mark.parametrize("here", sorted({room(module) for module, _ in EVERY}))
def test_imports_go_one_way(here):
    found = [wrong(*pair) for pair in EVERY if room(pair[0]) == here]
    assert not any(found), "\n".join(filter(None, found))


def test_no_imports_run_in_a_circle():
    files = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in FILES
    }
    needs = defaultdict(set)
    for module, imported in EVERY:
        there = imported if imported in files else imported.rpartition(".")[0]
        needs[module.removesuffix(".__init__")] |= {there} & files
    TopologicalSorter(needs).prepare()  # raises the circle, inside functions too


def test_a_wrong_import_is_found():
    assert len(EVERY) > 100
    assert wrong("appliance.core.session.transitions", "gpiozero")
    assert wrong("engine.deepening", "appliance.core.session.match")
    assert wrong("engine.board", "time")
    assert wrong("appliance.devices.panel", "appliance.simulator.bus")
    assert wrong("appliance.devices.panel", "appliance.core.session.state")
    assert wrong("appliance.core.keys.scan", "appliance.core.session.events")
    assert wrong("appliance.storage.store", "appliance.core.session.play")
    assert wrong("appliance.games.page", "appliance.storage.store")
    assert wrong("appliance.service.start", "appliance.teaching.trees.nodes")
    assert wrong("appliance.slots.jobs", "appliance.games.page")
    assert not wrong("appliance.storage.store", "appliance.core.session.match")
    assert not wrong("appliance.core.session.match", "engine")


def test_no_module_of_the_engine_is_hidden_by_what_the_engine_offers():
    """`engine.search` is the function: a module of that name could be neither patched nor read about."""
    import engine  # noqa: PLC0415

    modules = {path.stem for path in (ROOT / "engine").glob("*.py")}
    assert modules & set(engine.__all__) == set()
