"""The pictures that README shows are what the box draws today.

After a change that is meant, `make pictures` takes them anew; look at them, and at `git diff --stat`.
"""

from pathlib import Path

import pytest
from PIL import Image

from appliance.cli import main
from appliance.simulator.gallery import FILM, SHOTS, film, take
from appliance.simulator.picture import to_image

PICTURES = Path(__file__).parents[1] / "pictures"


def pixels(image):
    return image.size, image.convert("RGB").tobytes()


@pytest.mark.untraced
@pytest.mark.parametrize("name", sorted(SHOTS))
def test_a_picture_is_current(name):
    with Image.open(PICTURES / f"{name}.png") as kept:
        assert pixels(kept) == pixels(to_image(take(name))), "`make pictures` takes them anew"


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


def test_the_command_writes_them_all(tmp_path, capsys):
    assert main(["pictures", str(tmp_path)]) == 0
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in PICTURES.iterdir()}
    assert capsys.readouterr().out.count("\n") == len(SHOTS) + 1


def test_a_folder_that_is_not_there(tmp_path, capsys):
    assert main(["pictures", str(tmp_path / "nowhere")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
