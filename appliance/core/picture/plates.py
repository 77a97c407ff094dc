"""Lit plates of the words: counts as pills, the progress of a hold as a bar, a short message as a banner."""

from appliance.core.picture.canvas import Canvas, Columns
from appliance.core.picture.font import HEIGHT, text_columns


def pill(text: str, margin: int) -> Columns:
    """Return a number, dark on a lit ground with round corners, 9 rows high, `margin` at each side."""
    digits = text_columns(text)
    plate = Canvas(len(digits) + 2 * margin, 9)
    plate.blit(tuple(column >> 1 for column in digits), margin, 0)
    plate.invert(1, 0, plate.width - 2, 9)
    plate.fill(0, 1, 1, 7)
    plate.fill(plate.width - 1, 1, 1, 7)
    return plate.columns()


def bar(width: int, fraction: float) -> Columns:
    """Return the progress bar of a hold, filled from the left, 7 rows high."""
    plate = Canvas(width, 7)
    plate.fill(0, 0, width, 7)
    filled = round((width - 4) * fraction)
    plate.fill(1, 1, width - 2, 5, on=False)
    plate.fill(2, 2, filled, 3)
    return plate.columns()


def banner(text: str, width: int) -> tuple[Columns, int]:
    """Return a line of text, dark on a lit ground as high as it needs, and its first row of `HEIGHT`."""
    words = text_columns(text)
    rows = 0
    for column in words:
        rows |= column
    top, bottom = (0 if rows & 1 else 1), max(rows.bit_length(), HEIGHT - 1)
    plate = Canvas(width, bottom)
    plate.blit(words, (width - len(words)) // 2, 0)
    plate.invert(0, top, width, bottom - top)
    return tuple(column >> top for column in plate.columns()), top
