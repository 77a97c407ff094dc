"""What each check found, and the table of all of them. Pure."""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from itertools import zip_longest
from typing import NamedTuple

GAP = 2  # spaces between two columns of the table
NARROWEST = 20  # characters of the first and of the last column


class Verdict(Enum):
    """The result of a check, as the table prints it."""

    OK = "ok"
    FAILED = "failed"
    OPEN = "not judged"


class Row(NamedTuple):
    """What was found, whether that is right, and the remedy if not."""

    what: str
    verdict: Verdict
    remedy: str = ""


HEADINGS = ("check", "result", "remedy")
_RESULT = max(len(verdict.value) for verdict in Verdict)


def listed(words: Iterable[object], last: str = "and") -> str:
    """Return words as a list in a sentence: "1", "1 and 2", "1, 2 and 3"."""
    *before, end = map(str, words)
    return f"{', '.join(before)} {last} {end}" if before else end


def table(rows: Sequence[Row], width: int = 100) -> Iterator[str]:
    """Yield the lines of the table, usually none longer than `width` characters."""
    room = width - _RESULT - 2 * GAP
    longest = max((len(row.what) for row in rows), default=0)
    first = max(min(longest, room // 2), NARROWEST)
    last = max(room - first, NARROWEST)
    yield _line(HEADINGS, first)
    yield _line(("-" * first, "-" * _RESULT, "-" * min(last, len(HEADINGS[2]))), first)
    for row in rows:
        parts = zip_longest(
            textwrap.wrap(row.what, first, subsequent_indent="  "),
            [row.verdict.value],
            textwrap.wrap(row.remedy, last, break_on_hyphens=False),
            fillvalue="",
        )
        for part in parts:
            yield _line(part, first)


def _line(cells: tuple[str, ...], first: int) -> str:
    what, result, remedy = cells
    return f"{what:<{first}}{'':{GAP}}{result:<{_RESULT}}{'':{GAP}}{remedy}".rstrip()
