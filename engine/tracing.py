"""The tree that a search walks: each position visited, and the moves that alpha-beta cut.

Source: D. E. Knuth and R. W. Moore, An analysis of alpha-beta pruning (Artificial Intelligence 6, 1975), who
prove that the cuts are safe.
"""

from collections.abc import Sequence
from typing import NamedTuple

from .position import Position, whole
from .table import EXACT, LOWER, UPPER
from .textbook import INFINITE, Evaluate, static


class Visit(NamedTuple):
    """One position that the search visited. Every score is for Max, who is to move at the root.

    - `move`: the move that led here; None at the root. `ply`: moves below the root.
    - `alpha`, `beta`: what Max and Min had secured when the position was reached.
    - `value`: the result; `bound` says how far it holds: "exact" is the minimax value, "upper" is at most
      alpha, "lower" at least beta. Outside the window one side avoids the position, and a bound is enough.
      A leaf's value is its evaluation, always exact.
    - `children`: the positions visited, in order.
    - `cut`: the moves not tried because alpha and beta had met.
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
        """The number of positions visited in this subtree, this one included."""
        return 1 + sum(child.nodes for child in self.children)


def trace(position: Position, depth: int, evaluate: Evaluate = static, *, pruned: bool = True) -> Visit:
    """Return the tree that `alpha_beta` visits, `depth` plies deep.

    It visits the same positions in the same order and has the same value at the root; but values outside the
    window are fail-soft. Negamax visits the same tree; where Min is to move, it negates scores and swaps the
    ends of the window. Without `pruned` it is the tree of `minimax`: all windows open,
    all values exact. The whole tree is kept in memory: mind the depth. Raise `ValueError` for a negative one.

    >>> from mnk_engine import Tree
    >>> root = trace(Tree(((2, 7), (1, 8))), 2)
    >>> root.value, root.nodes
    (2, 6)
    >>> right = root.children[1]
    >>> right.alpha, right.bound, right.value, right.cut  # Max has 2 on the left, and here at most 1
    (2, 'upper', 1, (1,))
    """
    whole("the depth", depth, 0)

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
            best = max(best, child.value) if maximizing else min(best, child.value)
            if not pruned:
                continue
            if maximizing:
                low = max(low, best)
            else:
                high = min(high, best)
            if low >= high:
                break
        bound = UPPER if best <= alpha else LOWER if best >= beta else EXACT
        return Visit(move, ply, alpha, beta, best, bound, tuple(children), tuple(moves[len(children) :]))

    return visit(position, None, 0, -INFINITE, INFINITE, maximizing=True)
