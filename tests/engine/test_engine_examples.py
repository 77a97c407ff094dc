"""Each example in a docstring is true, run by doctest alone; those of the engine's page are, too."""

import doctest
import importlib
import re
import sys
from pathlib import Path

import engine_examples
import pytest

import engine

ROOT = Path(engine.__file__).parents[1]
SOURCES = {
    path: examples
    for package in ("engine", "appliance")
    for path in sorted((ROOT / package).rglob("*.py"))
    if "build" not in path.parts and (examples := len(re.findall(r"^ *>>> ", path.read_text(), re.MULTILINE)))
}


def test_the_sources_have_examples():
    assert sum(SOURCES.values()) > 30
    assert {path.relative_to(ROOT).parts[0] for path in SOURCES} == {"engine", "appliance"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_each_example_of_a_module_runs_and_is_true(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    module = importlib.import_module(".".join(parts).removesuffix(".__init__"))
    failed, tried = doctest.testmod(module)
    assert (failed, tried) == (0, SOURCES[path])


def test_the_examples_of_the_page_are_true(monkeypatch):
    monkeypatch.setitem(sys.modules, "mnk_engine", engine)
    failed, tried = engine_examples.page((ROOT / "engine/README.md").read_text(encoding="utf-8"))
    assert failed == 0
    assert tried > 15
