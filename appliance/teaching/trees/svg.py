"""The tree of alpha-beta as SVG: small boards with windows and values, and the cuts with their reasons.

The root is at the left and each ply is a column, so the width does not grow with the number of moves.
"""

import textwrap
from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from appliance.teaching.trees.legend import pretty
from appliance.teaching.trees.nodes import Described

BOARD = 48  # a board's longer side, rounded to whole cells; all sizes are in CSS pixels
WORDS_WIDTH = 134  # the width of the words beside a board, such as x 16: ≤ loss in 12
LINK = 34  # the width between two columns
ROW = 62
EDGE = 5  # the width of a card's edge around its board
STUB = 0.625  # the rows of a cut branch; a multiple of 1/8, so that sums are exact
MARGIN = 20
LINE = 16  # the height of a line of words
REMARK = 200  # the width of the remarks beside the last column
NARROWEST = 620  # for the title and the legend

STYLE = """
  text { font: 12px system-ui, "DejaVu Sans", sans-serif; fill: #24292f }
  .title { font-size: 15px; font-weight: bold } .bold { font-weight: bold } .soft { fill: #57606a }
  .page { fill: #ffffff } .card { fill: #f3f5f8; stroke: #c4ccd4 } .last { fill: #ffdf8a }
  .grid { stroke: #8c959f; fill: none } .link { stroke: #8c959f; fill: none; stroke-width: 1.5 }
  .x { stroke: #0b5cad; stroke-width: 2; fill: none } .o { stroke: #a8480b; stroke-width: 2; fill: none }
  .cut { stroke: #c9252d; fill: none; stroke-width: 1.5 } .dash { stroke-dasharray: 4 3 }
  .why { fill: #b01c24 } .fading { opacity: 0.4 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .soft { fill: #9aa5b1 } .page { fill: #0d1117 }
    .card { fill: #1c2330; stroke: #465060 } .last { fill: #6b5310 }
    .grid, .link { stroke: #77828f } .x { stroke: #6cb6ff } .o { stroke: #ffa657 }
    .cut { stroke: #ff7b72 } .why { fill: #ff9b94 }
  }
"""


class Spot(NamedTuple):
    """The place of a node: `y`, and `cut`, the end of its cut branch, in rows from the top."""

    node: Described
    y: float
    cut: float
    children: tuple["Spot", ...]


def layout(node: Described, top: float = 0.0) -> tuple[Spot, float]:
    """Return the spots of a tree from row `top` down, and the first row below it.

    A node without children takes a row; any other is centred on its children. A cut branch ends below them.
    """
    if not node.children:
        return Spot(node, top + 0.5, top + 0.5, ()), top + 1
    spots = []
    for child in node.children:
        spot, top = layout(child, top)
        spots.append(spot)
    middle = (spots[0].y + spots[-1].y) / 2
    return Spot(node, middle, top + STUB / 2, tuple(spots)), top + STUB * bool(node.cut)


def draw(root: Described, titles: Sequence[str], legend: Sequence[tuple[str, str]]) -> str:
    """Return the tree as an SVG document, the titles above it and the legend below."""
    if any(node.position.fading is not None for node in root.walk()):
        legend = [*legend, ("faint", "the mark that vanishes with the next move")]
    spot, rows = layout(root)
    pitch = _wide(root) + LINK
    ends = [
        pitch * node.ply + (REMARK if not node.children and (node.cut or node.below) else 0)
        for node in root.walk()
    ]
    right = max(2 * MARGIN + pitch + max(ends), NARROWEST)
    top = MARGIN + LINE * (len(titles) + 1)
    bottom = top + ROW * rows + 2 * LINE
    words = list(_legend(legend, right, bottom))
    height = bottom + LINE * len(words)
    size = f'width="{right:g}" height="{height:g}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {right:g} {height:g}" role="img">',
        f"<title>{_text('; '.join(titles))}</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="page" {size}/>',
        *(_words(MARGIN, MARGIN + LINE * n, line, "soft" if n else "title") for n, line in enumerate(titles)),
        f'<g transform="translate({MARGIN} {top})">',
        *_spot(spot, pitch),
        "</g>",
        *words,
        "</svg>",
    ]
    return "\n".join(parts)


def _legend(entries: Sequence[tuple[str, str]], right: float, y: float) -> Iterator[str]:
    """Yield the lines of the legend, a sign and its meaning in two columns."""
    column = MARGIN + 16 + 7 * max((len(sign) for sign, _ in entries), default=0)
    for sign, meaning in entries:
        for place, line in enumerate(textwrap.wrap(meaning, int((right - column) / 6.5))):
            yield _words(MARGIN, y, sign, "bold") * (not place) + _words(column, y, line, "soft")
            y += LINE


