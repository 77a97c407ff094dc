"""Slips in a line of a YAML file, and their remedies. Imported only for a mistake."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

_SLIPS = {  # how a line begins: the remedy, what to replace, and by what
    "```": ("remove this line", ".*", ""),
    "[^#]*\xa0": ("write a plain space instead of the no-break space", "\xa0", " "),
    r"(?!\s*(#|$)) *\t": ("indent with spaces, not with a tab", "\t", "  "),
    r" *[\w.]+:[^\s:]": ("put a space after the colon", r"^( *[\w.]+):", r"\1: "),
    r" *[\w.]+ *=": ("write : instead of =", r"^( *[\w.]+) *= *", r"\1: "),
    r" *[\w.]+( +[^ :=]+)+ *$|[A-Za-z]+ *$": ("put a colon after the key", r"^( *[\w.]+)", r"\1:"),
}
_ENTRY = r" *[\w.]+:( |$)"
_ENDS = {"[": ("]", "bracket"), "{": ("}", "brace"), '"': ('"', "quote"), "'": ("'", "quote")}


def correct(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Correct the slips in these lines; yield the place and the remedy of each before it is corrected."""
    for place in range(len(lines)):
        while (found := _slip(lines[place]))[0]:
            yield place, found[0]
            lines[place] = found[1]
    entries = [place for place, line in enumerate(lines) if re.match(_ENTRY, line)]
    model = min(entries, key=lambda place: indent(lines[place]), default=0)
    known = {indent(lines[model])} if entries else set[int]()
    for place in entries:
        below = model < place and lines[model].partition(" #")[0].rstrip().endswith((":", ",", "{"))
        if not below and indent(lines[place]) not in known:
            yield place, f"indent it like line {model + 1}"
            lines[place] = " " * indent(lines[model]) + lines[place].lstrip(" ")
        known.add(indent(lines[place]))
        model = place


def invalid_line(lines: Sequence[str], error: Any) -> tuple[int, str]:
    """Return which of these lines is wrong, and the remedy."""
    line = min(error.problem_mark.line, len(lines) - 1)
    remedy, _ = _slip(lines[line])
    if start := error.context_mark:  # of what did not end: with an open quote, the file ends first
        opened = "".join(lines[start.line : start.line + 1])[start.column :]
        closing, name = _ENDS.get(opened[:1], ("", ""))
        if closing not in opened[1:]:
            line, remedy = start.line, f"close the {name}"
    return line, remedy or "check indentation, colons, quotes, brackets here and above"


def indent(line: str) -> int:
    """Return how many spaces a line begins with."""
    return len(line) - len(line.lstrip(" "))


def _slip(line: str) -> tuple[str, str]:
    """Return the remedy for a line's slip and the line without it, "" and the line if none is known."""
    for begins, (remedy, wrong, right) in _SLIPS.items():
        if re.match(begins, line):
            return remedy, re.sub(wrong, right, line)
    return "", line
