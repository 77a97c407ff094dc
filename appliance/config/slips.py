"""Slips in a line of a YAML file, and their remedies. Imported only for a mistake."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

_CONFIG_TXT = r" *(dt(param|overlay)\b|(gpio|(arm|core|disable|enable|gpu|hdmi)_\w+) *=)|\[(all|cm|pi)\d*\]"
_BLOCK = 'write "display:" instead of [display], and each key below it indented, with a colon'
_KEYED = ("write : instead of =", "put a colon after the key", _BLOCK)
_SLIPS = {  # how a line begins, for those of `_KEYED` with a key: the remedy, what to replace, and by what
    r"```|-{4,}|[=*_~+]{3,}": ("remove this line", ".*", ""),
    r" *(//|;|/\*|<!--)": ("begin a comment with #", "^", "#"),
    "[^#]*\xa0": ("write a plain space instead of the no-break space", "\xa0", " "),
    r"(?!\s*(#|$)) *\t": ("indent with spaces, not with a tab", "\t", "  "),
    _CONFIG_TXT: ("move this line into config.txt", ".*", ""),
    r"\[ *\w+ *\] *$": (_BLOCK, r"\W*(\w+).*", r"\1:"),
    r"[*\u2022\u2013] *\w": ("remove what is before the key", r"^\W+", ""),
    r"\w+: \w+: ": ("put braces { } around what follows the first colon", r": ([^#]*\w)", r": {\1}"),
    r"([^#\"']*[{,])? *[\w.]+:[^\s:]": ("put a space after the colon", r"((^|[{,]) *[\w.]+):(?=\S)", r"\1: "),
    r"[^#[]*\{[^[]*: *\d+, *\d+,": ("put brackets around the list", r"(\d+(, *\d+)+)", r"[\1]"),
    r"[^#[]*\{[^[]*: *\d+, *\d+ *\}": ("write a decimal point", r"(\d), *(\d)", r"\1.\2"),
    r" *[\w.]+ *=(?!>)": (_KEYED[0], r"^( *[\w.]+) *= *", r"\1: "),
    r" *[\w.]+( *[-=]>|[ ;][^:=]*$)|[A-Za-z]+$": (_KEYED[1], r"^( *[\w.]+)( *([-=]>|-|;))? *", r"\1: "),
}
ENTRY = r" *[^\s#{}[\]!&*%@`|>-]\S*:( |$)"
CHECK = "check indentation, colons, quotes, brackets here and above"
_ENDS = {"[": ("]", "bracket"), "{": ("}", "brace"), '"': ('"', "quote"), "'": ("'", "quote")}


def corrected(lines: list[str], is_key: Callable[[str], bool]) -> Iterator[tuple[str, int]]:
    """Correct the slips in these lines; yield the remedy and the place of each."""
    block = False
    for place, line in enumerate(lines):
        if block and line[:1] != "[":
            lines[place] = re.sub(r"^\s*([\w.]+) *[=:] *", r"  \1: ", line)
        for begins, (remedy, wrong, right) in _SLIPS.items():
            if re.match(begins, lines[place]) and (remedy not in _KEYED or is_key(lines[place])):
                yield remedy, place
                lines[place] = re.sub(wrong, right, lines[place])
                block = block or remedy == _BLOCK
    entries = [place for place, line in enumerate(lines) if re.match(ENTRY, line)]
    above = model = min(entries, key=lambda place: indent(lines[place]), default=0)
    known = {indent(line) for line in lines[above : above + 1]}
    for place in entries:
        broken = any(re.match(r" *[^\s#]", line) for line in lines[above + 1 : place])  # no entry
        opened = lines[above].partition(" #")[0].rstrip().endswith((":", ",", "{"))
        if (above < place and (broken or opened)) or indent(lines[place]) in known:
            model = place
        else:
            yield f"indent it like line {model + 1}", place
            lines[place] = " " * indent(lines[model]) + lines[place].lstrip(" ")
        known.add(indent(lines[place]))
        above = place


def invalid_line(lines: Sequence[str], error: Any) -> tuple[int, str]:
    """Return which of these lines is wrong, and the remedy."""
    line = min(error.problem_mark.line, len(lines) - 1)
    remedy = next((slip[0] for begins, slip in _SLIPS.items() if re.match(begins, lines[line])), "")
    if start := error.context_mark:  # of what did not end: with an open quote, the file ends first
        opened = "\n".join(lines[start.line :])[start.column :]
        closing, name = _ENDS.get(opened[:1], ("", ""))
        if closing not in opened.partition("\n")[0][1:]:
            closed = opened[0] != closing and opened.count(closing) >= opened.count(opened[0])
            line, remedy = (line - 1, "end it with a comma") if closed else (start.line, f"close the {name}")
    return line, remedy or CHECK


def indent(line: str) -> int:
    """Return how many spaces a line begins with."""
    return len(line) - len(line.lstrip(" "))
