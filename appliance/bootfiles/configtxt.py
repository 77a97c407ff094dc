"""What config.txt says to one model of Raspberry Pi: its lines, [filters] and device tree. Pure over text.

The rules are those of Raspberry Pi's documentation of config.txt. A filter replaces one of its own kind,
filters of different kinds must all hold, [all] ends them all. A `dtparam` belongs to the overlay above it
until the next overlay or an empty `dtoverlay=`, and to the board where that overlay has no such parameter.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from appliance.bootfiles.blocks import lines_of

LONGEST = 98  # characters of a line that the firmware reads; it ignores the rest

_MODEL_FILTER = re.compile(r"(pi[0-9]+[a-z+]*|cm[0-9]+[a-z+]*|none|board-type=.*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Setting:
    """One line that says something. `filters` are those in force there, lower case and without brackets."""

    number: int
    key: str
    value: str
    filters: tuple[str, ...] = ()

    def applies(self, certain: Iterable[str], possible: Iterable[str] = ()) -> bool | None:
        """Return whether a board reads this line; None when that cannot be told from here.

        `certain` are the model filters that hold for every board in question, `possible` those that hold for
        some of them. Whether a pin is high or a monitor is attached, only the running firmware knows.
        """
        answers = [_holds(text, certain, possible) for text in self.filters]
        if False in answers:
            return False
        return None if None in answers else True


@dataclass(frozen=True, slots=True)
class Overlay:
    """One overlay that is loaded, with the parameters given to it."""

    name: str
    setting: Setting
    parameters: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class View:
    """What applies to a model, the last word on each thing.

    `settings` are the lines that apply. `options` are plain settings by key, `parameters` the base device
    tree's by name, each with its line.
    """

    settings: tuple[Setting, ...]
    options: Mapping[str, Setting]
    parameters: Mapping[str, Setting]
    overlays: tuple[Overlay, ...]

    def last(self, *names: str) -> Setting | None:
        """Return the last line that sets a parameter, given all the names that it has; None if none does."""
        said = [self.parameters[name] for name in names if name in self.parameters]
        return max(said, key=lambda setting: setting.number, default=None)

    def on(self, *names: str) -> Setting | None:
        """Return the line that switches a parameter on, as `last`; None when it is off."""
        last = self.last(*names)
        return last if last and is_on(last.value) else None

    def option(self, key: str, default: str = "") -> str:
        """Return the value of a plain setting."""
        return self.options[key].value if key in self.options else default


def parse(text: str) -> list[Setting]:
    """Return the lines that say something, in order; `include` and `initramfs`, without a `=`, too."""
    settings: list[Setting] = []
    filters: dict[str, str] = {}
    for number, line in enumerate(lines_of(text), 1):
        said = line.rstrip("\r\n")[:LONGEST].strip()
        if said.startswith("[") and "]" in said:
            name = said[1 : said.index("]")].strip().lower()
            if name == "all":
                filters = {}
            else:
                filters[_kind(name)] = name
        elif said and not said.startswith("#"):
            plain = re.match(r"(include|initramfs)\s+(.*)", said)
            key, value = plain.groups() if plain else said.partition("=")[::2]
            settings.append(Setting(number, key.strip(), value.strip(), tuple(filters.values())))
    return settings


def view(settings: Iterable[Setting], certain: Iterable[str], possible: Iterable[str] | None = None) -> View:
    """Return what applies to a model.

    Without `possible`, only the lines that certainly apply; with it, also those that may.
    """
    read: list[Setting] = []
    options: dict[str, Setting] = {}
    parameters: dict[str, Setting] = {}
    overlays: list[tuple[str, Setting, dict[str, str]]] = []
    open_overlay: dict[str, str] | None = None
    for setting in settings:
        applies = setting.applies(certain, possible or ())
        if not applies and (applies is False or possible is None):
            continue
        read.append(setting)
        if setting.key == "dtoverlay":
            name, _, rest = setting.value.replace(":", ",", 1).partition(",")  # a colon is the older way
            open_overlay = dict(_pairs(rest)) if name else None
            if open_overlay is not None:
                overlays.append((name.strip(), setting, open_overlay))
        elif setting.key == "dtparam":
            for name, value in _pairs(setting.value):
                parameters[name] = Setting(setting.number, name, value, setting.filters)
                if open_overlay is not None:
                    open_overlay[name] = value
        else:
            options[setting.key] = setting
    return View(tuple(read), options, parameters, tuple(Overlay(*parts) for parts in overlays))


def is_on(value: str) -> bool:
    """Return whether a parameter's value switches something on; no value at all does."""
    return value.lower() not in {"off", "no", "false", "0", "disabled"}


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    """Yield the parameters of `a=1,b=on,c`. A comma in a value cannot be told from one between two."""
    for part in text.split(","):
        name, _, value = part.partition("=")
        if name.strip():
            yield name.strip(), value.strip()


def _kind(name: str) -> str:
    """Return what a filter asks about: of two that ask about the same, the later one counts."""
    return "model" if _MODEL_FILTER.fullmatch(name) else re.split(r"[=:]", name)[0]


def _holds(name: str, certain: Iterable[str], possible: Iterable[str]) -> bool | None:
    if name in certain:
        return True
    if name == "none":
        return False
    if name in possible or name.startswith("board-type") or _kind(name) != "model":
        return None
    return False
