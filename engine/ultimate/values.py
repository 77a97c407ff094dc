"""What a position of ultimate tic-tac-toe is worth: values learned by self-play, in tables.

All are for x, in 64ths of a unit whose hyperbolic tangent is the expected result. A position's value is their
sum, with `survey` of its big board:

- `base`: what the big board is worth,
- `boards[b][class]` of each open board b: what its marks are worth,
- for the side to move `turns[side][b][class]` of the board b in which it must play, or `free[side]` if it may
  choose.

What a board is worth depends on its class (classes.py), and is the sum of two values. One is that of its
context, by which lines of the big board each side can still use it; one that of its place, whose cells send
the opponent elsewhere. So the tables change when a board is won or full, and only then. The big board has a
class, too, as if it were a small one. The file, which `tools/learn` made, has a value for each class in each
context and at each place; of the marks in a context, one for any two that exchanging x and o makes each
other's negative.
"""

import zlib
from array import array
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import accumulate
from operator import itemgetter
from pkgutil import get_data
from typing import NamedTuple

from ..shape import OTHERS
from .classes import CLASS, EXCHANGED, PLAIN
from .local import MARK

CLASSES = len(EXCHANGED[2])  # without a place, as in the centre
WORTHS = 8
CONTEXT_PAIRS = WORTHS * (WORTHS + 1) // 2  # contexts that exchanging x and o makes equal count as one
KIND = (0, 1, 0, 1, 2, 1, 0, 1, 0)
"""The kind of each board: corner, edge or centre."""

NEGATIVE = bytes(-value & 255 for value in range(256))
PLACES = [0, *accumulate(map(len, PLAIN))]  # where the row of each kind begins
SPREAD = [itemgetter(*plain) for plain in PLAIN]
EXCHANGE = [itemgetter(*exchanged) for exchanged in EXCHANGED]

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
    tables = [
        _tables(KIND[board], _worth(big, board, "x"), _worth(big, board, "o"))
        if mark == "."
        else ((), (), ())
        for board, mark in enumerate(big)
    ]
    boards, turns_x, turns_o = zip(*tables, strict=True)
    whole = CLASS[4][sum(MARK["xo".index(mark)][board] for board, mark in enumerate(big) if mark in "xo")]
    file = _file()
    free = file.free[whole], -file.free[EXCHANGED[2][whole]]
    return Survey(file.base[whole], boards, (turns_x, turns_o), free)


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


class _File(NamedTuple):
    """The values as they lie in the file."""

    marks: "array[int]"  # a row of classes for each of the pairs of contexts
    turns: "array[int]"  # a row for each context: the worth to x of x to move
    places: "array[int]"  # what is added to marks: a row for each kind
    starts: "array[int]"  # to turns
    base: ValueTable  # by the class of the big board; so is free
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
    sizes = CONTEXT_PAIRS * CLASSES, WORTHS**2 * CLASSES, PLACES[3], PLACES[3], CLASSES, CLASSES
    return _File(*(data[end - size : end] for size, end in zip(sizes, accumulate(sizes), strict=True)))


@lru_cache(256)  # of 14 kB each; a game meets some 90
def _tables(kind: int, x: int, o: int) -> tuple[ValueTable, ValueTable, ValueTable]:
    """Return what the marks of a board are worth, that x is to move in it, and that o is.

    `x`, `o`: what it is worth to each.
    """
    file, more, less = _file(), max(x, o), min(x, o)
    pair = more * (more + 1) // 2 + less
    return (
        _row(kind, file.marks, pair, file.places, exchanged=x < o),
        _row(kind, file.turns, WORTHS * x + o, file.starts),
        _row(kind, file.turns, WORTHS * o + x, file.starts, exchanged=True),
    )


def _row(
    kind: int, rows: "array[int]", number: int, places: "array[int]", *, exchanged: bool = False
) -> ValueTable:
    """Return the sums of a row of a context and that of a kind. `exchanged`: with x and o exchanged.

    The rows are one number each, with a byte of 128 + value for each class: two numbers are added many times
    faster than all values one by one. The sum of two values is a byte again, so none carries.
    """
    place = places[PLACES[kind] : PLACES[kind + 1]]
    bias = int.from_bytes(b"\x80" * len(place), "little")
    row = bytes(SPREAD[kind](rows[number * CLASSES : (number + 1) * CLASSES].tobytes()))
    one, other = int.from_bytes(row, "little") ^ bias, int.from_bytes(place.tobytes(), "little") ^ bias
    row = (one + other - bias ^ bias).to_bytes(len(place), "little")
    if exchanged:
        row = bytes(EXCHANGE[kind](row)).translate(NEGATIVE)
    return array("b", row + b"\0")
