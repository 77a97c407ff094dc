"""Scans of a 3x3 switch matrix without diodes, and the rejection of ghosts.

A scan is an int of nine bits; bit `row * 3 + column` is set where that column read low while that row alone
was driven low. Closed keys join rows and columns, so a row pulls down every column that can be reached from
it through any closed keys. A scan is therefore the transitive closure of what is closed: three keys on the
corners of a rectangle read as four, and the fourth is a ghost. A bit that is *not* set is always true.

What still works beside stuck keys:

- None stuck: any two keys are told apart, and 48 of the 84 triples.
- One stuck: every other key alone; 16 of the 28 pairs (not those that complete a corner with it).
- Two stuck in one row or column: 3 of the other 7 keys. Two stuck on a diagonal: 5 of 7.
- Three stuck on a corner: the ghost counts as stuck with them, and the key in neither their rows nor their
  columns still works.
"""

ROWS = COLUMNS = 3
KEYS = ROWS * COLUMNS
CENTRE = KEYS // 2
_ROW = (1 << COLUMNS) - 1
_PAIRS = ((0, 1), (0, 2), (1, 2))


def accept(raw: int, ignored: int = 0) -> int | None:
    """Return the scan `raw` if it is unambiguous, otherwise None.

    It is unambiguous if exactly one set of closed keys reads like this; the keys in `ignored`, known to be
    stuck, are not compared. Several sets do if a rectangle may hold a ghost, none if contacts moved during
    the scan.

    Two rows that share a column are joined, so they must read the same. If they share two columns, any one of
    the four keys may be the ghost.
    """
    if not raw & (raw - 1):
        return raw  # at most one key: nearly always the case
    for first, second in _PAIRS:
        one, other = raw >> first * COLUMNS & _ROW, raw >> second * COLUMNS & _ROW
        if one & other:
            if one != other:
                return None
            doubtful = one << first * COLUMNS | other << second * COLUMNS
            if one & (one - 1) and doubtful & ~ignored:
                return None
    return raw


def keys_of(scan: int) -> tuple[int, ...]:
    """Return the numbers of the keys whose bits are set, ascending."""
    return tuple(key for key in range(KEYS) if scan >> key & 1)
