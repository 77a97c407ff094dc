"""What is left of a file with mistakes. Imported only for a mistake."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from appliance.config.slips import DASH, corrected, indent, indented
from appliance.config.yamlfile import YamlNode, parse_yaml, read_text
from appliance.core.errors import UserError, printable

TRIES = 10  # tries to read it; each costs a Pi Zero milliseconds


def salvage(
    path: Path, mistakes_in: Callable[[YamlNode], Sequence[UserError]]
) -> tuple[YamlNode, list[UserError]]:
    """Return the tree of a file with its slips corrected, and the error for each.

    A line that cannot be corrected is left out. `mistakes_in` returns what is wrong with a tree: some slips
    are valid YAML.
    """
    file, errors = printable(str(path)), dict[int, UserError]()
    try:
        lines = read_text(path).splitlines()
    except UserError as error:
        errors[error.line] = error
        lines = read_text(path, "replace").splitlines() if error.line else []
    for _ in range(TRIES):
        try:
            tree = parse_yaml("\n".join(lines), file)
            slips = [one for one in mistakes_in(tree) if one.line and corrected(lines[one.line - 1])]
        except UserError as error:
            slips = [error]
        if not slips:
            return tree, [*errors.values()]
        for one in slips:
            errors.setdefault(one.line, one)
            if one.line:
                _correct(lines, one.line - 1)
            else:
                lines.clear()
    return YamlNode(file, 1, "", ""), [*errors.values()]


def _correct(lines: list[str], place: int) -> None:
    """Correct a line, or else empty it and the lines below that belong to it."""
    line = lines[place]
    lines[place] = corrected(line) or indented(lines, place)[1]
    while re.match(DASH, line) and re.match(DASH, "".join(lines[place + 1 : place + 2])):
        place += 1  # the next item of that list
        lines[place] = corrected(lines[place])
    for below in range(place + 1, 0 if lines[place] else len(lines)):
        if lines[below].strip() and indent(lines[below]) <= indent(line):
            break
        lines[below] = ""
