# ruff: noqa: RUF001 -- these are drawings of the very characters that look like others
"""The project's own proportional bitmap font: 7 rows to a capital, 5 to a small letter, 11 with all accents.

A line of text is `HEIGHT` rows: two for the accents of capitals, seven from a capital's top to the baseline,
two below. Consecutive lines stand `PITCH` rows apart: a tail and an accent may share a row.
Edit the drawings, and the display follows.
"""

from functools import lru_cache

from appliance.core.canvas import Columns, strips

HEIGHT = 11
PITCH = 10
ELLIPSIS = "…"

_ROOM = 2  # rows above a capital
_BELOW = 7 + _ROOM  # the first row below the baseline
# A capital gives up a row for its accent: the first that equals the next, or else this one.
_SPARE = {"S": 1, "Z": 5}
_SPACES = {" ": (0, 0), "\N{NO-BREAK SPACE}": (0, 0), "\N{NARROW NO-BREAK SPACE}": (0,)}


@lru_cache(maxsize=512)
def text_columns(text: str, *, bold: bool = False) -> Columns:
    """Return a line of text as columns of `HEIGHT` rows: a dark one between letters, none at the ends.

    Bold letters are a column or two wider. A character that the font lacks is shown as `?`.
    """
    font = BOLD if bold else REGULAR
    columns: list[int] = []
    for character in text:
        columns += font.get(character) or font["?"]
        columns.append(0)
    return tuple(columns[:-1])


def tiny_columns(text: str) -> Columns:
    """Return the capitals and figures of a text in the smallest size, 3 by 5 pixels each."""
    return tuple(column for letter in text if letter in TINY for column in (*TINY[letter], 0))[:-1]


def text_width(text: str, *, bold: bool = False) -> int:
    """Return the width of a line of text in pixels."""
    return len(text_columns(text, bold=bold))


def wrap(text: str, width: int) -> list[str]:
    """Return `text` as lines of at most `width` pixels, broken at spaces, or in a word wider than a line."""
    lines = []
    while text:
        end = len(text)
        while end > 1 and text_width(text[:end]) > width:
            end = text.rfind(" ", 1, end) if " " in text[1:end] else end - 1
        lines.append(text[:end])
        text = text[end:].lstrip(" ")
    return lines


def shorten(text: str, width: int) -> str:
    """Return as much of the beginning of `text` as fits `width` pixels together with an ellipsis."""
    while text and text_width(text + ELLIPSIS) > width:
        text = text[:-1].rstrip(" ")
    return text + ELLIPSIS


# The composed letters


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


def _lower(picture: Columns, rows: int) -> Columns:
    return tuple(column << rows for column in picture)


def _compose(accent: str, mark: Columns, letter: str, picture: Columns) -> Columns:
    """Return a letter with an accent, which stands below it at cedilla and ogonek."""
    if accent == "cedilla":
        return _over(picture, _lower(mark, _BELOW), right=False)
    if accent == "ogonek":
        return _over(picture, (0,) * (len(picture) - 2) + _lower(mark, _BELOW), right=False)
    if letter.isupper():
        return _over(_squeeze(letter, picture), mark, right=accent == "acute")
    return _over(picture, _lower(mark, 1), right=accent in ("acute", "dot"))


def _complete(font: dict[str, Columns], marks: dict[str, Columns]) -> dict[str, Columns]:
    """Return a font with its spaces and all its composed letters."""
    composed = {}
    for accent, pairs in COMPOSED.items():
        characters = pairs.split()
        for character, letter in zip(characters[::2], characters[1::2], strict=True):
            composed[character] = _compose(accent, marks[accent], letter, font[letter])
    return font | composed | _SPACES


def _twice(pictures: dict[str, Columns]) -> dict[str, Columns]:
    """Return pictures laid over themselves, one column further."""
    return {
        name: tuple(left | right for left, right in zip((*picture, 0), (0, *picture), strict=True))
        for name, picture in pictures.items()
    }


def _letters(drawings: str) -> dict[str, Columns]:
    """Return drawings of seven rows, from the top of a capital to the baseline, and up to two below it."""
    return {name: _lower(picture, _ROOM) for name, picture in strips(drawings)}


