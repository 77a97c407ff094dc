"""A game engine for tic-tac-toe and its relatives: rules and search, in plain Python.

Positions visited, `nodes` in every result, count how often a search arrives at a position: the root and the
leaves are positions, too, one that several orders of moves lead to counts each time, and a move that is cut
does not count. A reply that foresight.py evaluates does, though its position is never made. How many
alpha-beta visits depends on the evaluation of the leaves. Every table and tool uses `textbook.static`, which
scores an early win above a late one, as the engine does: 20,866 of the empty board. Where all wins are alike,
as by `textbook.result`, more moves tie and are cut: 18,297.

The modules that a box can start without are imported when first asked for. `montecarlo` is not among the
names here: import it from the module of that name.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from .board import Board
from .deepening import Limit, SearchResult, Verdict, search
from .levels import LEVELS, UNSOLVED, Level, casual
from .mistakes import REASONS, Remark, review
from .people import KINDS, STRONGEST, Belief, adaptive
from .position import PROVEN, WIN, Game, Position
from .rules import RULES, SOLVED, Rule
from .table import Table

if TYPE_CHECKING:
    from ._version import __version__ as __version__
    from .misere import Misere
    from .record import GameRecord
    from .textbook import Found, alpha_beta, alpha_beta_as_printed, backtrack, minimax, negamax
    from .tracing import Visit, trace
    from .tree import Tree
    from .ultimate import Ultimate
    from .vanishing import Vanishing
else:
    _LATER = {
        "_version": ("__version__",),
        "misere": ("Misere",),
        "record": ("GameRecord",),
        "textbook": ("Found", "alpha_beta", "alpha_beta_as_printed", "backtrack", "minimax", "negamax"),
        "tracing": ("Visit", "trace"),
        "tree": ("Tree",),
        "ultimate": ("Ultimate",),
        "vanishing": ("Vanishing",),
    }

    def __getattr__(name: str) -> object:
        for module, names in _LATER.items():
            if name == module or name in names:
                found = import_module(f".{module}", __name__)
                return found if name == module else getattr(found, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return [*{*globals(), *__all__}]


__all__ = [
    "KINDS", "LEVELS", "PROVEN", "REASONS", "RULES", "SOLVED", "STRONGEST", "UNSOLVED", "WIN", "Belief",
    "Board", "Found", "Game", "GameRecord", "Level", "Limit", "Misere", "Position", "Remark", "Rule",
    "SearchResult", "Table", "Tree", "Ultimate", "Vanishing", "Verdict", "Visit", "__version__", "adaptive",
    "alpha_beta", "alpha_beta_as_printed", "backtrack", "casual", "minimax", "negamax", "review", "search",
    "trace",
]  # fmt: skip
