"""The pictures that README shows are what the box draws today.

After an intended change run `make pictures`; look at them, and at `git diff --stat`.
"""

from pathlib import Path

import pytest
from PIL import Image

from appliance.simulator.picture import to_image
from tools.pictures import FILM, SHOTS, film, main, take

PICTURES = Path(__file__).parent / "pictures"


def pixels(image):
    return image.size, image.convert("RGB").tobytes()


@pytest.mark.untraced
@pytest.mark.parametrize("name", sorted(SHOTS))
def test_a_picture_is_current(name):
    with Image.open(PICTURES / f"{name}.png") as kept:
        assert pixels(kept) == pixels(to_image(take(name))), "run `make pictures`"


def test_the_film_is_current():
    with Image.open(PICTURES / FILM) as kept:
        frames = list(film())
        assert kept.n_frames == len(frames)
        for number, (frame, seconds) in enumerate(frames):
            kept.seek(number)
            assert kept.info["duration"] == pytest.approx(seconds * 1000, abs=10)
            assert pixels(kept) == pixels(to_image(frame))


def test_no_picture_is_left_over():
    assert {path.name for path in PICTURES.iterdir()} == {f"{name}.png" for name in SHOTS} | {FILM}


@pytest.mark.untraced
def test_the_script_writes_them_all(tmp_path):
    main(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in PICTURES.iterdir()}
