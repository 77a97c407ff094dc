"""The pins of the header that a configured box uses, and the numbers that people take for them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from appliance.config.schema import Config
from appliance.core.errors import FileError
from appliance.core.keys.pins import BUS_PINS, HEADER, SPARE_PINS, on_header


class PinUse(NamedTuple):
    """A pin (BCM number), what the box uses it for, and the path of the key that sets it."""

    pin: int
    what: str
    path: str


def pins_in_use(config: Config) -> Iterator[PinUse]:
    """Yield every pin that the configured box uses, once for each use."""
    bus = config.display.port
    yield from (PinUse(pin, f"the I2C bus {bus}", "display.port") for pin in BUS_PINS.get(bus, ()))
    for kind, pins in (("row", config.keypad.rows), ("column", config.keypad.columns)):
        yield from (PinUse(pin, f"{kind} {place}", f"keypad.{kind}s") for place, pin in enumerate(pins, 1))
    for pin, what, path in ((config.buzzer, "the buzzer", "sound.pin"), (config.led, "the LED", "led.pin")):
        if pin is not None:
            yield PinUse(pin, what, path)


def header_hint(config: Config, paths: Sequence[str]) -> str:
    """Return the remedy for pins that clash, if rows or columns would not when read as header pins."""
    for kind, pins in (("rows", config.keypad.rows), ("columns", config.keypad.columns)):
        bcm = [HEADER[pin - 1] for pin in pins]
        others = [use.pin for use in pins_in_use(config) if use.path != f"keypad.{kind}"]
        fits = all(isinstance(pin, int) for pin in bcm) and len({*bcm, *others}) == len([*bcm, *others])
        if f"keypad.{kind}" in paths and 0 not in pins and fits:
            return f'write "{kind}: {bcm}" if the {kind} are header pins'
    return ""


def fit_header(config: Config, model: str) -> None:
    """Raise `FileError` if this board's header lacks pins of the box; it suggests others."""
    uses = [use for use in pins_in_use(config) if use.path != "display.port"]  # a board's own bus fits it
    missing = [use.pin for use in uses if use.pin not in on_header(model)]
    if not missing:
        return
    free = (pin for pin in SPARE_PINS if pin not in {use.pin for use in uses})
    fitting = {pin: next(free) for pin in missing}
    paths = list(dict.fromkeys(use.path for use in uses if use.pin in fitting))
    lines = []
    for path in paths:
        pins = [fitting.get(use.pin, use.pin) for use in uses if use.path == path]
        key = path.rpartition(".")[2]
        lines.append(f'"{key}: {pins if path.startswith("keypad.") else pins[0]}"')
    numbers = ", ".join(map(str, missing))
    sentence = f"the header of this {model} has 26 pins, and no free GPIO {numbers}"
    raise FileError("", ", ".join(paths), sentence, numbers, f"write {' and '.join(lines)}")
