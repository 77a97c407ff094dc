"""The wiring as a plain table."""

from collections.abc import Iterator

from appliance.config import Config
from appliance.wiring.net import Wire, wires

NOTES = {
    "display": "its terminals are named on it, in an order that differs from one to the next",
    "keys": "each joins its row to its column; of four legs use two diagonal ones; no resistors, no diodes",
    "buzzer": "a passive piezo, straight to the pins",
    "lamp": "an LED, the long leg at +, with 330 ohms in line",
}


def lines(config: Config) -> Iterator[str]:
    """Yield the table: header pin, its name, part and terminal, ordered by part."""
    yield f"{'header pin':<12}{'signal':<10}goes to"
    part = ""
    for wire in wires(config):
        if wire.part != part:
            part = wire.part
            yield f"-- the {part}: {NOTES[part]}"
        yield f"{wire.pin:>6}      {wire.signal:<10}{wire.part} {wire.terminal}"
    if not any(wire.terminal == "SDA" for wire in wires(config)):
        yield f"-- SDA and SCL: where the overlay puts them that makes the I2C bus {config.display.port}"
    yield "-- the keys, seen from the front:"
    for row in range(3):
        keys = "  ".join(str(row * 3 + column + 1) for column in range(3))
        yield f"      row {row + 1}:  {keys}" + ("     (columns 1, 2, 3 from the left)" if row == 0 else "")


def described(wire: Wire) -> str:
    """Return one wire in words."""
    return f"header pin {wire.pin} ({wire.signal}) to {wire.part} {wire.terminal}"
