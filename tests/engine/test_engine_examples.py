"""The engine's examples, in its modules and on its page."""

import sys
from pathlib import Path

import engine_examples

import engine

README = Path(engine.__file__).with_name("README.md")


def test_the_examples_of_the_modules_are_true():
    failed, tried = engine_examples.modules(engine)
    assert failed == 0
    assert tried > 20


def test_the_examples_of_the_page_are_true(monkeypatch):
    monkeypatch.setitem(sys.modules, "mnk_engine", engine)
    failed, tried = engine_examples.page(README.read_text(encoding="utf-8"))
    assert failed == 0
    assert tried > 15
