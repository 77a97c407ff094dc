"""A game engine for tic-tac-toe and its relatives: rules and search, in plain Python."""

from collections.abc import Callable, Mapping

from engine.adaptive import START, STRONGEST, adapt, adaptive
from engine.board import Board
from engine.levels import LEVELS, Level, casual
from engine.misere import Misere
from engine.position import PROVEN, WIN, Game, Position
from engine.search import Limit, SearchResult, Verdict, search
from engine.table import Table
from engine.textbook import Found, alpha_beta, backtrack, minimax, negamax
from engine.trace import Visit, trace
from engine.tree import Tree
from engine.vanishing import Vanishing

__all__ = [
    "LEVELS",
    "PROVEN",
    "RULES",
    "START",
    "STRONGEST",
    "WIN",
    "Board",
    "Found",
    "Game",
    "Level",
    "Limit",
    "Misere",
    "Position",
    "SearchResult",
    "Table",
    "Tree",
    "Vanishing",
    "Verdict",
    "Visit",
    "adapt",
    "adaptive",
    "alpha_beta",
    "backtrack",
    "casual",
    "minimax",
    "negamax",
    "search",
    "trace",
]

RULES: Mapping[str, Callable[[], Game]] = {"classic": Board, "misere": Misere, "vanishing": Vanishing}
"""The games on nine cells: name -> a function that returns the empty board.

A game is saved as the cells played, and restored by playing them.
"""
