"""The configuration: what each key means, which values it takes, and which files set it.

Every key is optional; `Settings`, `Options` and the types below hold the defaults. `SECTIONS` describes each
key once: reading, `config show` and the commented example all use it.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from appliance.config.kinds import BOOLEAN, Kind, choice, integer, number, or_none, several, text
from appliance.core.keys.gestures import HOLD
from appliance.core.keys.pins import COLUMN_PINS, PINS, ROW_PINS
from appliance.core.session.settings import (
    CONTRAST,
    FIRST,
    LEVEL_NAMES,
    PLAYERS,
    RULE_NAMES,
    SERIES,
    Options,
    Settings,
)
from appliance.core.words import LANGUAGES


class ChipFacts(NamedTuple):
    """A display chip: the heights in rows of its modules, their usual size, and how it is recognised.

    `ids` are the low bits of its status. No datasheet documents them, yet drivers tell the chips apart by
    them; chips that share commands share them, too. A module that cannot be read shows 0x0 or 0xF. `wide` is
    whether the memory is wider than the panel. `inches` is one of `DISPLAYS` in desk/dimensions.py.
    """

    heights: tuple[int, ...] = (64,)
    inches: str = "0.96"
    ids: tuple[int, ...] = (0x3, 0x6)
    wide: bool = False


CHIPS: Mapping[str, ChipFacts] = {
    "ssd1306": ChipFacts((64, 32)),
    "ssd1315": ChipFacts((64, 32)),
    "sh1106": ChipFacts(inches="1.3", ids=(0x8,), wide=True),
    "ssd1309": ChipFacts(inches="2.42"),
}
"""The chips by driver: `devices.oled` has the class of each, `simulator.chips` the emulated chip."""
WIDE = tuple(chip for chip, facts in CHIPS.items() if facts.wide)

BUZZERS = ("passive", "active", "active-low")
"""The kinds of buzzer: without a tone of its own; with one, at a high level of its pin, or at a low one."""


class KeypadConfig(NamedTuple):
    """The button matrix: the pins (BCM numbers), and the seconds after which a press is a hold."""

    rows: tuple[int, ...] = ROW_PINS
    columns: tuple[int, ...] = COLUMN_PINS
    hold: float = HOLD


class DisplayConfig(NamedTuple):
    """The display: driver, bus, address, size in pixels, rotation in degrees; a wide memory's left column."""

    driver: str = "ssd1306"
    port: int = 1
    address: int = 0x3C
    width: int = 128
    height: int = 64
    rotate: int = 0
    column: int = 2


class Config(NamedTuple):
    """The whole configuration; `Config()` has the defaults.

    `buzzer` and `led` are pins, None without the part; `buzzer_kind` is one of `BUZZERS`. `state` is the
    state directory, None for the default.
    `origins` maps a key path (`game.level`) to the place that set it (`box.yaml:7`).
    """

    settings: Settings = Settings()
    options: Options = Options()
    keypad: KeypadConfig = KeypadConfig()
    display: DisplayConfig = DisplayConfig()
    buzzer: int | None = None
    buzzer_kind: str = BUZZERS[0]
    led: int | None = None
    state: str | None = None
    log: str = "info"
    origins: Mapping[str, str] = {}


class Key(NamedTuple):
    """One key of the file."""

    path: str  # "game.level", or "language" at the top of the file
    kind: Kind[Any]  # its allowed values
    meaning: str
    field: str = ""  # the field of `Config` that it sets, if not `path`: "settings.level"
    wary: Any = None  # used in place of a value that cannot be read; None: the key is left out

    @property
    def name(self) -> str:
        """The path after its dot, or the whole path without one."""
        return self.path.rpartition(".")[2]

    @property
    def section(self) -> str:
        """The path before its dot, "" for a key at the top."""
        return self.path.rpartition(".")[0]

    def value(self, config: Config) -> Any:
        """Return this key's value in a configuration."""
        part, _, name = (self.field or self.path).rpartition(".")
        return getattr(getattr(config, part) if part else config, name)

    def put(self, config: Config, value: Any) -> Config:
        """Return `config` with this key set to `value`."""
        part, _, name = (self.field or self.path).rpartition(".")
        if part:
            name, value = part, getattr(config, part)._replace(**{name: value})
        return config._replace(**{name: value})


