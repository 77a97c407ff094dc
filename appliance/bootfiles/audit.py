"""What config.txt and cmdline.txt on a card mean for this box: what is lacking, and what contradicts it."""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

from appliance.bootfiles import cmdline
from appliance.bootfiles.configtxt import Setting, View, parse, view
from appliance.bootfiles.job import SCRIPT
from appliance.bootfiles.pins import pins_of_box, pins_of_view
from appliance.bootfiles.table import Model
from appliance.config import Config

BAUD = 400_000  # Hz: what this box asks of the bus
SEVERITIES = ("wrong", "missing", "note")

_MARK = "\ufeff"  # what some editors put before the first character of a file
_MARKED = "a byte order mark stands before this line, which is not read then; save the file without one"
_OURS = rf"systemd\.run=\S*/{re.escape(SCRIPT)}"

_BUS = {0: ("i2c_vc", "i2c0"), 1: ("i2c_arm", "i2c", "i2c1")}  # names of one and the same
_BAUD = {
    0: ("i2c_vc_baudrate", "i2c0_baudrate"),
    1: ("i2c_arm_baudrate", "i2c_baudrate", "i2c1_baudrate"),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing about a file.

    `severity` is wrong (the box will not work so), missing (a line that it needs) or note. `line` is None
    when no line says it. `models` are those that it is true for.
    """

    severity: str
    file: str
    line: int | None
    models: tuple[str, ...]
    text: str


def findings(
    texts: Mapping[str, str], models: Sequence[Model], config: Config, present: Container[str] = ()
) -> list[Finding]:
    """Return what there is to say about config.txt and the command line, for a box of this configuration.

    `texts` maps the names of the card's files to their text; those that are not there may be left out.
    `present` are the files of any kind that are on the card.
    """
    settings = parse(texts.get("config.txt", ""))
    found: dict[tuple[str, str, int | None, str], list[str]] = {}
    for model in models:
        sure = view(settings, model.filters)
        maybe = view(settings, model.filters, model.possible)
        for severity, line, text in _config(sure, maybe, config, model.id):
            found.setdefault((severity, "config.txt", line, text), []).append(model.id)
        name = sure.option("cmdline", "cmdline.txt")
        for line, text in _cmdline(texts.get(name), present):
            found.setdefault(("wrong", name, line, text), []).append(model.id)
        for file in ("config.txt", name):
            if _marked(texts.get(file, "")):
                found.setdefault(("wrong", file, 1, _MARKED), []).append(model.id)
    return sorted(
        (Finding(*key[:3], tuple(ids), key[3]) for key, ids in found.items()),
        key=lambda finding: (SEVERITIES.index(finding.severity), finding.file, finding.line or 0),
    )


def _config(sure: View, maybe: View, config: Config, model: str) -> Iterator[tuple[str, int | None, str]]:
    """Yield severity, line and text. `sure` is what certainly applies to the model, `maybe` also what may."""
    yield from _bus(sure, config.display.port)
    device_tree = sure.options.get("device_tree")
    if device_tree and not device_tree.value:
        yield "wrong", device_tree.number, "turns the device tree off, and with it the display's bus"
    for line, text in _pins(maybe, config, model):
        yield "wrong", line, text
    if not sure.on("watchdog"):
        said = sure.parameters.get("watchdog")
        yield "note", _line(said), "dtparam=watchdog=on starts a system again that hangs"
    for key, value in (("disable_splash", "1"), ("boot_delay", "0")):
        if sure.option(key) != value:
            yield "note", _line(sure.options.get(key)), f"{key}={value} starts sooner"
    for setting in sure.settings:
        if setting.key == "include":
            yield "note", setting.number, f"{setting.value} is read there, and was not looked into"


def _bus(sure: View, port: int) -> Iterator[tuple[str, int | None, str]]:
    if port not in _BUS:
        if not any(overlay.name in (f"i2c{port}", "i2c-gpio") for overlay in sure.overlays):
            yield "missing", None, f"dtoverlay=i2c{port}: the display is on bus {port}, and nothing makes it"
        return
    if sure.on(*_BUS[port]):
        rate = sure.last(*_BAUD[port])
        if not rate or not rate.value.isdecimal() or int(rate.value) < BAUD:
            told = f"dtparam={_BAUD[port][0]}={BAUD} draws four times as fast as the usual 100000"
            yield "note", _line(rate), told
        return
    line = f"dtparam={_BUS[port][0]}=on"
    off = sure.last(*_BUS[port])
    if off:
        yield "wrong", off.number, f"turns off the I2C bus {port}, which the display is on; it takes {line}"
    else:
        yield "missing", None, f"{line}: without it the I2C bus {port} is off, and the display stays dark"
    for other, names in _BUS.items():
        setting = sure.on(*names)
        if setting:
            told = f"turns on the I2C bus {other}, and the display is on bus {port} (display.port)"
            yield "wrong", setting.number, told


def _pins(maybe: View, config: Config, model: str) -> Iterator[tuple[int, str]]:
    taken = pins_of_box(config)
    buses: dict[int, str] = {}
    for use in sorted(pins_of_view(maybe, model), key=lambda use: use.setting.number):
        pin, what, setting = use.pin, use.what, use.setting
        if use.bus and buses.get(pin) == what:
            continue  # the same bus, asked for once more
        if pin in taken:
            only = f" (where [{'] ['.join(setting.filters)}] holds)" if setting.filters else ""
            told = f"takes GPIO {pin} for {what}{only}, and that pin is used by {taken[pin]}"
            yield setting.number, told
        else:
            taken[pin] = f"{what} in line {setting.number}"
            if use.bus:
                buses[pin] = what


def _marked(text: str) -> bool:
    """Return whether a byte order mark spoils the first line: it does no harm before a comment."""
    first = text.partition("\n")[0].removeprefix(_MARK).strip()
    return text.startswith(_MARK) and bool(first) and not first.startswith("#")


def _cmdline(text: str | None, present: Container[str]) -> Iterator[tuple[int, str]]:
    if text is None:
        return  # a missing file, and said where files are looked for
    if not any(word.startswith("root=") for word in cmdline.words(text)):
        yield 1, "has no root=, so the kernel does not find its system"
    if any(re.fullmatch(_OURS, word) for word in cmdline.words(text)) and SCRIPT not in present:
        told = f"runs {SCRIPT}, which is not there, and then the box switches off; prepare the card again"
        yield 1, told
    below = [number for number, line in enumerate(text.split("\n")[1:], 2) if line.strip()]
    if below:
        yield below[0], "is not read: all of it belongs on the first line"


def _line(setting: Setting | None) -> int | None:
    return setting.number if setting else None
