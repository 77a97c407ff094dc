"""The files in boot/ as they are put on a card, their {placeholders} filled in."""

import re
from collections.abc import Iterator, Mapping

from appliance.bootfiles.table import DATA

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


def render(name: str, values: Mapping[str, str | int | None]) -> list[str]:
    """Return the lines of a template.

    A line with a placeholder that has no value is left out together with the comment above it.
    """
    lines: list[str] = []
    for unit in _units((DATA / name).read_text(encoding="utf-8").splitlines()):
        text = "\n".join(unit)
        if all(values.get(match) is not None for match in _PLACEHOLDER.findall(text)):
            lines += _PLACEHOLDER.sub(lambda match: str(values[match[1]]), text).split("\n")
    # What was left out must not leave a gap.
    return [line for at, line in enumerate(lines) if line or (at and lines[at - 1])]


def render_file(name: str, values: Mapping[str, str | int | None]) -> bytes:
    """Return a template as a whole file."""
    return "".join(f"{line}\n" for line in render(name, values)).encode()


def _units(lines: list[str]) -> Iterator[list[str]]:
    """Yield the lines, each with the comment directly above it."""
    unit: list[str] = []
    for line in lines:
        unit.append(line)
        if not line.lstrip().startswith("#"):
            if not line and len(unit) > 1:  # a comment of its own
                yield unit[:-1]
                unit = [line]
            yield unit
            unit = []
    if unit:
        yield unit
