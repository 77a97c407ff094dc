"""The marks and the icons, by name, in two sizes: for a tile of the large display, and small.

The large ones are about 15 pixels square, the small ones at most 9: they stand in the tiles of a display
of 32 rows, in text and as badges.
"""

from functools import cache

from appliance.core.art import Columns, strips
from appliance.core.drawings import ALIASES, LARGE, SMALL, THIN


@cache
def _large() -> dict[str, Columns]:
    """Return the large icons by name."""
    return _with_aliases(dict(strips(LARGE)))


@cache
def _small() -> dict[str, Columns]:
    """Return the small icons by name; the same names as the large ones."""
    return _with_aliases(dict(strips(SMALL)))


@cache
def _thin() -> dict[str, Columns]:
    return dict(strips(THIN))


def _with_aliases(icons: dict[str, Columns]) -> dict[str, Columns]:
    return icons | {alias: icons[name] for alias, name in ALIASES.items()}


def icon(name: str, *, large: bool) -> Columns:
    """Return the drawing of this name in one of its sizes. Raise `ValueError` when there is none."""
    icons = _large() if large else _small()
    if name not in icons:
        raise ValueError(f"no icon is called {name!r}")
    return icons[name]


def outline(name: str, *, large: bool) -> Columns:
    """Return the outline of a drawing: its pixels that have a dark neighbour above, below or beside them."""
    if not large and name in _thin():
        return _thin()[name]
    picture = icon(name, large=large)
    neighbours = zip((0, *picture[:-1]), picture, (*picture[1:], 0), strict=True)
    return tuple(here & ~(left & right & here << 1 & here >> 1) for left, here, right in neighbours)


def names() -> frozenset[str]:
    """Return the names that `icon` knows."""
    return frozenset(_large())


def rows(picture: Columns) -> int:
    """Return the height of a picture in pixels, empty rows beneath it left out."""
    return max((column.bit_length() for column in picture), default=0)


def doubled(picture: Columns) -> Columns:
    """Return a picture at twice its size."""
    wide = []
    for column in picture:
        bits = sum(3 << 2 * y for y in range(column.bit_length()) if column >> y & 1)
        wide += [bits, bits]
    return tuple(wide)


def dotted(picture: Columns) -> Columns:
    """Return a picture with every other pixel dark, so that no row, column or diagonal is dark throughout."""
    masks = [sum(1 << y for y in range(32) if (x + 2 * y) % 4 < 2) for x in range(4)]
    return tuple(column & masks[x % 4] for x, column in enumerate(picture))
