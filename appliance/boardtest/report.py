"""The report: one text file, which parses back to what it was composed from; and its reader.

It has facts about the machine, a row for each check, and a last line with the result and a hash over all
before that hash. It names no person, host, address or game.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from appliance.boardtest.plan import FAILED, NOT_RUN, OK, REASON, WHICH, Figure, Figures, broken, expected
from appliance.core.errors import UserError, printable

FIRST_LINE = "tictactoe device report, format 1"
HEADING = "check | verdict | figure | bound"
MAX_REPORT_SIZE = 1 << 20  # bytes; a report of all checks has six thousand
HEADS = ("model", "date", "kernel", "display", "result")  # of the table of boards

_RESULT = re.compile(r"RESULT (\d+)/(\d+) sha256:([0-9a-f]{64})\n")
_ROW = re.compile(r" ?(\d+) (\S+) \| (ok|failed|not run) \| (.*) \| (.*)")
_FIGURE = re.compile(r"(\w+)=")


class ReportRow(NamedTuple):
    """What became of a check: the figures it measured, or only the reason why it did not run.

    `bound` is the text of the bounds that it was judged by.
    """

    number: int
    name: str
    verdict: str
    figures: tuple[tuple[str, Figure], ...] = ()
    bound: str = ""

    def measured(self) -> Figures:
        """Return the figures by name."""
        return dict(self.figures)


class Report(NamedTuple):
    """The facts about the machine, by name, and the checks' rows."""

    facts: tuple[tuple[str, str], ...]
    rows: tuple[ReportRow, ...]

    def fact(self, name: str) -> str:
        """Return a fact, "unknown" if the report lacks it."""
        return dict(self.facts).get(name, "unknown")

    @property
    def result(self) -> str:
        """How many of the checks that ran passed: "13/14"."""
        counted = [row.verdict == OK for row in self.rows if row.verdict != NOT_RUN]
        return f"{sum(counted)}/{len(counted)}"


class DamagedError(UserError):
    """A text is no report, or no longer the report that was written."""


def compose_report(report: Report) -> str:
    """Return the report's text."""
    text = "\n".join((*_lines(report), f"RESULT {report.result} sha256:"))
    return f"{text}{_hash(text)}\n"


def _lines(report: Report) -> Iterator[str]:
    yield FIRST_LINE
    for name, value in report.facts:
        yield f"{name}: {_escaped(value)}"
    yield from ("", HEADING)
    for row in report.rows:
        figures = " ".join(f"{name}={_value(value)}" for name, value in row.figures)
        yield f"{row.number:2} {row.name} | {row.verdict} | {figures} | {_escaped(row.bound)}"
    yield ""


def parse_report(text: str) -> Report:
    """Return the report that this text was composed from. Raise `DamagedError` if a byte of it is another."""
    head, _, last = text.rpartition("\nRESULT ")
    found = _RESULT.fullmatch(f"RESULT {last}")
    if not found or not text.startswith(f"{FIRST_LINE}\n"):
        raise DamagedError("no report of a board: it needs its first line and its RESULT line")
    if found[3] != _hash(text[: -len(found[3]) - 1]):
        raise DamagedError("changed since it was written: its hash differs")
    facts, _, rows = head.partition(f"\n\n{HEADING}\n")
    try:
        return Report(
            tuple(_fact(line) for line in facts.split("\n")[1:]),
            tuple(_row(line) for line in rows.split("\n") if line),
        )
    except (ValueError, RecursionError) as error:
        raise DamagedError(f"its hash is right, yet it is no report ({error})") from error


def _fact(line: str) -> tuple[str, str]:
    name, _, value = line.partition(": ")
    return name, _unescaped(value)


def _row(line: str) -> ReportRow:
    found = _ROW.fullmatch(line)
    if not found:
        raise ValueError(line)
    figures, place, decoder = [], 0, json.JSONDecoder()
    while name := _FIGURE.match(found[4], place):
        value, place = decoder.raw_decode(found[4], name.end())
        if type(value) not in (int, float, str):  # true is an instance of int
            raise ValueError(f"{name[1]} is neither a number nor a text")
        figures.append((name[1], value))
        place += 1  # the blank
    return ReportRow(int(found[1]), found[2], found[3], tuple(figures), _unescaped(found[5]))


def _value(value: Figure) -> str:
    return json.dumps(value).replace("|", r"\u007c")


def _escaped(text: str) -> str:
    return _value(text)[1:-1].replace(r"\"", '"')


def _unescaped(text: str) -> str:
    unescaped: str = json.loads('"{}"'.format(text.replace('"', r"\"")))
    return unescaped


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


# For a maintainer: what differs in reports that came back, and the table of the boards they are from


def read_report(path: Path) -> Report:
    """Return the report in a file, which may be anything. Raise `DamagedError` if it is none.

    What mail may do to one is undone: other line endings, a byte order mark, blank lines around it.
    """
    try:
        if not path.is_file():  # a pipe might never end
            why = "it is no file" if path.exists() else "there is no such file"
            raise DamagedError(f"cannot be read: {why}")
        with path.open("rb") as file:
            text = file.read(MAX_REPORT_SIZE).decode("utf-8-sig").strip()
            return parse_report(text.replace("\r\n", "\n") + "\n")
    except OSError as error:
        raise DamagedError(f"cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise DamagedError("cannot be read: it is not text") from error


def differences(report: Report) -> Iterator[str]:
    """Yield a line for each check that was not run, and for each figure outside today's bounds."""
    return map(printable, _differences(report))


def _differences(report: Report) -> Iterator[str]:
    for row in report.rows:
        figures = row.measured()
        why = figures.get(REASON, figures.get(WHICH))
        if row.verdict == NOT_RUN or why:
            yield f"{row.number} {row.name}: {row.verdict}: {why or 'no reason given'}"
        else:
            yield from _outside(row)


def _outside(row: ReportRow) -> Iterator[str]:
    figures = row.measured()
    bounds = broken(figures, expected().get(row.name, ()))
    for bound in bounds:
        yield f"{row.number} {row.name}: {bound.figure} = {figures.get(bound.figure, '?')}, expected {bound}"
    if (row.verdict == FAILED) != bool(bounds):
        yield f"{row.number} {row.name}: was {row.verdict} by the bounds of its program: {row.bound}"


def seen_on(reports: Sequence[Report]) -> str:
    """Return the table of the boards in markdown, ordered by model and date."""
    boards = sorted([*(report.fact(name) for name in HEADS[:-1]), report.result] for report in reports)
    cells = ([printable(cell).replace("|", "&#124;") for cell in board] for board in boards)
    return "\n".join(f"| {' | '.join(row)} |" for row in (HEADS, ["---"] * len(HEADS), *cells))
