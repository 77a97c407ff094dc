"""A board as a small SVG picture. The marks and the grid are symbols, which a page defines once."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from appliance.games.speech import Speech
from engine import Game
from engine.shape import ends

CELL = 30  # all sizes are in the picture's own units
SIDE = 3 * CELL
APART = SIDE + 14  # from one of nine boards to the next
SYMBOLS = (
    '<svg class="symbols" aria-hidden="true"><defs>'
    f'<symbol id="grid" viewBox="0 0 {SIDE} {SIDE}"><path d="M30 3v84M60 3v84M3 30h84M3 60h84"/></symbol>'
    '<symbol id="x" viewBox="0 0 30 30"><path d="M10 10l12 12m0-12l-12 12"/></symbol>'
    '<symbol id="o" viewBox="0 0 30 30"><circle cx="16" cy="16" r="7"/></symbol>'
    "</defs></svg>"
)


def final(game: Game, moves: tuple[int, ...], spoken: Speech) -> str:
    """Return the board after `moves`: in each corner the number of its move, and the line that ended it."""
    if len(game.cells) > 9:
        return _nine(game, moves, spoken)
    numbers = {cell: str(number) for number, cell in enumerate(moves, 1)}
    parts = [_number(cell, numbers[cell]) for cell, mark in enumerate(game.cells) if mark != "."]
    if line := ends(game.line):
        (x, y), (end, below) = map(_middle, line)
        parts.append(f'<path class="line" d="M{x} {y}L{end} {below}"/>')
    return _picture(_words(game, spoken), [*_marks(game), *parts])


def before(game: Game, move: int, better: tuple[int, ...], spoken: Speech) -> str:
    """Return the board before a mistake: the mark that was made, dashed, and the numbers of better cells."""
    x, y = _corner(move)
    mark = game.play(move).cells[move]
    made = f'<use class="made" href="#{mark}" x="{x}" y="{y}" width="{CELL}" height="{CELL}"/>'
    cells = [
        f'<text class="better" x="{x}" y="{y + 4}">{cell + 1}</text>'
        for cell, (x, y) in ((cell, _middle(cell)) for cell in better)
    ]
    words = spoken.say("then_went", marks=_words(game, spoken), mark=game.to_move, cell=move + 1)
    return _picture(words, [*_marks(game), made, *cells])


def _nine(game: Any, moves: tuple[int, ...], spoken: Speech) -> str:
    """Return the nine boards: the last move marked, and its winner over a board that is won."""
    corners = [(APART * (board % 3), APART * (board // 3)) for board in range(9)]
    grid = "".join(f'<use href="#grid" x="{x}" y="{y}" width="{SIDE}" height="{SIDE}"/>' for x, y in corners)
    parts = [grid, *_marks(game, corners)]
    for move in moves[-1:]:
        (left, top), (x, y) = corners[move // 9], _corner(move % 9)
        parts.append(f'<path class="last" d="M{left + x + 2} {top + y + 2}h28v28h-28z"/>')
    for (left, top), winner in zip(corners, game.boards, strict=True):
        if winner in "xo":
            size = f'width="{SIDE}" height="{SIDE}"'
            parts.append(f'<use class="{winner} taken" href="#{winner}" x="{left}" y="{top}" {size}/>')
    words = (
        spoken.say("boards_won", mark=mark, cells=spoken.cells(won))
        for mark in "xo"
        if (won := [board for board, winner in enumerate(game.boards) if winner == mark])
    )
    return _picture("; ".join(words) or spoken.say("empty"), parts, 2 * APART + SIDE)


def _picture(words: str, parts: list[str], side: int = SIDE) -> str:
    """Return a picture with its words for a screen reader."""
    grid = f'<use href="#grid" width="{SIDE}" height="{SIDE}"/>' * (side == SIDE)
    label = f'role="img" aria-label="{words}"'
    return f'<svg class="board" viewBox="0 0 {side} {side}" {label}>{"".join([grid, *parts])}</svg>'


def _marks(game: Game, corners: Sequence[tuple[int, int]] = ((0, 0),)) -> Iterator[str]:
    """Yield the marks of the boards with these upper left corners."""
    for cell, mark in enumerate(game.cells):
        if mark != ".":
            (left, top), (x, y) = corners[cell // 9], _corner(cell % 9)
            place = f'x="{left + x}" y="{top + y}" width="{CELL}" height="{CELL}"'
            yield f'<use class="{mark}" href="#{mark}" {place}/>'


def _words(game: Game, spoken: Speech) -> str:
    """Return the marks in words: "x on 1 and 5; o on 9"."""
    cells: Mapping[str, list[int]] = {
        side: [cell for cell, mark in enumerate(game.cells) if mark == side] for side in "xo"
    }
    parts = (spoken.say("marks_on", mark=side, cells=spoken.cells(on)) for side, on in cells.items() if on)
    return "; ".join(parts) or spoken.say("empty")


def _number(cell: int, number: str) -> str:
    x, y = _corner(cell)
    return f'<text class="number" x="{x + 3}" y="{y + 9}">{number}</text>'


def _corner(cell: int) -> tuple[int, int]:
    return CELL * (cell % 3), CELL * (cell // 3)


def _middle(cell: int) -> tuple[int, int]:
    x, y = _corner(cell)
    return x + CELL // 2 + 1, y + CELL // 2 + 1  # as in the symbols, which leave room for a number
