"""Minimax and alpha-beta after their published texts: to learn from, and the oracle of the tests.

Each function takes a position and a depth in plies, and returns the result for the side to move, called Max;
the opponent is Min. A depth that is no whole number from 0 on raises `ValueError`.

deepening.py returns the same values; tracing.py shows what is pruned, and why; montecarlo.py needs no depth.
docs/engine.md lists where the sources are to be read.
"""

from collections.abc import Callable
from typing import NamedTuple

from .board import Board
from .misere import Misere
from .position import PROVEN, WIN, Position, whole

INFINITE = WIN + 1


class Found(NamedTuple):
    """The value for the side to move, its first best move, and the positions visited (see __init__.py).

    `move` is None if the game is over or the depth is 0.
    """

    value: int
    move: int | None
    nodes: int


Evaluate = Callable[[Position], int]
"""Returns the value of a leaf for the side to move: the game is over, or the depth is used up."""


def static(position: Position) -> int:
    """Return the position's own evaluation, which scores an early win higher than a late one."""
    return position.evaluate()


def result(position: Position) -> int:
    """Return 1 for a win, -1 for a loss, 0 for a draw and while the game is on.

    Source: A. K. Dewdney, The New Turing Omnibus (1993), chapter 6, Game Trees. An engine that scores all
    wins alike may pass up an immediate win for a later one.
    """
    value = position.evaluate()
    return (value >= PROVEN) - (value <= -PROVEN)


def minimax(position: Position, depth: int, evaluate: Evaluate = static) -> Found:
    """Return the minimax value, visiting every position down to `depth` plies.

    Max takes the greatest value among the children, Min the least.

    Source: Phillip Johnson, Implementing Minimax in Scala: Naive Minimax (2015): depth-limited, over a game
    state with a terminal test, a heuristic value and moves; "unfortunately very slow". The example is from
    the Computation Club's notes on The New Turing Omnibus, chapter 6.

    >>> from mnk_engine import Tree
    >>> minimax(Tree(((2, 7), (1, 8))), depth=2)  # Min leaves us 2 on the left, 1 on the right
    Found(value=2, move=0, nodes=7)
    """
    whole("the depth", depth, 0)
    nodes = 0

    def visit(state: Position, depth: int, *, maximizing: bool) -> int:
        nonlocal nodes
        nodes += 1
        if depth == 0 or state.terminal:
            return evaluate(state) if maximizing else -evaluate(state)
        values = [visit(state.play(move), depth - 1, maximizing=not maximizing) for move in state.moves()]
        return max(values) if maximizing else min(values)

    if depth == 0 or position.terminal:
        return Found(visit(position, 0, maximizing=True), None, nodes)
    values = {move: visit(position.play(move), depth - 1, maximizing=False) for move in position.moves()}
    move = max(values, key=lambda move: values[move])
    return Found(values[move], move, nodes + 1)


def alpha_beta(position: Position, depth: int, evaluate: Evaluate = static) -> Found:
    """Return the minimax value by fail-hard alpha-beta, in two functions that call each other.

    Alpha is the value that Max has secured, beta the one that Min has. `maximize` and `minimize` never return
    a value outside [alpha, beta]: at a cut they return the bound itself. The root is Max's and calls
    `minimize` for each move.

    Source: Phillip Johnson, Implementing Minimax in Scala: Alpha-Beta Pruning (2015), an order of magnitude
    faster there than its minimax. Its code is `alpha_beta_as_printed`; three things differ here: `minimize`
    keeps the least reply so far, leaves outside the window return its bound, and alpha carries over from one
    root move to the next.

    >>> from mnk_engine import Tree
    >>> alpha_beta(Tree(((2, 7), (1, 8))), depth=2)  # after the 1, nobody needs to know of the 8
    Found(value=2, move=0, nodes=6)
    """
    whole("the depth", depth, 0)
    nodes = 1

    def maximize(state: Position, depth: int, alpha: int, beta: int) -> int:
        nonlocal nodes
        nodes += 1
        if depth == 0 or state.terminal:
            return max(alpha, min(beta, evaluate(state)))
        for move in state.moves():
            alpha = max(alpha, minimize(state.play(move), depth - 1, alpha, beta))
            if alpha >= beta:
                return beta
        return alpha

    def minimize(state: Position, depth: int, alpha: int, beta: int) -> int:
        nonlocal nodes
        nodes += 1
        if depth == 0 or state.terminal:
            return max(alpha, min(beta, -evaluate(state)))
        for move in state.moves():
            beta = min(beta, maximize(state.play(move), depth - 1, alpha, beta))
            if beta <= alpha:
                return alpha
        return beta

    if depth == 0 or position.terminal:
        return Found(evaluate(position), None, nodes)
    alpha, best = -INFINITE, None
    for move in position.moves():
        value = minimize(position.play(move), depth - 1, alpha, INFINITE)
        if value > alpha:
            alpha, best = value, move
    return Found(alpha, best, nodes)


