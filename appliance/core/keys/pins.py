"""The header of a Raspberry Pi: where its pins are and which ones the I2C buses use."""

import re

# From pin 1: odd numbers are the inner row, even ones the row at the edge of the board. Numbers are BCM's.
HEADER: tuple[str | int, ...] = (
    *("3V3", "5V", 2, "5V", 3, "GND", 4, 14, "GND", 15),
    *(17, 18, 27, "GND", 22, 23, "3V3", 24, 10, "GND"),
    *(9, 25, 11, 8, "GND", 7, 0, 1, 5, "GND"),
    *(6, 12, 13, "GND", 19, 16, 26, 20, "GND", 21),
)
PINS = tuple(sorted(pin for pin in HEADER if isinstance(pin, int)))
BUS_PINS = {0: (0, 1), 1: (2, 3)}
"""The pins (SDA, SCL) of each I2C bus with fixed pins; an overlay chooses those of the others."""

ROW_PINS, COLUMN_PINS = (17, 27, 22), (5, 6, 13)
"""The keypad's pins, from the top and from the left, unless the configuration says otherwise."""

SPARE_PINS = (23, 18, 4, 24, 25, 8, 7, 11, 10, 9)
"""Pins of every header that no bus of the box and no serial line uses: the best first."""

_SHORT = frozenset((*SPARE_PINS, 14, 15, 17, 22))  # on every header of 26 pins
_FIRST = re.compile(r"Raspberry Pi Model ([AB])(?: rev ?(\d).*)?", re.IGNORECASE)


def on_header(model: str) -> frozenset[int]:
    """Return the pins of a board's header that may be used. `model` is its name in the device tree.

    The first Model A and B have 26 pins. The first revision of the B has others in three places, of which two
    are its only I2C bus.
    """
    first = _FIRST.fullmatch(model)
    if not first:
        return frozenset(PINS)
    board, revision = first.groups()
    return _SHORT | ({21} if board in "Bb" and revision in {None, "1"} else {2, 3, 27})
