"""Pictures as text: `#` lit, `.` dark, several side by side, read into columns of bits.

A column is an int whose bit y is the pixel in row y, row 0 uppermost. A picture is a tuple of columns,
from the left. So a picture is moved down by a shift and laid over another by OR.
"""

from collections.abc import Iterator

Columns = tuple[int, ...]

_BITS = str.maketrans(".#", "01")


def columns(rows: list[str]) -> Columns:
    """Return the columns of one picture given as rows of equal length, the uppermost first."""
    # int() wants the lowest row last, and the highest bit is the lowest row.
    return tuple(
        int("".join(column), 2) for column in zip(*(row.translate(_BITS) for row in rows[::-1]), strict=True)
    )


def strips(text: str) -> Iterator[tuple[str, Columns]]:
    """Yield name and picture of each drawing in `text`.

    `text` holds strips, separated by empty lines. The first line of a strip names its pictures, the others
    are their rows; names and rows stand side by side, separated by spaces. Raise `ValueError` when the
    rows of one picture differ in length or a row has too few or too many of them.
    """
    for block in text.strip("\n").split("\n\n"):
        names, *rows = (line.split() for line in block.splitlines())
        for name, *picture in zip(names, *rows, strict=True):
            yield name, columns(picture)
