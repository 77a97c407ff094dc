"""The boot files that a card lacks, and the lines of its config.txt that conflict with this box."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from appliance.bootfiles.configtxt import ModelSettings, Overlay, Setting, is_on, parse_settings, settings_of
from appliance.bootfiles.file_table import Model, Uses, boot_table
from appliance.bootfiles.partition import Card
from appliance.config.pinuse import pins_in_use
from appliance.config.schema import Config
from appliance.core.keys.pins import PINS

CONFIG_TXT = "config.txt"

_BUS = {0: "i2c_vc", 1: "i2c_arm"}


class Finding(NamedTuple):
    """A finding about a file, for some models.

    `status` is "missing" (a file or line that the box needs), "present" (such a file) or "wrong" (a line with
    which the box cannot work). `line` 0 means the whole file.
    """

    status: str
    file: str
    line: int
    text: str
    models: tuple[str, ...] = ()


def bootable(card: Card) -> list[Model]:
    """Return the models with a kernel on this card (a 64-bit card has none for the first Zero), or all."""
    models = list(boot_table().models.values())
    return [model for model in models if any(map(card.has, model.kernels))] or models


def needed_files(card: Card, models: Sequence[Model]) -> list[Finding]:
    """Return the boot files that these models need, each missing or present, with the reason."""
    return _merged(models, lambda model: _files(card, model))


def conflicts(card: Card, models: Sequence[Model], config: Config) -> list[Finding]:
    """Return what is missing or wrong in config.txt for a box with this configuration."""
    settings = parse_settings(card.text)

    def look(model: Model) -> Iterator[Finding]:
        found = settings_of(settings, model)
        yield from _bus(found, config.display.port)
        yield from _pins(found, config, model.id)

    return _merged(models, look)


def _merged(models: Sequence[Model], look: Callable[[Model], Iterable[Finding]]) -> list[Finding]:
    """Return what `look` finds for each model, with equal findings merged into one for all their models."""
    found: dict[Finding, list[str]] = {}
    for model in models:
        for one in dict.fromkeys(look(model)):
            found.setdefault(one, []).append(model.id)
    return sorted(one._replace(models=tuple(ids)) for one, ids in found.items())


def _files(card: Card, model: Model) -> Iterator[Finding]:
    def need(names: Sequence[str], why: str) -> Finding:
        """Return a finding: whether the card has one of these files."""
        there = next(filter(card.has, names), None)
        return Finding("present" if there else "missing", there or names[0], 0, why)

    for one in boot_table().needs:
        if model.id in one.models:
            yield need(one.files, one.why)
    kernel = need(model.kernels, model.why)
    yield kernel
    if "auto_initramfs=1" in card.text(CONFIG_TXT).split():  # the firmware derives its name from the kernel's
        initramfs = kernel.file.replace("kernel", "initramfs", 1).removesuffix(".img")
        why = f"{kernel.file} starts from it (auto_initramfs); a fresh card's first boot needs it"
        yield need([initramfs], why)


def _bus(config: ModelSettings, port: int) -> Iterator[Finding]:
    """Yield what keeps the display's I2C bus off. Buses other than these two come from overlays."""
    if port not in _BUS:
        return
    line = f"dtparam={_BUS[port]}=on"
    setting = config.parameters.get(_BUS[port])
    if not setting:
        text = f"{line}: without it the I2C bus {port} is off and the display stays dark"
        yield Finding("missing", CONFIG_TXT, 0, text)
    elif not is_on(setting.value):
        yield _wrong(setting, f"turns off the display's I2C bus {port}; it needs {line}")


def _wrong(setting: Setting, text: str) -> Finding:
    return Finding("wrong", setting.file, setting.number, text)


def _pins(config: ModelSettings, box: Config, model: str) -> Iterator[Finding]:
    """Yield the lines that occupy a pin of the box."""
    users = {use.pin: use.what for use in pins_in_use(box)}
    for pin, what, setting in _occupied(config, model):
        if pin in users:
            yield _wrong(setting, f"occupies GPIO {pin} for {what}, which is used by {users[pin]}")


_Taken = tuple[int, str, Setting]  # a pin, what occupies it, and where that is set


def _occupied(config: ModelSettings, model: str) -> Iterator[_Taken]:
    """Yield each pin that config.txt occupies."""
    for uses in boot_table().uses:
        if uses.models and model not in uses.models:
            continue
        for overlay in config.overlays:
            if fnmatchcase(overlay.name, uses.overlay):
                yield from _occupied_by(overlay, uses)
        setting = config.parameters.get(uses.setting)
        if setting and is_on(setting.value):
            yield from ((pin, uses.what, setting) for pin in uses.pins)
    for setting in config.settings:
        numbers, _, value = setting.value.partition("=")
        if setting.key == "gpio" and "op" in value.split(","):
            yield from ((pin, "an output of the firmware", setting) for pin in _range(numbers))


def _occupied_by(overlay: Overlay, uses: Uses) -> Iterator[_Taken]:
    chosen = [pins for name, pins in uses.choices.items() if is_on(overlay.parameters.get(name, "off"))]
    given = (overlay.parameters.get(name) or str(pin) for name, pin in uses.parameters.items())
    pins = [*uses.pins, *map(int, filter(str.isdecimal, given))]
    yield from ((pin, uses.what, overlay.setting) for pin in (chosen or [pins])[0])


def _range(text: str) -> Iterator[int]:
    """Yield the numbers of `4,7-9`."""
    for part in text.split(","):
        first, _, last = part.partition("-")
        if first.strip().isdecimal() and (last or first).strip().isdecimal():
            yield from range(int(first), min(int(last or first), PINS[-1]) + 1)
