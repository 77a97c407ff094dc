"""Check 10: how long the buttons' contacts bounce, by the kernel's time stamps; whether edges are lost."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from appliance.boardtest.gpio_lines import pull_up
from appliance.boardtest.machine import Edge
from appliance.boardtest.plan import CannotRunError, Figures, milliseconds
from appliance.boardtest.prompts import Prompt
from appliance.boardtest.rig import Pins, Rig
from appliance.core.keys.scan import COLUMNS, KEYS
from appliance.devices.keypad import Keypad

TAPS_EACH = 10  # of each button
NO_EDGE_SECONDS = 8.0  # seconds without an edge, after which a button is given up
TAPS_END_AFTER = 0.1  # seconds without an edge after the last tap
EDGE_LOOK_SECONDS = 0.02  # seconds between looks at the edges so far
BURST_GAP = 0.01  # seconds without an edge that end a burst: shorter than the shortest tap
CONTACT = 0.03  # seconds: no tap is shorter, and the keypad may miss one that is
DEAD_LOOKS = 3  # samples for which a column is low without an edge: then edges do not arrive at all


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
        if found and edge.at - found[-1].ended <= BURST_GAP:
            began, _, count, _ = found.pop()
            found.append(Burst(began, edge.at, count + 1, not edge.rising))
        else:
            found.append(Burst(edge.at, edge.at, 1, not edge.rising))
    return found


def lost(edges: Sequence[Edge]) -> int:
    """Return how many of one column's edges the kernel has counted but not delivered."""
    return sum(after.number - before.number - 1 for before, after in pairwise(edges))


class Contacts:
    """Tells from the columns' edges when a key closed whose press follows, and which contacts had no press.

    Only edges that come while the keypad is at rest are contacts: a scan makes edges of its own.
    """

    def __init__(self) -> None:
        self.lost = self.edges = 0
        self._since: float | None = None  # when the contact under way closed
        self._at_rest = False

    def polled(self, keypad: Keypad, edges: Sequence[Edge]) -> None:
        """Add the edges that came since the last poll and in this one."""
        was_at_rest, self._at_rest = self._at_rest, keypad.settled and not keypad.value
        falls = [edge.at for edge in edges if not edge.rising]
        self.edges += len(edges)
        if was_at_rest and self._since is None and falls:
            self._since = falls[0]
        if not self._at_rest or self._since is None:
            return
        if was_at_rest and edges:
            if not edges[-1].rising:  # it closed after the poll had read the columns
                return
            self.lost += longest(self._since, edges) >= CONTACT
        self._since = None

    def pressed(self) -> float | None:
        """Return when the contact of the press that just came closed; None if another key's was under way."""
        since, self._since = self._since, None
        return since


def longest(since: float, edges: Iterable[Edge]) -> float:
    """Return the longest time for which a column was low: since then, or between these edges."""
    most, fell = 0.0, since
    for edge in edges:
        if edge.rising:
            most = max(most, edge.at - fell)
        else:
            fell = edge.at
    return most


def edges_of(columns: Iterable[Any]) -> list[Edge]:
    """Return the new edges of all columns, in the order of time."""
    return sorted(edge for column in columns for edge in column.edges())


def bounce(rig: Rig) -> Figures:
    """Return how the contacts chatter while each button is tapped ten times."""
    edges: list[list[Edge]] = [[] for _ in range(COLUMNS)]  # of each column, in all
    found = []
    with rig.pins() as claimed:
        pull_up(claimed)
        for pin in claimed.columns:
            pin.trace()
        for key in range(KEYS):
            tapped = _tapped(rig, claimed, key)
            for column, more in enumerate(tapped):
                edges[column] += more
            found += bursts(tapped[key % COLUMNS])
    if not found:
        raise CannotRunError("nobody tapped a button")
    return {
        "taps": sum(burst.closed for burst in found),
        "longest_ms": milliseconds(max((burst.ended - burst.began for burst in found), default=0.0)),
        "most_edges": max((burst.edges for burst in found), default=0),
        "lost_edges": sum(map(lost, edges)),
    }


def _tapped(rig: Rig, claimed: Pins, key: int) -> list[list[Edge]]:
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
    while rig.now() - since < (NO_EDGE_SECONDS if taps < TAPS_EACH else TAPS_END_AFTER):
        rig.ask(Prompt(f"Tap button {key + 1} ten times.", "press_this", 1 << key, f"{taps}/{TAPS_EACH}"))
        rig.wait(EDGE_LOOK_SECONDS)
        fresh = [column.edges() for column in claimed.columns]
        edges = [so_far + more for so_far, more in zip(edges, fresh, strict=True)]
        if any(fresh):
            since = rig.now()
        taps = sum(burst.closed for burst in bursts(edges[key % COLUMNS]))
        low = 0 if any(edges) or all(column.state for column in claimed.columns) else low + 1
        if low == DEAD_LOOKS:
            raise CannotRunError("a button closes, and no edge arrives: see check 12")
    row.input_with_pull("up")
    return edges
