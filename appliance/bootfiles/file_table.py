"""The folder `boot`: the table of boot files (files.toml), and our lines for config.txt (tictactoe.txt)."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

BOOT_FOLDER: Traversable = files("appliance.bootfiles") / "data"
"""The repository's folder `boot`, as installed."""


class Model(NamedTuple):
    """A model of Raspberry Pi, or several that boot the same way.

    `filters` in config.txt match some or all of its boards. It boots the first of `kernels` that exists, and
    `why` says what that is.
    """

    id: str
    name: str
    filters: Sequence[str]
    kernels: Sequence[str]
    why: str = "the kernel"


class Need(NamedTuple):
    """A need: `models` need one of `files`."""

    models: Sequence[str]
    files: Sequence[str]
    why: str


class Uses(NamedTuple):
    """The pins that an overlay (a pattern) or a setting occupies on `models` (all if empty).

    `parameters` each set one more pin; the values are defaults, 255 for none. A choice replaces all these.
    """

    what: str
    overlay: str = ""
    setting: str = ""
    models: Sequence[str] = ()
    pins: Sequence[int] = ()
    parameters: Mapping[str, int] = {}
    choices: Mapping[str, Sequence[int]] = {}


class BootTable(NamedTuple):
    """The whole file."""

    models: Mapping[str, Model]
    needs: tuple[Need, ...]
    uses: tuple[Uses, ...]


@cache
def boot_table() -> BootTable:
    """Return the table."""
    data = tomllib.loads(boot_text("files.toml"))
    return BootTable(
        models={entry["id"]: Model(**entry) for entry in data["models"]},
        needs=tuple(Need(**entry) for entry in data["needs"]),
        uses=tuple(Uses(**entry) for entry in data["uses"]),
    )


def boot_text(name: str) -> str:
    """Return the text of a file in the folder."""
    return (BOOT_FOLDER / name).read_text(encoding="utf-8")
