"""Fixtures: a folder, and a Pi with a fresh card."""

import subprocess

import pytest
from boxes import IMAGE
from pi import Pi, scratch


@pytest.fixture(scope="session")
def image():
    """The image, unpacked."""
    with scratch() as path, (path / "image").open("wb") as file:
        subprocess.run(["xz", "-dc", IMAGE], stdout=file, check=True)
        yield path / "image"


@pytest.fixture
def folder():
    with scratch() as path:
        yield path


@pytest.fixture
def pi(image, folder):
    one = Pi(image, folder)
    yield one
    one.cut()
