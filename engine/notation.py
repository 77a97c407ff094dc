"""Parsing a board from text, as people write one."""

from math import isqrt

EMPTY = "._ "


def read(text: str) -> tuple[int, int, str]:
    """Return the rows, the columns and the cells (`x`, `o` and `.` in reading order) of `text`.

    Rows are separated by line ends, `/` or blanks; a run without separators is a square board. Empty cells
    are `.`, `_` or spaces; if they are `.` or `_`, blanks around rows and between all cells are ignored.
    Raise `ValueError` that says what is wrong, and where.
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
    dotted = "." in text or "_" in text
    rows = [row for row in text.replace("/", "\n").splitlines() if row]
    if "/" in text or len(rows) > 1:
        return _unornamented(rows) if dotted else rows
    run = rows[0] if rows else ""
    if not dotted and isqrt(len(run)) ** 2 == len(run):
        return _square(run)
    words = run.split()
    return _square(words[0]) if len(words) == 1 else words


def _square(run: str) -> list[str]:
    side = isqrt(len(run))
    if side * side != len(run):
        raise ValueError(
            f"a run of {len(run)} characters is no square board: separate its rows by '/' or line ends"
        )
    return [run[start : start + side] for start in range(0, len(run), side or 1)]


def _unornamented(rows: list[str]) -> list[str]:
    """Return the rows without blanks that are not cells."""
    bare = [row.strip() for row in rows if row.strip()]
    if all(set(row[1::2]) <= {" "} and " " not in row[::2] for row in bare):
        return [row[::2] for row in bare]
    if len({len(row) for row in bare}) > 1 and len({len(row) for row in rows}) == 1:
        return rows
    return bare
