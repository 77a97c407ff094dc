"""What the display shows, as marks and words without pixels or fonts.

`view` turns a session into a scene, `raster` turns a scene into pixels. So tests can read what the box shows,
and only `raster` knows the size of the display.
"""

from typing import NamedTuple

from engine import Game


class Tile(NamedTuple):
    """One of the nine cells of the board, or of a menu.

    `glyph` is "" (empty), "x", "o", the name of an icon, or a text of at most three characters after "="
    ("=PL").
    """

    glyph: str = ""
    last: bool = False  # the last move: corners marked
    inverse: bool = False  # just pressed, or a mistake: a lit cell with a dark glyph
    fading: bool = False  # the next mark to vanish: dotted
    outline: bool = False  # a suggestion, such as the hint: outlined


def board_tiles(game: Game, newest: int | None) -> tuple[Tile, ...]:
    """Return the nine tiles of a position; `newest` is the cell of the last move."""
    return tuple(
        Tile(
            "" if mark == "." else mark,
            last=cell == newest,
            fading=cell == game.fading and game.outcome is None,
        )
        for cell, mark in enumerate(game.cells)
    )


def strike(game: Game) -> tuple[int, int] | None:
    """Return the two end cells of the line of three that ended a game, if any."""
    return (game.line[0], game.line[-1]) if game.line else None


class BoardScene(NamedTuple):
    """Nine tiles with words beside them: a game, or a page of the menu."""

    tiles: tuple[Tile, ...]
    headline: str = ""
    mark: str = ""  # "x" or "o": a small mark before the headline, for the side to move
    notes: tuple[str, ...] = ()  # the level, the rule, a message; the most important first
    score: tuple[tuple[str, int], ...] = ()  # (label, count): a person or "x", the box's face or "o", "tie"
    strike: tuple[int, int] | None = None  # a line through the tiles from the first cell to the second
    drawn: float = 1.0  # the part of that line to draw, 0 to 1
    bar: float | None = None  # progress of a hold, 0 to 1
    badges: tuple[str, ...] = ()  # the icons of warnings: "unsaved", "stuck", ...


class PageScene(NamedTuple):
    """A page without a board: splash, statistics, goodbye, an error."""

    title: str
    text: str = ""
    icon: str = ""
    figures: tuple[tuple[str, int], ...] = ()  # (label, count), in a table


class PatternScene(NamedTuple):
    """A test pattern: every pixel lit, or lines along the edges and both diagonals."""

    edges: bool


Scene = BoardScene | PageScene | PatternScene


class Light(NamedTuple):
    """How the display shows its memory: off, or on at a contrast of 0 to 255.

    `lower` moves the picture down by that many rows against burn-in. The display's controller does it with a
    register: nothing is sent again, and nothing moves in its memory.
    """

    on: bool = True
    contrast: int = 0x7F
    lower: int = 0


class Picture(NamedTuple):
    """What the display shows: the scene, the light, and the shift against burn-in."""

    scene: Scene
    light: Light = Light()
    shift: tuple[int, int] = (0, 0)  # columns to the right, rows down; 0 to 2 each
