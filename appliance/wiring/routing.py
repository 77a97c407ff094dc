"""Where the wires run: down from the header, across on a track of their own, down to their part."""

from collections.abc import Iterator, Mapping, Sequence

from appliance.wiring.geometry import INNER, OUTER, TRACK, TRACKS, Point, lead, pad, terminal
from appliance.wiring.net import Wire


def routes(net: Sequence[Wire]) -> Iterator[tuple[Wire, list[Point]]]:
    """Yield each wire with its corners. Wires may cross; no two run along the same line."""
    tracks = _tracks(net)
    for wire in net:
        x, across = lead(wire.pin), tracks[wire]
        to_x, to_y = terminal(wire, net)
        start = [pad(wire.pin)] if wire.pin % 2 else [pad(wire.pin), (x, (OUTER + INNER) / 2)]
        if wire.kind.startswith("row"):  # down beside the keys, and in from the left
            lane = to_x - 8 - 22 * int(wire.kind[-1])
            yield wire, [*start, (x, across), (lane, across), (lane, to_y), (to_x, to_y)]
        else:
            yield wire, [*start, (x, across), (to_x, across), (to_x, to_y)]


def _tracks(net: Sequence[Wire]) -> Mapping[Wire, int]:
    """Return the height at which each wire runs across, chosen so that few cross.

    Of the wires that go left, the leftmost runs highest; of those that go right, the rightmost.
    """

    def order(wire: Wire) -> tuple[bool, float]:
        x = lead(wire.pin)
        left = terminal(wire, net)[0] < x
        return not left, x if left else -x

    return {wire: TRACKS + number * TRACK for number, wire in enumerate(sorted(net, key=order))}
