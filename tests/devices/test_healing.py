"""After a glitch that no byte reported: how many presses until the picture is right again."""

import random

import pytest

from appliance.config import Config, DisplayConfig
from appliance.core.raster import render
from appliance.core.settings import Settings
from appliance.core.view import view
from appliance.simulator.virtual import VirtualBox

LOSSES = {
    "all (reset)": lambda chip, _rng: chip.power_on(),
    "memory": lambda chip, rng: chip._memory.__setitem__(slice(None), rng.randbytes(len(chip._memory))),
    "one byte": lambda chip, rng: chip._memory.__setitem__(rng.randrange(128 * chip.height // 8), 0x5A),
    "start line": lambda chip, _rng: setattr(chip, "start_line", 13),
    "contrast": lambda chip, _rng: setattr(chip, "contrast", 0),
    "remap": lambda chip, _rng: setattr(chip, "remapped", not chip.remapped),
    "direction": lambda chip, _rng: setattr(chip, "reversed", not chip.reversed),
    "switched off": lambda chip, _rng: setattr(chip, "display_on", False),
}
KEYS = (0, 8, 2, 6, 1, 3, 5, 7)


def right(box):
    """Return whether the chip shows what it should, and would show what is written next."""
    picture, chip = view(box.session), box.desk.chip
    shown = render(picture._replace(shift=(picture.shift[0], 0)), chip.width, chip.height)
    down = min(picture.shift[1], 2 if chip.height == 64 else 1)
    return chip.picture() == shown.lowered(down) and chip.contrast == picture.light.contrast and chip.remapped


@pytest.mark.parametrize("height", [64, 32])
def test_in_play_a_glitch_heals_within_a_few_presses(height):
    """Registers are sent after each press, the pages in turn; a remap also garbles what is written."""
    box = VirtualBox(Config(settings=Settings(first="you"), display=DisplayConfig(height=height)))
    rng = random.Random(height)
    box.wait(1.0)
    for loss, lose in LOSSES.items():
        lose(box.desk.chip, rng)
        assert not right(box)
        needed = 0
        while not right(box) and needed < 20:
            box.tap(KEYS[needed % 8])
            box.wait(2.4)
            needed += 1
        assert needed <= (height // 8 + 2 if loss in {"memory", "one byte", "remap"} else 3), loss
