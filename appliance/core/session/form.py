"""Where a game meets nine keys, nine tiles and the database: what a press means, and where a move is shown.

A move of the games on nine cells is its cell, and so its key and its tile. Every solved rule has nine cells:
coach and review rely on that.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from appliance.core.picture.scene import Overview, Tile, board_choices, board_tiles
from engine import RULES, Game
from engine.shape import ends

Pick = tuple[int | None, int | None]  # what a press means: a move, or the choice of a board, or neither


class Form:
    """What the forms have in common, with what nine cells answer: a single board, 0, which nobody chooses.

    `picked` is the board that a person has chosen, `board` the one on the tiles: None if that is yet to be
    chosen, or if the game is over.
    """

    digits = 1  # of a move that is written

    def pick(self, game: Any, picked: int | None, key: int) -> Pick:
        """Return what a press of a key means: the choice of a board, or a move on the board."""
        board = self.board(game, picked)
        if board is None:
            return (None, key) if game.boards[key] == "." else (None, None)
        move = 9 * board + key
        return (move, None) if move in game.moves() else (None, None)

    def home(self, move: int) -> int:
        """Return the board of a move."""
        return move // 9

    def won(self, game: Any, move: int) -> tuple[int, int] | None:
        """Return the two ends of the line by which a move won its board, if it did."""
        first = 9 * self.home(move)
        return ends(cell for cell in range(9) if game.cells[first + cell] == game.cells[move])

    def pack(self, moves: Sequence[int]) -> str:
        """Return moves as text: their numbers without spaces."""
        return "".join(str(self.number(move)) for move in moves)

    def unpack(self, text: object) -> tuple[int, ...]:
        """Return the moves of a text. Raise `ValueError` if it holds anything else."""
        step = self.digits
        if not isinstance(text, str) or len(text) % step or not set(text) <= set("123456789"):
            raise ValueError("invalid moves")
        return tuple([self.move(int(text[at : at + step])) for at in range(0, len(text), step)])

    # What a game of several boards answers in its own way

    def board(self, _game: Any, _picked: int | None) -> int | None:
        """Return the board to play on."""
        return 0

    def tiles(self, game: Any, _board: int | None, newest: int | None) -> tuple[Tile, ...]:
        """Return what the nine tiles show; `newest` is the last move, None if it is not to be marked."""
        return board_tiles(game, newest)

    def tile(self, move: int, _board: int | None) -> int | None:
        """Return the tile of a move, None if the tiles do not show it."""
        return move

    def side(self, _game: Any, _board: int | None) -> Overview | None:
        """Return all boards, if there are several, for beside the tiles."""
        return None

    def number(self, move: int) -> int:
        """Return a move as people write it: the cell, counted from 1."""
        return move + 1

    def move(self, number: int) -> int:
        """Return the move of a number."""
        return number - 1


class NineBoards(Form):
    """The form of ultimate: the tiles show the board to play on, or the nine boards where any may be chosen.

    A move is written as two digits, board and cell.
    """

    digits = 2

    def board(self, game: Any, picked: int | None) -> int | None:
        """Return the board to play on; None if it is yet to be chosen, or if the game is over.

        The last open board is not chosen: there is no other.
        """
        if game.terminal:
            return None
        active = game.boards.index(".") if game.boards.count(".") == 1 else game.active
        return picked if active is None else active

    def tiles(self, game: Any, board: int | None, _newest: int | None) -> tuple[Tile, ...]:
        """Return the cells of a board, or for None the nine boards; the overview marks the last move."""
        if board is None:
            return board_choices(game.boards)
        start = 9 * board
        return tuple(Tile(mark.strip(".")) for mark in game.cells[start : start + 9])

    def tile(self, move: int, board: int | None) -> int | None:
        """Return the tile of a move: its cell, or its board; None if another board is shown."""
        home, cell = divmod(move, 9)
        return home if board is None else cell if board == home else None

    def side(self, game: Any, board: int | None) -> Overview | None:
        """Return the overview, with `board` as the active one."""
        return Overview(game.cells, game.boards, board)

    def number(self, move: int) -> int:
        """Return a move as people write it: 51 is board 5, cell 1."""
        return 10 * (move // 9 + 1) + move % 9 + 1

    def move(self, number: int) -> int:
        """Return the move of a number."""
        return 9 * (number // 10 - 1) + number % 10 - 1


FORMS: Mapping[int, Form] = {9: Form(), 81: NineBoards()}  # by the number of cells


def form_of(game: Game) -> Form:
    """Return the form of a game."""
    return FORMS[len(game.cells)]


def form_of_rule(rule: str) -> Form:
    """Return the form of a rule's games, without starting one; of a later version's that of nine cells."""
    return FORMS[RULES[rule].cells if rule in RULES else 9]
