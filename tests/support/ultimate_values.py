"""What the learned values say of a position of ultimate tic-tac-toe, slowly and from the file alone.

The file's format, as bytes with a sign after decompression; a state is a small board as nine digits to base
3, the first cell the lowest: 0 empty, 1 x, 2 o; a class is the smallest state among its turned and mirrored
images, of boards that are not won or full. Classes are in ascending order.

    marks   for each worth to x, for each worth to o that is no greater: a value for each class
            for corner, edge, centre, for each number of x's wins, of o's that is no greater: one to add
    turns   for each worth to x, for each worth to o: for each class, the worth to x of x to move
            for corner, edge, centre, for each number of x's wins, of o's: one to add
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


def value(row: int, cells: str) -> int:
    return file()[row * len(classes()) + class_of(cells)]


def marks(cells: str, x: int, o: int, first: int) -> int:
    """Return the value in the rows from the first on, one for each x and for each o up to it."""
    if x < o:
        return -marks(cells.translate(EXCHANGE), o, x, first)
    return value(first + sum(range(1, x + 1)) + o, cells)


def both(big: str, board: int, cells: str) -> tuple[int, int]:
    """Return what a board's marks are worth to x, and what it is worth to be the one to move there."""
    x, o = worth(big, board, "x"), worth(big, board, "o")
    wins_x, wins_o = min(len(winning(big, "x")), 2), min(len(winning(big, "o")), 2)
    place = 0 if board in (0, 2, 6, 8) else 2 if board == 4 else 1
    return (
        marks(cells, x, o, 0) + marks(cells, wins_x, wins_o, 36 + 6 * place),
        value(54 + 8 * x + o, cells) + value(54 + 64 + 9 * place + 3 * wins_x + wins_o, cells),
    )


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


def winning(big: str, side: str) -> set[int]:
    """Return the boards that would win the game."""
    return {board for board in range(9) if big[board] == "." and worth(big, board, side) == 7}


def standing(big: str, side: str) -> tuple[int, int, int]:
    lines = [line for line in LINES if {big[board] for board in line} <= {side, "."}]
    won = {line: sum(big[board] == side for board in line) for line in lines}
    begun = sum(count == 1 for count in won.values())
    untouched = sum(count == 0 for count in won.values())
    return min(len(winning(big, side)), 2), min(begun, 3), [0, 1, 1, 2, 2, 2, 3, 3, 3][untouched]


def evaluate(cells: str, active: int | None, to_move: str) -> int:
    """Return the value for the side to move of a game that is not over: `active` None if it may choose."""
    if to_move == "o":
        return evaluate(cells.translate(EXCHANGE), active, "x")
    boards = [cells[9 * board : 9 * board + 9] for board in range(9)]
    big = "".join(map(status, boards))
    size = len(classes())
    x, o = ([standing(big, side)[i] for i in range(3)] for side in "xo")
    end = 145 * size
    base = file()[end + 48 * (16 * x[0] + 4 * x[1] + x[2]) + 16 * o[0] + 4 * o[1] + o[2]]
    total = 2 * base + sum(
        both(big, board, small)[0] for board, small in enumerate(boards) if big[board] == "."
    )
    if active is None:
        return total + file()[end + 48 * 48 + 12 * (4 * x[0] + x[1]) + 4 * o[0] + o[1]]
    return total + both(big, active, boards[active])[1]
