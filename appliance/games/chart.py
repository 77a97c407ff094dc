"""A line and bars as small SVG pictures, in the page's colours."""

from collections.abc import Mapping, Sequence

ACROSS, HEIGHT, FOOT = 600, 140, 19  # all sizes are in the picture's own units


def line(values: Sequence[int], most: int, label: str) -> str:
    """Return a line through two values or more, from 0 to `most`, with its words for a screen reader."""
    pitch = (ACROSS - 8) / (len(values) - 1)
    points = (
        f"{4 + n * pitch:.1f} {4 + (HEIGHT - 8) * (most - value) / most:.1f}"
        for n, value in enumerate(values)
    )
    floors = "".join(f"M0 {4 + (HEIGHT - 8) * part // 4}h{ACROSS}" for part in range(5))
    parts = f'<path class="floor" d="{floors}"/><path class="rise" d="M{"L".join(points)}"/>'
    return _chart(HEIGHT, label, parts)


def bars(counts: Mapping[int, int], label: str) -> str:
    """Return a bar for each hour, with its count above; the night's hours are left out if they have none."""
    most, hours = max(counts.values()), range(min(8, *counts), max(19, *counts) + 1)
    pitch, parts = ACROSS / len(hours), []
    for hour in hours:
        middle = round((hour - hours[0] + 0.5) * pitch, 1)
        high = (HEIGHT - FOOT) * counts.get(hour, 0) // most
        parts.append(f'<text x="{middle}" y="{FOOT + HEIGHT - 3}">{hour}</text>')
        if high:
            parts.append(f'<text x="{middle}" y="{HEIGHT - high - 3}">{counts[hour]}</text>')
            left, wide = round(middle - pitch / 3, 1), round(pitch / 1.5, 1)
            parts.append(f'<path class="bar" d="M{left} {HEIGHT}v-{high}h{wide}v{high}z"/>')
    return _chart(HEIGHT + FOOT, label, "".join(parts))


def _chart(height: int, label: str, parts: str) -> str:
    size = f'viewBox="0 0 {ACROSS} {height}"'
    return f'<svg class="chart" {size} role="img" aria-label="{label}">{parts}</svg>\n'
