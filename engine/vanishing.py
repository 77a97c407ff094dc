"""Vanishing tic-tac-toe: each side has three marks on the board; placing a fourth removes its oldest."""
# ruff: noqa: SLF001  # a position fills in the positions that it makes

from collections.abc import Hashable
from itertools import permutations
from typing import Self

from .position import WIN
from .shape import LINES, NINE, symmetries
from .sides import Sides

MARKS = 3
HORIZON = 18  # a forced win takes at most 17 plies, and the losing move into it one more

THIRD: dict[tuple[int, ...], int] = {(a, b): c for line in LINES for a, b, c in permutations(line)}
"""For two cells of one line, in either order, the third."""

# The mirror images of a side's marks stand side by side in one number: a lane of 12 bits for each, 4 bits a
# mark (its cell, counted from 1), the newest lowest. So one shift ages them all.
LANES = tuple(range(0, 8 * 12, 12))
LANE = 0xFFF
YOUNGER = sum(0x0FF << lane for lane in LANES)
IMAGES = tuple(
    sum(mirror[cell] + 1 << lane for lane, mirror in zip(LANES, symmetries(3, 3), strict=True))
    for cell in range(9)
)


class Vanishing(Sides):
    """An immutable position on 3x3; a new one is empty, with x to move.

    A mark goes into any empty cell; a side's fourth mark removes its oldest; then three in a row win. So the
    oldest mark still occupies its cell while its side chooses, and cannot be part of the winning line.

    The game is drawn when a position (marks, their ages, side to move) occurs for the third time, as in
    chess. A forced win never needs a repetition, so the rule does not change the value of a position that
    occurs for the first time. Once some positions have occurred twice, a win may have to avoid them and take
    longer; the search still takes anything beyond `HORIZON` for a draw.

    Solved by retrograde analysis of the 73,450 positions: x wins the empty board in 13 plies, and only from
    the middle of a side; no forced win takes more than 17 plies.

    >>> position = Vanishing()
    >>> for cell in (4, 3, 0, 1, 7, 6):
    ...     position = position.play(cell)
    >>> position.cells, position.fading
    ('xo.ox.ox.', 4)
    >>> position.play(2).cells
    'xoxo..ox.'
    """

    __slots__ = (
        "_doubled",  # the positions that have occurred twice
        "_history",  # all positions since the beginning
        "_images",  # the mirror images of the marks of x and of o
        "_mover",  # 0 for x, 1 for o
        "_other",  # the cells of the opponent's marks, oldest first
        "_own",  # and those of the side to move
        "_ply",
        "_terminal",
        "_winner",  # -1 for none
    )

    _own: tuple[int, ...]
    _other: tuple[int, ...]

    def __init__(self) -> None:
        self._own = self._other = ()
        self._mover = self._ply = 0
        self._winner = -1
        self._images = (0, 0)
        self._history: tuple[int, ...] = (0,)
        self._doubled = frozenset[int]()
        self._terminal = False

    def moves(self) -> list[int]:
        """Return the empty cells in reading order, counted from 0; none when the game is over."""
        if self._terminal:
            return []
        return [cell for cell in range(9) if cell not in self._own and cell not in self._other]

    def candidates(self) -> list[int]:
        """Return the moves to search: one that wins, else one that blocks, else all, centre first.

        Once a position has occurred twice, a third repetition may save the side that blocks nothing.
        """
        if self._terminal:
            return []
        for pair in (self._own[-2:], () if self._doubled else self._other[-2:]):
            cell = THIRD.get(pair)
            if cell is not None and cell not in self._own and cell not in self._other:
                return [cell]
        return [cell for cell in NINE.order if cell not in self._own and cell not in self._other]

    def play(self, move: int) -> Self:
        """Return the position after a mark of the side to move in cell `move`, counted from 0.

        Raise `ValueError` if the cell is taken or does not exist, or the game is over.
        """
        own, mover = self._own, self._mover
        if self._terminal:
            raise ValueError("the game is over: there is no move")
        if not 0 <= move < 9 or move in own or move in self._other:
            raise ValueError(f"cell {move} cannot be played: it is taken, or there is none such")
        marks, rest = self._images[mover], self._images[1 - mover]
        marks = (marks & YOUNGER) << 4 | IMAGES[move]
        child = self.__class__.__new__(self.__class__)
        child._own, child._other = self._other, (*own[1 - MARKS :], move)
        child._mover = 1 - mover
        child._ply = self._ply + 1
        child._images = (rest, marks) if mover else (marks, rest)
        child._winner = mover if THIRD.get(own[-2:]) == move else -1
        state = child._state()
        child._history = (*self._history, state)
        child._doubled = self._doubled
        child._terminal = child._winner >= 0
        if state in self._history:
            child._terminal |= state in self._doubled
            child._doubled |= {state}
        return child

    def evaluate(self) -> int:
        """Return the static evaluation for the side to move: whether its last two marks share a line."""
        if self._winner >= 0:
            return self._ply - WIN
        if self._terminal:
            return 0
        return (self._own[-2:] in THIRD) - (self._other[-2:] in THIRD)

    def bounds(self) -> tuple[int, int]:
        """Return a lower and an upper bound on the score under perfect play, provable without search.

        A side wins at once if the third cell of its last two marks' line is empty. It has lost if its
        opponent's is the very cell that its own next move empties, unless a third repetition may save it.
        """
        if self._terminal:
            value = self.evaluate()
            return value, value
        win = WIN - self._ply - 1
        own, other = self._own, self._other
        wanted = THIRD.get(own[-2:])
        if wanted is not None and wanted not in own and wanted not in other:
            return win, win
        wanted = THIRD.get(other[-2:])
        if wanted is None or wanted in other or (wanted in own and wanted != self.fading):
            return 3 - win, win - 2
        if wanted == self.fading and not self._doubled:
            return 1 - win, 1 - win
        return 1 - win, win - 2

    def key(self) -> Hashable:
        """Return the position's key; mirror images share it.

        It contains the ply, because scores do, and the past once a repetition may end the game.
        """
        if self._doubled:
            return self._ply, self._state(), self._doubled
        own, other = self._images[self._mover], self._images[1 - self._mover]
        image = min([(own >> lane & LANE) << 12 | other >> lane & LANE for lane in LANES])
        return self._ply << 25 | 1 << 24 | image

    def _state(self) -> int:
        x, o = self._images
        return (x & LANE) << 13 | (o & LANE) << 1 | self._mover

    @property
    def horizon(self) -> int:
        """The plies of the longest forced win and one more; 0 when the game is over."""
        return 0 if self._terminal else HORIZON

    @property
    def line(self) -> tuple[int, ...]:
        """The three cells that have won, ascending; () when none have."""
        return tuple(sorted(self._other)) if self._winner >= 0 else ()

    @property
    def cells(self) -> str:
        """The board as a run of `x`, `o` and `.` in reading order."""
        x, o = (self._other, self._own) if self._mover else (self._own, self._other)
        return "".join("x" if cell in x else "o" if cell in o else "." for cell in range(9))

    @property
    def fading(self) -> int | None:
        """The cell whose mark the next move will remove; None when it removes none."""
        return self._own[0] if len(self._own) == MARKS and not self._terminal else None

    def __repr__(self) -> str:
        x, o = (self._other, self._own) if self._mover else (self._own, self._other)
        return f"<{self.__class__.__name__}, ply {self._ply}, oldest mark first: x {x}, o {o}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Vanishing):
            return NotImplemented
        return self._history == other._history

    def __hash__(self) -> int:
        return hash(self._history)
