"""For a maintainer: what differs in reports that came back, and the table of the boards they are from."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from appliance.core.errors import printable
from appliance.devicetest.judge import FAILED, NOT_RUN, REASON, broken, expected
from appliance.devicetest.report import DamagedError, Report, Row, parse

LONGEST = 1 << 20  # bytes; a report of all checks has five thousand
COLUMNS = ("model", "date", "kernel", "display", "result")


def read(path: Path) -> Report:
    """Return the report in a file, which may be anything. Raise `DamagedError` if it is none."""
    try:
        if not path.is_file():  # a pipe might never end
            why = "it is no file" if path.exists() else "there is no such file"
            raise DamagedError(f"cannot be read: {why}")
        with path.open("rb") as file:
            return parse(file.read(LONGEST).decode())
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
        if row.verdict == NOT_RUN or REASON in figures:
            yield f"{row.number} {row.name}: {row.verdict}: {figures.get(REASON, 'no reason given')}"
        else:
            yield from _outside(row)


def _outside(row: Row) -> Iterator[str]:
    figures = row.measured()
    bounds = broken(figures, expected().get(row.name, ()))
    for bound in bounds:
        yield f"{row.number} {row.name}: {bound.figure} = {figures.get(bound.figure, '?')}, expected {bound}"
    if (row.verdict == FAILED) != bool(bounds):
        yield f"{row.number} {row.name}: was {row.verdict} by the bounds of its program: {row.bound}"


def seen_on(reports: Sequence[Report]) -> str:
    """Return the table of the boards in markdown, ordered by model and date."""
    boards = sorted([*(report.fact(name) for name in COLUMNS[:-1]), report.result] for report in reports)
    cells = ([printable(cell).replace("|", "&#124;") for cell in board] for board in boards)
    return "\n".join(f"| {' | '.join(row)} |" for row in (COLUMNS, ["---"] * len(COLUMNS), *cells))
