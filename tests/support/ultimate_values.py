"""What the learned values say of a position of ultimate tic-tac-toe, slowly and from the file alone.

The file's format, as bytes with a sign after decompression; a state is a small board as nine digits to base
3, the first cell the lowest: 0 empty, 1 x, 2 o; a class is the smallest state among its turned and mirrored
images, of boards that are not won or full. Classes are in ascending order.

    marks   for each worth to x, for each worth to o that is no greater: a value for each class
    turns   for each worth to x, for each worth to o: a value for each class, of x being to move in it
    base    for each standing of x, for each of o; in 32ds, all others in 64ths
    free    for each standing // 4 of the side to move, for each of the other: of being free to choose
"""

import zlib
from functools import cache
from itertools import product
from pathlib import Path

from nine_boards import owner as status
from solved_games import FLIP, LINES, MIRRORS, QUARTER

FILE = Path(__file__).parents[2] / "engine/ultimate/values.bin"
TURN, MIRROR = QUARTER, FLIP
EXCHANGE = str.maketrans("xo", "ox")


def images(cells: str) -> list[str]:
    return ["".join(cells[cell] for cell in mirror) for mirror in MIRRORS]


def number(cells: str) -> int:
    return sum(3**cell * ".xo".index(mark) for cell, mark in enumerate(cells))


@cache
def classes() -> dict[int, int]:
    states = ("".join(cells) for cells in product(".xo", repeat=9))
    smallest = {min(map(number, images(cells))) for cells in states if status(cells) == "."}
    return {state: place for place, state in enumerate(sorted(smallest))}


@cache
def file() -> list[int]:
    return [each - 256 * (each > 127) for each in zlib.decompress(FILE.read_bytes())]


def class_of(cells: str) -> int:
    return classes()[min(map(number, images(cells)))]


def marks(cells: str, x: int, o: int) -> int:
    if x < o:
        return -marks(cells.translate(EXCHANGE), o, x)
    rows = sum(range(1, x + 1)) + o
    return file()[rows * len(classes()) + class_of(cells)]


def turn(cells: str, own: int, other: int) -> int:
    """Return what it is worth to x to be the one to move on that board."""
    rows = 36 + 8 * own + other
    return file()[rows * len(classes()) + class_of(cells)]


def worth(big: str, board: int, side: str) -> int:
    won = []
    for line in LINES:
        others = [big[other] for other in line if other != board]
        if board in line and set(others) <= {side, "."}:
            won.append(others.count(side))
    if 2 in won:
        return 7
    if won.count(1) > 1:
        return 6
    if won.count(1) == 1:
        return 5 if 0 in won else 4
    return min(len(won), 3)


def standing(big: str, side: str) -> tuple[int, int, int]:
    lines = [line for line in LINES if {big[board] for board in line} <= {side, "."}]
    won = {line: sum(big[board] == side for board in line) for line in lines}
    threats = {board for line in lines if won[line] == 2 for board in line if big[board] == "."}
    begun = sum(count == 1 for count in won.values())
    untouched = sum(count == 0 for count in won.values())
    return min(len(threats), 2), min(begun, 3), [0, 1, 1, 2, 2, 2, 3, 3, 3][untouched]


def evaluate(cells: str, active: int | None, to_move: str) -> int:
    """Return the value for the side to move of a game that is not over: `active` None if it may choose."""
    if to_move == "o":
        return evaluate(cells.translate(EXCHANGE), active, "x")
    boards = [cells[9 * board : 9 * board + 9] for board in range(9)]
    big = "".join(map(status, boards))
    size = len(classes())
    x, o = ([standing(big, side)[i] for i in range(3)] for side in "xo")
    base = file()[100 * size + 48 * (16 * x[0] + 4 * x[1] + x[2]) + 16 * o[0] + 4 * o[1] + o[2]]
    total = 2 * base + sum(
        marks(small, worth(big, board, "x"), worth(big, board, "o"))
        for board, small in enumerate(boards)
        if big[board] == "."
    )
    if active is None:
        return total + file()[100 * size + 48 * 48 + 12 * (4 * x[0] + x[1]) + 4 * o[0] + o[1]]
    return total + turn(boards[active], worth(big, active, "x"), worth(big, active, "o"))
