"""What config.txt and cmdline.txt on a card mean for this box: missing lines, conflicting ones."""

import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from appliance.card.configtxt import Overlay, Setting, View, is_on, parse, view
from appliance.card.partition import Card
from appliance.card.table import Model, Uses, table
from appliance.config.schema import Config, pins_in_use
from appliance.core.errors import UserError
from appliance.core.pins import PINS

SCRIPT = "tictactoe/first-boot.sh"
SEVERITIES = ("wrong", "missing", "note")

_BOM = "\ufeff"
_BOM_TEXT = "a byte order mark hides this line; save the file without one"
_OURS = rf"systemd\.run=\S*/{re.escape(SCRIPT)}"
_BUS = {0: "i2c_vc", 1: "i2c_arm"}


class Finding(NamedTuple):
    """One thing about a file.

    `severity` is wrong (the box will not work), missing (a line that it needs) or note. `line` may be None.
    It is true for `models`.
    """

    severity: str
    file: str
    line: int | None
    models: tuple[str, ...]
    text: str


def findings(card: Card, models: Sequence[Model], config: Config) -> list[Finding]:
    """Return what to say about config.txt and the command line, for a box with this configuration."""
    settings = parse(card.text)
    found: dict[tuple[str, str, int | None, str], list[str]] = {}
    for model in models:
        sure = view(settings, model.filters)
        maybe = view(settings, model.filters, model.possible)
        cmdline = sure.option("cmdline") or "cmdline.txt"
        for severity, file, line, text in (
            *_config(card, sure, maybe, config, model.id),
            *_cmdline(card, cmdline),
            *_byte_order_marks(
                card, ["config.txt", *(s.value for s in sure.settings if s.key == "include"), cmdline]
            ),
        ):
            found.setdefault((severity, file, line, text), []).append(model.id)
    return sorted(
        (Finding(*key[:3], tuple(dict.fromkeys(ids)), key[3]) for key, ids in found.items()),
        key=lambda finding: (SEVERITIES.index(finding.severity), finding.file, finding.line or 0),
    )


_Raw = tuple[str, str, int | None, str]  # severity, file, line, text


def _at(setting: Setting | None) -> tuple[str, int | None]:
    return (setting.file, setting.number) if setting else ("config.txt", None)


def _config(card: Card, sure: View, maybe: View, config: Config, model: str) -> Iterator[_Raw]:
    """Yield what is to say. `sure` is what certainly applies to the model, `maybe` also what may."""
    yield from _bus(sure, config.display.port)
    device_tree = sure.options.get("device_tree")
    if device_tree and not device_tree.value:
        yield "wrong", *_at(device_tree), "turns the device tree off, and with it the display's bus"
    yield from _pins(maybe, config, model)
    for setting in sure.settings:
        if setting.key == "include" and not card.has(setting.value):
            yield "note", *_at(setting), f"includes {setting.value}, which is not there"


def _bus(sure: View, port: int) -> Iterator[_Raw]:
    if port not in _BUS:
        if not any(overlay.name in (f"i2c{port}", "i2c-gpio") for overlay in sure.overlays):
            text = f"dtoverlay=i2c{port}: the display is on bus {port}, and nothing sets it up"
            yield "missing", *_at(None), text
        return
    if sure.on(_BUS[port]):
        return
    line = f"dtparam={_BUS[port]}=on"
    off = sure.parameters.get(_BUS[port])
    if off:
        yield "wrong", *_at(off), f"turns off the display's I2C bus {port}; it needs {line}"
    else:
        text = f"{line}: without it the I2C bus {port} is off and the display stays dark"
        yield "missing", *_at(None), text
    for other, name in _BUS.items():
        if setting := sure.on(name):
            text = f"turns on the I2C bus {other}, but the display is on bus {port} (display.port)"
            yield "wrong", *_at(setting), text


def pins_of_box(config: Config) -> dict[int, str]:
    """Return what the configured box uses each of its pins for (BCM numbers)."""
    return {use.pin: use.what for use in pins_in_use(config)}


