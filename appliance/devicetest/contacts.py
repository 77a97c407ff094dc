"""Check 6: how long the buttons' contacts bounce, by the kernel's time stamps; whether edges are lost."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from appliance.core.keys.scan import COLUMNS, KEYS
from appliance.devicetest.asking import Request
from appliance.devicetest.chip import Edge
from appliance.devicetest.judge import CannotRunError, Figures, milliseconds
from appliance.devicetest.lines import pull_up
from appliance.devicetest.rig import BoardRig, Pins

TAPS = 10  # of each button
PATIENCE = 8.0  # seconds without an edge, after which a button is given up
QUIET = 0.1  # seconds without an edge after the last tap
SAMPLE = 0.02  # seconds between looks at the edges so far
GAP = 0.01  # seconds without an edge that end a burst: shorter than the shortest tap
LOW = 3  # samples for which a column is low without an edge: then edges do not arrive at all


class Burst(NamedTuple):
    """The edges of one contact that closes or opens, chatter included. `closed`: it ended closed."""

    began: float
    ended: float
    edges: int
    closed: bool


def bursts(edges: Sequence[Edge]) -> list[Burst]:
    """Return the bursts of one column's edges, which are in the order of time."""
    found: list[Burst] = []
    for edge in edges:
        if found and edge.at - found[-1].ended <= GAP:
            began, _, count, _ = found.pop()
            found.append(Burst(began, edge.at, count + 1, not edge.rising))
        else:
            found.append(Burst(edge.at, edge.at, 1, not edge.rising))
    return found


def lost(edges: Sequence[Edge]) -> int:
    """Return how many of one column's edges the kernel has counted but not delivered."""
    return sum(after.number - before.number - 1 for before, after in pairwise(edges))


def bounce(rig: BoardRig) -> Figures:
    """Return how the contacts chatter while each button is tapped ten times."""
    edges: list[list[Edge]] = [[] for _ in range(COLUMNS)]  # of each column, in all
    missing, elsewhere, found = [], 0, []
    with rig.pins() as claimed:
        pull_up(claimed)
        for pin in claimed.columns:
            pin.trace()
        for key in range(KEYS):
            tapped = _tapped(rig, claimed, key)
            for column, more in enumerate(tapped):
                edges[column] += more
            own = bursts(tapped[key % COLUMNS])
            found += own
            if not own:
                missing.append(key)
                elsewhere += any(tapped)
    return {
        "missing": len(missing),
        "which": " ".join(str(key + 1) for key in missing),
        "on_another_column": elsewhere,
        "taps": sum(burst.closed for burst in found),
        "longest_ms": milliseconds(max((burst.ended - burst.began for burst in found), default=0.0)),
        "most_edges": max((burst.edges for burst in found), default=0),
        "lost_edges": sum(map(lost, edges)),
    }


def _tapped(rig: BoardRig, claimed: Pins, key: int) -> list[list[Edge]]:
    """Return the edges of each column while the key is tapped ten times, or given up.

    Only its own row is driven, so other rows' keys do nothing. Raise `CannotRunError` if a column falls
    without an edge.
    """
    row = claimed.rows[key // COLUMNS]
    edges: list[list[Edge]] = [[] for _ in claimed.columns]
    row.output_with_state(state=False)
    for column in claimed.columns:
        column.edges()
    since, taps, low = rig.now(), 0, 0
    while rig.now() - since < (PATIENCE if taps < TAPS else QUIET):
        rig.ask(Request(f"Tap button {key + 1} ten times.", "press_this", 1 << key, f"{taps}/{TAPS}"))
        rig.wait(SAMPLE)
        fresh = [column.edges() for column in claimed.columns]
        edges = [so_far + more for so_far, more in zip(edges, fresh, strict=True)]
        if any(fresh):
            since = rig.now()
        taps = sum(burst.closed for burst in bursts(edges[key % COLUMNS]))
        low = 0 if any(edges) or all(column.state for column in claimed.columns) else low + 1
        if low == LOW:
            raise CannotRunError("a button closes, and no edge arrives: see check 8")
    row.input_with_pull("up")
    return edges
