"""Scans to edges: contacts chatter for up to 20 ms whenever they close or open.

Two equal samples accept a key that went down; a key that is down must be open in every sample of a quiet time
before it counts as released. Each key is debounced on its own, as in QMK's asymmetric eager-press,
deferred-release algorithm; the second sample keeps a spike from being a press.
"""

from typing import NamedTuple

from appliance.core.matrix import keys_of

QUIET = 0.03  # seconds without contact after which a key is released; chatter lasts up to 20 ms


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


def debounce(state: Debounce, scan: int, now: float, quiet: float = QUIET) -> tuple[Debounce, Edges]:
    """Apply the sample `scan`, taken at `now`; return the new state and what changed.

    `now` and `quiet` are in seconds; samples may be unevenly spaced. The quiet time starts at the first
    sample in which the key was open, not at the last in which it was closed: between the two nobody looked.
    """
    if scan == state.last == state.down:
        return state, NO_EDGES
    began = dict(state.open_since)
    open_since = tuple((key, began.get(key, now)) for key in keys_of(state.down & ~scan))
    released = sum(1 << key for key, since in open_since if now - since >= quiet)
    pressed = scan & state.last & ~state.down
    if released:
        open_since = tuple(pair for pair in open_since if not released >> pair[0] & 1)
    down = (state.down | pressed) & ~released
    return Debounce(down, scan, open_since), Edges(pressed, released)
