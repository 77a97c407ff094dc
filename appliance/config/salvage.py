"""What is left of a file with mistakes. Imported only for a mistake."""

from pathlib import Path

from appliance.config.slips import correct, indent
from appliance.config.yamlfile import YamlNode, invalid, parse_yaml, read_text
from appliance.core.errors import UserError, printable

TRIES = 10  # tries to read it; each costs a Pi Zero milliseconds
_CLOSED = "exhibit:"  # in place of a line about it that cannot be read: it counts as yes


def salvage(path: Path) -> tuple[YamlNode, list[UserError]]:
    """Return the tree of a file with its slips corrected, and the error for each.

    A line that cannot be corrected is left out, with the lines below that belong to it.
    """
    file, errors = printable(str(path)), dict[int, UserError]()
    try:
        text = read_text(path)
    except UserError as error:
        errors[error.line] = error
        text = read_text(path, "replace") if error.line else ""
    lines = text.splitlines()
    slips = [invalid(file, place, lines[place], remedy) for place, remedy in correct(lines)]
    for _ in range(TRIES):
        try:
            return parse_yaml("\n".join(lines), file), [*slips, *errors.values()]
        except UserError as error:
            errors.setdefault(error.line, error)
            _leave_out(lines, error.line - 1)
    return YamlNode(file, 1, "", ""), [*slips, *errors.values()]


def _leave_out(lines: list[str], place: int) -> None:
    line = lines[place]
    lines[place] = _CLOSED if "exhibit" in line.lower() and line != _CLOSED else ""
    for below in range(place + 1, len(lines)):
        if lines[below].strip() and indent(lines[below]) <= indent(line):
            break
        lines[below] = ""
