"""Monte-Carlo tree search as published: to learn from, and a measure for a search that knows the game.

Minimax has to be told what an unfinished game is worth. Monte-Carlo tree search plays the game to its end at
random, again and again, and counts who wins. To learn more from each playout it grows a tree, one position at
a time, towards the moves that have done well so far and those tried too little to tell. A playout is four
steps:

1. Selection: from the root down, by the rule below, while every move of the position has been tried.
2. Expansion: a random move among those not yet tried adds its position to the tree.
3. Simulation: from there both sides play at random until the game is over.
4. Backpropagation: each position on the way counts a visit, and the result.

The rule of UCT is that of a gambler in front of slot machines, one for each move. UCB1 pulls the one with the
greatest

    mean result of the move + explore * sqrt(ln(visits of the position) / visits of the move)

The second term grows while a move is left alone, so none is given up for ever: with more and more playouts
the value converges to that of minimax. Any game whose rules are known can be played so. The price: what only
one narrow path wins is seen late, since who plays at random walks past it.

Sources: R. Coulom, Efficient selectivity and backup operators in Monte-Carlo tree search (Computers and
Games, 2006): the tree that grows; L. Kocsis and C. Szepesvari, Bandit based Monte-Carlo planning (ECML,
2006): UCT; P. Auer, N. Cesa-Bianchi and P. Fischer, Finite-time analysis of the multiarmed bandit problem
(Machine Learning 47, 2002): UCB1; C. Browne et al., A survey of Monte Carlo tree search methods (IEEE
Transactions on Computational Intelligence and AI in Games 4, 2012): the four steps, and the move most visited
as the answer.
"""

from math import inf, log, sqrt
from random import Random
from typing import NamedTuple, Self

from .position import Position, whole
from .textbook import Evaluate, result

EXPLORE = 1.0
"""The weight of the second term, for results from -1 to 1. The proof takes 2 * sqrt(2); less plays better."""


class Sampled(NamedTuple):
    """The mean result for the side to move, its move most visited, and the positions visited, as in `Found`.

    `visits` counts the playouts through each move. `move` is None if the game is over.
    """

    value: float
    move: int | None
    nodes: int
    visits: dict[int, int]


class Node:
    """A position in the tree, with the results of the playouts through it, for the side that moved to it."""

    __slots__ = ("children", "move", "position", "total", "untried", "visits")

    def __init__(self, position: Position, move: int = -1) -> None:
        self.position, self.move = position, move
        self.untried = list(position.moves())
        self.children: list[Self] = []
        self.visits, self.total = 0, 0.0

    def select(self, explore: float) -> Self:
        """Return the child that UCB1 prefers."""
        tries = log(self.visits)
        return max(
            self.children, key=lambda child: child.total / child.visits + explore * sqrt(tries / child.visits)
        )

    def expand(self, rng: Random) -> Self:
        """Add the position after a random untried move, and return it."""
        move = self.untried.pop(rng.randrange(len(self.untried)))
        self.children.append(self.__class__(self.position.play(move), move))
        return self.children[-1]


def montecarlo(
    position: Position,
    playouts: int,
    rng: Random,
    evaluate: Evaluate = result,
    explore: float = EXPLORE,
) -> Sampled:
    """Return the move that Monte-Carlo tree search visits most in so many playouts.

    `evaluate` values a finished game for the side to move; `explore` is for values of its size.
    The same `rng` finds the same. Raise `ValueError` unless `playouts` is at least 1 and `explore` a
    finite number from 0 on.

    >>> from random import Random
    >>> from mnk_engine import Board, Tree
    >>> from mnk_engine.montecarlo import montecarlo
    >>> found = montecarlo(Board.parse("xx. / oo. / ..."), 100, Random(1))  # wins at once
    >>> found.move, sum(found.visits.values())
    (2, 100)
    >>> montecarlo(Tree(((2, 7), (1, 8))), 200, Random(1), Tree.evaluate, explore=8).move
    0
    """
    whole("the playouts", playouts, 1)
    if not 0 <= explore < inf:
        raise ValueError(f"the weight of exploring must be a finite number from 0 on, not {explore}")
    if position.terminal:
        return Sampled(evaluate(position), None, 1, {})
    root, nodes = Node(position), 1
    for _ in range(playouts):
        path = [root]
        while not path[-1].untried and path[-1].children:
            path.append(path[-1].select(explore))
        if path[-1].untried:
            path.append(path[-1].expand(rng))
        nodes += len(path) - 1

        end = path[-1].position
        while not end.terminal:
            end = end.play(rng.choice(end.moves()))
            nodes += 1

        value = evaluate(end)
        for node in path:
            node.visits += 1
            node.total += value if (end.ply - node.position.ply) % 2 else -value
    best = max(root.children, key=lambda child: child.visits)
    return Sampled(
        -root.total / root.visits, best.move, nodes, {child.move: child.visits for child in root.children}
    )
