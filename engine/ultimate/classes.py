"""The classes of small boards: open states that turns and mirrors make equal.

They are worth the same, so a table of values has 1,582 entries instead of 19,683. It is made as often as the
big board takes a new state, and a table of all states would take as long as searching 1,000 positions.
"""

from collections.abc import Sequence

from ..shape import symmetries
from .local import MARK, STATUS

POWERS = MARK[0]


def _sums(weights: list[tuple[int, int]]) -> list[int]:
    """Return the sums of a weight, or 0, of each cell: at a state's number those of its marks."""
    sums = [0]
    for x, o in weights:
        sums = sums + [each + x for each in sums] + [each + o for each in sums]
    return sums


def _classes() -> tuple[list[int], list[int]]:
    # Not known (-2) or, since the board is won or full, none (-1).
    class_of = [-1 if status else -2 for status in STATUS]
    # The image of a state is the sum of the images of its three rows.
    thirds = [
        [_sums([(POWERS[cell], 2 * POWERS[cell]) for cell in mirror[row : row + 3]]) for row in (0, 3, 6)]
        for mirror in symmetries(3, 3)
    ]
    smallest = list[int]()
    for state, known in enumerate(class_of):  # which is filled in ahead
        if known == -2:
            low, middle, high = state % 27, state // 27 % 27, state // 729
            for first, second, third in thirds:
                class_of[first[low] + second[middle] + third[high]] = len(smallest)
            smallest.append(state)
    exchange = _sums([(2 * power, power) for power in POWERS])
    return class_of, [class_of[exchange[state]] for state in smallest]


CLASS: Sequence[int]
"""The class of each state, in the order of their smallest members; -1 for a board that is won or full."""

EXCHANGED: Sequence[int]
"""The class of each class with x and o exchanged."""

CLASS, EXCHANGED = _classes()
