"""The kernel's GPIO chip and a keypad on it; a display."""

import pytest
from gpio_chip import Chip
from key_rig import TestRig
from panel_rig import ON, PanelRig, pattern


@pytest.fixture
def chip():
    with Chip.in_place() as chip:
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


@pytest.fixture
def display():
    """A display that shows the pattern."""
    rig = PanelRig()
    rig.panel.show_frame(pattern(), ON, 0.0)
    rig.sent()
    return rig
