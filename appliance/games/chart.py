"""A line and bars as small SVG pictures, in the page's colours."""

from collections.abc import Mapping, Sequence

ACROSS, HEIGHT, TOP, FOOT, AXIS = 600, 140, 10, 19, 32  # all sizes are in the picture's own units


def line(values: Sequence[int], most: int, label: str) -> str:
    """Return a line through two values or more, from 0 to `most`, with its words for a screen reader.

    On its left is the scale, to 100; below are the numbers of the first, each tenth and the last value.
    """
    pitch, high = (ACROSS - 2 * AXIS) / (len(values) - 1), HEIGHT - TOP - 4
    points = (
        f"{AXIS + n * pitch:.1f} {TOP + high * (most - value) / most:.1f}" for n, value in enumerate(values)
    )
    levels = {100 - 25 * part: TOP + high * part // 4 for part in range(5)}
    floors = "".join(f"M{AXIS} {y}H{ACROSS - AXIS}" for y in levels.values())
    scale = [_text(AXIS / 2, y + 4, level) for level, y in levels.items()]
    marked = sorted({0, *range(9, len(values) - 4, 10), len(values) - 1})
    foot = [_text(AXIS + n * pitch, FOOT + HEIGHT - 3, n + 1) for n in marked]
    parts = [f'<path class="floor" d="{floors}"/><path class="rise" d="M{"L".join(points)}"/>']
    return _chart(HEIGHT + FOOT, label, "".join(parts + scale + foot))


def bars(counts: Mapping[int, int], label: str) -> str:
    """Return a bar for each hour, with its count above; the night's hours are left out if they have none."""
    most, hours = max(counts.values()), range(min(8, *counts), max(19, *counts) + 1)
    pitch, parts = ACROSS / len(hours), []
    for hour in hours:
        middle = round((hour - hours[0] + 0.5) * pitch, 1)
        high = (HEIGHT - FOOT) * counts.get(hour, 0) // most
        parts.append(_text(middle, FOOT + HEIGHT - 3, hour))
        if high:
            parts.append(_text(middle, HEIGHT - high - 3, counts[hour]))
            left, wide = round(middle - pitch / 3, 1), round(pitch / 1.5, 1)
            parts.append(f'<path class="bar" d="M{left} {HEIGHT}v-{high}h{wide}v{high}z"/>')
    return _chart(HEIGHT + FOOT, label, "".join(parts))


def _text(x: float, y: int, number: int) -> str:
    return f'<text x="{x:.1f}" y="{y}">{number}</text>'


def _chart(height: int, label: str, parts: str) -> str:
    size = f'viewBox="0 0 {ACROSS} {height}"'
    return f'<svg class="chart" {size} role="img" aria-label="{label}">{parts}</svg>\n'
