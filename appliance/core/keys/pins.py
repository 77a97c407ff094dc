"""The 40-pin header of a Raspberry Pi: where its pins are and which ones the I2C buses use."""

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

ROWS, COLUMNS = (17, 27, 22), (5, 6, 13)
"""The keypad's pins, from the top and from the left, unless the configuration says otherwise."""
