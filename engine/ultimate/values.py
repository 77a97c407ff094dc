"""What a position of ultimate tic-tac-toe is worth: values learned by self-play, in tables.

All are for x, in 64ths of a unit whose hyperbolic tangent is the expected result. A position's value is their
sum, with `survey` of its big board:

- `base`: what the big board is worth,
- `boards[b][state]` of each open board b: what its marks are worth,
- for the side to move `turns[side][b][state]` of the board b in which it must play, or `free[side]` if it may
  choose.

A state is a number of nine digits to the base 3, cell 0 the lowest: 0 empty, 1 x, 2 o. What a board is worth
depends on its context, by which lines of the big board each side can still use it. So the tables change when
a board is won or full, and only then. States that turns and mirrors make equal are one class. The file, which
`tools/learn` made, has a value for each; and one for two that exchanging x and o makes each other's negative.
"""

import zlib
from array import array
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from operator import itemgetter
from pkgutil import get_data
from typing import NamedTuple

from ..shape import LINES, symmetries
from .local import MARK, STATUS

POWERS = MARK[0]
WORTHS, STANDINGS, THREATS = 8, 48, 12

ValueTable = Sequence[int]


class Survey(NamedTuple):
    """What a big board makes of the small ones. The table of a board that is not open is empty."""

    base: int
    boards: tuple[ValueTable, ...]
    turns: tuple[tuple[ValueTable, ...], tuple[ValueTable, ...]]
    free: tuple[int, int]


def survey(big: str) -> Survey:
    """Return the tables for a big board: nine of "x", "o", "-" (full, won by nobody) and "." (open)."""
    contexts = [(_worth(big, board, "x"), _worth(big, board, "o")) for board in range(9)]
    x, o = _standing(big, "x"), _standing(big, "o")
    file = _file()
    boards, turns_x, turns_o = (
        tuple(table(*each) if mark == "." else () for mark, each in zip(big, contexts, strict=True))
        for table in (_marks, _turn_of_x, _turn_of_o)
    )
    free = file.free[x // 4 * THREATS + o // 4], -file.free[o // 4 * THREATS + x // 4]
    return Survey(2 * file.base[x * STANDINGS + o], boards, (turns_x, turns_o), free)


def _worth(big: str, board: int, side: str) -> int:
    """Return how much a board is worth to a side by the lines in which no other board is lost to it.

    7: winning it wins the game; 6, 5, 4: it has lines with one board already won; 3 to 0: without.
    """
    lines = [[big[other] for other in line if other != board] for line in LINES if board in line]
    won = [line.count(side) for line in lines if line.count(side) + line.count(".") == 2]
    untouched, begun = won.count(0), won.count(1)
    if 2 in won:
        return 7
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

    marks: ValueTable  # a row of classes for each two worths, to x and, no greater, to o
    turns: ValueTable  # a row for each context; of x being to move
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
    classes = len(_classes().exchanged)
    marks = WORTHS * (WORTHS + 1) // 2 * classes
    turns = marks + WORTHS**2 * classes
    base = turns + STANDINGS**2
    return _File(data[:marks], data[marks:turns], data[turns:base], data[base:])


def _row(rows: ValueTable, number: int) -> ValueTable:
    classes = len(_classes().exchanged)
    return rows[number * classes : (number + 1) * classes]


@lru_cache(WORTHS**2)
def _marks(x: int, o: int) -> ValueTable:
    row = _row(_file().marks, max(x, o) * (max(x, o) + 1) // 2 + min(x, o))
    return _by_state(row if x >= o else _exchanged(row))


@lru_cache(WORTHS**2)
def _turn_of_x(x: int, o: int) -> ValueTable:
    return _by_state(_row(_file().turns, WORTHS * x + o))


@lru_cache(WORTHS**2)
def _turn_of_o(x: int, o: int) -> ValueTable:
    return _by_state(_exchanged(_row(_file().turns, WORTHS * o + x)))


def _exchanged(row: ValueTable) -> ValueTable:
    """Return a row with x and o exchanged."""
    return [-row[each] for each in _classes().exchanged]


def _by_state(row: ValueTable) -> ValueTable:
    """Return a row of classes as a table of states, with 0 for those of boards that are not open."""
    # By way of bytes, which are made and copied many times faster than an array from numbers.
    return array("b", bytes(_classes().spread(array("b", row).tobytes() + b"\0")))


class _Classes(NamedTuple):
    """The classes of open states, in the order of their smallest members.

    `spread` makes a table of states from one of classes, whose last entry is for all states not open.
    """

    exchanged: Sequence[int]  # the class with x and o exchanged
    spread: Callable[[Sequence[int]], tuple[int, ...]]


@cache
def _classes() -> _Classes:
    # Not known (-2) or, since the board is won or full, none (-1).
    class_of = [-1 if status else -2 for status in STATUS]
    # The image of a state is the sum of the images of its three rows.
    thirds = [
        [_sums([(POWERS[cell], 2 * POWERS[cell]) for cell in mirror[row : row + 3]]) for row in (0, 3, 6)]
        for mirror in symmetries(3, 3)
    ]
    smallest = list[int]()
    for state, known in enumerate(class_of):  # which is filled in ahead
        if known == -2:
            low, middle, high = state % 27, state // 27 % 27, state // 729
            for first, second, third in thirds:
                class_of[first[low] + second[middle] + third[high]] = len(smallest)
            smallest.append(state)
    exchange = _sums([(2 * power, power) for power in POWERS])
    return _Classes([class_of[exchange[state]] for state in smallest], itemgetter(*class_of))


def _sums(weights: list[tuple[int, int]]) -> list[int]:
    """Return the sums of a weight, or 0, of each cell: at a state's number those of its marks."""
    sums = [0]
    for x, o in weights:
        sums = sums + [each + x for each in sums] + [each + o for each in sums]
    return sums
