"""Where everything is in the drawing: sizes and places in pixels, from the upper left corner."""

from collections.abc import Sequence
from html import escape

from appliance.wiring.net import Wire

WIDTH, HEIGHT = 990, 946  # pixels; wider by MORE for each part besides the display and the keys

PAPER, INK, FAINT = "#fdfbf5", "#22262b", "#c9c4b8"
COLOURS = {
    "power": "#d1242f",
    "ground": "#3a3f45",
    "sda": "#0b62c4",
    "scl": "#b35c00",
    "row1": "#1a7f37",
    "row2": "#6b7a00",
    "row3": "#007c89",
    "column1": "#8f56d8",
    "column2": "#b5179e",
    "column3": "#4527a0",
    "buzzer": "#8a5a00",
    "lamp": "#a3650b",
}

PITCH = 44  # between two header pins; what is below stands a quarter off this, or wires would lie on wires
LEFT, OUTER, INNER = 66, 132, 172  # the header: x of pin 1, y of the even row and of the odd row
TRACKS, TRACK = 272, 15  # the wires run across here, one below the other
PARTS = 490  # y of the parts' upper edge
DISPLAY, KEYS, SMALL, MORE = 77, 459, 891, 132  # x of the parts, and from one small part to the next
KEY = 110  # from one key to the next
BAR = 42  # from a key's middle to its row and its column

Point = tuple[float, float]


def text(at: Point, words: str, size: float = 14, anchor: str = "middle", more: str = "") -> str:
    """Return a text; `more` are further attributes."""
    x, y = at
    fill = "" if "fill=" in more else f' fill="{INK}"'
    place = f'x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}"'
    return f"<text {place}{fill}{more}>{escape(words)}</text>"


def pad(pin: int) -> Point:
    """Return the middle of a header pin."""
    return LEFT + (pin - 1) // 2 * PITCH, INNER if pin % 2 else OUTER


def lead(pin: int) -> float:
    """Return where a pin's wire leaves the header; one from the even row comes between two of the odd."""
    return pad(pin)[0] + (0 if pin % 2 else PITCH / 2)


def key_at(key: int) -> Point:
    """Return the middle of a key, counted from 0 in reading order."""
    return KEYS + 60 + key % 3 * KEY, PARTS + 40 + key // 3 * KEY


def small_parts(net: Sequence[Wire]) -> list[str]:
    """Return the parts besides the display and the keys."""
    return list(dict.fromkeys(wire.part for wire in net if wire.part not in ("display", "keys")))


def terminal(wire: Wire, net: Sequence[Wire]) -> Point:
    """Return where a wire arrives: at the upper edge of its part, or at the left of the keys for a row."""
    if wire.part == "display":
        return DISPLAY + 22 + ("GND", "VCC", "SCL", "SDA").index(wire.terminal) * 66, PARTS
    if wire.part == "keys":
        number = int(wire.terminal[-1]) - 1
        x, y = key_at(number * 3 if wire.terminal.startswith("row") else number)
        return (x - 60, y + BAR) if wire.terminal.startswith("row") else (x + BAR, y - 40)
    return SMALL + small_parts(net).index(wire.part) * MORE + (44 if wire.terminal == "-" else 0), PARTS
