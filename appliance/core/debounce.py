"""From scans to edges: contacts chatter for some milliseconds whenever they close or open.

Two equal samples accept a key that went down; a key that is down must have been open in every sample of a
quiet time before it counts as released. Both are decided for each key alone, as in QMK's asymmetric
eager-press, deferred-release debouncing, but for the second sample, which keeps a spike from being a press.
"""

from appliance.core.matrix import keys_of
from appliance.records import dataclass

QUIET = 0.03  # seconds without contact after which a key is released; chatter lasts up to 20 ms


@dataclass(frozen=True, slots=True)
class Debounce:
    """The keys that are down (bits), those of the last sample, and since when which down key is open."""

    down: int = 0
    last: int = 0
    open_since: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Edges:
    """The keys (bits) that went down, and those that were released."""

    pressed: int = 0
    released: int = 0


NO_EDGES = Edges()


def debounce(state: Debounce, scan: int, now: float, quiet: float = QUIET) -> tuple[Debounce, Edges]:
    """Take the sample `scan`, made at `now`; return the new state and what changed.

    `now` and `quiet` are in seconds; samples may come at any distance. The quiet time starts at the first
    sample that saw the key open, not at the last that saw it closed: in between, nobody looked.
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
