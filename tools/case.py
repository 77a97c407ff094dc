"""Render the case with OpenSCAD: `case.py` writes the STL files and their picture into hardware/.

Each file has the digest of its sources, so that a test without OpenSCAD sees whether it is theirs.
"""

import hashlib
import math
import os
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from appliance.desk.dimensions import BOARDS, DISPLAYS, FILE, PANEL

FOLDER = FILE.resolve().parent
SOURCE = FOLDER / "case.scad"
PARTS = {
    **{
        f"base-{name}.stl": ("-D", 'part="base"', "-D", f"board={number}")
        for number, name in enumerate(BOARDS)
    },
    **{
        f"lid-{each.inches}.stl": ("-D", 'part="lid"', "-D", f"display={number}")
        for number, each in enumerate(DISPLAYS)
    },
}

Point = tuple[float, float, float]
Triangle = tuple[Point, Point, Point]
Pixels = dict[tuple[int, int], tuple[float, float]]  # depth and brightness

SIZE = (1060, 500)  # of the picture, in pixels
FINE = 2  # drawn this much larger, then reduced
SCALE = 2.35  # pixels a millimetre
VIEWS = ((270, 340, -40, 38), (790, 340, 140, 38))  # where the middle is; azimuth and elevation in degrees
LIFT = 55.0  # of the lid over the base, in millimetres
LIGHT = (-0.46, 0.29, 0.84)


def header() -> bytes:
    """Return the first 80 bytes of each STL: they name the sources."""
    digest = hashlib.sha256(FILE.read_bytes() + SOURCE.read_bytes()).hexdigest()
    return f"tic-tac-toe box, mm, sources {digest[:40]}".encode().ljust(80)


def render(options: tuple[str, ...]) -> bytes:
    """Return a part as a binary STL."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "part.stl"
        command = ["openscad", "-q", "-o", file, "--export-format", "binstl", *options, SOURCE]
        subprocess.run(command, check=True, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"})  # noqa: S603
        return header() + file.read_bytes()[80:]


def triangles(data: bytes) -> list[Triangle]:
    """Return the triangles of a binary STL."""
    rows = [struct.unpack_from("<12f", data, at) for at in range(84, len(data), 50)]
    return [(row[3:6], row[6:9], row[9:12]) for row in rows]


def turned(solid: list[Triangle], azimuth: float, elevation: float) -> list[Triangle]:
    """Return a solid as a camera sees it: x right, y up, z towards the camera; its angles are in degrees."""
    a, e = math.radians(azimuth), math.radians(elevation)

    def seen(point: Point) -> Point:
        x, y, z = point[0] - PANEL[0] / 2, point[1] - PANEL[1] / 2, point[2]
        right, away = x * math.cos(a) - y * math.sin(a), x * math.sin(a) + y * math.cos(a)
        return right, away * math.sin(e) + z * math.cos(e), z * math.sin(e) - away * math.cos(e)

    return [(seen(p), seen(q), seen(r)) for p, q, r in solid]


def brightness(triangle: Triangle) -> float:
    """Return 0 to 1 for a triangle as it lies in space."""
    (p, q, r) = triangle
    u, v = [b - a for a, b in zip(p, q, strict=True)], [b - a for a, b in zip(p, r, strict=True)]
    normal = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    return 0.7 + 0.3 * sum(n * light for n, light in zip(normal, LIGHT, strict=True)) / math.hypot(*normal)


def covered(p: Point, q: Point, r: Point) -> Iterator[tuple[int, int, float]]:
    """Yield the pixels of a triangle whose front is towards the camera, with their depth."""
    area = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
    if area <= 0:
        return
    for y in range(math.ceil(min(p[1], q[1], r[1])), math.floor(max(p[1], q[1], r[1])) + 1):
        crossed = [
            a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1])
            for a, b in pairwise((p, q, r, p))
            if min(a[1], b[1]) <= y <= max(a[1], b[1]) and a[1] != b[1]
        ]
        if crossed:
            for x in range(math.ceil(min(crossed)), math.floor(max(crossed)) + 1):
                to_q = ((x - p[0]) * (r[1] - p[1]) - (y - p[1]) * (r[0] - p[0])) / area
                to_r = ((q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0])) / area
                yield x, y, p[2] + (q[2] - p[2]) * to_q + (r[2] - p[2]) * to_r


def picture(base: list[Triangle], lid: list[Triangle]) -> Image.Image:
    """Return the lid over the base, from two sides."""
    top = max(point[2] for triangle in base for point in triangle) + LIFT
    over = [tuple((PANEL[0] - x, y, top - z) for x, y, z in triangle) for triangle in lid]
    pixels: Pixels = {}
    for middle_x, middle_y, azimuth, elevation in VIEWS:
        for part, tone in ((base, 0.86), (over, 1.0)):
            for solid, shown in zip(part, turned(part, azimuth, elevation), strict=True):  # type: ignore[arg-type]
                light = tone * brightness(solid)  # type: ignore[arg-type]
                corners = [
                    (FINE * (middle_x + x * SCALE), FINE * (y * SCALE + SIZE[1] - middle_y), z)
                    for x, y, z in shown
                ]
                for x, y, depth in covered(*corners):
                    if pixels.get((x, y), (-math.inf, 0))[0] < depth:
                        pixels[x, y] = depth, light
    image = Image.new("RGB", (SIZE[0] * FINE, SIZE[1] * FINE), "white")
    for (x, y), (_, light) in pixels.items():
        if 0 <= x < image.width and 0 <= y < image.height:
            image.putpixel((x, image.height - 1 - y), (int(232 * light), int(186 * light), int(112 * light)))
    return image.resize(SIZE, Image.Resampling.LANCZOS).quantize(64)


def main() -> None:
    """Write all files."""
    for name, options in PARTS.items():
        (FOLDER / name).write_bytes(render(options))
    shown = [triangles((FOLDER / name).read_bytes()) for name in ("base-zero.stl", "lid-0.96.stl")]
    about = PngInfo()
    about.add_text("Source", header().decode().strip())
    picture(*shown).save(FOLDER / "case.png", optimize=True, pnginfo=about)


if __name__ == "__main__":
    main()
