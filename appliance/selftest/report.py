"""What each check found, and the report of all of them. Pure."""

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import NamedTuple


class Verdict(Enum):
    """The result of a check, as the report prints it."""

    OK = "ok"
    FAILED = "failed"
    OPEN = "not judged"


class Row(NamedTuple):
    """What was found, whether that is right, and the remedy if not."""

    what: str
    verdict: Verdict
    remedy: str = ""


def listed(words: Iterable[object], last: str = "and") -> str:
    """Return words as a list in a sentence: "1", "1 and 2", "1, 2 and 3"."""
    *before, end = map(str, words)
    return f"{', '.join(before)} {last} {end}" if before else end


def report(rows: Iterable[Row]) -> Iterator[str]:
    """Yield the lines of the report: each finding behind its verdict, and its remedy below."""
    for row in rows:
        yield f"{row.verdict.value:<10}  {row.what}"
        if row.remedy:
            yield f"{'':<10}  - {row.remedy}"
