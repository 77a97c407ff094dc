"""What the display shows, in marks and words: no pixels, no fonts.

`view` makes a scene from a session; `raster` makes pixels from a scene.
"""

from typing import NamedTuple

from engine import Game


class Tile(NamedTuple):
    """One of the nine cells: part of the board, or of a menu, where the same nine cells hold icons.

    `glyph` is "" (empty), "x", "o", or the name of an icon; or a short text of at most three characters
    preceded by "=" ("=PL").
    """

    glyph: str = ""
    last: bool = False  # the move made last: marked in the cell's corners
    inverse: bool = False  # the answer to a press, or a mistake: the cell is lit, its glyph dark
    fading: bool = False  # this mark goes next: drawn dotted
    outline: bool = False  # a proposal (the hint): drawn thin


def board_tiles(game: Game, newest: int | None) -> tuple[Tile, ...]:
    """Return the nine cells of a position; `newest` is the one to mark as the last move."""
    return tuple(
        Tile(
            "" if mark == "." else mark,
            last=cell == newest,
            fading=cell == game.fading and game.outcome is None,
        )
        for cell, mark in enumerate(game.cells)
    )


def strike(game: Game) -> tuple[int, int] | None:
    """Return the ends of the line of three that has ended a game, if there is one."""
    return (game.line[0], game.line[-1]) if game.line else None


class BoardScene(NamedTuple):
    """Nine tiles and, beside them, words: a game in progress or a page of the menu."""

    tiles: tuple[Tile, ...]
    headline: str = ""
    mark: str = ""  # "x", "o" or "": a small mark before the headline, whose turn it is
    notes: tuple[str, ...] = ()  # the level, the rule, a message; the first is the most important
    score: tuple[tuple[str, int], ...] = ()  # (label, count): a person or "x", the box's face or "o", "tie"
    strike: tuple[int, int] | None = None  # draw a line through the tiles from this cell to that
    drawn: float = 1.0  # how much of that line, 0 to 1
    bar: float | None = None  # progress of a hold, 0 to 1
    badges: tuple[str, ...] = ()  # icons of warnings: "unsaved", "stuck", ...


class PageScene(NamedTuple):
    """A page without a board: splash, statistics, goodbye, an error."""

    title: str
    text: str = ""
    icon: str = ""
    figures: tuple[tuple[str, int], ...] = ()  # (label, count), one below the other


class PatternScene(NamedTuple):
    """A picture that tests the display: every pixel lit, or lines along its edges and across."""

    edges: bool


Scene = BoardScene | PageScene | PatternScene


class Light(NamedTuple):
    """How the display shows what it has been sent: dark, or lit at a contrast of 0 to 255.

    `lower` is by how many rows the picture stands lower against burn-in. Display controllers do that by a
    register: nothing is sent again, and what stands on a page of 8 rows stays there in the memory.
    """

    on: bool = True
    contrast: int = 0x7F
    lower: int = 0


class Picture(NamedTuple):
    """What the display shows: the scene, its light, and how far it is shifted against burn-in."""

    scene: Scene
    light: Light = Light()
    shift: tuple[int, int] = (0, 0)  # columns to the right, rows down; 0 to 2 each
