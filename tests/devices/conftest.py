"""The kernel's GPIO chip, and a keypad on it."""

import pytest
from gpio_chip import Chip
from key_rig import TestRig


@pytest.fixture
def chip(monkeypatch, tmp_path):
    with Chip(tmp_path / "gpiochip0").in_place(monkeypatch) as chip:
        yield chip


@pytest.fixture
def factory(chip):
    return chip.network.factory


@pytest.fixture
def rig(chip):
    rig = TestRig(chip.network)
    yield rig
    rig.keypad.close()
    rig.check_pins_were_spared()
