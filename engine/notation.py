"""Parsing a board from text, as people write one."""

from math import isqrt

EMPTY = "._ "


def parse_rows(text: str) -> tuple[int, int, str]:
    """Return the rows, the columns and the cells (`x`, `o` and `.` in reading order) of `text`.

    Rows are separated by line ends, `/` or blanks; a run without separators is a square board. Empty cells
    are `.`, `_` or spaces; if any is `.` or `_`, blanks are ignored unless the rows are even only with them.
    Raise `ValueError`, saying what is wrong and where.
    """
    rows = _rows(text)
    cells = []
    for number, row in enumerate(rows, 1):
        for place, character in enumerate(row, 1):
            mark = "." if character in EMPTY else character.lower()
            if mark not in "xo.":
                raise ValueError(
                    f"{character!r} in row {number}, column {place} is none of x, o, '.', '_' and space"
                )
            cells.append(mark)
    widths = sorted({len(row) for row in rows})
    if not rows:
        raise ValueError("there is no board at all: write its rows, like x.. / .o. / ...")
    if len(widths) > 1:
        raise ValueError(f"the rows differ in length: {', '.join(str(len(row)) for row in rows)}")
    return len(rows), widths[0], "".join(cells)


def _rows(text: str) -> list[str]:
    lines = [line for line in text.replace("/", "\n").splitlines() if line]
    dotted = "." in text or "_" in text
    if "/" in text or len(lines) > 1:
        rows = [row for line in lines if (row := "".join(line.split()))]
        uneven = len({len(row) for row in rows}) > 1 and len({len(line) for line in lines}) == 1
        return rows if dotted and not uneven else lines
    words = text.split()
    if lines and not dotted and isqrt(len(lines[0])) ** 2 == len(lines[0]):
        words = lines  # its blanks are cells
    if len(words) != 1:
        return words
    run = words[0]
    side = isqrt(len(run))
    if side * side != len(run):
        raise ValueError(
            f"a run of {len(run)} characters is no square board: separate its rows by '/' or line ends"
        )
    return [run[start : start + side] for start in range(0, len(run), side)]
