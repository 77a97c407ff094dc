"""Directories for the slow tests of the store, on a disk and in memory."""

import shutil
import tempfile
from pathlib import Path

import pytest
from store_world import MEMORY, close_all


@pytest.fixture
def home():
    if shutil.which("strace") is None:
        pytest.fail("strace is missing. Remedy: sudo apt install strace")
    with tempfile.TemporaryDirectory() as path:
        yield Path(path)
    close_all()


@pytest.fixture
def memory():
    with tempfile.TemporaryDirectory(dir=MEMORY) as path:
        yield Path(path)
    close_all()
