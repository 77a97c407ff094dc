"""The tree that alpha-beta walks, kept to be looked at: each position visited, and the moves never tried."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.position import Position
from engine.table import EXACT, LOWER, UPPER
from engine.textbook import INFINITE, Evaluate, static


class Visit(NamedTuple):
    """What alpha-beta saw of one position. Every score is Max's, who is to move at the root.

    - `move`: the move that led here; None at the root.
    - `ply`: how many moves below the root.
    - `alpha`, `beta`: what Max and Min were sure of already when the position was reached.
    - `value`: what was found; `bound` says what that is. "exact" is the minimax value. "upper" is alpha or
      less, and "lower" beta or more: then one side never lets the game come here, and more need not be known.
      A leaf's value is its evaluation, and so always exact.
    - `children`: the positions looked at, in order.
    - `cut`: the moves that were not tried any more, because alpha and beta had met.
    """

    move: int | None
    ply: int
    alpha: int
    beta: int
    value: int
    bound: str
    children: Sequence["Visit"]
    cut: Sequence[int]

    @property
    def nodes(self) -> int:
        """How many positions were visited from here on, this one included."""
        return 1 + sum(child.nodes for child in self.children)


def trace(position: Position, depth: int, evaluate: Evaluate = static) -> Visit:
    """Return the tree that `engine.textbook.alpha_beta` visits, `depth` plies deep.

    The same positions in the same order, and the same value at the root. Only what lies outside of the window
    is told fail-soft, as it was found, where fail-hard would say alpha or beta instead. The whole tree is
    kept: mind the depth.

    >>> from engine import Tree
    >>> root = trace(Tree(((2, 7), (1, 8))), 2)
    >>> root.value, root.nodes
    (2, 6)
    >>> right = root.children[1]
    >>> right.alpha, right.bound, right.value, right.cut  # Max has 2 on the left, and here at most 1
    (2, 'upper', 1, (1,))
    """

    def visit(
        state: Position, move: int | None, ply: int, alpha: int, beta: int, *, maximizing: bool
    ) -> Visit:
        if ply == depth or state.terminal:
            value = evaluate(state) if maximizing else -evaluate(state)
            return Visit(move, ply, alpha, beta, value, EXACT, (), ())
        moves = state.moves()
        children: list[Visit] = []
        low, high, best = alpha, beta, -INFINITE if maximizing else INFINITE
        for candidate in moves:
            child = visit(state.play(candidate), candidate, ply + 1, low, high, maximizing=not maximizing)
            children.append(child)
            if maximizing:
                best = max(best, child.value)
                low = max(low, best)
            else:
                best = min(best, child.value)
                high = min(high, best)
            if low >= high:
                break
        bound = UPPER if best <= alpha else LOWER if best >= beta else EXACT
        return Visit(move, ply, alpha, beta, best, bound, tuple(children), tuple(moves[len(children) :]))

    return visit(position, None, 0, -INFINITE, INFINITE, maximizing=True)
