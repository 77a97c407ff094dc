"""After a glitch that no byte reported: how long a wrong picture stays, by what the chip has lost.

`python tests/devices/test_healing.py` (with `tests/support` and the project on the path) prints the table.
"""

import random
import statistics

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


def heal(height, loss, pace, start):
    """Return the seconds until the picture is right again. A person presses every `pace` s, 0 for never."""
    box = VirtualBox(Config(settings=Settings(first="you"), display=DisplayConfig(height=height)))
    presses = 0

    def wait(end):
        nonlocal presses
        while pace and presses * pace + 1.0 < end:
            box.wait(max(0.0, presses * pace + 1.0 - box.time))
            box.tap(KEYS[presses % 8])
            presses += 1
        box.wait(max(0.0, end - box.time))

    wait(start)
    LOSSES[loss](box.desk.chip, random.Random(start))
    lost = box.time
    while box.time < lost + 200:
        wait(box.time + 0.25)
        if right(box):
            break
    return box.time - lost


def healing(height, loss, pace, count):
    """Return the median and the longest of `count` healings, in seconds."""
    times = [heal(height, loss, pace, 20.0 + 44.4 * step / count) for step in range(count)]
    return statistics.median(times), max(times)


@pytest.mark.untraced
@pytest.mark.parametrize("height", [64, 32])
@pytest.mark.parametrize("loss", LOSSES)
def test_in_play_a_glitch_heals_within_a_few_presses(height, loss):
    # Registers are sent after each press, the pages in turn; what was written while remapped is memory, too.
    presses = height // 8 if loss in {"memory", "one byte", "remap"} else 1
    assert healing(height, loss, 2.5, 3)[1] <= 2.5 * (presses + 2)


if __name__ == "__main__":
    for size in (64, 32):
        for kind in LOSSES:
            cells = ["{:5.1f} {:5.1f}".format(*healing(size, kind, pace, 12)) for pace in (0, 1.0, 2.5, 6.0)]
            print(f"128x{size} {kind:12} | " + " | ".join(cells), flush=True)  # noqa: T201