# Letters with accents are not drawn but composed: an accent, and pairs of the result and the bare letter.
COMPOSED = {
    "grave": "à a è e ù u À A È E Ù U",
    "acute": "á a é e í ı ó o ú u ý y ć c ń n ś s ź z Á A É E Í I Ó O Ú U Ý Y Ć C Ń N Ś S Ź Z",
    "circumflex": "â a ê e î ı ô o û u Â A Ê E Î I Ô O Û U",
    "caron": "č c ě e ň n ř r š s ž z Č C Ď D Ě E Ň N Ř R Š S Ť T Ž Z",
    "diaeresis": "ä a ë e ï ı ö o ü u ÿ y Ä A Ë E Ï I Ö O Ü U Ÿ Y",
    "tilde": "ñ n Ñ N",
    "dot": "ż z Ż Z",
    "ring": "ů u Ů U",
    "cedilla": "ç c Ç C",
    "ogonek": "ą a ę e Ą A Ę E",
}

_DRAWN = _letters(r"""
A     B     C     D     E    F    G     H     I   J    K     L    M
..#.. ####. .###. ####. #### #### .###. #...# ### ...# #...# #... #...#
.#.#. #...# #...# #...# #... #... #...# #...# .#. ...# #..#. #... ##.##
#...# #...# #.... #...# #... #... #.... #...# .#. ...# #.#.. #... #.#.#
#...# ####. #.... #...# ###. ###. #.### ##### .#. ...# ##... #... #.#.#
##### #...# #.... #...# #... #... #...# #...# .#. ...# #.#.. #... #...#
#...# #...# #...# #...# #... #... #...# #...# .#. #..# #..#. #... #...#
#...# ####. .###. ####. #### #... .###. #...# ### .##. #...# #### #...#

N     O     P     Q     R     S     T     U     V     W     X     Y     Z
#...# .###. ####. .###. ####. .###. ##### #...# #...# #...# #...# #...# #####
##..# #...# #...# #...# #...# #...# ..#.. #...# #...# #...# #...# #...# ....#
##..# #...# #...# #...# #...# #.... ..#.. #...# #...# #...# .#.#. .#.#. ...#.
#.#.# #...# ####. #...# ####. .###. ..#.. #...# #...# #.#.# ..#.. ..#.. ..#..
#..## #...# #.... #.#.# #.#.. ....# ..#.. #...# .#.#. #.#.# .#.#. ..#.. .#...
#..## #...# #.... #..#. #..#. #...# ..#.. #...# .#.#. ##.## #...# ..#.. #....
#...# .###. #.... .##.# #...# .###. ..#.. .###. ..#.. #...# #...# ..#.. #####

a    b    c    d    e    f   g    h    i j  k    l  m
.... #... .... ...# .... .## .... #... # .# #... #. .....
.... #... .... ...# .... .#. .... #... . .. #... #. .....
.##. ###. .##. .### .##. ### .### ###. # .# #..# #. ####.
...# #..# #..# #..# #..# .#. #..# #..# # .# #.#. #. #.#.#
.### #..# #... #..# #### .#. #..# #..# # .# ##.. #. #.#.#
#..# #..# #..# #..# #... .#. #..# #..# # .# #.#. #. #.#.#
.### ###. .##. .### .### .#. .### #..# # .# #..# .# #.#.#
.... .... .... .... .... ... ...# .... . .# .... .. .....
.... .... .... .... .... ... .##. .... . #. .... .. .....

n    o    p    q    r   s    t   u    v     w     x     y    z
.... .... .... .... ... .... .#. .... ..... ..... ..... .... ....
.... .... .... .... ... .... .#. .... ..... ..... ..... .... ....
###. .##. ###. .### #.# .### ### #..# #...# #...# #...# #..# ####
#..# #..# #..# #..# ##. #... .#. #..# #...# #.#.# .#.#. #..# ...#
#..# #..# #..# #..# #.. .##. .#. #..# .#.#. #.#.# ..#.. #..# .##.
#..# #..# #..# #..# #.. ...# .#. #..# .#.#. #.#.# .#.#. #..# #...
#..# .##. ###. .### #.. ###. ..# .### ..#.. .#.#. #...# .### ####
.... .... #... ...# ... .... ... .... ..... ..... ..... ...# ....
.... .... #... ...# ... .... ... .... ..... ..... ..... .##. ....

0    1    2    3    4    5    6    7    8    9    ! ?    . ,  : ;  "   #     $     %     &     ' (  )  *
.##. ..#. .##. .##. ...# #### .##. #### .##. .##. # .##. . .. . .. #.# .#.#. ..#.. ##..# .##.. # .# #. ..#..
#..# .##. #..# #..# ..## #... #... ...# #..# #..# # #..# . .. . .. #.# .#.#. .#### ##..# #..#. # #. .# #.#.#
#..# ..#. ...# ...# .#.# ###. #... ...# #..# #..# # ...# . .. # .# ... ##### #.#.. ...#. #..#. . #. .# .###.
#..# ..#. ..#. .##. #..# ...# ###. ..#. .##. .### # ..#. . .. . .. ... .#.#. .###. ..#.. .##.. . #. .# #.#.#
#..# ..#. .#.. ...# #### ...# #..# ..#. #..# ...# # .#.. . .. . .. ... ##### ..#.# .#... #.#.# . #. .# ..#..
#..# ..#. #... #..# ...# #..# #..# .#.. #..# ...# . .... . .. . .. ... .#.#. ####. #..## #..#. . #. .# .....
.##. .### #### .##. ...# .##. .##. .#.. .##. .##. # .#.. # .# # .# ... .#.#. ..#.. #..## .##.# . #. .# .....
.... .... .... .... .... .... .... .... .... .... . .... . #. . #. ... ..... ..... ..... ..... . .# #. .....

+     -   /    <   =   >   @     [  \    ]  ^   _    `  {   | }   ~     ¡ ¿    «     »     –    „    “
..... ... ...# ..# ... #.. .###. ## #... ## .#. .... #. ..# # #.. ..... . .... ..... ..... .... .... #.#.
..... ... ...# ..# ... #.. #...# #. #... .# #.# .... .# .#. # .#. ..... . .... ..... ..... .... .... .#.#
..#.. ... ..#. .#. ### .#. #.### #. .#.. .# ... .... .. .#. # .#. .#..# # ..#. ..#.# #.#.. .... .... ....
..#.. ### ..#. #.. ... ..# #.#.# #. .#.. .# ... .... .. #.. # ..# #.##. . .... .#.#. .#.#. #### .... ....
##### ... .#.. .#. ### .#. #.### #. ..#. .# ... .... .. .#. # .#. ..... # ..#. #.#.. ..#.# .... .... ....
..#.. ... .#.. ..# ... #.. #.... #. ..#. .# ... .... .. .#. # .#. ..... # .#.. .#.#. .#.#. .... .... ....
..#.. ... #... ..# ... #.. .###. #. ...# .# ... .... .. ..# # #.. ..... # #... ..#.# #.#.. .... .#.# ....
..... ... #... ... ... ... ..... ## ...# ## ... #### .. ... # ... ..... # #..# ..... ..... .... .#.# ....
..... ... .... ... ... ... ..... .. .... .. ... .... .. ... . ... ..... # .##. ..... ..... .... #.#. ....

”    ‘  ’  …     ı ß    æ      œ      Æ      Œ      ł   Ł     ď      ť
.#.# #. .# ..... . .##. ...... ...... ..#### .##### .#. .#... ...#.# .#.#
#.#. .# #. ..... . #..# ...... ...... .#.#.. #..#.. .#. .#... ...#.# .#.#
.... .. .. ..... # #..# .##.#. .##.#. #..#.. #..#.. .#. .#.#. .###.. ###.
.... .. .. ..... # #.#. ...#.# #..#.# #..### #..### .## .##.. #..#.. .#..
.... .. .. ..... # #..# .##### #..### ####.. #..#.. ##. ##... #..#.. .#..
.... .. .. ..... # #..# #..#.. #..#.. #..#.. #..#.. .#. .#... #..#.. .#..
.... .. .. #.#.# # #.#. .##.## .##.## #..### .##### .#. .#### .###.. ..#.

☺       ⚇       ☹       ◀     ▶     ▲       ▼       ■
.#...#. .#...#. .#...#. ...#. .#... ....... ....... .....
.#...#. .#...#. .#...#. ..##. .##.. ....... ....... .....
....... ....... ....... .###. .###. ...#... ####### #####
....... ....... ....... ####. .#### ..###.. .#####. #####
#.....# ....... ..###.. .###. .###. .#####. ..###.. #####
.#...#. .#####. .#...#. ..##. .##.. ####### ...#... #####
..###.. ....... #.....# ...#. .#... ....... ....... #####
""")

