"""The tree of a lesson: every position down to a depth, as plain minimax visits them."""

from collections.abc import Iterator
from typing import NamedTuple

from appliance.core.errors import UserError
from engine import PROVEN, Game, Tree
from engine.tree import Node as Numbers

LIMIT = 1_000  # positions that one page can hold and a reader can follow
READABLE = 100  # positions of the deepest tree that is drawn when no depth is asked for


class Node(NamedTuple):
    """One position of the outline; positions are numbered in the order of minimax.

    - `label`: the branch that leads here, as a sentence names it; `path`: the same from the root.
    - `value`: a leaf's, for Max; None if the search goes on. `reason` says what kind of leaf: "won", "drawn",
      "guess", or "number".
    - `size`: the positions in this subtree, this one included.
    - `cells`, `fading`, `line`: the board, as `engine.Game` has them; `move`: the cell that led here.
    """

    parent: int | None
    ply: int
    label: str
    path: str
    value: int | None
    reason: str
    children: tuple[int, ...]
    size: int
    cells: str = ""
    move: int | None = None
    fading: int | None = None
    line: tuple[int, ...] = ()


class Outline(NamedTuple):
    """The positions, root first, and what the lesson calls things.

    `players` are the names of Max and Min. `start` is the ply of the root, from which distances count.
    `guessed` says whether the depth ends some game early, so that values are estimates. `rule` is "" for
    numbers. `columns` are the board's; 0 for numbers.
    """

    nodes: tuple[Node, ...]
    players: tuple[str, str]
    start: int
    depth: int
    guessed: bool
    rule: str
    columns: int


def of_numbers(tree: Numbers) -> Outline:
    """Return the outline of a tree of numbers. Raise `UserError` if it is too big for a page."""
    size = sum(1 for _ in _every(tree))
    if size > LIMIT:
        raise UserError(f"the tree has {size:,} positions, and a lesson holds {LIMIT:,}: leave branches out")
    nodes: list[Node | None] = []

    def add(node: Numbers, parent: int | None, path: tuple[int, ...]) -> int:
        number, numbered = len(nodes), ".".join(str(move + 1) for move in path)
        nodes.append(None)
        value = node if isinstance(node, int) else None
        branches = () if isinstance(node, int) else node
        children = tuple(add(child, number, (*path, move)) for move, child in enumerate(branches))
        label = f"branch {numbered}" if path else "the root"
        if value is not None:
            label = f"the {_minus(value)}"
        nodes[number] = Node(
            parent=parent,
            ply=len(path),
            label=label,
            path=f"branch {numbered}" if path else "the root",
            value=value,
            reason="" if value is None else "number",
            children=children,
            size=len(nodes) - number,
        )
        return number

    add(tree, None, ())
    return Outline(tuple(filter(None, nodes)), ("Max", "Min"), 0, Tree(tree).horizon, False, "", 0)


def of_game(position: Game, depth: int, rule: str, columns: int) -> Outline:
    """Return the outline of a game, `depth` plies deep; the side to move is Max."""
    nodes: list[Node | None] = []

    def add(state: Game, parent: int | None, move: int | None, path: tuple[str, ...]) -> int:
        number, ply = len(nodes), len(path)
        nodes.append(None)
        value, reason = None, ""
        if state.terminal or ply == depth:
            value = -state.evaluate() if ply % 2 else state.evaluate()
            reason = "guess" if not state.terminal else "won" if abs(value) >= PROVEN else "drawn"
        moves = state.moves() if value is None else ()
        children = tuple(
            add(state.play(move), number, move, (*path, f"{state.to_move} {move + 1}")) for move in moves
        )
        nodes[number] = Node(
            parent=parent,
            ply=ply,
            label=path[-1] if path else "the root",
            path=", ".join(path) or "the root",
            value=value,
            reason=reason,
            children=children,
            size=len(nodes) - number,
            cells=state.cells,
            move=move,
            fading=state.fading,
            line=state.line,
        )
        return number

    add(position, None, None, ())
    whole = tuple(filter(None, nodes))
    players = ("x", "o") if position.to_move == "x" else ("o", "x")
    guessed = any(node.reason == "guess" for node in whole)
    return Outline(whole, players, position.ply, depth, guessed, rule, columns)


def sizes(position: Game) -> Iterator[int]:
    """Yield how many positions minimax visits 1, 2, ... plies deep, to the game's end or above `LIMIT`."""
    level, size = [position], 1
    while level and size <= LIMIT:
        level = [state.play(move) for state in level if not state.terminal for move in state.moves()]
        size += len(level)
        if level:
            yield size


def _every(tree: Numbers) -> Iterator[Numbers]:
    yield tree
    for child in () if isinstance(tree, int) else tree:
        yield from _every(child)


def _minus(value: int) -> str:
    return str(value).replace("-", "\u2212")
