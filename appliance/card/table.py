"""The folder `boot/`: the table of boot files (files.toml), and the templates of what is put on a card."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

DATA: Traversable = files("appliance.card") / "data"
"""The repository's folder `boot`, wherever it is installed."""

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


class Model(NamedTuple):
    """A model of Raspberry Pi, or several that boot alike.

    config.txt's `filters` match all of its boards, `possible` some of them. `bits` is the kernel's default
    width; `kernels` are by width. `firmware` names a set of files, "" if the EEPROM has it.
    """

    id: str
    name: str
    filters: Sequence[str]
    possible: Sequence[str]
    bits: int
    kernels: Mapping[int, Sequence[str]]
    firmware: str


class Need(NamedTuple):
    """`models` need one of `files`. `{braces}` stand for what config.txt selects."""

    models: Sequence[str]
    files: Sequence[str]
    why: str
    source: str


class Known(NamedTuple):
    """Why files that match one of these patterns are on a card whose model does not need them."""

    files: Sequence[str]
    why: str
    ours: bool = False


class Uses(NamedTuple):
    """Which pins an overlay (a pattern), parameter or option occupies, on `models` (all if empty).

    Each of `parameters` sets a pin, with a default. A given one of `choices` replaces `pins`.
    """

    what: str
    overlay: str = ""
    parameter: str = ""
    option: str = ""
    models: Sequence[str] = ()
    pins: Sequence[int] = ()
    parameters: Mapping[str, int] = {}
    choices: Mapping[str, Sequence[int]] = {}


class Release(NamedTuple):
    """A release of Raspberry Pi OS and the date of its first image."""

    id: str
    since: str


class Table(NamedTuple):
    """The whole file. `sources` maps the names in `Need.source` to addresses."""

    sources: Mapping[str, str]
    models: Mapping[str, Model]
    firmware: Mapping[str, Mapping[str, Sequence[str]]]
    needs: tuple[Need, ...]
    known: tuple[Known, ...]
    uses: tuple[Uses, ...]
    releases: tuple[Release, ...]


@cache
def table() -> Table:
    """Return the table."""
    data = tomllib.loads((DATA / "files.toml").read_text(encoding="utf-8"))
    for entry in data["model"]:
        entry["kernels"] = {int(bits): names for bits, names in entry["kernels"].items()}
    return Table(
        sources=data["sources"],
        models={entry["id"]: Model(**entry) for entry in data["model"]},
        firmware=data["firmware"],
        needs=tuple(Need(**entry) for entry in data["need"]),
        known=tuple(Known(**entry) for entry in data["known"]),
        uses=tuple(Uses(**entry) for entry in data["uses"]),
        releases=tuple(Release(**entry) for entry in data["release"]),
    )


def render(name: str, values: Mapping[str, str | int | None]) -> str:
    """Return a template, filled in.

    A line with a placeholder that has no value is left out, together with the comment above it.
    """
    lines: list[str] = []
    for unit in _units((DATA / name).read_text(encoding="utf-8").splitlines()):
        text = "\n".join(unit)
        if all(values.get(match) is not None for match in _PLACEHOLDER.findall(text)):
            lines += _PLACEHOLDER.sub(lambda match: str(values[match[1]]), text).split("\n")
    # No gap where something was left out.
    return "".join(f"{line}\n" for at, line in enumerate(lines) if line or (at and lines[at - 1]))


def _units(lines: list[str]) -> Iterator[list[str]]:
    """Yield the lines, each with the comment directly above it."""
    unit: list[str] = []
    for line in lines:
        unit.append(line)
        if not line.lstrip().startswith("#"):
            if not line and len(unit) > 1:  # a comment by itself
                yield unit[:-1]
                unit = [line]
            yield unit
            unit = []
    if unit:
        yield unit
