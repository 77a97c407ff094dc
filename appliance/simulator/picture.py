"""A frame as a picture file, in the look of a white OLED, each pixel enlarged."""

from pathlib import Path
from typing import Any

from appliance.core.canvas import Frame
from appliance.core.errors import UserError

LIT = (226, 240, 255)
DARK = (8, 12, 20)
SCALE = 4  # pixels of the file for each of the display's, both ways


def to_image(frame: Frame) -> Any:
    """Return a frame as an image of Pillow's with two colours."""
    from PIL import Image  # noqa: PLC0415 - 33 ms that only a screenshot needs

    image = Image.new("P", (frame.width, frame.height))
    image.putpalette((*DARK, *LIT))
    image.putdata([int(frame.pixel(x, y)) for y in range(frame.height) for x in range(frame.width)])
    return image.resize((frame.width * SCALE, frame.height * SCALE), Image.Resampling.NEAREST)


def save_png(frame: Frame, path: Path) -> None:
    """Write a frame as a PNG file. Raise `UserError` when the file cannot be written."""
    try:
        to_image(frame).save(path, "PNG")
    except OSError as error:
        raise UserError(f"{path}: the picture cannot be written: {error.strerror or error}") from error
