"""Reads boot/files.toml: which boot files which model needs, and why."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

DATA: Traversable = files("appliance.bootfiles") / "data"
"""The folder `boot` of the repository, wherever it was installed."""


@dataclass(frozen=True, slots=True)
class Model:
    """A model of Raspberry Pi, or a few that start alike.

    `filters` of config.txt hold for all of its boards, `possible` for some. `bits` is the width of the kernel
    when config.txt does not say; `kernels` are by width. `firmware` is the name of its set, "" when it is not
    on the card.
    """

    id: str
    name: str
    filters: tuple[str, ...]
    possible: tuple[str, ...]
    bits: int
    kernels: Mapping[int, tuple[str, ...]]
    firmware: str


@dataclass(frozen=True, slots=True)
class Need:
    """One of `files` must be there for `models`. `{braces}` in a name stand for what config.txt decides."""

    models: tuple[str, ...]
    files: tuple[str, ...]
    why: str
    source: str


@dataclass(frozen=True, slots=True)
class Known:
    """Why a file whose name fits one of the patterns `files` is there when it is not needed."""

    files: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Uses:
    """What pins an overlay (a pattern), a parameter or an option takes on some models; `()` is all of them.

    `parameters` name a pin each. One of `choices`, when it is given, has its own pins in place of `pins`.
    """

    what: str
    overlay: str = ""
    parameter: str = ""
    option: str = ""
    models: tuple[str, ...] = ()
    pins: tuple[int, ...] = ()
    parameters: Mapping[str, int] = field(default_factory=dict)
    choices: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Release:
    """A release of Raspberry Pi OS: the date of its first image, and packages with the versions it has."""

    id: str
    since: str
    packages: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Table:
    """The whole file. `sources` maps the names in `Need.source` to addresses."""

    sources: Mapping[str, str]
    models: Mapping[str, Model]
    firmware: Mapping[str, Mapping[str, tuple[str, str]]]
    needs: tuple[Need, ...]
    known: tuple[Known, ...]
    uses: tuple[Uses, ...]
    releases: Mapping[str, Release]
    image_has: frozenset[str]
    image_lacks: frozenset[str]


@cache
def table() -> Table:
    """Return the table."""
    data = tomllib.loads((DATA / "files.toml").read_text(encoding="utf-8"))
    models = [
        Model(
            entry["id"],
            entry["name"],
            tuple(entry["filters"]),
            tuple(entry["possible"]),
            entry["bits"],
            {int(width): tuple(names) for width, names in entry["kernels"].items()},
            entry["firmware"],
        )
        for entry in data["model"]
    ]
    return Table(
        sources=data["sources"],
        models={model.id: model for model in models},
        firmware={
            name: {variant: (pair[0], pair[1]) for variant, pair in variants.items()}
            for name, variants in data["firmware"].items()
        },
        needs=tuple(
            Need(tuple(entry["models"]), tuple(entry["files"]), entry["why"], entry["source"])
            for entry in data["need"]
        ),
        known=tuple(Known(tuple(entry["files"]), entry["why"]) for entry in data["known"]),
        uses=tuple(_uses(entry) for entry in data["uses"]),
        releases={entry["id"]: Release(**entry) for entry in data["release"]},
        image_has=frozenset(data["image"]["has"]),
        image_lacks=frozenset(data["image"]["lacks"]),
    )


def _uses(entry: Mapping[str, Any]) -> Uses:
    named = {name: tuple(entry.get(name, ())) for name in ("models", "pins")}
    choices = {name: tuple(pins) for name, pins in entry.get("choices", {}).items()}
    return Uses(**{**entry, **named, "choices": choices})
