"""The pictures that README shows are what the box draws today.

After an intended change run `make pictures`; look at them, and at `git diff --stat`.
"""

from pathlib import Path

from PIL import Image, ImageSequence

from tools.pictures import main

PICTURES = Path(__file__).parent / "pictures"


def frames(path):
    """Return the pixels of a picture, or of each frame of a film with the milliseconds it is shown."""
    with Image.open(path) as image:
        return [
            (frame.size, frame.convert("RGB").tobytes(), frame.info.get("duration"))
            for frame in ImageSequence.Iterator(image)
        ]


def test_the_pictures_are_current(tmp_path):
    main(tmp_path)
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {path.name for path in PICTURES.iterdir()}
    changed = [name for name in names if frames(tmp_path / name) != frames(PICTURES / name)]
    assert not changed, "run `make pictures`"