_ACCENTS = dict(
    strips("""
grave acute circumflex caron diaeresis tilde dot cedilla ogonek ring
#.    .#    .#.        #.#   ...       .#.#  .   .#      #.     .#.
.#    #.    #.#        .#.   #.#       #.#.  #   #.      ##     #.#
..    ..    ...        ...   ...       ....  .   ..      ..     .#.
""")
)

# Letters and accents that would fill up when laid over themselves
_BOLD_DRAWN = _letters("""
M        W        N       m        w        ď        ť      æ        œ
##....## ##....## ##...## ........ ........ ...##.## .##.## ........ ........
###..### ##....## ###..## ........ ........ ...##.## .##.## ........ ........
######## ##....## ###..## #######. ##....## .####... ####.. .######. .######.
##.##.## ##.##.## ##.#.## ##.##.## ##.##.## ##.##... .##... ...##.## ##.##.##
##.##.## ##.##.## ##..### ##.##.## ##.##.## ##.##... .##... .####### ##.#####
##....## ######## ##..### ##.##.## ##.##.## ##.##... .##... ##.##... ##.##...
##....## .##..##. ##...## ##.##.## .######. .####... ..##.. .####### .#######
""")

_BOLD_ACCENTS = dict(
    strips("""
circumflex caron diaeresis tilde ring
.##.       #..#  .....     .##.# .##.
#..#       .##.  ##.##     #.##. #..#
....       ....  .....     ..... .##.
""")
)

