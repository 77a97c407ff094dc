"""Worlds and directories for the tests of the store."""

import shutil
import tempfile
from pathlib import Path

import pytest
from store_world import MEMORY, close_all, new_world


@pytest.fixture
def world():
    with new_world() as found:
        yield found


@pytest.fixture
def memory():
    with tempfile.TemporaryDirectory(dir=MEMORY) as path:
        yield Path(path)
    close_all()


@pytest.fixture
def home():
    """A directory on a disk, for the tests that trace system calls."""
    if shutil.which("strace") is None:
        pytest.fail("strace is missing. Remedy: sudo apt install strace")
    with tempfile.TemporaryDirectory() as path:
        yield Path(path)
    close_all()
