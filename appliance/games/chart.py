"""A line and bars as small SVG pictures, in the page's colours."""

from collections.abc import Mapping, Sequence

ACROSS, HEIGHT, FOOT = 600, 140, 16  # all sizes are in the picture's own units


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
    """Return a bar for each hour of the day, with its count above and its hour below."""
    most, pitch = max(counts.values()), ACROSS / 24
    parts = []
    for hour in range(24):
        middle, high = round((hour + 0.5) * pitch, 1), (HEIGHT - FOOT) * counts.get(hour, 0) // most
        parts.append(f'<text x="{middle}" y="{FOOT + HEIGHT - 3}">{hour}</text>')
        if high:
            parts.append(f'<text x="{middle}" y="{HEIGHT - high - 3}">{counts[hour]}</text>')
            parts.append(f'<path class="bar" d="M{middle} {HEIGHT}v-{high}"/>')
    return _chart(HEIGHT + FOOT, label, "".join(parts))


def _chart(height: int, label: str, parts: str) -> str:
    size = f'viewBox="0 0 {ACROSS} {height}"'
    return f'<svg class="chart" {size} role="img" aria-label="{label}">{parts}</svg>\n'
