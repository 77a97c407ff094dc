"""Plots as SVG, written by hand: legible on white and on black, in a page and alone."""

import math
from html import escape

WIDTH, LEFT, RIGHT, ROW, TOP = 760, 290, 90, 22, 56
COLOURS = (
    "#2f7ed8",
    "#d9822b",
    "#7a9a2f",
    "#b0487a",
    "#5f8f9f",
    "#8a6fc0",
)  # each stands out from both grounds
STYLE = """
text { font: 12px sans-serif; fill: #24292f }
.title { font-size: 14px; font-weight: bold }
.rule { stroke: #8c959f; stroke-opacity: .45 }
.none { fill: #6e7781; font-style: italic }
@media (prefers-color-scheme: dark) { text { fill: #d8dee4 } .none { fill: #9aa4ae } }
"""


DEBOUNCE = 5.0  # ms from one sample to the next


def middle(values):
    """Return the median of a list that is not empty."""
    return sorted(values)[len(values) // 2]


def sampling(press):
    """Return how long presses waited for the first look at the keys, in ms, by when they came."""
    pairs = list(zip(press["parked"], press["accepted"], strict=True))
    kinds = {"the first press after a pause": True, "soon after another": False}
    found = {name: [ms - DEBOUNCE for kind, ms in pairs if kind == parked] for name, parked in kinds.items()}
    return {name: waits for name, waits in found.items() if waits}


def draw(figures):
    """Return file name -> SVG for all that has been measured."""
    plots = {"engine.svg": _engine(figures["engine"]), "bus.svg": _bus(figures["bus"])}
    if "start" in figures:
        plots["start.svg"] = bars(
            "From the start: CPU time",
            "ms",
            [(row["until"], [("", row["CPU ms"])]) for row in figures["start"]],
        )
        plots["idle.svg"] = bars(
            "Nobody presses: share of one core",
            "%",
            [(name, [("", row["CPU %"])]) for name, row in figures["idle"].items() if "CPU %" in row],
        )
    if "press" in figures:
        plots["press.svg"] = _press(figures)
    return plots


def _engine(rows):
    names = list(dict.fromkeys(row["engine"] for row in rows))
    groups = [
        (position, [(name, _of(rows, position, name)) for name in names])
        for position in dict.fromkeys(row["position"] for row in rows)
    ]
    return bars("One search to the end: time", "ms", groups, log=True)


def _of(rows, position, name):
    return next(row["ms"] for row in rows if (row["position"], row["engine"]) == (position, name))


def _bus(bus):
    names = {"ours": "this box", "stock": "stock luma.oled"}
    groups = [
        (f"{clock} kHz", [(name, sum(bus[key]) * 9 / clock) for key, name in names.items()])
        for clock in (100, 400, 1000)
    ]
    return bars("A whole game on the bus: time on the wire", "ms", groups, log=True)


def _press(figures):
    mark = max(figures["bus"]["marks"])
    program = middle(figures["press"]["program"])
    parts = [
        (
            f"{clock} kHz, {name}",
            [
                ("sampling", max(middle(waits), 0.01)),
                ("debounce", DEBOUNCE),
                ("program", program),
                ("bus", mark * 9 / clock),
            ],
        )
        for name, waits in sampling(figures["press"]).items()
        for clock in (100, 400, 1000)
    ]
    return stack("From a press to the mark: medians", "ms", parts)


def bars(title, unit, groups, *, log=False):
    """Return horizontal bars: `groups` are (label, [(series, value or None)])."""
    values = [value for _, series in groups for _, value in series if value]
    scale = _scale(max(values), log=min(values) if log else None)
    lines, y = [], TOP
    series = list(dict.fromkeys(name for _, bars in groups for name, _ in bars if name))
    for label, group in groups:
        middle = y + len(group) * ROW / 2
        lines.append(f'<text x="{LEFT - 8}" y="{middle + 4:.0f}" text-anchor="end">{escape(label)}</text>')
        for name, value in group:
            colour = COLOURS[series.index(name) % len(COLOURS)] if name else COLOURS[0]
            if value is None:
                lines.append(f'<text class="none" x="{LEFT + 6}" y="{y + 15}">no end in time</text>')
            else:
                length = max(scale(value), 1.5)
                lines.append(
                    f'<rect x="{LEFT}" y="{y + 3}" width="{length:.1f}" height="{ROW - 6}" fill="{colour}"/>'
                )
                lines.append(f'<text x="{LEFT + length + 6:.1f}" y="{y + 15}">{number(value)} {unit}</text>')
            y += ROW
        y += 8 if len(group) > 1 else 0
    return _svg(title + (", logarithmic" if log else ""), lines, y, series)


def stack(title, unit, groups):
    """Return horizontal bars made of parts: `groups` are (label, [(part, value)])."""
    scale = _scale(max(sum(value for _, value in parts) for _, parts in groups))
    lines, y = [], TOP
    names = [name for name, _ in groups[0][1]]
    for label, parts in groups:
        lines.append(f'<text x="{LEFT - 8}" y="{y + 15}" text-anchor="end">{escape(label)}</text>')
        x = float(LEFT)
        for (_, value), colour in zip(parts, COLOURS, strict=False):
            length = scale(value)
            lines.append(
                f'<rect x="{x:.1f}" y="{y + 3}" width="{length:.1f}" height="{ROW - 6}" fill="{colour}"/>'
            )
            x += length
        total = sum(value for _, value in parts)
        lines.append(f'<text x="{x + 6:.1f}" y="{y + 15}">{number(total)} {unit}</text>')
        y += ROW + 4
    return _svg(title, lines, y, names)


def number(value):
    """Return a figure with as many digits as tell anything."""
    if value is None:
        return "-"
    if value == 0 or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:,.{max(0, 2 - math.floor(math.log10(abs(value))) - (abs(value) < 1))}f}"


def _scale(most, log=None):
    room = WIDTH - LEFT - RIGHT
    if log is None:
        return lambda value: room * value / most
    least = math.floor(math.log10(log))
    span = math.log10(most) - least
    return lambda value: room * (math.log10(value) - least) / span


def _svg(title, lines, height, legend):
    # A legend that is long begins further to the left.
    key, x = [], min(LEFT, WIDTH - sum(26 + 7 * len(name) for name in legend))
    for name, colour in zip(legend, COLOURS, strict=False):
        key.append(f'<rect x="{x}" y="32" width="10" height="10" fill="{colour}"/>')
        key.append(f'<text x="{x + 14}" y="41">{escape(name)}</text>')
        x += 26 + 7 * len(name)
    height += 10
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}">',
            f"<title>{escape(title)}</title><style>{STYLE}</style>",
            f'<text class="title" x="8" y="20">{escape(title)}</text>',
            *key,
            f'<line class="rule" x1="{LEFT}" y1="{TOP - 4}" x2="{LEFT}" y2="{height - 8}"/>',
            *lines,
            "</svg>",
            "",
        ]
    )
