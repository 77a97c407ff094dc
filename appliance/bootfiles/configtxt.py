"""What config.txt means to one model of Raspberry Pi: its lines, included files, [filters], device tree.

Pure functions over text, after Raspberry Pi's documentation of config.txt. A filter replaces one of the same
kind, filters of different kinds must all match, and [all] clears them. `include FILE` inserts that file if
the current filters match. A `dtparam` belongs to the overlay above it, up to the next `dtoverlay` line, or to
the board if that overlay has no such parameter.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from appliance.bootfiles.file_table import Model

MAX_LINE = 98  # characters: the firmware ignores the rest of a line
ALIASES = {"i2c": "i2c_arm", "i2c1": "i2c_arm", "i2c0": "i2c_vc"}

_MODEL_FILTER = re.compile(r"(pi[0-9]+[a-z+]*|cm[0-9]+[a-z+]*|none)", re.IGNORECASE)


class Setting(NamedTuple):
    """A line that sets something. `filters` are those that apply to it, in lower case."""

    file: str
    number: int
    key: str
    value: str
    filters: tuple[str, ...] = ()


class Overlay(NamedTuple):
    """A loaded overlay, with its parameters."""

    name: str
    setting: Setting
    parameters: Mapping[str, str]


class ModelSettings(NamedTuple):
    """The settings that apply to a model; a later one replaces an earlier one.

    `settings` are all lines that apply. `parameters` are plain settings and the board's device tree
    parameters, by name; `ALIASES` maps synonyms to one name.
    """

    settings: tuple[Setting, ...]
    parameters: Mapping[str, Setting]
    overlays: tuple[Overlay, ...]


def parse_settings(read: Callable[[str], str], file: str = "config.txt") -> list[Setting]:
    """Return the lines that set something, in order, with included files inserted where they are included.

    `read` returns a file's text, "" if it is missing. `include` counts as a key although it has no `=`. Each
    file is included only once, so that inclusion always ends.
    """
    return list(_parse(read, file, (), {}, set()))


def _parse(
    read: Callable[[str], str],
    file: str,
    outer: tuple[str, ...],
    filters: dict[str, str],
    included: set[str],
) -> Iterator[Setting]:
    """Yield the settings of one file. `outer` are its include line's filters; its own [all] keeps them."""
    included.add(file.lower())
    for number, line in enumerate(read(file).split("\n"), 1):
        content = line[:MAX_LINE].strip()
        if content.startswith("[") and "]" in content:
            name = content[1 : content.index("]")].strip().lower()
            if name == "all":
                filters.clear()
            else:
                filters[_kind(name)] = name
        elif content and not content.startswith("#"):
            key, _, value = re.sub(r"^include\s+", "include=", content).partition("=")
            names = tuple(dict.fromkeys((*outer, *filters.values())))
            yield Setting(file, number, key.strip(), value.strip(), names)
            if key == "include" and value.lower() not in included:
                yield from _parse(read, value.strip(), names, filters, included)


def settings_of(settings: Iterable[Setting], model: Model) -> ModelSettings:
    """Return what applies, or may apply, to a model: some filters, like [gpio4=1], depend on the board."""
    read: list[Setting] = []
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
            parameters[setting.key] = setting
    return ModelSettings(tuple(read), parameters, tuple(overlays))


def is_on(value: str) -> bool:
    """Return whether a parameter's value turns something on; an empty value does."""
    return value.lower() not in {"off", "no", "false", "0", "disabled"}


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    """Yield the parameters of `a=1,b=on,c`. Commas always separate."""
    for part in text.split(","):
        name, _, value = part.partition("=")
        if name.strip():
            yield name.strip(), value.strip()


def _kind(name: str) -> str:
    """Return the kind of a filter: a later filter replaces an earlier one of the same kind."""
    return "model" if _MODEL_FILTER.fullmatch(name) else re.split(r"[=:]", name)[0]
