"""Ultimate tic-tac-toe: nine small boards; a move sends the opponent to the board of its cell's number.

The game is too large to be solved: it has 281,067,408 sequences of eight moves, and lasts up to 81. So the
search rests on an evaluation, a sum over the nine boards, and that sum is updated from move to move. What the
big board decides (big.py) and what a small one allows (local.py) is looked up.
"""
# ruff: noqa: SLF001  # a position fills in the positions that it makes

from typing import Any, ClassVar, Self

from ..position import WIN
from ..shape import LINES, symmetries
from ..sides import Sides
from .big import Evaluation, big_board
from .classes import CLASS
from .local import CLOSING, FREE, MARK, QUIET, SHOWN, STATUS
from .values import survey

ANY = -1  # in place of the active board: any open one
LANE = 15  # the bits of a board's state in a key
MIRRORED = 4
MIRRORS = symmetries(3, 3)
STEP = tuple(tuple(mark[move % 9] << move // 9 * LANE for move in range(81)) for mark in MARK)
"""What a move of each side adds to all states side by side in one number."""


class Ultimate(Sides):
    """An immutable position of ultimate tic-tac-toe; a new one is empty, with x to move.

    A move is 9 * board + cell, both 0 to 8 in reading order. The opponent must answer in the board of the
    cell's number, or in any open board if that one is decided: won by three in a row, or full, which counts
    for nobody. Three boards in a row win. The game is drawn once neither side can complete a line of boards.

    >>> position = Ultimate().play(40).play(36)
    >>> position.active, position.moves()
    (0, [0, 1, 2, 3, 4, 5, 6, 7, 8])
    """

    __slots__ = (
        "_active",
        "_big",
        "_boards",  # the state of each small board, as in local.py
        "_code",  # the same, side by side in one number
        "_free",  # how many cells of open boards are free
        "_mover",
        "_ply",
        "_terminal",
        "_total",  # what the big board and the small ones are worth to x
        "_winner",
    )

    _boards: tuple[int, ...]
    _survey: ClassVar[Evaluation] = staticmethod(survey)

    def __init__(self) -> None:
        self._boards, self._big, self._active = (0,) * 9, big_board(0, self.__class__._survey), ANY
        self._total = self._sum()
        self._code, self._mover, self._winner, self._ply, self._terminal = 0, 0, -1, 0, False
        self._free = 81

    @classmethod
    def parse(cls, text: str, active: int | None = None) -> Self:
        """Return the position that `text` shows: nine rows of nine cells, as `str` prints them.

        Or all 81 in one row, as `cells` has them. `x` and `o` in either case, `.` and `_` are cells; blanks
        between them and empty lines do not matter. The counts decide who is to move, in the board `active`:
        None for any open one. Raise `ValueError` if `text` is not a position, or no last move can have made
        that board active.
        """
        from ..notation import check_active, parse_nine  # noqa: PLC0415 - a box reads no text

        position, cells = cls(), parse_nine(text)
        position._ply = 81 - cells.count(".")
        position._code = sum(STEP["xo".index(mark)][move] for move, mark in enumerate(cells) if mark != ".")
        states = [position._code >> LANE * board & (1 << LANE) - 1 for board in range(9)]
        code = sum(STATUS[state] << 2 * board for board, state in enumerate(states))
        position._boards, position._big = tuple(states), (big := big_board(code, cls._survey))
        position._winner, position._terminal = big.winner, big.over
        position._mover, position._total = position._ply % 2, position._sum()
        position._free = sum(len(FREE[state]) for state in states)
        check_active(position, position.boards, active)
        position._active = ANY if active is None else active
        return position

    def _sum(self) -> int:
        """Return what all boards are worth to x, whoever is to move; 0 once the game is over."""
        if self._big.over:
            return 0
        survey, boards = self._big.survey, self._boards
        return survey.base + sum(
            [survey.boards[board][CLASS[board][boards[board]]] for board in self._big.open]
        )

    def _playable(self) -> tuple[int, ...]:
        """Return the boards in which the side to move may play."""
        return self._big.open if self._active < 0 else (self._active,)

    def moves(self) -> list[int]:
        """Return all legal moves, ascending; none when the game is over."""
        if self._terminal:
            return []
        return [9 * board + cell for board in self._playable() for cell in FREE[self._boards[board]]]

    def candidates(self) -> list[int]:
        """Return the moves to search: those that win the game, else all, those that decide a board first."""
        if self._terminal:
            return []
        mover, boards, wins = self._mover, self._boards, self._wins()
        if wins:
            return wins
        return [
            9 * board + cell
            for cells in (CLOSING[mover], QUIET[mover])
            for board in self._playable()
            for cell in cells[boards[board]]
        ]

    def _wins(self) -> list[int]:
        """Return the moves that win the game."""
        threats = self._big.threats[self._mover]
        return [move for move in self.takes() if threats >> move // 9 & 1] if threats else []

    def takes(self, *, other: bool = False) -> list[int]:
        """Return the moves that win a small board, or those by which the `other` side would win one."""
        if self._terminal:
            return []
        mover, boards = self._mover ^ other, self._boards
        return [
            9 * board + cell
            for board in self._playable()
            for cell in CLOSING[mover][boards[board]]
            if STATUS[boards[board] + MARK[mover][cell]] == mover + 1
        ]

    def play(self, move: int) -> Self:
        """Return the position after `move`. Raise `ValueError` if it is not legal."""
        board, cell = divmod(move, 9)
        active, boards, mover, big = self._active, self._boards, self._mover, self._big
        if (
            not 0 <= move < 81
            or (board != active and active >= 0)
            or self._terminal
            or cell not in FREE[boards[board]]
        ):
            raise ValueError(self._refusal(move))
        before = boards[board]
        state = before + MARK[mover][cell]
        after = list(boards)
        after[board] = state
        child = self.__class__.__new__(self.__class__)
        child._boards = tuple(after)
        child._code = self._code + STEP[mover][move]
        child._mover = 1 - mover
        child._ply = self._ply + 1
        child._active = ANY if STATUS[after[cell]] else cell
        if status := STATUS[state]:
            child._big = big = big.after(board, status)
            child._total = child._sum()
            child._free = self._free - len(FREE[before])
            if big.over:
                child._active = ANY
        else:
            child._big = big
            row, classes = big.survey.boards[board], CLASS[board]
            child._total = self._total - row[classes[before]] + row[classes[state]]
            child._free = self._free - 1
        child._winner, child._terminal = big.winner, big.over
        return child

    def _refusal(self, move: int) -> str:
        if self._terminal:
            return "the game is over: there is no move"
        if not 0 <= move < 81:
            return f"there is no move {move}: moves count from 0 to 80"
        board, cell = divmod(move, 9)
        if STATUS[self._boards[board]]:
            return f"board {board} is decided"
        if self._active not in (ANY, board):
            return f"the move must be in board {self._active}, not in board {board}"
        return f"cell {cell} of board {board} is taken"

    def evaluate(self) -> int:
        """Return the static evaluation for the side to move."""
        mover, big = self._mover, self._big
        if big.over:
            if big.winner < 0:
                return 0
            return WIN - self._ply if big.winner == mover else self._ply - WIN
        survey, active = big.survey, self._active
        kind = CLASS[active][self._boards[active]]
        turn = survey.free[mover] if active < 0 else survey.turns[mover][active][kind]
        return -self._total - turn if mover else self._total + turn

    def replies(self) -> dict[int, int]:
        """Return the static evaluation after each move, for the side that moves, by move.

        A move that decides no board changes one entry of the sum, so its position need not be made.
        """
        big, boards, mover = self._big, self._boards, self._mover
        if big.over:
            return {}
        survey, mark, total = big.survey, MARK[mover], self._total
        free, turns = survey.free[1 - mover], survey.turns[1 - mover]
        # What it adds that the opponent is sent to each board.
        sent = [
            row[classes[state]] if row else free
            for row, classes, state in zip(turns, CLASS, boards, strict=True)
        ]
        found: dict[int, int] = {}
        for board in self._playable():
            state, row, first, classes = boards[board], survey.boards[board], 9 * board, CLASS[board]
            rest, stay, cells = total - row[classes[state]], sent[board], QUIET[mover][state]
            if board in cells:
                sent[board] = turns[board][classes[state + mark[board]]]
            if mover:
                found |= {
                    first + cell: -rest - row[classes[state + mark[cell]]] - sent[cell] for cell in cells
                }
            else:
                found |= {
                    first + cell: rest + row[classes[state + mark[cell]]] + sent[cell] for cell in cells
                }
            sent[board] = stay
            for cell in CLOSING[mover][state]:
                found[first + cell] = -self.play(first + cell).evaluate()
        return found

    def bounds(self) -> tuple[int, int]:
        """Return a lower and an upper bound on the score under perfect play, provable without search.

        A side that can complete a line of boards wins at once, one without a line left never wins, and one
        that must win another board first wins no sooner than that takes.
        """
        big, mover, ply = self._big, self._mover, self._ply
        if big.over:
            value = self.evaluate()
            return value, value
        if big.threats[mover] and self._wins():
            return WIN - ply - 1, WIN - ply - 1
        high = WIN - ply - 3 if big.hopes[mover] else 0
        low = ply + 2 - WIN if big.hopes[1 - mover] else 0
        return low, high

    def key(self) -> int:
        """Return the position's key as a number; mirror images share it in the first plies."""
        if self._ply > MIRRORED:
            return self._code << 4 | self._active + 1
        marks = [(*divmod(move, 9), "xo".index(mark)) for move, mark in enumerate(self.cells) if mark != "."]
        images = []
        for mirror in MIRRORS:
            code = sum([STEP[side][9 * mirror[board] + mirror[cell]] for board, cell, side in marks])
            images.append(code << 4 | (mirror[self._active] + 1 if self._active >= 0 else 0))
        return min(images)

    @property
    def horizon(self) -> int:
        """The number of cells that may still be played in; 0 when the game is over."""
        return 0 if self._terminal else self._free

    @property
    def active(self) -> int | None:
        """The board in which the side to move must play; None for any open one, and when the game is over."""
        return None if self._active < 0 else self._active

    @property
    def boards(self) -> str:
        """The nine small boards: won by `x` or by `o`, `-` full for nobody, `.` open."""
        return "".join(SHOWN[STATUS[state]] for state in self._boards)

    @property
    def line(self) -> tuple[int, ...]:
        """The boards of all completed lines, ascending; () when there is none."""
        won = {board for board, mark in enumerate(self.boards) if mark == self.outcome}
        return tuple(sorted({board for line in LINES if won.issuperset(line) for board in line}))

    @property
    def cells(self) -> str:
        """The 81 cells as a run of `x`, `o` and `.`, board after board, each in reading order."""
        return "".join(".xo"[state // MARK[0][cell] % 3] for state in self._boards for cell in range(9))

    def _repr_svg_(self) -> str:
        """Draw the nine boards in a notebook: shaded are those to play in, at the end the completed line."""
        from ..svg import nine  # noqa: PLC0415 - nothing else needs it

        return nine(self, self.line if self._terminal else self._playable())

    def __str__(self) -> str:
        cells, rows = self.cells, []
        for row in range(9):
            boards, first = row // 3 * 3, row % 3 * 3
            starts = [9 * board + first for board in range(boards, boards + 3)]
            rows.append(" ".join(cells[start : start + 3] for start in starts) + "\n" * (row in (2, 5)))
        return "\n".join(rows)

    def __reduce__(self) -> tuple[Any, tuple[str, int | None]]:
        return self.__class__.parse, (str(self).replace("\n", "/"), self.active)  # not the tables

    def __repr__(self) -> str:
        _, (text, active) = self.__reduce__()
        return f"{self.__class__.__name__}.parse({text!r}, active={active})"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Ultimate)
            and self.__class__ is other.__class__
            and (self._code, self._active) == (other._code, other._active)
        )

    def __hash__(self) -> int:
        return hash((self._code, self._active))