def _spot(spot: Spot, pitch: int) -> Iterator[str]:
    """Yield a node, its branches and everything below it."""
    node, x, y = spot.node, pitch * spot.node.ply, ROW * spot.y
    end, beyond = x + pitch - LINK, x + pitch - EDGE
    for child in spot.children:
        yield from _spot(child, pitch)
        yield f'<path class="link" d="{_curve(end, y, beyond, ROW * child.y)}"/>'
    if node.below:
        level = y - 14 * bool(node.cut)
        yield f'<path class="link" d="{_curve(end, y, beyond, level)}"/>'
        yield _words(beyond + 4, level + 4, f"{node.below:,} below", "soft")
    if node.cut:
        level = ROW * spot.cut + (12 if node.below else 0)
        yield f"<g><title>{_text(f'cut {_cells(node, 99)}: {node.reason}')}</title>"
        yield f'<path class="cut dash" d="{_curve(end, y, beyond, level)}"/>'
        yield f'<path class="cut" d="M{beyond - 14} {level - 5:g}l10 10m0 -10l-10 10"/>'
        yield _words(beyond + 4, level - 2, f"cut {_cells(node, 9)}", "why bold")
        yield _words(beyond + 4, level + 11, node.brief, "why") + "</g>"
    name = node.value if node.move == "-" else f"{node.move}: {node.value}"
    window = f"alpha {node.alpha}, beta {node.beta}"
    yield f'<g transform="translate({x} {y - BOARD / 2:g})"><title>{_text(f"{name} ({window})")}</title>'
    wide, high = _wide(node) + EDGE, BOARD + 2 * EDGE
    yield f'<rect class="card" x="{-EDGE}" y="{-EDGE}" width="{wide}" height="{high}" rx="5"/>'
    yield from _board(node)
    left = _wide(node) - WORDS_WIDTH + 4
    yield _words(left, 12, name, "bold")
    yield _words(left, 29, f"alpha {node.alpha}", "soft")
    yield _words(left, 44, f"beta {node.beta}", "soft") + "</g>"


def _board(node: Described) -> Iterator[str]:
    """Yield the position as a board, with the last move marked."""
    rows, columns, size = _sides(node)
    if node.move != "-":
        row, column = divmod(int(node.move.split()[1]) - 1, columns)
        yield f'<rect class="last" x="{column * size}" y="{row * size}" width="{size}" height="{size}"/>'
    across = "".join(f"M0 {row * size}h{columns * size}" for row in range(1, rows))
    down = "".join(f"M{column * size} 0v{rows * size}" for column in range(1, columns))
    yield f'<path class="grid" d="{across}{down}"/>'
    arm = size * 0.3
    for cell, mark in enumerate(node.position.cells):
        row, column = divmod(cell, columns)
        x, y = (column + 0.5) * size, (row + 0.5) * size
        fading = " fading" if cell == node.position.fading else ""
        if mark == "x":
            leg = f"l{2 * arm:g} {2 * arm:g}m0 {-2 * arm:g}l{-2 * arm:g} {2 * arm:g}"
            yield f'<path class="x{fading}" d="M{x - arm:g} {y - arm:g}{leg}"/>'
        elif mark == "o":
            yield f'<circle class="o{fading}" cx="{x:g}" cy="{y:g}" r="{arm:g}"/>'


def _sides(node: Described) -> tuple[int, int, int]:
    """Return a board's rows and columns, and the size of a cell."""
    rows = str(node.position).split()
    return len(rows), len(rows[0]), BOARD // max(len(rows), len(rows[0]))


def _wide(node: Described) -> int:
    _, columns, size = _sides(node)
    return columns * size + WORDS_WIDTH


def _cells(node: Described, limit: int) -> str:
    return f"{len(node.cut)} moves" if len(node.cut) > limit else " ".join(map(str, node.cut))


def _curve(x: float, y: float, end: float, level: float) -> str:
    middle = (x + end) / 2
    return f"M{x:g} {y:g}C{middle:g} {y:g} {middle:g} {level:g} {end:g} {level:g}"


def _words(x: float, y: float, words: str, style: str) -> str:
    return f'<text class="{style}" x="{x:g}" y="{y:g}">{_text(words)}</text>'


def _text(words: str) -> str:
    return escape(pretty(words))
