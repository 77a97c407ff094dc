"""From the keys to the display's memory: two people, three games, and a match to its end.

After an intended change, write the pictures again with
`REGENERATE=1 .venv/bin/pytest tests/test_people_film.py`, and review them with `git diff`.
"""

import os
from pathlib import Path

import pytest

from appliance.config.schema import Config, DisplayConfig
from appliance.core.session.settings import Settings
from appliance.simulator.virtual import VirtualBox

GOLDEN = Path(__file__).parent / "golden"
X_WINS, O_WINS, DRAWN = (1, 4, 2, 5, 3), (1, 4, 2, 5, 9, 6), (1, 2, 5, 9, 3, 7, 8, 4, 6)


def film(settings, height, games):
    """Return the pictures before and after each game and a second later, without repetition."""
    box, pictures = VirtualBox(Config(settings, display=DisplayConfig(height=height))), []

    def shoot(seconds):
        box.wait(seconds)
        picture = "\n".join(box.hardware.chip.picture().rows())
        if picture not in pictures[-1:]:
            pictures.append(picture)

    for keys in games:
        shoot(1.5)
        for key in keys:
            box.press(key - 1)
            box.wait(0.1)
            box.release(key - 1)
            box.wait(0.3)
        shoot(0.7)
        shoot(1.0)
        box.press(8)
        box.wait(0.1)
        box.release(8)
    shoot(1.0)
    return "\n\n".join(pictures) + "\n"


@pytest.mark.parametrize("height", [64, 32])
@pytest.mark.parametrize(("name", "series", "games"), [
    ("people", 0, (X_WINS, X_WINS, DRAWN)),
    ("match", 3, (X_WINS, O_WINS, X_WINS)),
])  # fmt: skip
def test_golden(name, series, games, height):
    shown, path = film(Settings(players=2, series=series), height, games), GOLDEN / f"{name}-{height}.txt"
    if os.environ.get("REGENERATE"):
        path.write_text(shown)
    assert shown == path.read_text()
