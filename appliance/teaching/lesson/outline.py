"""The tree of a lesson: every position down to a depth, in the order of plain minimax."""

from collections.abc import Iterator
from typing import NamedTuple

from appliance.core.errors import UserError
from engine import PROVEN, Game, Tree
from engine.tree import Numbers

LIMIT = 1_000  # positions on a page, for the browser and the reader
READABLE = 100  # positions, at most, at the default depth


class Outlined(NamedTuple):
    """A position of the outline; positions are numbered in the order of minimax, so a subtree's adjoin.

    - `label`: the branch that leads here, for a sentence; `path`: all branches from the root.
    - `value`: a leaf's value for Max, None at inner nodes; `reason`: the kind of leaf, "won", "drawn",
      "guess" or "number".
    - `size`: the number of positions in this subtree, this one included.
    - `cells`, `fading`, `line`: the board as in `engine.Game`; `move`: the cell just played.
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
    """The positions, root first, and facts about them.

    `players` are the names of Max and Min. `start` is the ply of the root; distances count from there.
    `guessed` is whether the depth limit stops a game early, so that values are estimates. For a tree of
    numbers, `rule` is "" and `columns`, those of the board, is 0.
    """

    nodes: tuple[Outlined, ...]
    players: tuple[str, str]
    start: int
    depth: int
    guessed: bool
    rule: str
    columns: int


def of_numbers(tree: Numbers) -> Outline:
    """Return the outline of a tree of numbers. Raise `UserError` if it is too large for a page."""
    size = sum(1 for _ in _every(tree))
    if size > LIMIT:
        raise UserError(f"the tree has {size:,} positions, and the limit is {LIMIT:,}: leave branches out")
    nodes: list[Outlined | None] = []

    def add(node: Numbers, parent: int | None, path: tuple[int, ...]) -> int:
        number, numbered = len(nodes), ".".join(str(move + 1) for move in path)
        nodes.append(None)
        value = node if isinstance(node, int) else None
        branches = () if isinstance(node, int) else node
        children = tuple(add(child, number, (*path, move)) for move, child in enumerate(branches))
        label = f"branch {numbered}" if path else "the root"
        if value is not None:
            label = f"the {_minus(value)}"
        nodes[number] = Outlined(
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
    nodes: list[Outlined | None] = []

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
        nodes[number] = Outlined(
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
    """Yield how many positions minimax visits at depth 1, 2, ..., until the game ends or above `LIMIT`."""
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
