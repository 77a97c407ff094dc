"""Draw the back of the panel with its wires, as one solders them: `back.py FOLDER` writes back.svg.

The wires are those of the default configuration, the places those of hardware/dimensions.scad. The panel is
drawn 1:1, mirrored; beside it is the Pi's header from above. Lengths are in millimetres; y points down.
"""

import sys
from pathlib import Path
from xml.sax.saxutils import escape

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from appliance.bootfiles.wiring import Wire, wires
from appliance.config.schema import Config
from appliance.desk.dimensions import DISPLAY_Y, DISPLAYS, HOLE, PANEL, SCREW, SCREW_EDGE, key_centre

Point = tuple[float, float]

PAGE = (210, 226)  # prints on A4
LEFT, TOP = 12.0, 66.0  # the panel's corner on the page
LEG = 3.2  # from a button's centre to its legs, along x and y; the left one is the row's
PAD_PITCH = 2.54  # of the display's pads
PIN_1 = (170.0, 70.0)  # the header, pin 1 at its upper end, even pins to the right
PIN_PITCH = (8.0, 7.2)
RESISTOR = (128.5, 7.0, 2.6)  # left end, length, height
NOTES = """\
The panel is drawn 1:1 and seen from behind: left and right have changed places, so key 1 is at the right.
The Pi lies beside it with its parts towards you, and the end with the card at the top.
A dot is a joint. Lines that cross without a dot do not touch: use insulated wire. Each button has two legs,
one for its row and one for its column, either way round. Of four legs, use two diagonal ones.
A box with "470" is a resistor of 470 ohms: recommended, but the game works without it."""
# Where each wire turns, between panel and header. In this order no two of the keys' wires cross.
TURNS = {
    "VCC": 105,
    "GND": 108,
    "SCL": 111,
    "SDA": 114,
    "row 1": 108,
    "row 2": 111,
    "row 3": 114,
    "column 1": 117,
    "column 2": 120.5,
    "column 3": 124,
}
COLOURS = {  # as in wiring.svg
    "GND": "#3a3f45",
    "VCC": "#d1242f",
    "SCL": "#b35c00",
    "SDA": "#0b62c4",
    "row 1": "#1a7f37",
    "row 2": "#6b7a00",
    "row 3": "#007c89",
    "column 1": "#8f56d8",
    "column 2": "#b5179e",
    "column 3": "#4527a0",
}
INK, PALE = "#22262b", "#8a8578"


def key(number: int) -> Point:
    """Return where a button's centre is on the page."""
    x, y = key_centre(number)
    return LEFT + PANEL[0] - x, TOP + y


def pin(number: int) -> Point:
    """Return where a pin of the header is, counted from 1."""
    row, even = divmod(number - 1, 2)
    return PIN_1[0] + even * PIN_PITCH[0], PIN_1[1] + row * PIN_PITCH[1]


def pads() -> dict[str, Point]:
    """Return the display's pads: the order that is most common, from behind."""
    middle = LEFT + PANEL[0] / 2
    y = TOP + DISPLAY_Y - DISPLAYS[0].board[1] / 2 + 2
    return {
        name: (middle + (place - 1.5) * PAD_PITCH, y)
        for place, name in enumerate(("SDA", "SCL", "VCC", "GND"))
    }


def legs(wire: Wire) -> list[Point]:
    """Return the legs that a row's or a column's wire joins, from its far end on."""
    kind, number = wire.terminal.split()
    line = int(number) - 1
    if kind == "row":
        return [(x - LEG, y - LEG) for x, y in (key(3 * line + column) for column in (2, 1, 0))]
    return [(x + LEG, y + LEG) for x, y in (key(3 * row + line) for row in (0, 1, 2))]


def route(wire: Wire) -> list[Point]:
    """Return the corners of a wire, from its far end to its pin."""
    turn, end = TURNS[wire.terminal], pin(wire.pin)
    if wire.part == "display":
        x, y = pads()[wire.terminal]
        level = y - 7.4 + 1.7 * list(pads()).index(wire.terminal)
        start = [(x, y), (x, level)]
    else:
        start = legs(wire)
        if wire.terminal.startswith("column"):
            start.append((start[-1][0], TOP + PANEL[1] + 1 + 3 * int(wire.terminal[-1])))
    return [*start, (turn, start[-1][1]), (turn, end[1]), end]


def text(x: float, y: float, words: str, size: float = 3.2, anchor: str = "middle", fill: str = INK) -> str:
    """Return a text; y is its baseline."""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}" fill="{fill}">'
        f"{escape(words)}</text>"
    )


def circle(centre: Point, radius: float, style: str) -> str:
    """Return a circle."""
    return f'<circle cx="{centre[0]:g}" cy="{centre[1]:g}" r="{radius:g}" {style}/>'