def check_extra(config: Config, extra: Mapping[str, int | None]) -> None:
    """Raise `UserError` unless these pins exist and are free. `extra` maps options to pins or None."""
    taken = pins_of_box(config)
    for option, pin in extra.items():
        if pin is None:
            continue
        if pin not in PINS:
            raise UserError(f"{option} {pin}: expected a BCM pin number from {PINS[0]} to {PINS[-1]}")
        if pin in taken:
            raise UserError(f"{option} {pin}: that pin is used by {taken[pin]}; choose another")
        taken[pin] = option


def _pins(maybe: View, config: Config, model: str) -> Iterator[_Raw]:
    """Yield the lines that occupy a pin of the box, or one that a line above occupies for something else."""
    users = {pin: (what, what) for pin, what in pins_of_box(config).items()}
    order = {setting[:2]: number for number, setting in enumerate(maybe.settings)}
    for pin, what, setting in sorted(_pins_of_view(maybe, model), key=lambda use: order[use[2][:2]]):
        described = f"{what} in line {setting.number} of {setting.file}"
        first, user = users.setdefault(pin, (what, described))
        if first != what:
            only = f" (where [{'] ['.join(setting.filters)}] holds)" if setting.filters else ""
            yield "wrong", *_at(setting), f"occupies GPIO {pin} for {what}{only}, which is used by {user}"


_Taken = tuple[int, str, Setting]  # a pin, what occupies it, and where that is set


def _pins_of_view(config: View, model: str) -> Iterator[_Taken]:
    """Yield each pin that config.txt occupies for something else than this box."""
    for uses in table().uses:
        if uses.models and model not in uses.models:
            continue
        if uses.overlay:
            for overlay in config.overlays:
                if fnmatchcase(overlay.name, uses.overlay):
                    yield from _pins_of_overlay(uses, overlay)
        else:
            setting = config.parameters.get(uses.parameter) or config.options.get(uses.option)
            if setting and is_on(setting.value):
                yield from ((pin, uses.what, setting) for pin in uses.pins)
    for setting in config.settings:
        numbers, _, value = setting.value.partition("=")
        if setting.key == "gpio" and "op" in value.split(","):
            yield from ((pin, "an output of the firmware", setting) for pin in _range(numbers))


def _pins_of_overlay(uses: Uses, overlay: Overlay) -> Iterator[_Taken]:
    chosen = [pins for name, pins in uses.choices.items() if is_on(overlay.parameters.get(name, "off"))]
    for pin in chosen[0] if chosen else uses.pins:
        yield pin, uses.what, overlay.setting
    for name, default in uses.parameters.items():
        given = overlay.parameters.get(name, "")
        yield int(given) if given.isdecimal() else default, uses.what, overlay.setting


def _range(text: str) -> Iterator[int]:
    """Yield the numbers of `4,7-9`."""
    for part in text.split(","):
        first, _, last = part.partition("-")
        if first.strip().isdecimal() and (last or first).strip().isdecimal():
            yield from range(int(first), min(int(last or first), PINS[-1]) + 1)


def _byte_order_marks(card: Card, files: Sequence[str]) -> Iterator[_Raw]:
    """Yield the files whose first line a byte order mark hides: harmless before a comment."""
    for file in files:
        text = card.text(file) or ""
        first = text.partition("\n")[0].removeprefix(_BOM).strip()
        if text.startswith(_BOM) and first and not first.startswith("#"):
            yield "wrong", file, 1, _BOM_TEXT


def _cmdline(card: Card, file: str) -> Iterator[_Raw]:
    text = card.text(file)
    if text is None:
        return  # a missing file, which is reported as such
    words = text.partition("\n")[0].split()
    if not any(word.startswith("root=") for word in words):
        yield "wrong", file, 1, "has no root=, so the kernel does not find its system"
    if any(re.fullmatch(_OURS, word) for word in words) and not card.has(SCRIPT):
        text_missing = f"runs {SCRIPT}, which is not there, and then powers off; prepare the card again"
        yield "wrong", file, 1, text_missing
    below = [number for number, line in enumerate(text.split("\n")[1:], 2) if line.strip()]
    if below:
        yield "wrong", file, below[0], "is not read: the whole command line must be on line 1"
