"""m,n,k games (tic-tac-toe and its larger relatives) on two bitboards.

A search makes a million boards, so `play` looks only at the lines through the cell that is played: for each
side it updates the cells that would complete a line (the threats) and how open the lines are (the hope). From
these alone follow the winner, the forced moves, an evaluation and bounds on the score; a search never
counts a line again.
"""
# ruff: noqa: SLF001  # a board fills in the boards that it makes

from typing import Any, Self

from .position import WIN
from .shape import Shape, shape_of
from .sides import Sides, read_only


class Board(Sides):
    """An immutable position of an m,n,k game: `rows` x `columns` cells, `k` in a row win.

    A new board is empty, with x to move; `play` returns the next position, and updates for each side:

    - threats: the cells that would complete one of its lines;
    - hope: the sum of 2^(own marks) over the lines without an opponent's mark.

    `own` and `other` are the marks of the side to move and of its opponent.
    """

    __slots__ = (
        "_images",
        "_mover",
        "_other",
        "_other_hope",
        "_other_threats",
        "_own",
        "_own_hope",
        "_own_threats",
        "_ply",
        "_shape",
        "_terminal",
        "_winner",
    )

    shape: Shape = read_only("_shape")

    def __init__(self, rows: int = 3, columns: int = 3, k: int = 3) -> None:
        self._fill(shape_of(rows, columns, k), 0, 0, 0)

    @classmethod
    def parse(cls, text: str, k: int = 3, to_move: str | None = None) -> Self:
        """Return the position that `text` shows.

        `text` has `x` and `o` in either case and `.`, `_` or spaces for empty cells; rows are separated by
        line ends, `/` or blanks, or run together if the board is square. Without `to_move` ("x" or "o") the
        counts of marks decide who is to move; with it, any counts are allowed. Raise `ValueError` if `text`
        is not a position.

        >>> Board.parse("x...o....").to_move
        'x'
        >>> Board.parse("X__ / _O_ / ___").moves()
        [1, 2, 3, 5, 6, 7, 8]
        >>> Board.parse("x..?.....")
        Traceback (most recent call last):
        ValueError: '?' in row 2, column 1 is none of x, o, '.', '_' and space
        """
        from .notation import parse_rows  # noqa: PLC0415 - a box reads no text

        rows, columns, cells = parse_rows(text)
        shape = shape_of(rows, columns, k)
        x, o = (sum(1 << i for i, mark in enumerate(cells) if mark == side) for side in "xo")
        ahead = x.bit_count() - o.bit_count()
        if to_move not in (None, "x", "o"):
            raise ValueError(f"to_move is {to_move!r}: it is 'x' or 'o'")
        if to_move is None and ahead not in (0, 1):
            raise ValueError(
                f"{x.bit_count()} x and {o.bit_count()} o cannot be, as x moves first and both in turn: "
                "say who is to move if marks were set beforehand"
            )
        mover = ahead if to_move is None else "xo".index(to_move)
        won = [any(line & marks == line for line in shape.lines) for marks in (x, o)]
        if all(won):
            raise ValueError("both x and o have completed a line")
        if to_move is None and won[mover]:
            raise ValueError(
                f"{'xo'[mover]} has completed a line, but by the counts the last move was not theirs"
            )
        board = cls.__new__(cls)
        board._fill(shape, x, o, mover)
        return board

    def _fill(self, shape: Shape, x: int, o: int, mover: int) -> None:
        """Set every field from the marks alone; `play` does the same step by step."""
        self._shape, self._mover = shape, mover
        self._own, self._other = (o, x) if mover else (x, o)
        self._ply = (x | o).bit_count()
        self._own_hope, self._own_threats = shape.prospects(self._own, self._other)
        self._other_hope, self._other_threats = shape.prospects(self._other, self._own)
        self._images = shape.blank[mover]
        for side, marks in enumerate((x, o)):
            for cell in range(shape.cells):
                if marks >> cell & 1:
                    self._images += shape.images[side][cell]
        self._winner = next(
            (s for s, marks in enumerate((x, o)) if any(line & marks == line for line in shape.lines)), -1
        )
        self._terminal = self._winner >= 0 or x | o == shape.full

    def moves(self) -> list[int]:
        """Return the empty cells in reading order, counted from 0; none when the game is over."""
        if self._terminal:
            return []
        taken = self._own | self._other
        return [cell for cell in range(self._shape.cells) if not taken >> cell & 1]

    def candidates(self) -> list[int]:
        """Return the moves to search, best first: the winning ones, else the blocking ones, else all."""
        if self._terminal:
            return []
        free = ~(self._own | self._other)
        forced = self._own_threats & free or self._other_threats & free
        if forced:
            return [cell for cell in self._shape.order if forced >> cell & 1]
        return [cell for cell in self._shape.order if free >> cell & 1]

    def play(self, move: int) -> Self:
        """Return the board after a mark of the side to move in cell `move`, counted from 0.

        Raise `ValueError` if the cell is taken or does not exist, or the game is over.
        """
        own, other, mover, shape = self._own, self._other, self._mover, self._shape
        if self._terminal or not 0 <= move < shape.cells or (own | other) >> move & 1:
            raise ValueError(self._refusal(move))
        bit = 1 << move
        hope, other_hope, threats = self._own_hope, self._other_hope, self._own_threats
        nearly = shape.k - 2
        for line in shape.through[move]:
            mine = line & own
            if line & other:
                if not mine:
                    other_hope -= 1 << (line & other).bit_count()
            else:
                count = mine.bit_count()
                hope += 1 << count
                if not mine:
                    other_hope -= 1
                if count == nearly:
                    threats |= line ^ mine ^ bit
        child = self.__class__.__new__(self.__class__)
        child._shape = shape
        child._mover = 1 - mover
        child._own, child._other = other, own | bit
        child._own_hope, child._other_hope = other_hope, hope
        child._own_threats, child._other_threats = self._other_threats, threats
        child._images = self._images + shape.images[mover][move] + shape.flip[mover]
        child._ply = self._ply + 1
        won = self._own_threats & bit
        child._winner = mover if won else -1
        child._terminal = bool(won) or own | other | bit == shape.full
        return child

    def _refusal(self, move: int) -> str:
        if self._terminal:
            return "the game is over: there is no move"
        if not 0 <= move < self._shape.cells:
            return f"there is no cell {move}: cells count from 0 to {self._shape.cells - 1}"
        return f"cell {move} is taken"

    def evaluate(self) -> int:
        """Return the static evaluation for the side to move: its hope less the opponent's."""
        if self._winner >= 0:
            return WIN - self._ply if self._winner == self._mover else self._ply - WIN
        if self._terminal:
            return 0
        return self._own_hope - self._other_hope

    def bounds(self) -> tuple[int, int]:
        """Return a lower and an upper bound on the score under perfect play, provable without search.

        A side that can complete a line wins; one that cannot, and faces two threats, loses; no win comes
        sooner than the threats allow. And a side with little hope never completes a line against an opponent
        who always takes the cell that ends most of it: by Erdős and Selfridge, On a combinatorial game
        (Journal of Combinatorial Theory A 14, 1973), hope below 2^k is not enough for the side that moves
        second, nor below 2^(k-1) for the one that moves first. Lines dead for both sides are a special case.
        """
        if self._terminal:
            value = self.evaluate()
            return value, value
        free = ~(self._own | self._other)
        if self._own_threats & free:
            win = WIN - self._ply - 1
            return win, win
        high = WIN - self._ply - 3
        low = -high - 1
        threats = self._other_threats & free
        if threats:
            if threats & threats - 1:
                return low, low
        else:
            low += 2
        k = self._shape.k
        if self._other_hope < 1 << k:
            low = 0
        if self._own_hope < 1 << k - 1:
            high = 0
        return low, high

    def key(self) -> int:
        """Return the position's key as a number; mirror images share it."""
        images, only = self._images, self._shape.only
        return min([images >> shift & only for shift in self._shape.shifts])

    @property
    def horizon(self) -> int:
        """The number of empty cells; 0 when the game is over."""
        return 0 if self._terminal else self._shape.cells - self._ply

    @property
    def line(self) -> tuple[int, ...]:
        """The cells of all completed lines, ascending; () when there is none."""
        marks = self._own if self._winner == self._mover else self._other
        complete = 0
        for line in self._shape.lines:
            if line & marks == line:
                complete |= line
        return tuple(cell for cell in range(self._shape.cells) if complete >> cell & 1)

    @property
    def cells(self) -> str:
        """The board as a run of `x`, `o` and `.` in reading order."""
        x, o = (self._other, self._own) if self._mover else (self._own, self._other)
        return "".join("x" if x >> i & 1 else "o" if o >> i & 1 else "." for i in range(self._shape.cells))

    def __str__(self) -> str:
        cells, columns = self.cells, self._shape.columns
        return "\n".join(cells[start : start + columns] for start in range(0, len(cells), columns))

    def __reduce__(self) -> tuple[Any, tuple[str, int, str]]:
        text = str(self).replace("\n", "/") if self._shape.rows > 1 else f"{self}/"  # a run is a square
        return self.__class__.parse, (text, self._shape.k, self.to_move)  # not the tables of the shape

    def __repr__(self) -> str:
        _, (text, k, to_move) = self.__reduce__()
        return f"{self.__class__.__name__}.parse({text!r}, k={k}, to_move={to_move!r})"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Board) and self.__class__ is other.__class__ and self._images == other._images
        )

    def __hash__(self) -> int:
        return hash(self._images)
