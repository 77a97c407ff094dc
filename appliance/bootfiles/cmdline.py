"""cmdline.txt, the kernel's command line: one line of words, edited in place. Pure over text.

It has no comments and so no room for a marked block: whoever adds words remembers which they were.
"""

import re
from collections.abc import Iterable


def words(text: str) -> list[str]:
    """Return the words of the line."""
    return text.split("\n", 1)[0].split()


def add(text: str, wanted: Iterable[str]) -> tuple[str, list[str]]:
    """Return the text with the words that it lacks added at the end of its line, and which those are.

    What stands behind the line, spaces and line ends, stays. Raise `ValueError` when there is no line: such a
    card does not start.
    """
    end = len(text.split("\n", 1)[0].rstrip())
    if not end:
        raise ValueError("the first line is empty, and the kernel's command line should stand there")
    missing = [word for word in dict.fromkeys(wanted) if word not in words(text)]
    return text[:end] + "".join(f" {word}" for word in missing) + text[end:], missing


def remove(text: str, added: Iterable[str]) -> str:
    """Return the text without these words and the space before each; those already gone are skipped."""
    line, newline, rest = text.partition("\n")
    for word in reversed(list(added)):
        at = [match.start() for match in re.finditer(rf"\s{re.escape(word)}(?=\s|$)", line)]
        if at:
            line = line[: at[-1]] + line[at[-1] + 1 + len(word) :]
    return line + newline + rest
