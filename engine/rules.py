"""The games that can be played on nine cells, by name."""

from collections.abc import Callable, Mapping

from engine.board import Board
from engine.misere import Misere
from engine.position import Game
from engine.vanishing import Vanishing

RULES: Mapping[str, Callable[[], Game]] = {"classic": Board, "misere": Misere, "vanishing": Vanishing}
"""Each returns the empty board. A game is saved as the cells played, and restored by playing them."""
