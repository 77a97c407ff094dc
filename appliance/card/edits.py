"""Our lines in other people's files, as pure text: an include line, marked lines, words of cmdline.txt.

Marked lines stand between two comments, which YAML and config.txt share:

    # >>> tictactoe boot prepare replaces the lines down to <<<
    runcmd: ...
    # <<< tictactoe boot prepare

config.txt has none today, but did on cards that version 0.1.0 prepared.
"""

import re
from collections.abc import Iterable, Sequence

from appliance.card.partition import lines_of, newline_of

INCLUDED = "tictactoe.txt"

_BEGIN = "# >>> tictactoe boot prepare replaces the lines down to <<<"
_END = "# <<< tictactoe boot prepare"
_MARK = re.compile(rf"^[^\S\n]*(# >>> tictactoe|{_END}).*\n?", re.MULTILINE)
_INCLUDE = f"include {INCLUDED}"


class MarkError(Exception):
    """A marked part has no end. `args` is the line, counted from 1, where it begins."""


def mark(lines: Iterable[str], newline: str, indent: str = "") -> str:
    """Return these lines, marked and indented, as text."""
    return "".join(f"{indent}{line}".rstrip() + newline for line in (_BEGIN, *lines, _END))


def marked(text: str) -> list[tuple[int, int]]:
    """Return where the marked parts start and end, markers included. Raise `MarkError`."""
    parts = []
    begin = None
    for found in _MARK.finditer(text):
        if found[1] != _END:
            begin = found.start() if begin is None else begin
        elif begin is not None:
            parts.append((begin, found.end()))
            begin = None
    if begin is not None:
        raise MarkError(text.count("\n", 0, begin) + 1)
    return parts


def undo(text: str) -> str:
    """Return the text without marked parts and include lines of ours. Raise `MarkError`."""
    for start, end in reversed(marked(text)):
        text = text[:start] + text[end:]
    return "".join(line for line in lines_of(text) if not _includes(line))


def unchanged(text: str, original: str) -> bool:
    """Return whether nothing but our lines distinguishes a text from its original. Raise `MarkError`."""
    ended = original + newline_of(original)  # a last line without an end got one
    return undo(text) in (original, ended, undo(include(original)))


def include(text: str) -> str:
    """Return config.txt with our include line under [all]: in place of a marked part, or at the end.

    A text that has it already is returned as it is. Raise `MarkError`.
    """
    parts = marked(text)
    lines = lines_of(text)
    if not parts and any(_includes(line) and _unfiltered(lines[:at]) for at, line in enumerate(lines)):
        return text
    at = parts[0][0] if parts else len(text)
    head, tail = undo(text[:at]), undo(text[at:])
    newline = newline_of(text)
    if head and not head.endswith("\n"):
        head += newline
    section = "" if _unfiltered(lines_of(head)) else f"[all]{newline}"
    return f"{head}{section}{_INCLUDE}{newline}{tail}"


def words(text: str) -> list[str]:
    """Return the words of a kernel command line, which is the first line."""
    return text.partition("\n")[0].split()


def add_words(text: str, wanted: Sequence[str]) -> str:
    """Return a command line with the words that it lacks."""
    end = len(text.partition("\n")[0].rstrip())
    return text[:end] + "".join(f" {word}" for word in wanted if word not in words(text)) + text[end:]


def remove_words(text: str, unwanted: Iterable[str]) -> str:
    """Return a command line without these words, each with the space before it."""
    line, newline, rest = text.partition("\n")
    for word in unwanted:
        line = re.sub(rf"\s{re.escape(word)}(?=\s|$)", "", line)
    return line + newline + rest


def _includes(line: str) -> bool:
    return line.lower().split() == _INCLUDE.split()


def _unfiltered(lines: Sequence[str]) -> bool:
    """Return whether no [filter] is in force below these lines. Another included file may set one."""
    for line in reversed(lines):
        content = line.strip().lower()
        if content.startswith(("[", "include")):
            return content.startswith("[all]")
    return True
