"""The parts as they are drawn: the header's board, the display, the keys, the buzzer and the lamp."""

from collections.abc import Iterator, Sequence

from appliance.config import BUS_PINS, Config
from appliance.wiring.geometry import (
    DISPLAY,
    FAINT,
    INK,
    KEY,
    LEFT,
    MORE,
    OUTER,
    PARTS,
    PITCH,
    SMALL,
    key_at,
    small_parts,
    text,
)
from appliance.wiring.listing import NOTES
from appliance.wiring.net import Wire

_KEYS = (
    "Nine push buttons, seen from the front: from behind, left and right",
    "change places. Each joins its row to its column; lines that cross",
    "without a dot do not touch. No resistors and no diodes are needed.",
    "The four legs of a button are joined in pairs: use two that face",
    "each other diagonally.",
)


def board() -> Iterator[str]:
    """Yield the board that the header is on, and what is to be said about it."""
    right = LEFT + 19 * PITCH
    yield text((LEFT - 22, 38), "Wiring of the tic-tac-toe box", 22, "start", ' font-weight="600"')
    told = "The header of any Raspberry Pi with 40 pins, seen from above, the board's edge at the top:"
    yield text((LEFT - 22, 64), f"{told} pin 1 is at the end where the card is.", 14, "start")
    yield text((LEFT - 22, 86), "Pins 2 and 4 carry 5 V: nothing of this box goes there.", 14, "start")
    yield (
        f'<rect x="{LEFT - 22}" y="{OUTER - 24}" width="{right - LEFT + 44}" height="88" rx="8" '
        f'fill="#eceff1" stroke="{INK}" stroke-width="1.5"/>'
    )


def display(config: Config) -> Iterator[str]:
    """Yield the display without its terminals."""
    x, y, wide = DISPLAY, PARTS, 248
    yield (
        f'<rect x="{x}" y="{y}" width="{wide}" height="208" rx="10" '
        f'fill="#1f3a5f" stroke="{INK}" stroke-width="1.5"/>'
    )
    yield f'<rect x="{x + 18}" y="{y + 50}" width="{wide - 36}" height="106" rx="4" fill="#05080c"/>'
    middle = x + wide // 2
    game = f"M{middle - 16},{y + 57} v92 m32,0 v-92 M{middle - 46},{y + 87} h92 m0,32 h-92"
    cross = f"M{middle - 40},{y + 63} l16,16 m0,-16 l-16,16"
    yield f'<path d="{game} {cross}" fill="none" stroke="#cfe8ff" stroke-width="2.5"/>'
    yield f'<circle cx="{middle}" cy="{y + 103}" r="9" fill="none" stroke="#cfe8ff" stroke-width="2.5"/>'
    white = ' fill="#ffffff"'
    told = f"OLED, {config.display.width} x {config.display.height}, address 0x{config.display.address:02x}"
    yield text((middle, y + 177), told, 13, more=white)
    yield text((middle, y + 197), f"I2C bus {config.display.port}", 13, more=white)
    yield text((x, y + 232), "The order of its four pins differs from", 13, "start")
    yield text((x, y + 250), "one to the next: go by the names on it.", 13, "start")
    if config.display.port not in BUS_PINS:
        told = f"SDA and SCL: where the overlay for bus {config.display.port} puts them."
        yield text((x, y + 268), told, 13, "start")


def keys() -> Iterator[str]:
    """Yield the panel of the keys, and what is to be said about them."""
    x, y = key_at(0)
    size = 2 * KEY + 140
    yield (
        f'<rect x="{x - 60}" y="{y - 40}" width="{size + 26}" height="{size - 26}" rx="10" '
        f'fill="#f1ede2" stroke="{FAINT}"/>'
    )
    for line, words in enumerate(_KEYS):
        yield text((x - 60, y + size - 44 + 18 * line), words, 13, "start")


def small(net: Sequence[Wire]) -> Iterator[str]:
    """Yield the buzzer and the lamp, where there are any."""
    for number, part in enumerate(small_parts(net)):
        x, y = SMALL + number * MORE, PARTS
        yield (
            f'<rect x="{x - 22}" y="{y}" width="88" height="60" rx="8" '
            f'fill="#f1ede2" stroke="{INK}" stroke-width="1.5"/>'
        )
        yield text((x + 22, y + 50), part, 14)
        for line, words in enumerate(NOTES[part].split(", ")):
            yield text((x - 22, y + 82 + line * 17), words, 12, "start")