_PIN = integer(PINS[0], PINS[-1], "a BCM pin number")
_SECONDS = "a number of seconds"
_IDLE = number(1, 86_400, _SECONDS, zero="never")
_DRIVER = text(
    f'one of {", ".join(CHIPS)} (or a luma device class as "package.module:Class")',
    rf"{'|'.join(CHIPS)}|[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*",
    choices=tuple(CHIPS),
)
_I2C = integer(0x03, 0x77, "an I2C address", hexadecimal=True)
_PRINTED = {"0x78": "0x3c", "78": "0x3c", "0x7a": "0x3d"}
_ADDRESS = _I2C._replace(
    expected=f"{_I2C.expected} (0x78 and 0x7a, as printed on modules, mean 0x3c and 0x3d)",
    accept=lambda node: _I2C.accept(node._replace(value=_PRINTED.get(str(node.plain).lower(), node.value))),
)
_CLOSED = BOOLEAN._replace(expected="yes or no (anything else counts as yes)")
_HIDDEN = BOOLEAN._replace(expected="yes or no (anything else counts as no)")
_LEVEL = "how well the box plays; perfect is the strongest at ultimate, which nobody has solved"
_COLUMN = f"for {', '.join(WIDE)}: the memory's column at the panel's left edge"
_RULE = "the rule of the game"
_COACH = "show in each empty cell what a move there is worth; not at ultimate"
_PEOPLE = "people: 1 plays the box, 2 play each other, 0 watch it play itself"
_POWER = "whether the menu offers off, restart and self-test"
_MATCH = "wins that decide a match between two people; 0 for no match"
_EXHIBIT = "for a place without staff: what visitors do ends with their visit"
_BUZZER = "what makes it sound: tones, a high level, or a low one (low level trigger)"
_STATE = or_none(text("a full path as /... or ~/...", "[/~].*"))

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
    Key("game.level", choice(*LEVEL_NAMES), _LEVEL, "settings.level"),
    Key("game.first", choice(*FIRST), "who begins a game against the box", "settings.first"),
    Key("game.players", choice(*PLAYERS), _PEOPLE, "settings.players"),
    Key("game.match", choice(0, *SERIES), _MATCH, "settings.series"),
    Key("game.rule", choice(*RULE_NAMES), _RULE, "settings.rule"),
    Key("game.coach", BOOLEAN, _COACH, "settings.coach"),
    Key("game.pause", number(0, 10, _SECONDS), "from your move to the box's answer", "options.pause"),
    Key("keypad.rows", several(3, _PIN), "the pins of the rows, from the top"),
    Key("keypad.columns", several(3, _PIN), "the pins of the columns, from the left"),
    Key("keypad.hold", number(0.2, 10, _SECONDS), "how long to hold the centre to open the menu"),
    Key("display.driver", _DRIVER, "its controller"),
    Key("display.port", integer(0, 49), "the I2C bus: 1 is /dev/i2c-1"),
    Key("display.address", _ADDRESS, "its address on the bus"),
    Key("display.width", choice(128), "pixels in a row"),
    Key("display.height", choice(64, 32), "rows of pixels"),
    Key("display.rotate", choice(0, 180), "how it is mounted, in degrees: 180 is upside down"),
    Key("display.column", integer(0, 4), _COLUMN),
    Key("display.contrast", integer(CONTRAST[0], CONTRAST[-1]), "its brightness", "settings.contrast"),
    Key("rest.menu", _IDLE, "until the menu closes", "options.menu"),
    Key("rest.dim", _IDLE, "until the display is dimmed", "options.dim"),
    Key("rest.off", _IDLE, "until the display is dark; never in an exhibit unless set", "options.off"),
    Key("rest.visit", number(1, 86_400, _SECONDS), "until the visit of an exhibit ends", "options.visit"),
    Key("rest.drift", _IDLE, "between shifts of the picture, which prevent burn-in", "options.drift"),
    Key("rest.attract", BOOLEAN, "whether the box plays itself while dimmed", "options.attract"),
    Key("power.menu", _HIDDEN, _POWER, "options.power", wary=False),
    Key("sound.pin", or_none(_PIN), "the pin of a buzzer", "buzzer"),
    Key("sound.kind", choice(*BUZZERS), _BUZZER, "buzzer_kind"),
    Key("led.pin", or_none(_PIN), "the pin of an LED that is lit when it is your turn", "led"),
    Key("exhibit", _CLOSED, _EXHIBIT, "options.exhibit", wary=True),
    Key("language", choice(*LANGUAGES), "the language of the display", "settings.language"),
    Key("state", _STATE, "the directory for games and scores; none for the default one"),
    Key("log", choice("debug", "info", "warning", "error"), "the lowest level of messages to log"),
)
KEYS = {key.path: key for key in _KEYS}
"""Every key by its path, in the order of the example."""

SECTIONS = {
    section: (heading, {key.name: key for key in _KEYS if key.section == section})
    for section, heading in _HEADINGS.items()
}
"""Section -> its heading and its keys by name, in the order of the example; "" has the keys at the top."""
