"""The rules by name: how a game of each begins, and how the levels play it."""

from collections.abc import Callable, Mapping
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
    returns the level of a strength from 0 to `people.STRONGEST`.
    """

    start: Callable[[], Game]
    solved: bool = True
    cells: int = 9
    levels: Mapping[str, Level] = LEVELS
    adaptive: Callable[[int], Level] = adaptive


# Most boxes play classic, so the files of the other rules, and ultimate's tables, load when they are chosen.


def _misere() -> Game:
    from .misere import Misere  # noqa: PLC0415

    return Misere()


def _vanishing() -> Game:
    from .vanishing import Vanishing  # noqa: PLC0415

    return Vanishing()


def _ultimate() -> Game:
    from .ultimate import Ultimate  # noqa: PLC0415

    return Ultimate()


RULES: Mapping[str, Rule] = {
    "classic": Rule(Board),
    "misere": Rule(_misere),
    "vanishing": Rule(_vanishing, levels=CIRCLING),
    "ultimate": Rule(_ultimate, solved=False, cells=81, levels=UNSOLVED, adaptive=searching),
}
"""All rules. A game is saved as its moves, and restored by playing them."""

SOLVED: Mapping[str, Callable[[], Game]] = {name: rule.start for name, rule in RULES.items() if rule.solved}
"""The solved rules: name -> a function that returns the position before the first move."""
