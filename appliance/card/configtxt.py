"""What config.txt means for one model of Raspberry Pi: its lines, included files, [filters], device tree.

Pure over text, by Raspberry Pi's documentation of config.txt. A filter replaces one of its own kind, filters
of different kinds must all hold, [all] ends them all. `include FILE` inserts that file, unless the filters
there exclude it. A `dtparam` is for the overlay above it up to the next `dtoverlay` line, and for the board
if that overlay has no such parameter.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from appliance.card.partition import lines_of
from appliance.card.table import Model

MAX_LINE = 98  # characters: the firmware ignores the rest of a line
MAX_FILES = 32
ALIASES = {"i2c": "i2c_arm", "i2c1": "i2c_arm", "i2c0": "i2c_vc"}

_MODEL_FILTER = re.compile(r"(pi[0-9]+[a-z+]*|cm[0-9]+[a-z+]*|none)", re.IGNORECASE)


class Setting(NamedTuple):
    """One line that sets something. `filters` are those in force there, in lower case."""

    file: str
    number: int
    key: str
    value: str
    filters: tuple[str, ...] = ()


class Overlay(NamedTuple):
    """One overlay that is loaded, with its parameters."""

    name: str
    setting: Setting
    parameters: Mapping[str, str]


class View(NamedTuple):
    """The settings that apply to a model; a later one replaces an earlier one.

    `settings` are all lines that apply. `options` are plain settings by key, `parameters` those of the
    board's device tree by name (of several names that mean the same, the first of `ALIASES`).
    """

    settings: tuple[Setting, ...]
    options: Mapping[str, Setting]
    parameters: Mapping[str, Setting]
    overlays: tuple[Overlay, ...]

    def option(self, key: str) -> str:
        """Return the value of a plain setting, "" if it is not there."""
        return self.options[key].value if key in self.options else ""


def parse(read: Callable[[str], str], file: str = "config.txt") -> list[Setting]:
    """Return the lines that set something, in order, and those of included files where they are included.

    `read` returns a file's text, "" if it is missing. `include` and `initramfs` count as keys although they
    have no `=`. A file is included once: one that includes itself has an end.
    """
    return list(_parse(read, file, (), {}, set()))


def _parse(
    read: Callable[[str], str],
    file: str,
    outer: tuple[str, ...],
    filters: dict[str, str],
    included: set[str],
) -> Iterator[Setting]:
    """Yield the settings of one file. `outer` are its include line's filters, which its own [all] keeps."""
    included.add(file.lower())
    for number, line in enumerate(lines_of(read(file)), 1):
        content = line.rstrip("\r\n")[:MAX_LINE].strip()
        if content.startswith("[") and "]" in content:
            name = content[1 : content.index("]")].strip().lower()
            if name == "all":
                filters.clear()
            else:
                filters[_kind(name)] = name
        elif content and not content.startswith("#"):
            plain = re.match(r"(include|initramfs)\s+(.*)", content)
            key, value = plain.groups() if plain else content.partition("=")[::2]
            names = tuple(dict.fromkeys((*outer, *filters.values())))
            yield Setting(file, number, key.strip(), value.strip(), names)
            if key == "include" and value.lower() not in included and len(included) < MAX_FILES:
                yield from _parse(read, value.strip(), names, filters, included)


def view(settings: Iterable[Setting], model: Model) -> View:
    """Return what applies to a model, or may: to some boards, or where a filter like [gpio4=1] holds."""
    read: list[Setting] = []
    options: dict[str, Setting] = {}
    parameters: dict[str, Setting] = {}
    overlays: list[Overlay] = []
    open_overlay: dict[str, str] | None = None
    for setting in settings:
        if any(_kind(name) == "model" and name not in model.filters for name in setting.filters):
            continue
        read.append(setting)
        if setting.key == "dtoverlay":
            name, _, rest = setting.value.replace(":", ",", 1).partition(",")  # a colon is the older syntax
            open_overlay = dict(_pairs(rest)) if name else None
            if open_overlay is not None:
                overlays.append(Overlay(name.strip(), setting, open_overlay))
        elif setting.key == "dtparam":
            for name, value in _pairs(setting.value):
                parameters[ALIASES.get(name, name)] = setting._replace(key=name, value=value)
                if open_overlay is not None:
                    open_overlay[name] = value
        else:
            options[setting.key] = setting
    return View(tuple(read), options, parameters, tuple(overlays))


def is_on(value: str) -> bool:
    """Return whether a parameter's value turns something on; no value does."""
    return value.lower() not in {"off", "no", "false", "0", "disabled"}


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    """Yield the parameters of `a=1,b=on,c`. A comma always separates two."""
    for part in text.split(","):
        name, _, value = part.partition("=")
        if name.strip():
            yield name.strip(), value.strip()


def _kind(name: str) -> str:
    """Return what a filter asks about: the later of two that ask about the same counts."""
    return "model" if _MODEL_FILTER.fullmatch(name) else re.split(r"[=:]", name)[0]
