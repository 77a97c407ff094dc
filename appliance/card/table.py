"""The folder `boot/`: the table of boot files (files.toml), and the template of our lines for config.txt."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

DATA: Traversable = files("appliance.card") / "data"
"""The repository's folder `boot`, wherever it is installed."""

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


class Model(NamedTuple):
    """A model of Raspberry Pi, or several that boot alike.

    config.txt's `filters` match some of its boards or all. `bits` is the kernel's default width; `kernels`
    are by width.
    """

    id: str
    name: str
    filters: Sequence[str]
    bits: int
    kernels: Mapping[int, Sequence[str]]


class Need(NamedTuple):
    """`models` need one of `files`."""

    models: Sequence[str]
    files: Sequence[str]
    why: str


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


class Table(NamedTuple):
    """The whole file."""

    models: Mapping[str, Model]
    needs: tuple[Need, ...]
    uses: tuple[Uses, ...]


@cache
def table() -> Table:
    """Return the table."""
    data = tomllib.loads((DATA / "files.toml").read_text(encoding="utf-8"))
    for entry in data["model"]:
        entry["kernels"] = {int(bits): names for bits, names in entry["kernels"].items()}
    return Table(
        models={entry["id"]: Model(**entry) for entry in data["model"]},
        needs=tuple(Need(**entry) for entry in data["need"]),
        uses=tuple(Uses(**entry) for entry in data["uses"]),
    )


def render(name: str, values: Mapping[str, int | None]) -> str:
    """Return a template, filled in. A paragraph with a placeholder that has no value is left out."""
    paragraphs = (DATA / name).read_text(encoding="utf-8").split("\n\n")
    kept = [
        text for text in paragraphs if all(values.get(key) is not None for key in _PLACEHOLDER.findall(text))
    ]
    return _PLACEHOLDER.sub(lambda match: str(values[match[1]]), "\n\n".join(kept))
