"""Slips in a line of a YAML file, and their remedies. Imported only for a mistake."""

import re
from collections.abc import Sequence
from typing import Any

from appliance.core.english import counted

_SLIPS = {  # how a line begins: the remedy, what to replace, and by what
    "```": ("remove this line", ".*", ""),
    "[^#]*\xa0": ("write a plain space instead of the no-break space", "\xa0", " "),
    r"\s*\t": ("indent with spaces, not with a tab", "\t", "  "),
    r"\s*[\w.]+:[^\s:]": ("put a space after the colon", r"^(\s*[\w.]+):", r"\1: "),
    r"\s*[\w.]+\s*=": ("write : instead of =", r"^(\s*[\w.]+)\s*=", r"\1:"),
    r" *[\w.]+( +[^ :]+)+ *$": ("put a colon after the key", r"^( *[\w.]+)", r"\1:"),
    # In {pause: 0,5} YAML finds a key `5`.
    "[0-9]+$": ("write a decimal point, or brackets around a list", "^", ""),
}
DASH = " *- +[\\w.]+ *[:=]"  # right in a scenario
_ENDS = {"[": ("]", "bracket"), "{": ("}", "brace"), '"': ('"', "quote"), "'": ("'", "quote")}


def slip(line: str) -> str:
    """Return the remedy for a line that is not valid YAML, "" if none is known."""
    return next((remedy for begins, (remedy, *_) in _SLIPS.items() if re.match(begins, line)), "")


def invalid_line(lines: Sequence[str], error: Any) -> tuple[int, str]:
    """Return which of these lines is wrong, and the remedy. The parser notices a slip a few lines late."""
    noticed = min(error.problem_mark.line, len(lines) - 1)
    above = range(noticed, max(noticed - 3, -1), -1)
    first = next((place for place in range(noticed) if _entry(lines[place])), noticed)
    outer = [first] if indent(lines[first]) > indent(lines[noticed]) else []
    line = next((place for place in above if slip(lines[place])), (*outer, noticed)[0])
    remedy = slip(lines[line]) or indented(lines, line)[0]
    if start := error.context_mark:  # of what did not end: with an open quote, the file ends first
        opened = "".join(lines[start.line : start.line + 1])[start.column :]
        closing, name = _ENDS.get(opened[:1], ("", ""))
        if closing not in opened[1:]:
            line, remedy = start.line, f"close the {name}"
    return line, remedy or "check indentation, colons, quotes, brackets here and above"


def corrected(line: str) -> str:
    """Return a line without its slip, "" if it has none or nothing is left."""
    if re.match(DASH, line):
        return line.replace("- ", "  ", 1)
    for begins, (_, wrong, right) in _SLIPS.items():
        if re.match(begins, line):
            return re.sub(wrong, right, line)
    return ""


def _entry(line: str) -> bool:
    return re.match(r" *[\w.]+:( |$)", line) is not None


def indent(line: str) -> int:
    """Return how many spaces a line begins with."""
    return len(line) - len(line.lstrip(" "))


def indented(lines: Sequence[str], place: int) -> tuple[str, str]:
    """Return the remedy for a line that is indented like none above it, and that line corrected."""
    above = [number for number in range(place) if _entry(lines[number])]
    known = {indent(lines[number]) for number in above} or {0}
    if not _entry(lines[place]) or indent(lines[place]) in known:
        return "", ""
    if above and lines[above[-1]].partition(" #")[0].rstrip().endswith(":"):
        return "", ""
    spaces = indent(lines[above[-1]]) if above else 0
    what = f"put {counted(spaces, 'space')}" if spaces else "remove the spaces"
    like = f", as in line {above[-1] + 1}" if above else ""
    return f"{what} before it{like}", " " * spaces + lines[place].lstrip(" ")
