"""What a position of ultimate tic-tac-toe is worth: values learned by self-play, in tables.

All are for x, in 64ths of a unit whose hyperbolic tangent is the expected result. A position's value is their
sum, with `survey` of its big board:

- `base`: what the big board is worth,
- `boards[b][class]` of each open board b: what its marks are worth,
- for the side to move `turns[side][b][class]` of the board b in which it must play, or `free[side]` if it may
  choose.

What a board is worth depends on its class (classes.py), and is the sum of two values. One is that of its
context, by which lines of the big board each side can still use it; one that of its site: whether it is a
corner, an edge or the centre, and how many boards would win the game for each side. So the tables change when
a board is won or full, and only then. The file, which `tools/learn` made, has a value for each class in each
context and at each site; of the marks, one for any two that exchanging x and o makes each other's negative.
"""

import zlib
from array import array
from collections.abc import Sequence
from functools import cache, lru_cache
from pkgutil import get_data
from typing import NamedTuple

from ..shape import LINES, OTHERS
from .classes import EXCHANGED

CLASSES = len(EXCHANGED)
WORTHS, STANDINGS, THREATS = 8, 48, 12
KINDS, WINS = 3, 3
KIND = (0, 1, 0, 1, 2, 1, 0, 1, 0)
"""The kind of each board: corner, edge or centre."""

CONTEXT_PAIRS, SITE_PAIRS = WORTHS * (WORTHS + 1) // 2, WINS * (WINS + 1) // 2
"""How many contexts there are, and sites of a kind; two that exchanging x and o makes equal count as one."""

BIAS = int.from_bytes(b"\x80" * (CLASSES + 1), "little")

ValueTable = Sequence[int]


class Survey(NamedTuple):
    """What a big board makes of the small ones. The table of a board that is not open is empty.

    The last entry of the others, 0, is for states without a class.
    """

    base: int
    boards: tuple[ValueTable, ...]
    turns: tuple[tuple[ValueTable, ...], tuple[ValueTable, ...]]
    free: tuple[int, int]


def survey(big: str) -> Survey:
    """Return the tables for a big board: nine of "x", "o", "-" (full, won by nobody) and "." (open)."""
    x, o = _standing(big, "x"), _standing(big, "o")
    tables = [
        _tables(_worth(big, board, "x"), _worth(big, board, "o"), KIND[board], x // 16, o // 16)
        if mark == "."
        else ((), (), ())
        for board, mark in enumerate(big)
    ]
    boards, turns_x, turns_o = zip(*tables, strict=True)
    file = _file()
    free = file.free[x // 4 * THREATS + o // 4], -file.free[o // 4 * THREATS + x // 4]
    return Survey(2 * file.base[x * STANDINGS + o], boards, (turns_x, turns_o), free)


def _worth(big: str, board: int, side: str) -> int:
    """Return how much a board is worth to a side by the lines in which no other board is lost to it.

    7: winning it wins the game; 6, 5, 4: it has lines with one board already won; 3 to 0: without.
    """
    lines = [big[one] + big[other] for one, other in OTHERS[board]]
    if side + side in lines:
        return 7
    untouched, begun = lines.count(".."), lines.count(side + ".") + lines.count("." + side)
    if begun:
        return 6 if begun > 1 else 5 if untouched else 4
    return min(untouched, 3)


def _standing(big: str, side: str) -> int:
    """Return what a side's lines of the big board come to, as one number.

    Boards that would win (0, 1, more), lines begun (0 to 3 or more), untouched ones (0, 1-2, 3-5, more).
    """
    lines = [line for line in LINES if sum(big[board] in (".", side) for board in line) == 3]
    won = [sum(big[board] == side for board in line) for line in lines]
    threats = {
        board for line, own in zip(lines, won, strict=True) if own == 2 for board in line if big[board] == "."
    }
    untouched = won.count(0)
    return (
        min(len(threats), 2) * 16 + min(won.count(1), 3) * 4 + sum(untouched > bound for bound in (0, 2, 5))
    )


class _File(NamedTuple):
    """The values as they lie in the file."""

    marks: "array[int]"  # a row of classes for each of the pairs of contexts, then of sites
    turns: "array[int]"  # a row for each context, then for each site: the worth to x of x to move
    base: ValueTable
    free: ValueTable


@cache
def _file() -> _File:
    """Return the values. Raise `OSError` if their file is missing or damaged."""
    try:
        data = array("b", zlib.decompress(get_data(__package__, "values.bin") or b""))
    except (OSError, zlib.error) as fault:
        path = __file__.rpartition("values.")[0] + "values.bin"
        reason = fault.strerror if isinstance(fault, OSError) else fault
        sentence = f"ultimate cannot be played: {path} is missing or damaged ({reason})"
        raise OSError(f"{sentence}: install the program again") from fault
    marks = (CONTEXT_PAIRS + KINDS * SITE_PAIRS) * CLASSES
    turns = marks + (WORTHS**2 + KINDS * WINS**2) * CLASSES
    base = turns + STANDINGS**2
    return _File(data[:marks], data[marks:turns], data[turns:base], data[base:])


def _row(rows: "array[int]", number: int, *, exchanged: bool) -> int:
    """Return a row of a table in the file; `exchanged`: with x and o exchanged. A 0 follows.

    The row is one number, with a byte of 128 + value for each class: two numbers are added many times faster
    than all values one by one. The sum of two values is a byte again, so none carries.
    """
    row = rows[number * CLASSES : (number + 1) * CLASSES]
    if exchanged:
        row = array("b", [-row[each] for each in EXCHANGED])
    return int.from_bytes(row.tobytes() + b"\0", "little") ^ BIAS


@lru_cache(512)  # of 5 kB each; 413 contexts with sites can occur
def _tables(x: int, o: int, kind: int, wins_x: int, wins_o: int) -> tuple[ValueTable, ValueTable, ValueTable]:
    """Return what the marks of a board are worth, that x is to move in it, and that o is.

    `x`, `o`: what it is worth to each. `wins_x`, `wins_o`: how many boards would win, at most 2.
    """
    site, sites = CONTEXT_PAIRS + kind * SITE_PAIRS, WORTHS**2 + kind * WINS**2
    return (
        _sum(_marks(0, x, o), _marks(site, wins_x, wins_o)),
        _sum(_turns(WORTHS * x + o), _turns(sites + WINS * wins_x + wins_o)),
        _sum(_turns(WORTHS * o + x, exchanged=True), _turns(sites + WINS * wins_o + wins_x, exchanged=True)),
    )


@lru_cache(WORTHS**2 + KINDS * WINS**2)
def _marks(first: int, x: int, o: int) -> int:
    """Return a row of marks. `first`: the row of the pair 0, 0."""
    return _row(_file().marks, first + max(x, o) * (max(x, o) + 1) // 2 + min(x, o), exchanged=x < o)


@lru_cache(2 * (WORTHS**2 + KINDS * WINS**2))
def _turns(number: int, *, exchanged: bool = False) -> int:
    return _row(_file().turns, number, exchanged=exchanged)


def _sum(one: int, other: int) -> ValueTable:
    """Return the sum of two rows as `_row` returns them."""
    return array("b", (one + other - BIAS ^ BIAS).to_bytes(CLASSES + 1, "little"))
