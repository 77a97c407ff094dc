"""The configuration: one YAML file, every key optional.

Each key is described once, where its dataclass field stands: default, what it may be, what it means. Reading,
checking, `tictactoe config show` and the commented example all follow from that description.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, fields, replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from appliance.core.pins import check_pins
from appliance.core.settings import FIRST, LEVELS, RULES
from appliance.errors import UserError
from appliance.records import dataclass
from appliance.values import Boolean, Integer, IntegerChoice, Kind, Number, OrNone, Several, Text, Word
from appliance.yamlfile import Node, read

T = TypeVar("T")

LANGUAGES = ("en", "de", "fr", "es", "pl", "cs")
CHIPS = ("ssd1306", "sh1106")
BUS_PINS = {0: (0, 1), 1: (2, 3)}  # the I2C buses on a Pi's header whose pins do not depend on an overlay

_PIN = Integer(0, 27, "a BCM pin number")
_SECONDS = "a number of seconds"
_REST = Number(1, 86_400, _SECONDS, zero="never")


def _key(default: T, kind: Kind[T], meaning: str) -> T:
    return field(default=default, metadata={"kind": kind, "meaning": meaning})


@dataclass(frozen=True, slots=True)
class GameConfig:
    """How a new box plays, until its menu says otherwise."""

    level: str = _key("perfect", Word(*LEVELS), "how well the box plays")
    first: str = _key("alternate", Word(*FIRST), "who begins a game")
    players: int = _key(
        1, IntegerChoice(1, 2, 0), "people: 1 plays the box, 2 play each other, 0 watch it play itself"
    )
    rule: str = _key("classic", Word(*RULES), "which game: three in a row wins, loses, or marks vanish")
    pause: float = _key(0.4, Number(0, 10, _SECONDS), "from your move to the box's answer")


@dataclass(frozen=True, slots=True)
class KeypadConfig:
    """How the button matrix is wired."""

    rows: tuple[int, ...] = _key((17, 27, 22), Several(3, _PIN), "the pins of the rows, from the top")
    columns: tuple[int, ...] = _key((5, 6, 13), Several(3, _PIN), "the pins of the columns, from the left")
    hold: float = _key(1.0, Number(0.2, 10, _SECONDS), "how long the centre is held to open the menu")


@dataclass(frozen=True, slots=True)
class DisplayConfig:
    """Which display there is, and where."""

    driver: str = _key(
        "ssd1306",
        Text(
            f'one of {", ".join(CHIPS)}, or a luma device class as "package.module:Class"',
            rf"{'|'.join(CHIPS)}|[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*",
            choices=CHIPS,
        ),
        "its controller",
    )
    port: int = _key(1, Integer(0, 99), "the I2C bus: 1 is /dev/i2c-1")
    address: int = _key(
        0x3C, Integer(0x03, 0x77, "an I2C address", hexadecimal=True), "its address on the bus"
    )
    width: int = _key(128, IntegerChoice(128), "pixels in a row")
    height: int = _key(64, IntegerChoice(64, 32), "rows of pixels")
    rotate: int = _key(0, IntegerChoice(0, 180), "degrees by which the display is mounted turned")
    contrast: int = _key(207, Integer(0, 255), "its brightness")


@dataclass(frozen=True, slots=True)
class RestConfig:
    """What happens when nobody presses a key."""

    menu: float = _key(20.0, _REST, "until the menu closes")
    dim: float = _key(60.0, _REST, "until the display is dimmed")
    off: float = _key(600.0, _REST, "until the display is dark")
    drift: float = _key(60.0, _REST, "between two shifts of the picture, against burn-in")
    attract: bool = _key(default=False, kind=Boolean(), meaning="whether the box plays itself while dimmed")


@dataclass(frozen=True, slots=True)
class PowerConfig:
    """Who may switch the box off."""

    menu: bool = _key(default=True, kind=Boolean(), meaning="whether the menu can switch off and restart")


@dataclass(frozen=True, slots=True)
class SoundConfig:
    """The buzzer, if there is one."""

    pin: int | None = _key(None, OrNone(_PIN), "where a passive buzzer is connected")


@dataclass(frozen=True, slots=True)
class LedConfig:
    """The lamp, if there is one."""

    pin: int | None = _key(None, OrNone(_PIN), "where an LED is connected that is lit when it is your turn")


@dataclass(frozen=True, slots=True)
class Config:
    """The whole configuration. `Config()` is the default one; `origins` says where the other values are from.

    `origins` maps a key path (`game.level`) to the place that set it (`box.yaml:7`).
    """

    game: GameConfig = field(
        default=GameConfig(), metadata={"section": "The game, until the menu says otherwise"}
    )
    keypad: KeypadConfig = field(
        default=KeypadConfig(),
        metadata={"section": "The button matrix; BCM numbers, not the header's positions"},
    )
    display: DisplayConfig = field(default=DisplayConfig(), metadata={"section": "The display"})
    rest: RestConfig = field(default=RestConfig(), metadata={"section": "When no key is pressed"})
    power: PowerConfig = field(default=PowerConfig(), metadata={"section": "Switching off"})
    sound: SoundConfig = field(default=SoundConfig(), metadata={"section": "The buzzer"})
    led: LedConfig = field(default=LedConfig(), metadata={"section": "The lamp"})
    language: str = _key("en", Word(*LANGUAGES), "the language of the display")
    state: str | None = _key(
        None,
        OrNone(Text("a full path (/... or ~/...)", "[/~].*")),
        "the directory that keeps games and scores; none leaves it to the system",
    )
    log: str = _key(
        "info", Word("debug", "info", "warning", "error"), "the least that is worth a line in the log"
    )
    origins: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)


class Key(NamedTuple):
    """The description of one key. `section` is "" for a key that stands at the top."""

    section: str
    name: str
    kind: Kind[Any]
    default: Any
    meaning: str

    @property
    def path(self) -> str:
        """The key path: `game.level`, or `language`."""
        return f"{self.section}.{self.name}" if self.section else self.name

    def value(self, config: Config) -> Any:
        """Return this key's value in a configuration."""
        return getattr(getattr(config, self.section) if self.section else config, self.name)


