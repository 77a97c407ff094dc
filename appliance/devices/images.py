"""Frames as Pillow images and back, a column at a time: no Python runs per pixel."""

from PIL import Image

from appliance.core.canvas import Frame


def to_image(frame: Frame) -> Image.Image:
    """Return a frame as a 1-bit image of the same size."""
    # A column of a frame, its pages from the top, is a row of the transposed image; "1;R" is lowest bit
    # first.
    columns = b"".join(frame.data[x :: frame.width] for x in range(frame.width))
    lying = Image.frombytes("1", (frame.height, frame.width), columns, "raw", "1;R")
    return lying.transpose(Image.Transpose.TRANSPOSE)


def to_frame(image: Image.Image) -> Frame:
    """Return a 1-bit image as a frame. Its height must be whole pages of 8 rows."""
    pages = image.height // 8
    columns = image.transpose(Image.Transpose.TRANSPOSE).tobytes("raw", "1;R")
    return Frame(image.width, image.height, b"".join(columns[page::pages] for page in range(pages)))
