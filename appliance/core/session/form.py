"""Where a game meets nine keys, nine tiles and the database: what a press means, and where a move is shown.

A move of the games on nine cells is its cell, and so its key and its tile. Every solved rule has nine cells:
coach and review rely on that.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from appliance.core.picture.scene import Tile, board_tiles, strike
from engine import RULES, Game


class Pick(NamedTuple):
    """What a press means: a move, or the choice of a board, or neither."""

    move: int | None = None
    board: int | None = None


class Form:
    """The form of the games on nine cells.

    `board` is always the board that the tiles show; here it is None, as there is but one.
    """

    digits = 1  # of a move that is written

    def pick(self, game: Game, picked: int | None, key: int) -> Pick:  # noqa: ARG002 - for other forms
        """Return what a press of a key means on the board `picked`."""
        return Pick(key) if key in game.moves() else Pick()

    def board(self, game: Game, picked: int | None) -> int | None:  # noqa: ARG002
        """Return the board to play on."""
        return None

    def tiles(self, game: Game, board: int | None, newest: int | None) -> tuple[Tile, ...]:  # noqa: ARG002
        """Return what the nine tiles show; `newest` is the last move, None if it is not to be marked."""
        return board_tiles(game, newest)

    def tile(self, move: int, board: int | None) -> int | None:  # noqa: ARG002
        """Return the tile of a move, None if the tiles do not show it."""
        return move

    def strike(self, game: Game) -> tuple[int, int] | None:
        """Return the two ends of the line that ended a game, if any."""
        return strike(game)

    def number(self, move: int) -> int:
        """Return a move as people write it: the cell, counted from 1."""
        return move + 1

    def move(self, number: int) -> int:
        """Return the move of a number."""
        return number - 1

    def pack(self, moves: Sequence[int]) -> str:
        """Return moves as text: their numbers without spaces."""
        return "".join(str(self.number(move)) for move in moves)

    def unpack(self, text: object) -> tuple[int, ...]:
        """Return the moves of a text. Raise `ValueError` if it holds anything else."""
        step = self.digits
        if not isinstance(text, str) or len(text) % step or not set(text) <= set("123456789"):
            raise ValueError("invalid moves")
        return tuple([self.move(int(text[at : at + step])) for at in range(0, len(text), step)])


FORMS: Mapping[int, Form] = {9: Form()}  # by the number of cells


def form_of(game: Game) -> Form:
    """Return the form of a game."""
    return FORMS[len(game.cells)]


def form_of_rule(rule: str) -> Form:
    """Return the form of a rule's games, without starting one; of a later version's that of nine cells."""
    return FORMS[RULES[rule].cells if rule in RULES else 9]
