"""The configuration: one YAML file, every key optional.

The file sets `Settings`, `Options` and the types below, which hold the defaults. SECTIONS has the allowed
values and the meaning of each key, for reading, `config show` and the commented example.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from appliance.config.values import (
    BOOLEAN,
    Kind,
    choice,
    integer,
    number,
    or_none,
    several,
    text,
)
from appliance.config.yamlfile import Node, one_of, read
from appliance.core.errors import UserError
from appliance.core.gestures import HOLD
from appliance.core.pins import BUS_PINS, COLUMNS, PINS, ROWS
from appliance.core.settings import CONTRAST, FIRST, LEVEL_NAMES, PLAYERS, Options, Settings
from appliance.core.words import LANGUAGES
from engine import RULES

CHIPS: Mapping[str, tuple[int, ...]] = {"ssd1306": (64, 32), "sh1106": (64,), "ssd1309": (64,)}
"""The rows that a display of each of our own drivers can have."""


class KeypadConfig(NamedTuple):
    """How the button matrix is wired, in BCM numbers, and how long a hold is."""

    rows: tuple[int, ...] = ROWS
    columns: tuple[int, ...] = COLUMNS
    hold: float = HOLD


class DisplayConfig(NamedTuple):
    """Which display there is, and where."""

    driver: str = "ssd1306"
    port: int = 1
    address: int = 0x3C
    width: int = 128
    height: int = 64
    rotate: int = 0


class Config(NamedTuple):
    """The whole configuration. `Config()` is the default one.

    `led` is the pin of the LED, if there is one. `origins` maps a key path (`game.level`) to the place that
    set it (`box.yaml:7`).
    """

    settings: Settings = Settings()
    options: Options = Options()
    keypad: KeypadConfig = KeypadConfig()
    display: DisplayConfig = DisplayConfig()
    led: int | None = None
    state: str | None = None
    log: str = "info"
    origins: Mapping[str, str] = {}


class Key(NamedTuple):
    """One key of the file."""

    path: str  # "game.level", or "language" at the top of the file
    kind: Kind[Any]  # what it may be
    meaning: str
    field: str = ""  # the field of `Config` that it sets, if that is not its path: "settings.level"

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition(".")[2]

    @property
    def section(self) -> str:
        """The first part of the path, "" for a key at the top."""
        return self.path.rpartition(".")[0]

    def value(self, config: Config) -> Any:
        """Return this key's value in a configuration."""
        part, _, name = (self.field or self.path).rpartition(".")
        return getattr(getattr(config, part) if part else config, name)

    def put(self, config: Config, value: Any) -> Config:
        """Return the configuration with this value for the key."""
        part, _, name = (self.field or self.path).rpartition(".")
        if part:
            name, value = part, getattr(config, part)._replace(**{name: value})
        return config._replace(**{name: value})


_PIN = integer(PINS[0], PINS[-1], "a BCM pin number")
_SECONDS = "a number of seconds"
_IDLE = number(1, 86_400, _SECONDS, zero="never")
_DRIVER = text(
    f'one of {", ".join(CHIPS)}, or a luma device class as "package.module:Class"',
    rf"{'|'.join(CHIPS)}|[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*",
    choices=tuple(CHIPS),
)
_ADDRESS = integer(0x03, 0x77, "an I2C address", hexadecimal=True)
_PAUSE = number(0, 10, _SECONDS)
_PEOPLE = "people: 1 plays the box, 2 play each other, 0 watch it play itself"
_STATE = or_none(text("a full path (/... or ~/...)", "[/~].*"))

_HEADINGS = {
    "game": "The game; the menu can change most of it",
    "keypad": "The button matrix; BCM numbers, not the header's positions",
    "display": "The display",
    "rest": "When no key is pressed",
    "power": "Switching off",
    "sound": "The buzzer",
    "led": "The LED",
    "": "Everything else",
}
_KEYS = (
    Key("game.level", choice(*LEVEL_NAMES), "how well the box plays", "settings.level"),
    Key("game.first", choice(*FIRST), "who begins a game", "settings.first"),
    Key("game.players", choice(*PLAYERS), _PEOPLE, "settings.players"),
    Key(
        "game.rule",
        choice(*RULES),
        "the game: three in a row wins, three in a row loses, or old marks vanish",
        "settings.rule",
    ),
    Key("game.coach", BOOLEAN, "show in each empty cell what a move there is worth", "settings.coach"),
    Key("game.pause", _PAUSE, "from your move to the box's answer", "options.pause"),
    Key("keypad.rows", several(3, _PIN), "the pins of the rows, from the top"),
    Key("keypad.columns", several(3, _PIN), "the pins of the columns, from the left"),
    Key("keypad.hold", number(0.2, 10, _SECONDS), "how long to hold the centre to open the menu"),
    Key("display.driver", _DRIVER, "its controller"),
    Key("display.port", integer(0, 99), "the I2C bus: 1 is /dev/i2c-1"),
    Key("display.address", _ADDRESS, "its address on the bus"),
    Key("display.width", choice(128), "pixels in a row"),
    Key("display.height", choice(64, 32), "rows of pixels"),
    Key("display.rotate", choice(0, 180), "how it is mounted, in degrees: 180 is upside down"),
    Key("display.contrast", integer(CONTRAST[0], CONTRAST[-1]), "its brightness", "settings.contrast"),
    Key("rest.menu", _IDLE, "until the menu closes", "options.menu"),
    Key("rest.dim", _IDLE, "until the display is dimmed", "options.dim"),
    Key("rest.off", _IDLE, "until the display is dark", "options.off"),
    Key("rest.drift", _IDLE, "between two shifts of the picture, against burn-in", "options.drift"),
    Key("rest.attract", BOOLEAN, "whether the box plays itself while dimmed", "options.attract"),
    Key(
        "power.menu",
        BOOLEAN,
        "whether the menu has off, restart and self-test",
        "options.power",
    ),
    Key("sound.pin", or_none(_PIN), "the pin of a passive buzzer", "options.buzzer"),
    Key("led.pin", or_none(_PIN), "the pin of an LED that is lit when it is your turn", "led"),
    Key("language", choice(*LANGUAGES), "the language of the display", "settings.language"),
    Key("state", _STATE, "the directory for games and scores; none for the default one"),
    Key("log", choice("debug", "info", "warning", "error"), "the lowest level of messages to log"),
)
SECTIONS = {
    section: (heading, {key.name: key for key in _KEYS if key.section == section})
    for section, heading in _HEADINGS.items()
}
"""Section -> its heading and its keys by name, in the order of the file. The keys at the top are in ""."""


