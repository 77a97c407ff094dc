"""A solid of triangles, read from a binary STL: its edges, its volume, and where a line is inside it."""

import struct
from collections import Counter
from itertools import pairwise
from typing import NamedTuple

Point = tuple[float, float, float]


class Solid(NamedTuple):
    """A header of 80 bytes, and triangles of three corners, which turn anticlockwise as seen from outside."""

    header: bytes
    triangles: tuple[tuple[Point, Point, Point], ...]

    def unmatched_edges(self):
        """Return the edges that are not one side of exactly two triangles, once in each direction."""
        edges = Counter(
            (one, other) for triangle in self.triangles for one, other in pairwise((*triangle, triangle[0]))
        )
        return [(a, b) for (a, b), count in edges.items() if count != 1 or edges[b, a] != 1]

    def volume(self):
        return sum(_dot(a, _cross(b, c)) for a, b, c in self.triangles) / 6

    def box(self):
        """Return the smallest and the largest coordinates."""
        points = [point for triangle in self.triangles for point in triangle]
        return tuple(map(min, zip(*points, strict=True))), tuple(map(max, zip(*points, strict=True)))

    def inside(self, axis, across):
        """Return where a line along an axis (0 to 2) is inside: pairs of coordinates, rising, to 0.001.

        The line's other two coordinates are `across`, in the order of the axes; it must meet no edge.
        """
        u, v = [each for each in range(3) if each != axis]
        found = []
        for triangle in self.triangles:
            low, _, high = sorted((triangle[0][u], triangle[1][u], triangle[2][u]))
            if not low < across[0] < high:
                continue
            turns = [
                (q[u] - p[u]) * (across[1] - p[v]) - (q[v] - p[v]) * (across[0] - p[u])
                for p, q in pairwise((*triangle, triangle[0]))
            ]
            if all(turn > 0 for turn in turns) or all(turn < 0 for turn in turns):
                weights = [turns[1], turns[2], turns[0]]  # each corner's weight is its opposite edge's turn
                heights = [point[axis] for point in triangle]
                found.append(round(sum(map(float.__mul__, weights, heights)) / sum(weights), 3) + 0.0)
        found.sort()
        assert len(found) % 2 == 0, "the line meets an edge, or the solid is open"
        return list(zip(found[::2], found[1::2], strict=True))


def read(data):
    (count,) = struct.unpack_from("<I", data, 80)
    assert len(data) == 84 + 50 * count
    rows = [struct.unpack_from("<12f", data, 84 + 50 * number) for number in range(count)]
    return Solid(data[:80], tuple((row[3:6], row[6:9], row[9:12]) for row in rows))


def normal(triangle):
    """Return a vector that points outwards, twice as long as the triangle's area."""
    a, b, c = triangle
    return _cross(tuple(map(float.__sub__, b, a)), tuple(map(float.__sub__, c, a)))


def _cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _dot(a, b):
    return sum(map(float.__mul__, a, b))
