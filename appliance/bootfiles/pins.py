"""Who uses which pin: the box by its configuration, and config.txt by its lines. BCM numbers throughout."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from appliance.bootfiles.configtxt import Overlay, Setting, View, is_on
from appliance.bootfiles.table import Uses, table
from appliance.config import BUS_PINS, Config
from appliance.core.pins import PINS, check_pins
from appliance.errors import UserError


def pins_of_box(config: Config) -> dict[int, str]:
    """Return what the configured box uses each of its pins for."""
    bus = BUS_PINS.get(config.display.port, ())
    uses = dict.fromkeys(bus, "the display's bus")
    for name, pins in (("row", config.keypad.rows), ("column", config.keypad.columns)):
        uses |= {pin: f"{name} {number} of the keys" for number, pin in enumerate(pins, 1)}
    for pin, what in ((config.sound.pin, "the buzzer"), (config.led.pin, "the lamp")):
        if pin is not None:
            uses[pin] = what
    return uses


def check_extra(config: Config, extra: Mapping[str, int | None]) -> None:
    """Return when these pins are free. `extra` maps options of the command line to pins, None if not given.

    Raise `UserError` for a pin that does not exist or that something else uses.
    """
    taken = pins_of_box(config)
    for option, pin in extra.items():
        if pin is None:
            continue
        if pin not in PINS:
            raise UserError(f"{option} {pin}: expected a BCM pin number from {PINS[0]} to {PINS[-1]}")
        if pin in taken:
            raise UserError(f"{option} {pin}: that pin is used by {taken[pin]}; choose another")
        taken[pin] = option
    check_pins(config.keypad.rows, config.keypad.columns, {})


@dataclass(frozen=True, slots=True)
class Taken:
    """A pin that a line of config.txt takes for `what`; two lines may ask for one and the same bus."""

    pin: int
    what: str
    setting: Setting
    bus: bool = False


def pins_of_view(view: View, model: str) -> Iterator[Taken]:
    """Yield each pin that config.txt takes for something else than this box."""
    for uses in table().uses:
        if uses.models and model not in uses.models:
            continue
        if uses.overlay:
            for overlay in view.overlays:
                if fnmatchcase(overlay.name, uses.overlay):
                    yield from _pins_of_overlay(uses, overlay)
        else:
            setting = view.parameters.get(uses.parameter) or view.options.get(uses.option)
            if setting and is_on(setting.value):
                yield from (Taken(pin, uses.what, setting, bus=True) for pin in uses.pins)
    for setting in view.settings:
        numbers, _, told = setting.value.partition("=")
        if setting.key == "gpio" and "op" in told.split(","):
            yield from (Taken(pin, "an output of the firmware", setting) for pin in _range(numbers))


def _pins_of_overlay(uses: Uses, overlay: Overlay) -> Iterator[Taken]:
    chosen = [pins for name, pins in uses.choices.items() if is_on(overlay.parameters.get(name, "off"))]
    for pin in chosen[0] if chosen else uses.pins:
        yield Taken(pin, uses.what, overlay.setting, bus=True)
    for name, default in uses.parameters.items():
        given = overlay.parameters.get(name, "")
        yield Taken(int(given) if given.isdecimal() else default, uses.what, overlay.setting)


def _range(text: str) -> Iterator[int]:
    """Yield the numbers of `4,7-9`."""
    for part in text.split(","):
        first, _, last = part.partition("-")
        if first.strip().isdecimal() and (last or first).strip().isdecimal():
            yield from range(int(first), min(int(last or first), 99) + 1)