TINY = dict(
    strips("""
A   B   C   D   E   F   G   H   I   J   K   L   M   N   O   P   Q   R
.#. ##. .## ##. ### ### .## #.# ### ..# #.# #.. #.# ##. .#. ##. .#. ##.
#.# #.# #.. #.# #.. #.. #.. #.# .#. ..# #.# #.. ### #.# #.# #.# #.# #.#
### ##. #.. #.# ##. ##. #.# ### .#. ..# ##. #.. ### #.# #.# ##. #.# ##.
#.# #.# #.. #.# #.. #.. #.# #.# .#. #.# #.# #.. #.# #.# #.# #.. ### #.#
#.# ##. .## ##. ### #.. .## #.# ### .#. #.# ### #.# #.# .#. #.. .## #.#

S   T   U   V   W   X   Y   Z   0   1   2   3   4   5   6   7   8   9
.## ### #.# #.# #.# #.# #.# ### ### .#. ##. ##. #.# ### .## ### ### ###
#.. .#. #.# #.# #.# #.# #.# ..# #.# ##. ..# ..# #.# #.. #.. ..# #.# #.#
.#. .#. #.# #.# ### .#. .#. .#. #.# .#. .#. .#. ### ##. ### .#. ### ###
..# .#. #.# #.# ### #.# .#. #.. #.# .#. #.. ..# ..# ..# #.# .#. #.# ..#
##. .#. ### .#. #.# #.# .#. ### ### ### ### ##. ..# ##. ### .#. ### ##.
""")
)

REGULAR = _complete(_DRAWN, _ACCENTS)
BOLD = _complete(_twice(REGULAR) | _BOLD_DRAWN, _twice(_ACCENTS) | _BOLD_ACCENTS)
"""Each font: a character to its columns, bit 0 uppermost of `HEIGHT` rows."""
