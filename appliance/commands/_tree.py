"""The trees of the textbook's functions: how large they are, and alpha-beta's as text."""

from collections.abc import Hashable, Iterator

from appliance.core.errors import UserError
from engine import PROVEN, WIN, Position, Visit, alpha_beta, trace

SIGNS = {"exact": "=", "upper": "<=", "lower": ">="}

PATIENCE = 20_000
"""Distinct positions, or leaves, after which counting gives up."""


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


def grow(position: Position, depth: int) -> Visit:
    """Return the tree, `depth` plies deep. Raise `UserError` if it is too large to read."""
    if alpha_beta_nodes(position, depth) is None:
        raise UserError(f"the tree of {depth} plies is too large to show: --depth makes it smaller")
    return trace(position, depth)


def tree_lines(root: Visit, mover: str, ply: int, plies: int) -> list[str]:
    """Return the tree as a table, `plies` of it below the root, where `mover` is to move after `ply` moves.

    Every score is `mover`'s: moves of `mover` raise alpha, those of the other side lower beta.
    """
    other = "o" if mover == "x" else "x"
    rows = [("move", "alpha", "beta", "value", "")]
    for visit in _walk(root, plies):
        side = other if visit.ply % 2 == 0 else mover  # who made the move that led here
        name = "  " * visit.ply + (f"{side} {visit.move + 1}" if visit.move is not None else "-")
        window = _score(visit.alpha, ply), _score(visit.beta, ply)
        remarks = []
        if visit.cut:
            better = f"{mover} has" if visit.ply % 2 else f"{other} holds {mover} to"
            cells = " ".join(str(move + 1) for move in visit.cut)
            remarks.append(f"cut {cells}: {better} {window[visit.ply % 2 == 0]} elsewhere")
        if visit.ply == plies and visit.children:
            remarks.append(f"{visit.nodes - 1:,} below")
        value = f"{SIGNS[visit.bound]} {_score(visit.value, ply)}"
        rows.append((name, *window, value, ", ".join(remarks)))
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        f"  {name:<{wide[0]}}  {alpha:>{wide[1]}}  {beta:>{wide[2]}}  {value:<{wide[3]}}  {rest}".rstrip()
        for name, alpha, beta, value, rest in rows
    ]


def tree_json(visit: Visit, plies: int) -> dict[str, object]:
    """Return `plies` of the tree below the root, for JSON.

    Cells count from 1. Scores are the engine's, for the side to move at the root; null is an open window.
    """
    return {
        "move": None if visit.move is None else visit.move + 1,
        "alpha": visit.alpha if visit.alpha >= -WIN else None,
        "beta": visit.beta if visit.beta <= WIN else None,
        "value": visit.value,
        "bound": visit.bound,
        "nodes": visit.nodes,
        "cut": [move + 1 for move in visit.cut],
        "children": [tree_json(child, plies - 1) for child in visit.children] if plies else [],
    }


def _walk(visit: Visit, plies: int) -> Iterator[Visit]:
    yield visit
    for child in visit.children if visit.ply < plies else ():
        yield from _walk(child, plies)


def _score(score: int, ply: int) -> str:
    """Return a score in words; distances count from `ply`, the root's."""
    if abs(score) > WIN:
        return "+inf" if score > 0 else "-inf"
    if abs(score) >= PROVEN:
        return f"{'win' if score > 0 else 'loss'} in {WIN - abs(score) - ply}"
    return f"{score:+}" if score else "0"
