"""Fixtures: a folder, and a Pi with a fresh card."""

import subprocess
from functools import cache

import pytest
from boxes import image_file
from machines import FIRST_B, MACHINES
from pi import Pi, scratch


@pytest.fixture(scope="session")
def image():
    """Return an architecture's image, unpacked."""
    with scratch() as path:

        @cache
        def unpacked(architecture):
            with (path / architecture).open("wb") as file:
                subprocess.run(["xz", "-dc", image_file(architecture)], stdout=file, check=True)
            return path / architecture

        yield unpacked


@pytest.fixture
def folder():
    with scratch() as path:
        yield path


@pytest.fixture
def pi(request, image, folder):
    """A Pi 3B, or the machine that a test names."""
    machine = {**MACHINES, "first B": FIRST_B}[getattr(request, "param", "raspi3b")]
    one = Pi(image(machine.architecture), folder, machine)
    yield one
    one.cut()