def alpha_beta_as_printed(position: Position, depth: int, evaluate: Evaluate = static) -> int:
    """Return what `alpha_beta`'s source returns as printed: for many trees, too much.

    >>> from mnk_engine import Tree
    >>> alpha_beta_as_printed(Tree(((2, 7), (1, 8))), depth=2)  # minimax: 2
    8
    """
    whole("the depth", depth, 0)

    def minimize(state: Position, depth: int, alpha: int, beta: int) -> int:
        if depth == 0 or state.terminal:
            return -evaluate(state)
        new_beta = beta
        for move in state.moves():  # wrong: compared with `beta`, the last reply counts, not the least
            new_beta = min(beta, maximize(state.play(move), depth - 1, alpha, new_beta))
            if alpha >= new_beta:
                return alpha
        return new_beta

    def maximize(state: Position, depth: int, alpha: int, beta: int) -> int:
        if depth == 0 or state.terminal:
            return evaluate(state)
        new_alpha = alpha
        for move in state.moves():
            new_alpha = max(new_alpha, minimize(state.play(move), depth - 1, new_alpha, beta))
            if new_alpha >= beta:
                return beta
        return new_alpha

    if depth == 0 or position.terminal:
        return evaluate(position)
    return max(minimize(position.play(move), depth - 1, -INFINITE, INFINITE) for move in position.moves())


def negamax(position: Position, depth: int, evaluate: Evaluate = static) -> Found:
    """Return the minimax value by alpha-beta in one function.

    Both sides maximize: for the child, the window is negated and its ends swapped. The best move is kept only
    at the root. A cut returns the value that caused it, which may exceed beta; if no move is good enough,
    alpha is returned.

    Source: Negamax in Scala (2016; its author signs as pwdd), which solves the 4x4 position
    `xxx./ooo./x.../....` in 9 ms, without pruning in 892. Its claim that of `xx./oo./...` the search
    evaluates "2 nodes, instead of 5" is wrong: nothing is cut at the root, whose beta is infinite.

    >>> negamax(Board.parse("xxx./ooo./x.../....", k=4, to_move="o"), depth=9).move
    7
    """
    whole("the depth", depth, 0)
    nodes = 0
    best = None

    def visit(state: Position, level: int, alpha: int, beta: int) -> int:
        nonlocal nodes, best
        nodes += 1
        if level == depth or state.terminal:
            return evaluate(state)
        for move in state.moves():
            value = -visit(state.play(move), level + 1, -beta, -alpha)
            if value > alpha:
                alpha = value
                if level == 0:
                    best = move
            if alpha >= beta:
                break
        return alpha

    return Found(visit(position, 0, -INFINITE, INFINITE), best, nodes)


def backtrack(board: Board, *, pruned: bool = True) -> Found:
    """Return the minimax value by backtracking: moves are made on one board and unmade.

    It searches to the end of the game; a win counts 1, a loss -1. A line wins, or loses at misère. Without
    `pruned` it visits every position.

    Source: Nicholas Boyce, Understanding Game Trees (Part 3) (2024), in Python, where x maximizes and o
    minimizes: on the empty board 15 times faster with pruning than without. Raise `TypeError` for a position
    that is no `Board`.

    >>> backtrack(Board.parse("x../.o./..x"))  # a draw, if o takes no corner
    Found(value=0, move=1, nodes=318)
    """
    if not isinstance(board, Board):
        raise TypeError(f"backtracking marks the cells of a Board, which {board!r} is not")
    cells = list(board.cells)
    used = [cell != "." for cell in cells]
    lines = [[cell for cell in range(len(cells)) if line >> cell & 1] for line in board.shape.lines]
    line = 1 if isinstance(board, Misere) else -1  # what a line of the opponent's is worth
    nodes = 0
    best = None

    def won(mark: str) -> bool:
        return any(all(cells[cell] == mark for cell in line) for line in lines)

    def visit(mark: str, other: str, level: int, alpha: int, beta: int) -> int:
        nonlocal nodes, best
        nodes += 1
        if won(other):
            return line
        if all(used):
            return 0
        value = -INFINITE
        for cell in range(len(cells)):
            if used[cell]:
                continue
            cells[cell], used[cell] = mark, True
            reply = -visit(other, mark, level + 1, -beta, -max(alpha, value))
            cells[cell], used[cell] = ".", False
            if reply > value:
                value = reply
                if level == 0:
                    best = cell
            if pruned and value >= beta:
                break
        return value

    mark, other = ("x", "o") if board.to_move == "x" else ("o", "x")
    return Found(visit(mark, other, 0, -INFINITE, INFINITE), best, nodes)
