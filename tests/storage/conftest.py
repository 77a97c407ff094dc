"""Worlds and directories for the tests of the store."""

import tempfile
from pathlib import Path

import pytest
from store_world import MEMORY, World, close_all


@pytest.fixture
def memory():
    with tempfile.TemporaryDirectory(dir=MEMORY) as path:
        yield Path(path)
        close_all()


@pytest.fixture
def world(memory):
    return World(memory / "state")
