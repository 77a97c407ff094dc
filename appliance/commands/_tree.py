"""The tree of textbook alpha-beta as text: positions, windows and cuts."""

from collections.abc import Iterator

from appliance.commands._cost import alpha_beta_nodes
from appliance.errors import UserError
from engine import PROVEN, WIN, Position, Visit, trace

SIGNS = {"exact": "=", "upper": "<=", "lower": ">="}


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
