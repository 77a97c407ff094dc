"""Scans of a 3x3 switch matrix without diodes: reject ghosts, debounce.

A scan is an int of nine bits; bit `row * 3 + column` is set where that column read low while that row alone
was driven low. Closed keys join rows and columns, so a row pulls down every column that can be reached from
it through any closed keys. A scan is therefore the transitive closure of what is closed: three keys on the
corners of a rectangle read as four, and the fourth is a ghost. A bit that is *not* set is always true.

What still works beside stuck keys:

- None stuck: any two keys read correctly, and 48 of the 84 triples.
- One stuck: every other key alone; 16 of the 28 pairs (not those that complete a corner with it).
- Two stuck in one row or column: 3 of the other 7 keys. Two stuck on a diagonal: 5 of 7.
- Three stuck on a corner: the ghost counts as stuck with them, and the key in neither their rows nor their
  columns still works.

Contacts chatter for up to 20 ms whenever they close or open. Two equal samples accept a key that went down; a
key that is down must be open in every sample of a quiet time before it counts as released. Each key is
debounced on its own, as in QMK's asymmetric eager-press, deferred-release algorithm; the second sample keeps
a spike from being a press.
"""

from typing import NamedTuple

ROWS = COLUMNS = 3
KEYS = ROWS * COLUMNS
CENTRE = KEYS // 2
_ROW = (1 << COLUMNS) - 1
_PAIRS = ((0, 1), (0, 2), (1, 2))
RELEASE_SECONDS = 0.03  # seconds without contact after which a key is released; chatter lasts up to 20 ms


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


class Debounce(NamedTuple):
    """The keys (bits) that are down, those of the last sample, and since when a down key has been open."""

    down: int = 0
    last: int = 0
    open_since: tuple[tuple[int, float], ...] = ()


class Edges(NamedTuple):
    """The keys (bits) that went down, and those that were released."""

    pressed: int = 0
    released: int = 0


NO_EDGES = Edges()


def debounce(state: Debounce, scan: int, now: float) -> tuple[Debounce, Edges]:
    """Apply the sample `scan`, taken at `now`; return the new state and what changed.

    `now` is in seconds; samples may be unevenly spaced. The quiet time starts at the first sample in which
    the key was open, not at the last in which it was closed: between the two, nobody looked.
    """
    if scan == state.last == state.down:
        return state, NO_EDGES
    began = dict(state.open_since)
    open_since = tuple((key, began.get(key, now)) for key in keys_of(state.down & ~scan))
    released = sum(1 << key for key, since in open_since if now - since >= RELEASE_SECONDS)
    pressed = scan & state.last & ~state.down
    if released:
        open_since = tuple(pair for pair in open_since if not released >> pair[0] & 1)
    down = (state.down | pressed) & ~released
    return Debounce(down, scan, open_since), Edges(pressed, released)
