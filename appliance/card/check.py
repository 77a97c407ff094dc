"""Which boot files a card lacks, and what in its config.txt and cmdline.txt conflicts with this box."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from appliance.card.configtxt import Overlay, Setting, View, is_on, parse, view
from appliance.card.partition import Card
from appliance.card.table import Model, Uses, table
from appliance.config.schema import Config, pins_in_use
from appliance.core.pins import PINS

CONFIG, CMDLINE = "config.txt", "cmdline.txt"

_BOM = "\ufeff"
_BOM_TEXT = "a byte order mark hides this line; save the file without one"
_BUS = {0: "i2c_vc", 1: "i2c_arm"}


class Finding(NamedTuple):
    """One thing about a file, for some models.

    `status` is missing (a file or a line that the box needs), present (such a file) or wrong (the box will
    not work). `line` 0 stands for the file as a whole.
    """

    status: str
    file: str
    line: int
    text: str
    models: tuple[str, ...] = ()


def bootable(card: Card, model: Model) -> bool:
    """Return whether the card's image is for this model: a 64-bit one has no kernel for the first Zero."""
    return 64 in model.kernels or card.has(model.kernels[32][0])


def needed_files(card: Card, models: Sequence[Model]) -> list[Finding]:
    """Return the boot files that these models need: which ones are missing or present, and why."""
    settings = parse(card.text)
    return _merged(models, lambda model: _files(card, model, view(settings, model)))


def conflicts(card: Card, models: Sequence[Model], config: Config) -> list[Finding]:
    """Return what is missing from config.txt and the command line, or wrong, for a box so configured."""
    settings = parse(card.text)

    def look(model: Model) -> Iterator[Finding]:
        found = view(settings, model)
        yield from _bus(found, config.display.port)
        yield from _pins(found, config, model.id)
        yield from _command_line(card)
        included = [setting.value for setting in found.settings if setting.key == "include"]
        yield from _byte_order_marks(card, [CONFIG, *included, CMDLINE])

    return _merged(models, look)


def _merged(models: Sequence[Model], look: Callable[[Model], Iterable[Finding]]) -> list[Finding]:
    """Return what `look` finds for each model: equal findings once, with all their models."""
    found: dict[Finding, list[str]] = {}
    for model in models:
        for one in dict.fromkeys(look(model)):
            found.setdefault(one, []).append(model.id)
    return sorted(one._replace(models=tuple(ids)) for one, ids in found.items())


def _files(card: Card, model: Model, config: View) -> Iterator[Finding]:
    def need(names: Sequence[str], why: str) -> Finding:
        """Return whether one of these files is there."""
        there = next(filter(card.has, names), None)
        return Finding("present" if there else "missing", there or names[0], 0, why)

    for one in table().needs:
        if model.id in one.models:
            yield need(one.files, one.why)
    kernels = _kernels(model, config)
    yield need(kernels, "the kernel")
    if config.option("auto_initramfs") == "1":
        kernel = next(filter(card.has, kernels), "")
        if kernel.startswith("kernel"):  # the firmware derives the name so
            why = f"{kernel} starts from it (auto_initramfs); a fresh card's first boot needs it"
            yield need([kernel.replace("kernel", "initramfs", 1).removesuffix(".img")], why)
    named = [
        (name, setting)
        for setting in config.settings
        if setting.key in ("include", "initramfs")
        for name in setting.value.partition(" ")[0].split(",")
        if name
    ]
    named += [
        (f"overlays/{overlay.name}.dtbo", overlay.setting)
        for overlay in config.overlays
        if any(fnmatchcase(overlay.name, uses.overlay) for uses in table().uses)
    ]
    for name, setting in named:
        yield need([name], f"line {setting.number} of {setting.file} names it")


def _kernels(model: Model, config: View) -> Sequence[str]:
    """Return the kernels that config.txt selects, preferred ones first."""
    bits = {"0": 32, "1": 64}.get(config.option("arm_64bit"), model.bits)
    named = config.option("kernel").removeprefix("/")
    return [named] if named else model.kernels.get(bits) or model.kernels[model.bits]


def _bus(config: View, port: int) -> Iterator[Finding]:
    """Yield what keeps the display's I2C bus off."""
    if port not in _BUS:
        if not any(overlay.name in (f"i2c{port}", "i2c-gpio") for overlay in config.overlays):
            text = f"dtoverlay=i2c{port}: the display is on bus {port}, and nothing sets it up"
            yield Finding("missing", CONFIG, 0, text)
        return
    line = f"dtparam={_BUS[port]}=on"
    setting = config.parameters.get(_BUS[port])
    if not setting:
        text = f"{line}: without it the I2C bus {port} is off and the display stays dark"
        yield Finding("missing", CONFIG, 0, text)
    elif not is_on(setting.value):
        yield _wrong(setting, f"turns off the display's I2C bus {port}; it needs {line}")


def _wrong(setting: Setting, text: str) -> Finding:
    return Finding("wrong", setting.file, setting.number, text)


def _pins(config: View, box: Config, model: str) -> Iterator[Finding]:
    """Yield the lines that occupy a pin of the box, or one that a line above occupies for something else."""
    users = {use.pin: (use.what, use.what) for use in pins_in_use(box)}
    order = {setting[:2]: number for number, setting in enumerate(config.settings)}
    for pin, what, setting in sorted(_occupied(config, model), key=lambda use: order[use[2][:2]]):
        described = f"{what} in line {setting.number} of {setting.file}"
        first, user = users.setdefault(pin, (what, described))
        if first != what:
            only = f" (where [{'] ['.join(setting.filters)}] holds)" if setting.filters else ""
            yield _wrong(setting, f"occupies GPIO {pin} for {what}{only}, which is used by {user}")


_Taken = tuple[int, str, Setting]  # a pin, what occupies it, and where that is set


def _occupied(config: View, model: str) -> Iterator[_Taken]:
    """Yield each pin that config.txt occupies for something else than this box."""
    for uses in table().uses:
        if uses.models and model not in uses.models:
            continue
        if uses.overlay:
            for overlay in config.overlays:
                if fnmatchcase(overlay.name, uses.overlay):
                    yield from _occupied_by(overlay, uses)
        else:
            setting = config.parameters.get(uses.parameter) or config.options.get(uses.option)
            if setting and is_on(setting.value):
                yield from ((pin, uses.what, setting) for pin in uses.pins)
    for setting in config.settings:
        numbers, _, value = setting.value.partition("=")
        if setting.key == "gpio" and "op" in value.split(","):
            yield from ((pin, "an output of the firmware", setting) for pin in _range(numbers))


def _occupied_by(overlay: Overlay, uses: Uses) -> Iterator[_Taken]:
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


def _command_line(card: Card) -> Iterator[Finding]:
    if not card.has(CMDLINE):
        return  # `needed_files` names it
    text = card.text(CMDLINE)
    if not any(word.startswith("root=") for word in text.partition("\n")[0].split()):
        yield Finding("wrong", CMDLINE, 1, "has no root=, so the kernel does not find its system")
    below = [number for number, line in enumerate(text.split("\n")[1:], 2) if line.strip()]
    if below:
        yield Finding("wrong", CMDLINE, below[0], "is not read: the whole command line must be on line 1")


def _byte_order_marks(card: Card, files: Sequence[str]) -> Iterator[Finding]:
    """Yield the files whose first line a byte order mark hides: harmless before a comment."""
    for file in files:
        text = card.text(file)
        first = text.partition("\n")[0].removeprefix(_BOM).strip()
        if text.startswith(_BOM) and first and not first.startswith("#"):
            yield Finding("wrong", file, 1, _BOM_TEXT)
