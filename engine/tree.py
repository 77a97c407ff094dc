"""An explicit game tree, as textbooks draw them: `Tree(((2, 7), (1, 8)))`.

Source: A. K. Dewdney, The New Turing Omnibus (1993), chapter 6, Game Trees; the numbers are those of the
Computation Club's notes on it, in Ruby.
"""

from typing import Self

from .position import PROVEN

Numbers = int | tuple["Numbers", ...]


class Tree:
    """A position in an explicit game tree.

    A number is a leaf: its value for Max, the side to move at the root. A tuple holds the positions after
    each move; moves count from 0. `evaluated` lists the leaves evaluated, in order; all positions of the tree
    share it, and `==` leaves it out. Leaves that alpha-beta prunes are not in it. Raise `ValueError` for an
    empty tuple, and for what is neither a whole number nor a tuple.

    >>> from mnk_engine import alpha_beta
    >>> tree = Tree(((2, 7), (1, 8)))
    >>> alpha_beta(tree, depth=2).value, tree.evaluated
    (2, [2, 7, 1])
    """

    __slots__ = ("evaluated", "node", "path")

    def __init__(self, node: Numbers, path: tuple[int, ...] = (), evaluated: list[int] | None = None) -> None:
        if evaluated is None:
            _height(node)  # raises for an invalid tree
        self.node, self.path = node, path
        self.evaluated: list[int] = [] if evaluated is None else evaluated

    @property
    def ply(self) -> int:
        """How many moves have led here."""
        return len(self.path)

    @property
    def terminal(self) -> bool:
        """Whether this is a leaf."""
        return isinstance(self.node, int)

    @property
    def horizon(self) -> int:
        """The height of the tree above this position: 0 at a leaf."""
        return _height(self.node)

    def moves(self) -> range:
        """Return the moves in the written order."""
        return range(0 if isinstance(self.node, int) else len(self.node))

    def candidates(self) -> range:
        """Return all moves: nothing is known about any."""
        return self.moves()

    def play(self, move: int) -> Self:
        """Return the position after `move`. Raise `ValueError` if there is no such move."""
        if isinstance(self.node, int) or not 0 <= move < len(self.node):
            raise ValueError(f"there is no move {move} after the moves {self.path}")
        return self.__class__(self.node[move], (*self.path, move), self.evaluated)

    def evaluate(self) -> int:
        """Return a leaf's value for the side to move there; 0 for any other position."""
        if not isinstance(self.node, int):
            return 0
        self.evaluated.append(self.node)
        return -self.node if self.ply % 2 else self.node

    def bounds(self) -> tuple[int, int]:
        """Return a leaf's value as both bounds; nothing is provable about other positions."""
        if not self.terminal:
            return -PROVEN, PROVEN
        value = self.evaluate()
        return value, value

    def key(self) -> tuple[int, ...]:
        """Return the path: every position has its own."""
        return self.path

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tree) and (self.node, self.path) == (other.node, other.path)

    def __hash__(self) -> int:
        return hash((self.node, self.path))

    def __repr__(self) -> str:
        return f"{self.__class__.__name__}({self.node!r}{f', {self.path}' if self.path else ''})"

    def _repr_svg_(self) -> str:
        """Draw the tree in a notebook."""
        from .svg import tree  # noqa: PLC0415 - nothing else needs it

        return tree(self.__class__(self.node, self.path))  # `evaluated` stays what a search made it


def _height(node: Numbers) -> int:
    if isinstance(node, int) and not isinstance(node, bool):
        return 0
    if not isinstance(node, tuple) or not node:
        raise ValueError(f"{node!r} in a tree is neither a whole number nor a tuple of moves")
    return 1 + max(_height(child) for child in node)
