"""The project's own proportional bitmap font: 7 rows to a capital, 5 to a small letter, 11 with all accents.

A line of text is `HEIGHT` rows: two for the accents of capitals, seven from a capital's top to the baseline,
two below. Consecutive lines stand `PITCH` rows apart: a tail and an accent may share a row.
"""

from functools import cache, lru_cache

from appliance.core.canvas import Columns, strips
from appliance.core.glyphs import ACCENTS, BOLD, BOLD_ACCENTS, COMPOSED, DRAWN, TINY

HEIGHT = 11
PITCH = 10
ELLIPSIS = "…"

_ROOM = 2  # rows above a capital
_BELOW = 7 + _ROOM  # the first row below the baseline
# A capital gives up a row for its accent: the first that equals the next, or else this one.
_SPARE = {"S": 1, "Z": 5}
_SPACES = {" ": 2, "\N{NO-BREAK SPACE}": 2, "\N{NARROW NO-BREAK SPACE}": 1}  # their widths


def _squeeze(letter: str, picture: Columns) -> Columns:
    """Return a capital without one of its seven rows, still on the baseline."""
    rows = [sum((column >> y & 1) << x for x, column in enumerate(picture)) for y in range(_ROOM, _BELOW)]
    spare = _SPARE.get(letter)
    if spare is None:
        spare = next(y for y in range(6) if rows[y] == rows[y + 1])
    above = (1 << (_ROOM + spare)) - 1
    return tuple((column & above) << 1 | column & ~(above << 1 | 1) for column in picture)


def _over(under: Columns, mark: Columns, *, right: bool) -> Columns:
    """Return the two pictures laid over each other, centred; a half column goes to the right or the left."""
    width = max(len(under), len(mark))
    columns = [0] * width
    for picture in (under, mark):
        start = (width - len(picture) + (right and picture is mark)) // 2
        for x, column in enumerate(picture, start):
            columns[x] |= column
    return tuple(columns)


def _compose(accent: str, mark: Columns, letter: str, picture: Columns) -> Columns:
    if accent == "cedilla":
        return _over(picture, tuple(column << _BELOW for column in mark), right=False)
    if accent == "ogonek":
        tail = (0,) * (len(picture) - 2) + tuple(column << _BELOW for column in mark)
        return _over(picture, tail, right=False)
    if letter.isupper():
        return _over(_squeeze(letter, picture), mark, right=accent == "acute")
    return _over(picture, tuple(column << 1 for column in mark), right=accent in ("acute", "dot"))


def _lowered(drawings: str) -> dict[str, Columns]:
    """Return drawings below the rows for accents."""
    return {name: tuple(column << _ROOM for column in picture) for name, picture in strips(drawings)}


def _spaces() -> dict[str, Columns]:
    return {space: (0,) * width for space, width in _SPACES.items()}


def _complete(font: dict[str, Columns], marks: dict[str, Columns]) -> dict[str, Columns]:
    """Return a font with all its composed letters."""
    composed = {}
    for accent, pairs in COMPOSED.items():
        characters = pairs.split()
        for character, letter in zip(characters[::2], characters[1::2], strict=True):
            composed[character] = _compose(accent, marks[accent], letter, font[letter])
    return font | composed


@cache
def glyphs() -> dict[str, Columns]:
    """Return the whole font: a character to its columns, bit 0 uppermost of `HEIGHT` rows."""
    return _complete(_lowered(DRAWN) | _spaces(), dict(strips(ACCENTS)))


def _twice(pictures: dict[str, Columns]) -> dict[str, Columns]:
    """Return pictures laid over themselves, one column further."""
    return {
        name: tuple(left | right for left, right in zip((*picture, 0), (0, *picture), strict=True))
        for name, picture in pictures.items()
    }


@cache
def bold_glyphs() -> dict[str, Columns]:
    """Return the bold font: letters twice, one column apart, or as drawn where that would fill them up."""
    marks = _twice(dict(strips(ACCENTS))) | dict(strips(BOLD_ACCENTS))
    return _complete(_twice(glyphs()) | _spaces() | _lowered(BOLD), marks)


@lru_cache(maxsize=512)
def text_columns(text: str, *, bold: bool = False) -> Columns:
    """Return a line of text as columns of `HEIGHT` rows: a dark one between letters, none at the ends.

    Bold letters are a column or two wider. A character that the font lacks is shown as `?`.
    """
    font = bold_glyphs() if bold else glyphs()
    columns: list[int] = []
    for character in text:
        columns += font.get(character) or font["?"]
        columns.append(0)
    return tuple(columns[:-1])


@cache
def _tiny() -> dict[str, Columns]:
    return dict(strips(TINY))


def tiny_columns(text: str) -> Columns:
    """Return the capitals and figures of a text in the smallest size, 3 by 5 pixels each."""
    return tuple(column for letter in text if letter in _tiny() for column in (*_tiny()[letter], 0))[:-1]


def text_width(text: str, *, bold: bool = False) -> int:
    """Return the width of a line of text in pixels."""
    return len(text_columns(text, bold=bold))


@lru_cache(maxsize=512)
def ink(text: str) -> int:
    """Return the rows in which a line of text has ink, as bits, bit 0 uppermost."""
    rows = 0
    for column in text_columns(text):
        rows |= column
    return rows


def shorten(text: str, width: int, *, bold: bool = False) -> str:
    """Return `text`, or as much of its beginning as fits `width` pixels together with an ellipsis."""
    if text_width(text, bold=bold) <= width:
        return text
    for end in range(len(text) - 1, 0, -1):
        short = text[:end].rstrip() + ELLIPSIS
        if text_width(short, bold=bold) <= width:
            return short
    return ""


def wrap(text: str, width: int, *, bold: bool = False, indent: int = 0) -> list[str]:
    """Return `text` as lines of at most `width` pixels, the first `indent` less, broken at spaces.

    A word too wide for a line by itself is broken where the line ends; `fits` returns whether none is.
    """
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if text_width(longer, bold=bold) <= width - (0 if lines else indent):
            line = longer
            continue
        if line:
            lines.append(line)
        line = word
        while len(line) > 1 and text_width(line, bold=bold) > (room := width - (0 if lines else indent)):
            end = next(
                n for n in range(len(line) - 1, 0, -1) if n == 1 or text_width(line[:n], bold=bold) <= room
            )
            lines.append(line[:end])
            line = line[end:]
    return [*lines, line] if line else lines


def fits(text: str, width: int, *, bold: bool = False) -> bool:
    """Return whether no single word of `text` is wider than `width` pixels."""
    return all(text_width(word, bold=bold) <= width for word in text.split(" "))
