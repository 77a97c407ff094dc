"""A board as a small SVG picture. The marks and the grid are symbols, which a page defines once."""

from collections.abc import Iterator, Mapping

from appliance.core.english import listed
from engine import Game
from engine.shape import ends

CELL = 30  # all sizes are in the picture's own units
SIDE = 3 * CELL
SYMBOLS = (
    '<svg class="symbols" aria-hidden="true"><defs>'
    f'<symbol id="grid" viewBox="0 0 {SIDE} {SIDE}"><path d="M30 3v84M60 3v84M3 30h84M3 60h84"/></symbol>'
    '<symbol id="x" viewBox="0 0 30 30"><path d="M10 10l12 12m0-12l-12 12"/></symbol>'
    '<symbol id="o" viewBox="0 0 30 30"><circle cx="16" cy="16" r="7"/></symbol>'
    "</defs></svg>"
)


def final(game: Game, moves: tuple[int, ...]) -> str:
    """Return the board after `moves`: in each corner the number of its move, and the line that ended it."""
    numbers = {cell: str(number) for number, cell in enumerate(moves, 1)}
    parts = [_number(cell, numbers[cell]) for cell, mark in enumerate(game.cells) if mark != "."]
    if line := ends(game.line):
        (x, y), (end, below) = map(_middle, line)
        parts.append(f'<path class="line" d="M{x} {y}L{end} {below}"/>')
    return _picture(game, "", [*_marks(game), *parts])


def before(game: Game, move: int, better: tuple[int, ...]) -> str:
    """Return the board before a mistake: the mark that was made, dashed, and the numbers of better cells."""
    x, y = _corner(move)
    made = f'<use class="made" href="#{game.to_move}" x="{x}" y="{y}" width="{CELL}" height="{CELL}"/>'
    cells = [
        f'<text class="better" x="{x}" y="{y + 4}">{cell + 1}</text>'
        for cell, (x, y) in ((cell, _middle(cell)) for cell in better)
    ]
    ending = f"; {game.to_move} then went to {move + 1}"
    return _picture(game, ending, [*_marks(game), made, *cells])


def _picture(game: Game, ending: str, parts: list[str]) -> str:
    """Return a picture and its words for a screen reader."""
    whole = f'width="{SIDE}" height="{SIDE}"'
    label = f'role="img" aria-label="{_words(game)}{ending}"'
    drawn = "".join([f'<use href="#grid" {whole}/>', *parts])
    return f'<svg class="board" viewBox="0 0 {SIDE} {SIDE}" {label}>{drawn}</svg>'


def _marks(game: Game) -> Iterator[str]:
    for cell, mark in enumerate(game.cells):
        if mark != ".":
            x, y = _corner(cell)
            yield f'<use class="{mark}" href="#{mark}" x="{x}" y="{y}" width="{CELL}" height="{CELL}"/>'


def _words(game: Game) -> str:
    """Return the marks in words: "x on 1 and 5; o on 9"."""
    cells: Mapping[str, list[int]] = {
        side: [cell for cell, mark in enumerate(game.cells, 1) if mark == side] for side in "xo"
    }
    return "; ".join(f"{side} on {listed(on)}" for side, on in cells.items() if on) or "empty board"


def _number(cell: int, number: str) -> str:
    x, y = _corner(cell)
    return f'<text class="number" x="{x + 3}" y="{y + 9}">{number}</text>'


def _corner(cell: int) -> tuple[int, int]:
    return CELL * (cell % 3), CELL * (cell // 3)


def _middle(cell: int) -> tuple[int, int]:
    x, y = _corner(cell)
    return x + CELL // 2 + 1, y + CELL // 2 + 1  # as in the symbols, which leave room for a number