def rectangle(x: float, y: float, width: float, height: float, style: str) -> str:
    """Return a rectangle."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" {style}/>'


def panel() -> list[str]:
    """Return the panel, its screws, buttons and display."""
    width, height = PANEL
    thin = f'fill="none" stroke="{PALE}" stroke-width="0.3"'
    board = DISPLAYS[0].board
    corner = (LEFT + width / 2 - board[0] / 2, TOP + DISPLAY_Y - board[1] / 2)
    lines = [
        rectangle(LEFT, TOP, width, height, f'rx="1" fill="#f1ede2" stroke="{INK}" stroke-width="0.4"'),
        rectangle(*corner, *board, 'rx="1" fill="#dbe4ee" stroke="#1f3a5f" stroke-width="0.4"'),
        text(LEFT + width / 2, corner[1] + 16, "display"),
        text(LEFT + width / 2, corner[1] + 20.5, "follow the names", 2.8),
        text(LEFT + width / 2, corner[1] + 24.5, "on yours", 2.8),
    ]
    for x in (LEFT + SCREW_EDGE, LEFT + width - SCREW_EDGE):
        lines += [circle((x, y), SCREW / 2, thin) for y in (TOP + SCREW_EDGE, TOP + height - SCREW_EDGE)]
    for number in range(9):
        x, y = key(number)
        lines += [
            circle((x, y), HOLE / 2 + 2.2, f'fill="#fff" stroke="{INK}" stroke-width="0.3"'),
            text(x, y + 1.5, str(number + 1), 4.2),
        ]
    return lines


def joints(wire: Wire) -> list[str]:
    """Return what is at a wire's far end: dots, and its name there."""
    colour = COLOURS[wire.terminal]
    if wire.part == "display":
        x, y = pads()[wire.terminal]
        turned = f'transform="rotate(-90 {x + 0.8:g} {y + 1.8:g})"'
        name = text(x + 0.8, y + 1.8, wire.terminal, 2.4, "end", colour).replace("<text", f"<text {turned}")
        return [circle((x, y), 0.8, f'class="pad" fill="{colour}"'), name]
    ends = legs(wire)
    if wire.terminal.startswith("row"):
        name = text(LEFT + 2, ends[0][1] + 1, wire.terminal, 3.2, "start", colour)
    else:
        name = text(ends[0][0] - LEG, ends[0][1] - LEG - HOLE / 2 - 3.4, wire.terminal, 3.2, "middle", colour)
    return [*(circle(each, 1.1, f'class="leg" fill="{colour}"') for each in ends), name]


def ends(wire: Wire) -> list[str]:
    """Return what is at a wire's other end: the resistor, and its signal."""
    y = pin(wire.pin)[1]
    colour = COLOURS[wire.terminal]
    names = [wire.terminal] if wire.terminal == wire.signal else [wire.terminal, wire.signal]
    lines = [text(PIN_1[0] - 4.6, y - 1.2, ", ".join(names), 3, "end", colour)]
    if wire.part == "keys":
        left, length, height = RESISTOR
        style = f'class="resistor" rx="0.6" fill="#fff" stroke="{colour}" stroke-width="0.5"'
        lines += [
            rectangle(left, y - height / 2, length, height, style),
            text(left + length / 2, y + 0.9, "470", 2.5),
        ]
    return lines


def header(used: dict[int, str]) -> list[str]:
    """Return the header: pins with a wire are filled with its colour."""
    width, height = PIN_PITCH[0] + 8, 19 * PIN_PITCH[1] + 8
    frame = f'rx="1" fill="#eceff1" stroke="{INK}" stroke-width="0.4"'
    lines = [
        rectangle(PIN_1[0] - 4, PIN_1[1] - 4, width, height, frame),
        text(PIN_1[0] + 4, PIN_1[1] - 10.5, "the Pi's header,"),
        text(PIN_1[0] + 4, PIN_1[1] - 6.3, "the card's end here"),
        text(PIN_1[0] + 4, PIN_1[1] + height + 0.6, "2 and 4 carry 5 V: leave them free", 2.8),
    ]
    for number in range(1, 41):
        x, y = pin(number)
        colour = used.get(number)
        style = f'fill="{colour}"' if colour else f'fill="#fff" stroke="{PALE}" stroke-width="0.2"'
        lines += [
            circle((x, y), 2.5, f'class="pin" {style}'),
            text(x, y + 1, str(number), 2.8, fill="#fff" if colour else PALE),
        ]
    return lines


def svg() -> str:
    """Return the page."""
    net = wires(Config())
    width, height = PAGE
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm"',
        f'  viewBox="0 0 {width} {height}" font-family="Helvetica, Arial, sans-serif">',
        "<title>Wires on the back of the tic-tac-toe box's panel</title>",
        rectangle(0, 0, width, height, 'fill="#fff"'),
        text(LEFT, 18, "Tic-tac-toe box: the wires, from behind", 5.5, "start"),
        *(
            text(LEFT, 26 + 4.6 * number, note, 3.2, "start")
            for number, note in enumerate(NOTES.splitlines())
        ),
        *panel(),
    ]
    for wire in net:
        way = " L".join(f"{round(x, 3):g},{round(y, 3):g}" for x, y in route(wire))
        for name, colour, thick in (("halo", "#fff", 1.7), ("wire", COLOURS[wire.terminal], 0.8)):
            style = (
                f'class="{name}" fill="none" stroke="{colour}" stroke-width="{thick}" stroke-linejoin="round"'
            )
            lines.append(f'<path d="M{way}" {style}/>')
    lines += header({wire.pin: COLOURS[wire.terminal] for wire in net})
    for wire in net:
        lines += [*joints(wire), *ends(wire)]
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    (Path(sys.argv[1]) / "back.svg").write_text(svg())