def _keys(cls: Any, section: str) -> dict[str, Key]:
    return {
        f.name: Key(section, f.name, f.metadata["kind"], f.default, f.metadata["meaning"])
        for f in fields(cls)
        if "kind" in f.metadata
    }


def _sections() -> Iterator[tuple[str, str, dict[str, Key]]]:
    for f in fields(Config):
        if "section" in f.metadata:
            yield f.name, f.metadata["section"], _keys(f.default, f.name)
    yield "", "Everything else", _keys(Config, "")


SECTIONS = {name: (meaning, keys) for name, meaning, keys in _sections()}
"""Section -> its meaning, and its keys by name, in the order of the file. The keys at the top are in ""."""


def default_paths(environ: Mapping[str, str] = os.environ, root: Path = Path("/")) -> list[Path]:
    """Return those of `possible_paths` that exist."""
    # Path.exists raises where it may not look.
    return [path for path in possible_paths(environ, root) if os.path.exists(path)]  # noqa: PTH110


def possible_paths(environ: Mapping[str, str] = os.environ, root: Path = Path("/")) -> list[Path]:
    """Return the files that are read when none is named, if they exist, the highest ranking last.

    /etc/tictactoe/config.yaml; tictactoe.yaml on the boot partition, which any computer can edit; and on a
    desktop tictactoe/config.yaml in the XDG configuration directory.
    """
    paths = [root / "etc/tictactoe/config.yaml", root / "boot/firmware/tictactoe.yaml"]
    home = environ.get("XDG_CONFIG_HOME") or (environ["HOME"] + "/.config" if environ.get("HOME") else "")
    if home.startswith("/"):  # the XDG rules: a relative path is to be ignored
        paths.append(Path(home) / "tictactoe/config.yaml")
    return paths


def load(paths: Sequence[Path]) -> Config:
    """Return the configuration in these files, later ones outranking earlier ones key by key.

    Raise `UserError` for a file that cannot be read, a value that makes no sense, and values that do not fit
    together.
    """
    config = Config()
    for path in paths:
        config = _overlay(read(path), config)
    _check(config)
    return config


def from_node(node: Node, base: Config | None = None) -> Config:
    """Return `base` (the defaults) overridden by a mapping in another file. Raise `UserError` as `load`."""
    config = _overlay(node, base or Config())
    _check(config)
    return config


def _overlay(node: Node, base: Config) -> Config:
    origins = dict(base.origins)

    def read_keys(keys: Mapping[str, Key], entries: Mapping[str, Node]) -> dict[str, Any]:
        values = {name: keys[name].kind.read(entry) for name, entry in entries.items() if name in keys}
        origins.update({keys[name].path: entries[name].place for name in values})
        return values

    top = SECTIONS[""][1]
    entries = node.mapping([*filter(None, SECTIONS), *top])
    changed: dict[str, Any] = read_keys(top, entries)
    for section, entry in entries.items():
        if section not in top:
            keys = SECTIONS[section][1]
            changed[section] = replace(getattr(base, section), **read_keys(keys, entry.mapping(keys)))
    return replace(base, **changed, origins=origins)


def _check(config: Config) -> None:
    """Raise `UserError` for values that are each right and do not fit together."""
    display, rest = config.display, config.rest
    if display.driver == "sh1106" and display.height != 64:
        paths = ("display.height", "display.driver")
        raise misfit(config, paths, f"an sh1106 has 64 rows, not {display.height} (128x32 is an ssd1306)")
    if rest.off and rest.off <= rest.dim:
        write = SECTIONS["rest"][1]["off"].kind.write
        told = f"dark after {write(rest.off)} s, but dimmed only after {write(rest.dim)} s"
        raise misfit(config, ("rest.off", "rest.dim"), f"{told}; make off longer, or dim 0")
    if rest.attract and not rest.dim:
        told = "the box plays itself only while dimmed, and dim 0 is never"
        raise misfit(config, ("rest.attract", "rest.dim"), told)
    bus = BUS_PINS.get(display.port, ())
    uses: dict[str, tuple[int, ...]] = {
        "keypad.columns": config.keypad.columns,
        "keypad.rows": config.keypad.rows,
        "sound.pin": () if config.sound.pin is None else (config.sound.pin,),
        "led.pin": () if config.led.pin is None else (config.led.pin,),
        "display.port": bus,
    }
    taken = dict.fromkeys(bus, f"the I2C bus {display.port}")
    for path, what in (("sound.pin", "the buzzer"), ("led.pin", "the LED")):
        for pin in uses[path]:
            if pin in taken:
                at_fault = [path for path, used in uses.items() if pin in used]
                raise misfit(config, at_fault, f"pin {pin} is used by {what} and by {taken[pin]}")
            taken[pin] = what
    try:
        check_pins(config.keypad.rows, config.keypad.columns, taken)
    except ValueError as error:
        pins = [pin for used in uses.values() for pin in used]
        at_fault = [path for path, used in uses.items() if any(pins.count(pin) > 1 for pin in used)]
        raise misfit(config, at_fault, str(error)) from error


def misfit(config: Config, paths: Sequence[str], sentence: str) -> UserError:
    """Return the error for keys that do not fit together, blamed on the first of `paths` that a file set."""
    path = next((path for path in paths if path in config.origins), paths[0])
    return UserError(f"{config.origins.get(path, 'the configuration')}: {path}: {sentence}")
