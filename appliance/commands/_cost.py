"""How many positions the textbook's functions would visit, if that can be counted in a moment."""

from collections.abc import Hashable

from engine import Position, alpha_beta

PATIENCE = 20_000
"""Distinct positions, or leaves, after which counting is given up."""


class _TooMany(Exception):  # noqa: N818  # a signal, not an error
    pass


def minimax_nodes(position: Position, depth: int) -> int | None:
    """Return how many positions plain minimax visits, None if they are too many to count.

    Mirror images have trees of one size, so counting is exact and faster than searching.
    """
    known: dict[tuple[Hashable, int], int] = {}

    def size(position: Position, depth: int) -> int:
        if depth == 0 or position.terminal:
            return 1
        key = position.key(), depth
        if key not in known:
            if len(known) >= PATIENCE:
                raise _TooMany
            known[key] = 0
            known[key] = 1 + sum(size(position.play(move), depth - 1) for move in position.moves())
        return known[key]

    try:
        return size(position, depth)
    except _TooMany:
        return None


def alpha_beta_nodes(position: Position, depth: int) -> int | None:
    """Return how many positions the textbook's alpha-beta visits, None if they are too many to count."""
    leaves = 0

    def evaluate(position: Position) -> int:
        nonlocal leaves
        leaves += 1
        if leaves > PATIENCE:
            raise _TooMany
        return position.evaluate()

    try:
        return alpha_beta(position, depth, evaluate).nodes
    except _TooMany:
        return None
