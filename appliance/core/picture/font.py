# ruff: noqa: RUF001 -- the font has characters that look like others
"""The box's own proportional bitmap font: capitals 7 rows high, small letters 5, a line of text 11.

The 11 rows (`HEIGHT`) are two for the accents of capitals, seven from a capital's top to the baseline, two
below. Lines are `PITCH` rows apart, one less: a tail and an accent below it may share a row.

The drawings below are the font: edit them to change it. Only bare letters and accents are drawn. Accented
letters are composed of them; bold ones are the letter overlaid with itself one column to the right, except
those that this would fill in. Both are made when they are first shown: a box shows few of them.
"""

from functools import lru_cache

from appliance.core.picture.canvas import Columns, strips

HEIGHT = 11
PITCH = 10
ELLIPSIS = "…"

_ROOM = 2  # rows above a capital
_BELOW = 7 + _ROOM  # the first row below the baseline
# A capital loses a row to its accent: the first row that equals the next, except in these.
_SPARE = {"S": 1, "Z": 5}
_SPACES = {" ": (0, 0), "\N{NO-BREAK SPACE}": (0, 0), "\N{NARROW NO-BREAK SPACE}": (0,)}


@lru_cache(maxsize=512)
def text_columns(text: str, *, bold: bool = False) -> Columns:
    """Return a line of text as columns of `HEIGHT` rows, with a dark column between letters.

    Bold letters are one or two columns wider. A character that the font lacks becomes `?`.
    """
    columns: list[int] = []
    for character in text:
        columns += letter_columns(character, bold=bold)
        columns.append(0)
    return tuple(columns[:-1])


@lru_cache(maxsize=256)
def letter_columns(character: str, *, bold: bool = False) -> Columns:
    """Return a character as columns of `HEIGHT` rows, bit 0 at the top; `?` for one that the font lacks."""
    drawn = _BOLD if bold else _REGULAR
    if character in drawn:
        return drawn[character]
    for accent, pairs in COMPOSED.items():
        at = pairs.find(character)
        if at >= 0 and at % 4 == 0:
            mark = (_BOLD_ACCENTS.get(accent) or _twice(_ACCENTS[accent])) if bold else _ACCENTS[accent]
            letter = pairs[at + 2]
            return _compose(accent, mark, letter, letter_columns(letter, bold=bold))
    return _twice(letter_columns(character)) if bold else drawn["?"]


def tiny_columns(text: str) -> Columns:
    """Return the capitals and digits of a text in the smallest size, 3 by 5 pixels each."""
    return tuple(column for letter in text if letter in TINY for column in (*TINY[letter], 0))[:-1]


def text_width(text: str, *, bold: bool = False) -> int:
    """Return the width of a line of text in pixels."""
    return len(text_columns(text, bold=bold))


def wrap(text: str, width: int) -> list[str]:
    """Return `text` in lines of at most `width` pixels, broken at spaces, or in a word wider than that."""
    lines = []
    while text := text.lstrip(" "):
        end = len(text)
        while end > 1 and text_width(text[:end]) > width:
            end = text.rfind(" ", 1, end) if " " in text[1:end] else end - 1
        lines.append(text[:end])
        text = text[end:]
    return lines


def shorten(text: str, width: int) -> str:
    """Return `text` cut to fit `width` pixels together with the ellipsis that is added."""
    while text and text_width(text + ELLIPSIS) > width:
        text = text[:-1].rstrip(" ")
    return text + ELLIPSIS


def _squeeze(letter: str, picture: Columns) -> Columns:
    """Return a capital with one of its seven rows removed, still on the baseline."""
    rows = [sum((column >> y & 1) << x for x, column in enumerate(picture)) for y in range(_ROOM, _BELOW)]
    spare = _SPARE.get(letter)
    if spare is None:
        spare = next(y for y in range(6) if rows[y] == rows[y + 1])
    above = (1 << (_ROOM + spare)) - 1
    return tuple((column & above) << 1 | column & ~(above << 1 | 1) for column in picture)


def _over(under: Columns, mark: Columns, *, right: bool) -> Columns:
    """Return a letter and a mark overlaid, centred; half a column off, the mark goes `right` or left."""
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
    """Return a letter with its accent above, or below for a cedilla or an ogonek."""
    if accent == "cedilla":
        return _over(picture, _lower(mark, _BELOW), right=False)
    if accent == "ogonek":
        return _over(picture, (0,) * (len(picture) - 2) + _lower(mark, _BELOW), right=False)
    if letter.isupper():
        return _over(_squeeze(letter, picture), mark, right=accent == "acute")
    return _over(picture, _lower(mark, 1), right=accent in ("acute", "dot"))


def _twice(picture: Columns) -> Columns:
    """Return a picture overlaid with itself one column to the right."""
    return tuple(left | right for left, right in zip((*picture, 0), (0, *picture), strict=True))


def _letters(drawings: str) -> dict[str, Columns]:
    """Return the drawings: seven rows from a capital's top to the baseline, and up to two below it."""
    return {name: _lower(picture, _ROOM) for name, picture in strips(drawings).items()}


# The composed letters: for each accent, pairs of a composed letter and the bare one.
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

_REGULAR = _SPACES | _letters(r"""
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

☺       ⚇       ☹       ◀     ▶     ▲       ▼       ■     ⬚       ❶       ❷
.#...#. .#...#. .#...#. ...#. .#... ....... ....... ..... #.#.#.# .#####. .#####.
.#...#. .#...#. .#...#. ..##. .##.. ....... ....... ..... ....... ###.### ##..###
....... ....... ....... .###. .###. ...#... ####### ##### #.....# ##..### ####.##
....... ....... ....... ####. .#### ..###.. .#####. ##### ....... ###.### ###.###
#.....# ....... ..###.. .###. .###. .#####. ..###.. ##### #.....# ###.### ##.####
.#...#. .#####. .#...#. ..##. .##.. ####### ...#... ##### ....... ##...## ##...##
..###.. ....... #.....# ...#. .#... ....... ....... ##### #.#.#.# .#####. .#####.
""")

_ACCENTS = strips("""
grave acute circumflex caron diaeresis tilde dot cedilla ogonek ring
#.    .#    .#.        #.#   ...       .#.#  .   .#      #.     .#.
.#    #.    #.#        .#.   #.#       #.#.  #   #.      ##     #.#
..    ..    ...        ...   ...       ....  .   ..      ..     .#.
""")

# Letters and accents that doubling would fill in
_BOLD = _SPACES | _letters("""
M        W        N       m        w        ď        ť      æ        œ
##....## ##....## ##...## ........ ........ ...##.## .##.## ........ ........
###..### ##....## ###..## ........ ........ ...##.## .##.## ........ ........
######## ##....## ###..## #######. ##....## .####... ####.. .######. .######.
##.##.## ##.##.## ##.#.## ##.##.## ##.##.## ##.##... .##... ...##.## ##.##.##
##.##.## ##.##.## ##..### ##.##.## ##.##.## ##.##... .##... .####### ##.#####
##....## ######## ##..### ##.##.## ##.##.## ##.##... .##... ##.##... ##.##...
##....## .##..##. ##...## ##.##.## .######. .####... ..##.. .####### .#######
""")

_BOLD_ACCENTS = strips("""
circumflex caron diaeresis tilde ring
.##.       #..#  .....     .##.# .##.
#..#       .##.  ##.##     #.##. #..#
....       ....  .....     ..... .##.
""")

TINY = strips("""
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