ON_CARD = Path("/boot/firmware/tictactoe.yaml")


def default_paths(environ: Mapping[str, str] = os.environ, root: Path = Path("/")) -> list[Path]:
    """Return those of `possible_paths` that exist."""
    # Path.exists raises where it may not look.
    return [path for path in possible_paths(environ, root) if os.path.exists(path)]  # noqa: PTH110


def possible_paths(environ: Mapping[str, str] = os.environ, root: Path = Path("/")) -> list[Path]:
    """Return the files that are read when none is named, if they exist; later ones override earlier ones.

    /etc/tictactoe/config.yaml; tictactoe.yaml on the boot partition, which any computer can edit; and on a
    desktop tictactoe/config.yaml in the XDG configuration directory.
    """
    paths = [root / "etc/tictactoe/config.yaml", root / ON_CARD.relative_to("/")]
    home = environ.get("XDG_CONFIG_HOME") or (environ["HOME"] + "/.config" if environ.get("HOME") else "")
    if home.startswith("/"):  # the XDG specification: ignore a relative path
        paths.append(Path(home) / "tictactoe/config.yaml")
    return paths


def load(paths: Sequence[Path]) -> Config:
    """Return the configuration in these files; later ones override earlier ones key by key.

    Raise `UserError` for a file that cannot be read, an invalid value, and values that do not fit together.
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


def _overlay(node: Node, config: Config) -> Config:
    top = SECTIONS[""][1]
    origins = dict(config.origins)
    for name, entry in node.mapping([*filter(None, SECTIONS), *top]).items():
        keys = top if name in top else SECTIONS[name][1]
        entries = {name: entry} if name in top else entry.mapping(keys)
        for key_name, value in entries.items():
            key = keys[key_name]
            config = key.put(config, key.kind.read(value))
            origins[key.path] = value.place
    return config._replace(origins=origins)


class PinUse(NamedTuple):
    """A pin (BCM), what the box uses it for, and the key that says so."""

    pin: int
    what: str
    path: str


def pins_in_use(config: Config) -> Iterator[PinUse]:
    """Yield every pin that the configured box uses, once for each use."""
    bus = config.display.port
    yield from (PinUse(pin, f"the I2C bus {bus}", "display.port") for pin in BUS_PINS.get(bus, ()))
    for kind, pins in (("row", config.keypad.rows), ("column", config.keypad.columns)):
        yield from (PinUse(pin, f"{kind} {place}", f"keypad.{kind}s") for place, pin in enumerate(pins, 1))
    for pin, what, path in (
        (config.options.buzzer, "the buzzer", "sound.pin"),
        (config.led, "the LED", "led.pin"),
    ):
        if pin is not None:
            yield PinUse(pin, what, path)


def _check(config: Config) -> None:
    """Raise `UserError` for values that are each valid and do not fit together."""
    display, options = config.display, config.options
    rows = CHIPS.get(display.driver, (display.height,))
    if display.height not in rows:
        sentence = f"{display.driver} has {one_of(list(map(str, rows)))} rows, not {display.height}"
        fitting = ", ".join(chip for chip, heights in CHIPS.items() if display.height in heights)
        paths = ("display.height", "display.driver")
        raise misfit(config, paths, f"{sentence} (128x{display.height} is {fitting})")
    if options.off and options.off <= options.dim:
        sentence = f"dark after {options.off:g} s, but dimmed only after {options.dim:g} s"
        raise misfit(config, ("rest.off", "rest.dim"), f"{sentence}; make off longer, or dim 0")
    if options.attract and not options.dim:
        sentence = "the box plays itself only while dimmed, and dim 0 is never"
        raise misfit(config, ("rest.attract", "rest.dim"), sentence)
    uses: dict[int, PinUse] = {}
    for use in pins_in_use(config):
        other = uses.setdefault(use.pin, use)
        if other is not use:
            sentence = f"pin {use.pin} is used by {other.what} and by {use.what}: each needs a pin of its own"
            raise misfit(config, (use.path, other.path), sentence)


def misfit(config: Config, paths: Sequence[str], sentence: str) -> UserError:
    """Return the error for keys that do not fit together, blamed on the first of `paths` that a file set."""
    path = next(path for path in paths if path in config.origins)
    return UserError(f"{config.origins[path]}: {path}: {sentence}")
