"""The file `attendance` in the service's runtime directory: an exhibit's visits and games, for status.txt.

It is written once, soon after the start. Its first line is the number of all visits; the others have a day,
its visits and its games, separated by tabs, as numbers of at most 12 digits.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from appliance.core.errors import UserError
from appliance.devices.systemd import note
from appliance.service import health
from appliance.storage.days import LAST, UNKNOWN, Day
from appliance.storage.history import History

NAME = "attendance"
DAYS = 7
NEWEST = 5_000  # games that are looked at: a first Zero needs a moment for more
_COUNT = "[0-9]{1,12}"


class Attendance(NamedTuple):
    """The visits in all; those of the last days with their games, the newest first, without a date last."""

    visits: int = 0
    days: tuple[Day, ...] = ()


def count(directory: Path) -> Attendance:
    """Return the attendance from the database in a directory; empty if that cannot be read."""
    try:
        days = History(directory).days(NEWEST)
    except UserError:
        return Attendance()  # the store says so
    known = [day for day in days if day.day != UNKNOWN]
    unknown = [day for day in days if day.day == UNKNOWN]
    return Attendance(sum(day.visits for day in days), (*known[: -DAYS - 1 : -1], *unknown))


def write(found: Attendance, environ: Mapping[str, str]) -> None:
    """Write the file; `environ` names the runtime directory."""
    note(NAME, (str(found.visits), *("\t".join(map(str, day)) for day in found.days)), environ)


def read(directory: Path = health.DIRECTORY) -> Attendance:
    """Return what the file says, without invalid lines: root reads it, and the service may forge it."""
    lines = (line.split("\t") for line in health.read_lines(directory / NAME)[: DAYS + 2])
    rows = [tuple(map(int, facts)) for facts in lines if all(re.fullmatch(_COUNT, fact) for fact in facts)]
    days = (Day(*row) for row in rows if len(row) == len(Day._fields) and row[0] <= LAST)
    return Attendance(sum(row[0] for row in rows[:1] if len(row) == 1), tuple(days))
