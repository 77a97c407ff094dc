"""What the learned values say of a position of ultimate tic-tac-toe, slowly and from the file alone.

The file's format, as bytes with a sign after decompression; a state is a small board as nine digits to base
3, the first cell the lowest: 0 empty, 1 x, 2 o; a class is the smallest state among its turned and mirrored
images, of boards that are not won or full. Classes are in ascending order.

    marks   for each worth to x, for each worth to o that is no greater: a value for each class
    turns   for each worth to x, for each worth to o: for each class, the worth to x of x to move
    places  for boards 0, 1 and 4, to which the others are mirrored: for each open state that no image of the
            board in its place makes smaller, one to add to marks
    starts  the same to add to turns
    base    for each class of the big board, full boards counting as open
    free    for each such class, x the side to move: of being free to choose

All are in 64ths.
"""

import zlib
from functools import cache
from itertools import product
from pathlib import Path

from nine_boards import owner as status
from solved_games import FLIP, LINES, MIRRORS, QUARTER

FILE = Path(__file__).parents[2] / "engine/ultimate/values.bin"
CONTEXTS = 36 + 64  # of marks and of turns
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


def marks(cells: str, x: int, o: int) -> int:
    if x < o:
        return -marks(cells.translate(EXCHANGE), o, x)
    return value(sum(range(1, x + 1)) + o, cells)


def both(big: str, board: int, cells: str) -> tuple[int, int]:
    """Return what a board's marks are worth to x, and what it is worth to be the one to move there."""
    x, o = worth(big, board, "x"), worth(big, board, "o")
    added = CONTEXTS * len(classes()) + places()[placed(board, cells)]
    return marks(cells, x, o) + file()[added], value(36 + 8 * x + o, cells) + file()[added + len(places())]


def placed(board: int, cells: str) -> tuple[int, int]:
    """Return the board of 0, 1 and 4 that this one is mirrored to, and its smallest state there."""
    return min(
        (mirror.index(board), number("".join(cells[cell] for cell in mirror)))
        for mirror in MIRRORS
        if mirror.index(board) in (0, 1, 4)
    )


@cache
def places() -> dict[tuple[int, int], int]:
    states = ["".join(cells) for cells in product(".xo", repeat=9)]
    found = {placed(board, cells) for board in (0, 1, 4) for cells in states if status(cells) == "."}
    return {each: place for place, each in enumerate(sorted(found))}


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


def evaluate(cells: str, active: int | None, to_move: str) -> int:
    """Return the value for the side to move of a game that is not over: `active` None if it may choose."""
    if to_move == "o":
        return evaluate(cells.translate(EXCHANGE), active, "x")
    boards = [cells[9 * board : 9 * board + 9] for board in range(9)]
    big = "".join(map(status, boards))
    base = CONTEXTS * len(classes()) + 2 * len(places()) + class_of(big.replace("-", "."))
    total = file()[base] + sum(
        both(big, board, small)[0] for board, small in enumerate(boards) if big[board] == "."
    )
    if active is None:
        return total + file()[base + len(classes())]
    return total + both(big, active, boards[active])[1]
