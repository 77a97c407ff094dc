"""Each example in a docstring is true, run by doctest alone; those of the engine's page are, too."""

import doctest
import importlib
import re
import sys
from pathlib import Path

import pytest

import engine

ROOT = Path(engine.__file__).parents[1]
SOURCES = {
    path: examples
    for package in ("engine", "appliance")
    for path in sorted((ROOT / package).rglob("*.py"))
    if "build" not in path.parts and (examples := len(re.findall(r"^ *>>> ", path.read_text(), re.MULTILINE)))
}


def name(path):
    return str(path.relative_to(ROOT))


def module(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return importlib.import_module(".".join(parts).removesuffix(".__init__"))


@pytest.fixture(autouse=True)
def installed(monkeypatch):
    """The examples import the engine by the name that people install it under."""
    monkeypatch.setitem(sys.modules, "mnk_engine", engine)


def test_the_sources_have_examples():
    assert sum(SOURCES.values()) > 30
    assert {path.relative_to(ROOT).parts[0] for path in SOURCES} == {"engine", "appliance"}


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_each_example_of_a_module_runs_and_is_true(path):
    assert doctest.testmod(module(path)) == (0, SOURCES[path])


@pytest.mark.parametrize("path", [path for path in SOURCES if path.is_relative_to(ROOT / "engine")], ids=name)
def test_an_example_of_the_engine_needs_nothing_but_its_names(path):
    """It can be copied from a page of help into an interpreter."""
    names = {name: getattr(engine, name) for name in engine.__all__}
    assert doctest.testmod(module(path), globs=names) == (0, SOURCES[path])


def test_the_examples_of_the_page_are_true():
    """As `python -m doctest` runs them."""
    failed, tried = doctest.testfile(str(ROOT / "engine/README.md"), module_relative=False, encoding="utf-8")
    assert failed == 0
    assert tried > 15
