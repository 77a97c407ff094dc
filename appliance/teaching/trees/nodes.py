"""The trees of minimax and alpha-beta: their sizes, and alpha-beta's in words."""

from collections.abc import Hashable, Iterator
from itertools import count
from typing import NamedTuple

from appliance.core.errors import UserError
from engine import PROVEN, WIN, Game, Position, Visit, alpha_beta, trace

BOUND_SIGNS = {"exact": "=", "upper": "<=", "lower": ">="}

COUNT_LIMIT = 20_000
"""Counting gives up after this many distinct positions, or leaves."""


class Described(NamedTuple):
    """One position of the tree, in words for every output format; cells count from 1.

    Every score is for the side to move at the root, which raises alpha; the other side lowers beta.

    - `move`: the side and the cell that led here, such as "x 3"; "-" at the root.
    - `cut`: the moves that were not tried; `brief`: why not.
    - `below`: the number of positions visited below this one, if they are not shown.
    """

    position: Game
    ply: int
    move: str
    alpha: str
    beta: str
    value: str
    cut: tuple[int, ...]
    brief: str
    below: int
    children: tuple["Described", ...]

    def walk(self) -> Iterator["Described"]:
        """Yield this node and all below it, in the order of alpha-beta."""
        yield self
        for child in self.children:
            yield from child.walk()


class _TooMany(Exception):  # noqa: N818  # a signal, not an error
    pass


def minimax_nodes(position: Position, depth: int) -> int | None:
    """Return how many positions plain minimax visits, None if too many to count.

    Positions that are mirror images have equal trees, so this is exact without visiting them all.
    """
    known: dict[tuple[Hashable, int], int] = {}

    def size(position: Position, depth: int) -> int:
        if depth == 0 or position.terminal:
            return 1
        key = position.key(), depth
        if key not in known:
            if len(known) >= COUNT_LIMIT:
                raise _TooMany
            known[key] = 1 + sum(size(position.play(move), depth - 1) for move in position.moves())
        return known[key]

    try:
        return size(position, depth)
    except _TooMany:
        return None


def alpha_beta_nodes(position: Position, depth: int) -> int | None:
    """Return how many positions textbook alpha-beta visits, None if too many to count."""
    leaves = 0

    def evaluate(position: Position) -> int:
        nonlocal leaves
        leaves += 1
        if leaves > COUNT_LIMIT:
            raise _TooMany
        return position.evaluate()

    try:
        return alpha_beta(position, depth, evaluate).nodes
    except _TooMany:
        return None


def grow(position: Position, depth: int) -> Visit:
    """Return alpha-beta's tree to `depth`. Raise `UserError`, with a depth that fits, if it is too large."""
    if alpha_beta_nodes(position, depth) is None:
        fits = next(plies for plies in count() if alpha_beta_nodes(position, plies + 1) is None)
        raise UserError(f"the tree of {depth} plies is too large to walk: --depth {fits} fits")
    return trace(position, depth)


def node(position: Game, visit: Visit, plies: int) -> Described:
    """Return the first `plies` of the tree below `position`, the root, in words."""
    mover, other, start = position.to_move, "xo"[position.to_move == "x"], position.ply

    def words(position: Game, visit: Visit) -> Described:
        alpha, beta, value = (_score(score, start) for score in (visit.alpha, visit.beta, visit.value))
        brief = ""
        if visit.cut and visit.ply % 2:
            brief = f"{mover} has {alpha} elsewhere"
        elif visit.cut:
            brief = f"{other} holds {mover} to {beta} elsewhere"
        shown = visit.children if visit.ply < plies else ()
        side = other if position.to_move == mover else mover
        return Described(
            position=position,
            ply=visit.ply,
            move="-" if visit.move is None else f"{side} {visit.move + 1}",
            alpha=alpha,
            beta=beta,
            value=f"{BOUND_SIGNS[visit.bound]} {value}",
            cut=tuple(move + 1 for move in visit.cut),
            brief=brief,
            below=0 if shown else visit.nodes - 1,
            children=tuple(words(position.play(child.move or 0), child) for child in shown),
        )

    return words(position, visit)


def positions_shown(visit: Visit, plies: int) -> int:
    """Return the number of positions down to `plies` below this one, itself included."""
    return 1 + sum(positions_shown(child, plies - 1) for child in visit.children if plies)


def tree_lines(root: Described) -> list[str]:
    """Return the tree as a table, one position a line."""
    rows = [("move", "alpha", "beta", "value", "")]
    for node in root.walk():
        remarks = []
        if node.cut:
            remarks.append(f"cut {' '.join(map(str, node.cut))}: {node.brief}")
        if node.below:
            remarks.append(f"{node.below:,} below")
        rows.append((f"{'  ' * node.ply}{node.move}", node.alpha, node.beta, node.value, ", ".join(remarks)))
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        f"  {name:<{wide[0]}}  {alpha:>{wide[1]}}  {beta:>{wide[2]}}  {value:<{wide[3]}}  {rest}".rstrip()
        for name, alpha, beta, value, rest in rows
    ]


def tree_json(visit: Visit, plies: int) -> dict[str, object]:
    """Return the first `plies` of the tree below the root, for JSON.

    Cells count from 1. Scores are the engine's, for the side to move at the root; None is an open window.
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


def _score(score: int, ply: int) -> str:
    """Return a score in words; distances count from `ply`, the root's."""
    if abs(score) > WIN:
        return "+inf" if score > 0 else "-inf"
    if abs(score) >= PROVEN:
        return f"{'win' if score > 0 else 'loss'} in {WIN - abs(score) - ply}"
    return f"{score:+}" if score else "0"
