"""The rules by name: how a game of each begins, and how the levels play it."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import NamedTuple

from .board import Board
from .levels import CIRCLING, LEVELS, UNSOLVED, Level
from .people import adaptive, searching
from .position import Game


class Rule(NamedTuple):
    """What a program needs to know of a rule.

    `start` returns the position before the first move. It raises `OSError` if a file that it needs is missing
    or damaged. `solved` is whether a search to the end is feasible, so that every move can be judged. `cells`
    is the length of its games' `cells`. `levels` are its fixed levels by name, weakest first; `adaptive`
    returns the level of a strength from 0 to `people.STRONGEST`. `loses` is whether a line loses, `alike`
    whether both sides place an x, `recurs` whether a position can occur again.
    """

    start: Callable[[], Game]
    solved: bool = True
    cells: int = 9
    levels: Mapping[str, Level] = LEVELS
    adaptive: Callable[[int], Level] = adaptive
    loses: bool = False
    alike: bool = False
    recurs: bool = False

    def mark(self, side: str) -> str:
        """Return the mark that a side, "x" or "o", places."""
        return "x" if self.alike else side


# Most boxes play classic, so the files of the other rules, and ultimate's tables, load when they are chosen.


def _later(name: str) -> Callable[[], Game]:
    """Return the class of this name, of the file of that name, as it is when a game begins."""

    def start() -> Game:
        game: Game = getattr(import_module(f".{name.lower()}", __package__), name)()
        return game

    return start


RULES: Mapping[str, Rule] = {
    "classic": Rule(Board),
    "misere": Rule(_later("Misere"), loses=True),
    "vanishing": Rule(_later("Vanishing"), levels=CIRCLING, recurs=True),
    "ultimate": Rule(_later("Ultimate"), solved=False, cells=81, levels=UNSOLVED, adaptive=searching),
}
"""All rules. A game is saved as its moves, and restored by playing them."""

SOLVED: Mapping[str, Callable[[], Game]] = {name: rule.start for name, rule in RULES.items() if rule.solved}
"""The solved rules: name -> a function that returns the position before the first move."""
