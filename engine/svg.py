"""Boards and game trees as SVG, for notebooks.

A drawing takes the colour of the text around it, so that it suits a light page and a dark one. It has neither
style sheet nor ids: those of several drawings on one page would collide.
"""

from collections.abc import Collection, Iterator, Sequence
from html import escape
from itertools import count
from typing import NamedTuple

from .position import Game, Position

CELL = 40  # all sizes are in CSS pixels
REACH = 12  # of a mark, from the middle of its cell
GAP = 16  # between two of nine boards
MARKS = {
    "x": ("#2f7fd1", f"m-{REACH}-{REACH}l{2 * REACH} {2 * REACH}m0-{2 * REACH}l-{2 * REACH} {2 * REACH}"),
    "o": ("#d9702b", f"m{REACH} 0a{REACH} {REACH} 0 1 1-{2 * REACH} 0a{REACH} {REACH} 0 1 1 {2 * REACH} 0"),
}
FAINT = 'opacity="0.35"'

DIGIT = 8  # the width of a figure
DEPTH = 56  # from a position to its successors
HALF = 17  # of a triangle's height and of its base
MARGIN = 6


def board(game: Game) -> str:
    """Return a board with its marks: a completed line is shaded, the mark that vanishes next is faint."""
    rows = str(game).split("\n")
    width, height = len(rows[0]) * CELL, len(rows) * CELL
    parts = _board(game.cells, len(rows[0]), game.line, game.fading)
    return _document(f"{' / '.join(rows)}, {_state(game)}", width, height, parts)


def nine(game: Game, chosen: Collection[int]) -> str:
    """Return nine boards in a square, those in `chosen` shaded."""
    side, pitch, parts = 3 * CELL, 3 * CELL + GAP, []
    for number in range(9):
        x, y = number % 3 * pitch, number // 3 * pitch
        cells = game.cells[9 * number : 9 * number + 9]
        shaded = range(9) if number in chosen else ()
        parts += [f'<g transform="translate({x} {y})">', *_board(cells, 3, shaded), "</g>"]
    size = 2 * pitch + side
    return _document(f"nine boards, {_state(game)}", size, size, parts)


def _state(game: Game) -> str:
    return {None: f"{game.to_move} to move", "draw": "drawn"}.get(game.outcome, f"{game.outcome} won")


def _board(cells: str, columns: int, shaded: Collection[int], fading: int | None = None) -> list[str]:
    width, height = columns * CELL, len(cells) // columns * CELL
    grid = [f"M{x} 0V{height}" for x in range(CELL, width, CELL)]
    grid += [f"M0 {y}H{width}" for y in range(CELL, height, CELL)]
    parts = [f'<path d="{"".join(grid)}" stroke="currentColor"/>'] if grid else []
    for cell, mark in enumerate(cells):
        x, y = cell % columns * CELL, cell // columns * CELL
        if cell in shaded:
            parts.append(f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" opacity="0.15"/>')
        if mark in MARKS:
            colour, path = MARKS[mark]
            faint = f" {FAINT}" if cell == fading else ""
            middle = f"M{x + CELL // 2} {y + CELL // 2}"
            parts.append(f'<path d="{middle}{path}" stroke="{colour}" stroke-width="4" fill="none"{faint}/>')
    return parts


def tree(root: Position) -> str:
    """Return all positions from `root` on with their minimax values.

    A triangle points up where Max is to move, down for Min.
    """
    top = _spot(root, count())
    spots = list(top.walk())
    base = max(HALF, max(len(str(spot.value)) for spot in spots) * DIGIT // 2 + 13)
    pitch, edge = 2 * (base + MARGIN), HALF + MARGIN

    def place(spot: _Spot) -> tuple[float, int]:
        return pitch * (spot.column + 0.5), edge + DEPTH * (spot.ply - root.ply)

    links, nodes = [], []
    for spot in spots:
        x, y = place(spot)
        links += [f"M{x:g} {y + HALF}L{place(child)[0]:g} {y + DEPTH - HALF}" for child in spot.children]
        up = -1 if spot.ply % 2 else 1
        if spot.children:
            triangle = f"M{x:g} {y - up * HALF}l{base} {up * 2 * HALF}h-{2 * base}z"
            nodes.append(f'<path d="{triangle}" stroke="currentColor" fill="none"/>')
        baseline = y + 5 + (7 * up if spot.children else 0)
        nodes.append(f'<text x="{x:g}" y="{baseline}">{spot.value}</text>')
    if links:
        nodes.insert(0, f'<path d="{"".join(links)}" stroke="currentColor" {FAINT}/>')
    leaves = sum(not spot.children for spot in spots)
    height = 2 * edge + DEPTH * max(spot.ply - root.ply for spot in spots)
    title = f"a game tree of {len(spots)} positions, worth {top.value} to Max"
    return _document(title, pitch * leaves, height, nodes)


class _Spot(NamedTuple):
    """A position of a tree: its column and ply, what it is worth to Max, and the positions after it."""

    column: float
    ply: int
    value: int
    children: tuple["_Spot", ...]

    def walk(self) -> Iterator["_Spot"]:
        yield self
        for child in self.children:
            yield from child.walk()


def _spot(position: Position, columns: Iterator[int]) -> _Spot:
    """Return the spot of a position. A leaf takes the next column; any other stands between its outermost."""
    ply, min_moves = position.ply, position.ply % 2
    if position.terminal:
        value = position.evaluate()
        return _Spot(next(columns), ply, -value if min_moves else value, ())
    children = tuple(_spot(position.play(move), columns) for move in position.moves())
    value = (min if min_moves else max)(child.value for child in children)
    return _Spot((children[0].column + children[-1].column) / 2, ply, value, children)


def _document(title: str, width: int, height: int, parts: Sequence[str]) -> str:
    size = f'width="{width}" height="{height}"'
    font = 'font-family="sans-serif" font-size="14" text-anchor="middle" fill="currentColor"'
    root = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font} role="img">'
    return "\n".join((root, f"<title>{escape(title)}</title>", *parts, "</svg>"))
