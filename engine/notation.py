"""Parsing a board from text, as people write one."""

from math import isqrt

from .position import Game, whole
from .shape import LINES

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


def parse_nine(text: str) -> str:
    """Return the 81 cells that `text` shows, as `Ultimate.cells`. Raise `ValueError` as `Ultimate.parse`."""
    lines = ["".join(line.split()) for line in text.replace("/", "\n").splitlines()]
    rows, columns, shown = parse_rows("/".join(lines) + "/")
    if (rows, columns) == (1, 81):
        boards = [shown[first : first + 9] for first in range(0, 81, 9)]
    elif (rows, columns) == (9, 9):
        corners = [27 * (board // 3) + 3 * (board % 3) for board in range(9)]
        boards = ["".join(shown[at + row : at + row + 3] for row in (0, 9, 18)) for at in corners]
    else:
        raise ValueError(f"a position is nine rows of nine cells, or one of 81, not {rows} of {columns}")
    x, o = shown.count("x"), shown.count("o")
    if x - o not in (0, 1):
        raise ValueError(f"{x} x and {o} o cannot be, as x moves first and both in turn")
    won = [_winners(board) for board in boards]
    if "xo" in won:
        raise ValueError(f"both x and o have completed a line in board {won.index('xo')}")
    mover = "xo"[x - o]
    if mover in _winners("".join(side or "." for side in won)):
        raise ValueError(f"{mover} has a line of boards, but by the counts the last move was not theirs")
    return "".join(boards)


def check_active(game: Game, boards: str, active: int | None) -> None:
    """Raise `ValueError` if no last move can have made one of the `boards` active; None is any open one."""
    other = "o" if game.to_move == "x" else "x"
    named = [board for board in range(9) if other in game.cells[board::9]]
    if active is None:
        if game.ply and not game.terminal and all(boards[board] == "." for board in named):
            raise ValueError(f"say which board is active: no {other} is where it would send to a decided one")
        return
    whole("the active board", active, 0)
    if active > 8:
        raise ValueError(f"there is no board {active}: boards count from 0 to 8")
    if active not in named:
        raise ValueError(f"board {active} cannot be active: no {other} is in the cell of its number")
    if boards[active] != "." or game.terminal:
        raise ValueError(f"board {active} cannot be active: it is decided, or the game is over")


def _winners(marks: str) -> str:
    """Return which of x and o have completed a line of nine cells or boards."""
    return "".join(side for side in "xo" if any(all(marks[at] == side for at in line) for line in LINES))


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
