"""The wires from the 40-pin header for a configuration. hardware/wiring.svg draws the default."""

from collections.abc import Iterator
from typing import NamedTuple

from appliance.config.schema import Config
from appliance.core.keys.pins import BUS_PINS, HEADER

_NOTES = {
    "display": "follow the names at its terminals: their order differs between displays",
    "keys": (
        "each connects its row to its column; with four legs, use two diagonal ones; no diodes;\n"
        "   recommended, but optional: 470 ohms in series with each of these six wires"
    ),
    "passive": "a piezo, directly to the pins; one with a coil (16 or 42 ohms) takes too much for a pin",
    "active": (
        "a module with a transistor and VCC; or a bare buzzer for 3.3 V, 30 mA at most:\n"
        "   its + to VCC, its - to the collector of an NPN transistor (BC547, 2N3904), the emitter to GND,\n"
        "   the base through 1 kilohm to the signal, and a diode (1N4148) across the buzzer, its band at +"
    ),
    "active-low": (
        'a module with a "low level trigger"; VCC is 3V3, since at 5V it never falls silent;\n'
        "   at GPIO 4, 7 or 8 it is silent while the Pi starts"
    ),
    "lamp": "an LED, its long leg to +, with 330 ohms in series",
}
SECOND_3V3 = 17  # the header pin; the first, 1, is the display's


class Wire(NamedTuple):
    """A wire from a header pin (counted from 1) to a terminal of a part."""

    pin: int
    part: str
    terminal: str

    @property
    def signal(self) -> str:
        """The name of the header pin: `GPIO 17`, `3V3` or `GND`."""
        return _name_of(self.pin)


def wires(config: Config) -> tuple[Wire, ...]:
    """Return the wires, part by part; none for SDA and SCL if an overlay selects the bus's pins."""
    result: list[Wire] = []

    def ground(near: int) -> int:
        """Return the nearest unused ground pin."""
        free = [
            pin for pin in range(1, 41) if _name_of(pin) == "GND" and pin not in [wire.pin for wire in result]
        ]
        return min(free, key=lambda pin: (abs(pin - near), pin % 2 == 0))

    bus = [HEADER.index(number) + 1 for number in BUS_PINS.get(config.display.port, ())]
    result.append(Wire(ground(bus[-1] + 3 if bus else 9), "display", "GND"))
    result.append(Wire(1, "display", "VCC"))
    result += [Wire(pin, "display", name) for pin, name in zip(reversed(bus), ("SCL", "SDA"), strict=False)]
    for kind, numbers in (("row", config.keypad.rows), ("column", config.keypad.columns)):
        result += [
            Wire(HEADER.index(pin) + 1, "keys", f"{kind} {count}") for count, pin in enumerate(numbers, 1)
        ]
    powered = config.buzzer_kind != "passive"
    for part, chosen, vcc in (("buzzer", config.buzzer, powered), ("lamp", config.led, False)):
        if chosen is not None:
            pin = HEADER.index(chosen) + 1
            result.append(Wire(pin, part, "signal" if vcc else "+"))
            if vcc:
                result.append(Wire(SECOND_3V3, part, "VCC"))
            result.append(Wire(ground(pin), part, "GND" if vcc else "-"))
    return tuple(result)


def lines(config: Config) -> Iterator[str]:
    """Yield the wiring as a table: header pin, its name, part and terminal."""
    yield f"{'header pin':<12}{'signal':<10}goes to"
    part = ""
    for wire in wires(config):
        if wire.part != part:
            part = wire.part
            yield f"-- the {part}: {_NOTES[config.buzzer_kind if part == 'buzzer' else part]}"
        yield f"{wire.pin:>6}      {wire.signal:<10}{wire.part} {wire.terminal}"
    if config.display.port not in BUS_PINS:
        yield f"-- SDA and SCL: on the pins that the overlay of I2C bus {config.display.port} selects"
    yield "-- the keys, from the front:"
    for row in range(3):
        keys = "  ".join(str(row * 3 + column + 1) for column in range(3))
        yield f"      row {row + 1}:  {keys}" + ("     (columns 1, 2, 3 from the left)" if row == 0 else "")


def _name_of(pin: int) -> str:
    name = HEADER[pin - 1]
    return name if isinstance(name, str) else f"GPIO {name}"
