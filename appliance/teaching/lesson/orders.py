"""The move orders that a lesson offers, and the engine's trace of the search in each.

The engine traces a search in one order of moves. So each order is turned into a tree of numbers with its
branches in that order, and the engine searches that: the trace is the engine's own, and its moves map back to
the nodes of the outline.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from appliance.teaching.lesson.outline import Outline
from engine import Tree, Visit, trace
from engine.tree import Numbers

FIRSTS = 9  # with more moves at the root, none is offered as the first


class Order(NamedTuple):
    """An order's name on the page, and the children of each node in that order."""

    name: str
    children: tuple[tuple[int, ...], ...]


def orders(outline: Outline) -> Iterator[Order]:
    """Yield the orders that a lesson offers, starting with that of the game or the text."""
    nodes = outline.nodes
    natural = tuple(node.children for node in nodes)
    values = _values(outline, natural)

    def ranked(sign: int) -> tuple[tuple[int, ...], ...]:
        """Return the children by value: best first for the side to move with sign 1, worst first with -1."""
        return tuple(
            tuple(sorted(node.children, key=lambda child: (sign if node.ply % 2 else -sign) * values[child]))
            for node in nodes
        )

    yield Order("as written" if not outline.rule else "by cell", natural)
    yield Order("reversed", tuple(children[::-1] for children in natural))
    yield Order("best first", ranked(1))
    yield Order("worst first", ranked(-1))
    for child in natural[0][1:] if len(natural[0]) <= FIRSTS else ():
        others = tuple(other for other in natural[0] if other != child)
        yield Order(f"{nodes[child].label} first", ((child, *others), *natural[1:]))


def traced(outline: Outline, children: Sequence[Sequence[int]], *, pruned: bool) -> Visit:
    """Return the engine's trace of the search with the children in this order.

    Its moves are places in that order: move 0 of node 5 leads to node `children[5][0]`.
    """

    def numbers(node: int) -> Numbers:
        value = outline.nodes[node].value
        return tuple(numbers(child) for child in children[node]) if value is None else value

    return trace(Tree(numbers(0)), outline.depth, pruned=pruned)


def _values(outline: Outline, children: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return the minimax value of every node, for Max."""
    values: dict[int, int] = {}

    def read(visit: Visit, node: int) -> None:
        values[node] = visit.value
        for child in visit.children:
            read(child, children[node][child.move or 0])

    read(traced(outline, children, pruned=False), 0)
    return values
