"""The classes of small boards: open states that turns and mirrors make equal.

For the lines of the big board all turns and mirrors count, for where the cells send the opponent only those
that leave the board in its place. So a corner or an edge has some 5,700 classes, and the centre 1,582, as any
board has without its place. A table of all states would have 19,683.
"""

from array import array
from collections.abc import Sequence
from operator import itemgetter

from ..shape import symmetries
from .local import MARK, STATUS

POWERS = MARK[0]
KINDS = (0, 1, 4)  # a corner, an edge and the centre, to which the others are mirrored


def _images(mirror: Sequence[int], x: int = 1, o: int = 2) -> Sequence[int]:
    """Return the image of each state in a mirror, where the digit of a mark of x, of o, is this one."""
    images = [0]
    for cell in mirror:
        mine, theirs = x * POWERS[cell], o * POWERS[cell]
        images += [each + mine for each in images] + [each + theirs for each in images]
    return array("H", images)


def _classes(board: int) -> tuple[Sequence[int], list[int]]:
    """Return the class of each state of a board in its place, and the smallest state of each class."""
    # Not known (-2) or, since the board is won or full, none (-1).
    class_of, smallest = [-1 if status else -2 for status in STATUS], list[int]()
    images = [_IMAGES[mirror] for mirror in _IMAGES if mirror[board] == board]
    for state, known in enumerate(class_of):  # which is filled in ahead
        if known == -2:
            for image in images:
                class_of[image[state]] = len(smallest)
            smallest.append(state)
    return tuple(class_of), smallest


def _mirrored(board: int) -> Sequence[int]:
    """Return the class of each state of a board."""
    mirror = next(mirror for mirror in _IMAGES if mirror[board] in KINDS)
    known, _ = _PLACED[KINDS.index(mirror[board])]
    return known if board in KINDS else itemgetter(*_IMAGES[mirror])(known)


_IMAGES = {mirror: _images(mirror) for mirror in symmetries(3, 3)}
_EXCHANGE = _images(range(9), 2, 1)
_PLACED = [_classes(board) for board in KINDS]

CLASS = tuple(_mirrored(board) for board in range(9))
"""By board the class of each state, in the order of their smallest members; -1 if it is won or full."""

EXCHANGED = [[known[_EXCHANGE[each]] for each in smallest] for known, smallest in _PLACED]
"""By kind the class of each class with x and o exchanged."""

PLAIN = [[CLASS[4][each] for each in smallest] for _, smallest in _PLACED]
"""By kind the class that each class has without its place."""
