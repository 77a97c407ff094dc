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


class Overview(NamedTuple):
    """The nine boards of ultimate in small, at the right of the board that is played.

    Boards and cells count from 0 in reading order, and a move is 9 * board + cell, as in `engine.ultimate`.
    Where any open board may be chosen, none is active: the tiles at the left are then `board_choices`.
    """

    cells: str  # 81 characters x, o and ., board after board
    boards: str  # nine characters: "x" or "o" won it, "-" full for nobody, "." open
    active: int | None = None  # the board to play in: inverted
    face: str = ""  # the box's face, in the active board instead of its cells: it is to play there
    last: int | None = None  # the last move: marked
    hint: int | None = None  # a suggested move; None in the dark half of its blinking


SLIDE_FRAMES = 3  # the steps of `unfold`


def board_choices(boards: str) -> tuple[Tile, ...]:
    """Return the nine boards as tiles, where any open one may be chosen; `boards` is as in `Overview`."""
    return tuple(Tile({".": "open", "-": "dead"}.get(board, board)) for board in boards)


def unfold(before: tuple[Tile, ...], after: tuple[Tile, ...], cell: int, fraction: float) -> tuple[Tile, ...]:
    """Return the tiles on the way from the board just played to the next one; `fraction` goes from 0 to 1.

    The next board opens out of `cell`, the one just played, because that is the board's place: first this
    tile changes, then its neighbours, then the others. No tile changes twice, so it costs no bytes more than
    the change at once.

    The session counts the steps that are left, from `SLIDE_FRAMES` when a mark is final: at that step the
    board just played stays, while the overview already shows where the move sends. A step later `cell` has
    changed, and at 0 the next board stands. A press in between ends it at once.
    """
    reach = fraction * SLIDE_FRAMES
    return tuple(
        new if max(abs(place % 3 - cell % 3), abs(place // 3 - cell // 3)) < reach else old
        for place, (old, new) in enumerate(zip(before, after, strict=True))
    )


class BoardScene(NamedTuple):
    """Nine tiles with words beside them: a game, or a page of the menu.

    With an overview in `side` the words have no place of their own: while there is a headline, words, score,
    bar and badges are shown instead of the tiles. Otherwise the first note is a banner between two rows of
    marks, and `mark` and a sign for badges stand between the two squares. These hide nothing. The strike goes
    through the overview.
    """

    tiles: tuple[Tile, ...]
    headline: str = ""
    mark: str = ""  # of the side to move, before the headline: "x" or "o"; of two people "1x", "2o", ...
    notes: tuple[str, ...] = ()  # the level, the rule, a message; what costs the reader most to miss first
    score: tuple[tuple[str, int], ...] = ()  # (label, count): see `icons.label`
    strike: tuple[int, int] | None = None  # a line through the tiles from the first cell to the second
    drawn: float = 1.0  # the part of that line to draw, 0 to 1
    bar: float | None = None  # progress of a hold, 0 to 1
    badges: tuple[str, ...] = ()  # the icons of warnings: "unsaved", "stuck", ...
    side: Overview | None = None  # None: words beside the tiles
    line: tuple[int, int] | None = None  # a line through the tiles beside an overview: this board is won
    first: int = 1  # how many notes come before the score; it comes before the others
    brief: tuple[str, ...] = ()  # the notes in shorter wordings, for where there is no room; () for the same

    @property
    def covered(self) -> bool:
        """Whether words are shown instead of the tiles."""
        return self.side is not None and self.headline != ""


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
