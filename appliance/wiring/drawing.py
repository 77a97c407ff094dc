"""The wiring as a drawing (SVG): the header above, the display and the keys below, a coloured wire for each.

The drawing brings its own paper, so that it looks the same on a light page and on a dark one.
"""

from collections.abc import Iterator, Sequence
from html import escape

from appliance.config import Config
from appliance.wiring import parts
from appliance.wiring.geometry import (
    BAR,
    COLOURS,
    FAINT,
    HEIGHT,
    INK,
    INNER,
    KEY,
    MORE,
    PAPER,
    WIDTH,
    Point,
    key_at,
    lead,
    pad,
    small_parts,
    terminal,
    text,
)
from appliance.wiring.listing import described
from appliance.wiring.net import PINS, Wire, name_of, wires
from appliance.wiring.routing import routes


def svg(config: Config) -> str:
    """Return the drawing for a configuration."""
    net = wires(config)
    told = ";\n".join(described(wire) for wire in net)
    width = WIDTH + MORE * len(small_parts(net))
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" role="img"',
        "  font-family=\"system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif\">",
        "<title>Wiring of the tic-tac-toe box</title>",
        f"<desc>{escape(told)}</desc>",
        f'<rect width="{width}" height="{HEIGHT}" rx="14" fill="{PAPER}"/>',
        *parts.board(),
        *parts.display(config),
        *parts.keys(),
        *parts.small(net),
        '<g fill="none" stroke-linejoin="round">',
        *(part for wire, points in routes(net) for part in _path(points, COLOURS[wire.kind])),
        "</g>",
        *_header(net),
        '<g fill="none" stroke-linejoin="round">',
        *_bars(),
        "</g>",
        *_contacts(),
        *_terminals(net),
        "</svg>",
    ]
    return "\n".join(drawn) + "\n"


def _path(points: Sequence[Point], colour: str) -> Iterator[str]:
    """Yield a wire, with an edge of paper that lifts it over those it crosses."""
    line = "M" + " L".join(f"{x:g},{y:g}" for x, y in points)
    for stroke, width in ((PAPER, 9), (colour, 3.5)):
        yield f'<path d="{line}" stroke="{stroke}" stroke-width="{width}"/>'


def _header(net: Sequence[Wire]) -> Iterator[str]:
    used = {wire.pin: COLOURS[wire.kind] for wire in net}
    for pin in PINS:
        x, y = pad(pin)
        corner = "" if pin == 1 else ' rx="13"'  # pin 1 is square on the boards, too
        fill, ink = (used[pin], "#ffffff") if pin in used else (PAPER, "#8a8578")
        yield (
            f'<rect x="{x - 13}" y="{y - 13}" width="26" height="26"{corner} fill="{fill}" '
            f'stroke="{used.get(pin, FAINT)}" stroke-width="1.5"/>'
        )
        yield text((x, y + 4.5), str(pin), 13, more=f' fill="{ink}" font-weight="600"')
    for wire in net:
        x, y = lead(wire.pin) - 7, INNER + 36
        more = f' transform="rotate(-90 {x:g} {y})" fill="{COLOURS[wire.kind]}" font-weight="600"'
        yield text((x, y), name_of(wire.pin), 13, "end", more)


def _bars() -> Iterator[str]:
    """Yield the lines of the matrix, the columns over the rows."""
    for row in range(3):
        x, y = key_at(row * 3)
        yield from _path([(x - 60, y + BAR), (x + 2 * KEY, y + BAR)], COLOURS[f"row{row + 1}"])
    for column in range(3):
        x, y = key_at(column)
        yield from _path([(x + BAR, y - 40), (x + BAR, y + 2 * KEY)], COLOURS[f"column{column + 1}"])


def _contacts() -> Iterator[str]:
    """Yield the keys, each with its two contacts."""
    for key in range(9):
        x, y = key_at(key)
        to_row, to_column = COLOURS[f"row{key // 3 + 1}"], COLOURS[f"column{key % 3 + 1}"]
        yield f'<path d="M{x},{y} v{BAR}" stroke="{to_row}" stroke-width="3.5"/>'
        yield f'<path d="M{x},{y} h{BAR}" stroke="{to_column}" stroke-width="3.5"/>'
        yield f'<circle cx="{x}" cy="{y + BAR}" r="5.5" fill="{to_row}"/>'
        yield f'<circle cx="{x + BAR}" cy="{y}" r="5.5" fill="{to_column}"/>'
        yield f'<circle cx="{x}" cy="{y}" r="25" fill="{PAPER}" stroke="{INK}" stroke-width="2"/>'
        yield text((x, y + 7), str(key + 1), 20, more=' font-weight="600"')


def _terminals(net: Sequence[Wire]) -> Iterator[str]:
    for wire in net:
        x, y = terminal(wire, net)
        colour = COLOURS[wire.kind]
        yield f'<circle cx="{x}" cy="{y}" r="6" fill="{colour}" stroke="{PAPER}" stroke-width="1.5"/>'
        bold = ' font-weight="600"'
        if wire.part == "display":
            yield text((x, y + 25), wire.terminal, 15, more=f' fill="#ffffff"{bold}')
            yield text((x, y + 41), f"pin {wire.pin}", 12, more=' fill="#cfe8ff"')
        elif wire.part != "keys":
            yield text((x, y + 26), wire.terminal, 16, more=bold)
        elif wire.terminal.startswith("row"):
            yield text((x + 8, y - 8), wire.terminal, 12, "start", f' fill="{colour}"{bold}')
            yield text((x + 8, y + 17), f"pin {wire.pin}", 12, "start", f' fill="{colour}"')
        else:
            yield text((x + 8, y + 14), f"col {wire.terminal[-1]}", 12, "start", f' fill="{colour}"{bold}')
            yield text((x + 8, y - 9), f"pin {wire.pin}", 12, "start", f' fill="{colour}"')
