"""A game engine for tic-tac-toe and its relatives: rules and search, in plain Python."""

from engine.board import Board
from engine.casual import casual
from engine.levels import LEVELS, Level
from engine.misere import Misere
from engine.position import PROVEN, WIN, Game, Position
from engine.result import SearchResult, Verdict
from engine.rules import RULES
from engine.search import Limit, search
from engine.table import Table
from engine.textbook import Found, alpha_beta, backtrack, minimax, negamax
from engine.trace import Visit, trace
from engine.tree import Tree
from engine.vanishing import Vanishing

__all__ = [
    "LEVELS",
    "PROVEN",
    "RULES",
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
    "alpha_beta",
    "backtrack",
    "casual",
    "minimax",
    "negamax",
    "search",
    "trace",
]
