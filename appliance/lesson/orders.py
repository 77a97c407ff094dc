"""The orders in which a lesson tries the moves, and the engine's trace of the search in each."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from appliance.lesson.outline import Outline
from engine import Tree, Visit, trace
from engine.tree import Node as Numbers

FIRSTS = 9  # root moves up to which each is offered as the first


class Order(NamedTuple):
    """A name for people, and each position's children in the order in which they are tried."""

    name: str
    children: tuple[tuple[int, ...], ...]


def orders(outline: Outline) -> Iterator[Order]:
    """Yield the orders that a lesson offers; the first is that of the game, or of the text."""
    nodes = outline.nodes
    natural = tuple(node.children for node in nodes)
    values = _values(outline, natural)

    def ranked(sign: int) -> tuple[tuple[int, ...], ...]:
        """Return the children by value: with sign 1 the best for the side to move first."""
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
    """Return the engine's trace of the search that tries `children` in this order.

    Its moves are places in that order: move 0 of position 5 leads to `children[5][0]`.
    """

    def numbers(node: int) -> Numbers:
        value = outline.nodes[node].value
        return tuple(numbers(child) for child in children[node]) if value is None else value

    return trace(Tree(numbers(0)), outline.depth, pruned=pruned)


def _values(outline: Outline, children: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return the minimax value of every position, for Max."""
    values: dict[int, int] = {}

    def read(visit: Visit, node: int) -> None:
        values[node] = visit.value
        for child in visit.children:
            read(child, children[node][child.move or 0])

    read(traced(outline, children, pruned=False), 0)
    return values
