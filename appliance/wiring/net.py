"""Which pin of the 40-pin header is wired to what, for a configuration."""

from dataclasses import dataclass

from appliance.config import BUS_PINS, Config

# The header, from pin 1: odd numbers are the inner row, even ones the row at the edge of the board.
HEADER: tuple[str | int, ...] = (
    *("3V3", "5V", 2, "5V", 3, "GND", 4, 14, "GND", 15),
    *(17, 18, 27, "GND", 22, 23, "3V3", 24, 10, "GND"),
    *(9, 25, 11, 8, "GND", 7, 0, 1, 5, "GND"),
    *(6, 12, 13, "GND", 19, 16, 26, 20, "GND", 21),
)
PINS = range(1, len(HEADER) + 1)


@dataclass(frozen=True, slots=True)
class Wire:
    """One wire, from a header pin (counted from 1) to a terminal of a part. `kind` is what it carries."""

    pin: int
    part: str
    terminal: str
    kind: str

    @property
    def signal(self) -> str:
        """The name of the header pin: `GPIO 17`, `3V3` or `GND`."""
        return name_of(self.pin)


def name_of(pin: int) -> str:
    """Return what a header pin is called: `GPIO 17`, `3V3`, `5V` or `GND`."""
    name = HEADER[pin - 1]
    return name if isinstance(name, str) else f"GPIO {name}"


def wires(config: Config) -> tuple[Wire, ...]:
    """Return the wires, part by part. A bus whose pins an overlay chooses has none for SDA and SCL."""
    result: list[Wire] = []

    def add(pin: int, part: str, terminal: str, kind: str) -> None:
        result.append(Wire(pin, part, terminal, kind))

    def ground(near: int) -> int:
        free = [pin for pin in PINS if name_of(pin) == "GND" and pin not in [wire.pin for wire in result]]
        return min(free, key=lambda pin: (abs(pin - near), pin % 2 == 0))

    bus = [HEADER.index(number) + 1 for number in BUS_PINS.get(config.display.port, ())]
    add(ground(bus[-1] + 3 if bus else 9), "display", "GND", "ground")
    add(1, "display", "VCC", "power")
    for pin, terminal in zip(reversed(bus), ("SCL", "SDA"), strict=False):
        add(pin, "display", terminal, terminal.lower())
    for kind, numbers in (("row", config.keypad.rows), ("column", config.keypad.columns)):
        for count, number in enumerate(numbers, 1):
            add(HEADER.index(number) + 1, "keys", f"{kind} {count}", f"{kind}{count}")
    for part, chosen in (("buzzer", config.sound.pin), ("lamp", config.led.pin)):
        if chosen is not None:
            pin = HEADER.index(chosen) + 1
            add(pin, part, "+", part)
            add(ground(pin), part, "-", "ground")
    return tuple(result)
