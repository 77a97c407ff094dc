"""Visits of an exhibit, and games, by day.

A day is the local one, as its number since 1970. Day 0 has all those of a box that did not know the time.
"""

import time
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from appliance.storage.rows import LARGEST, LATEST, Row

ADD = "INSERT INTO visit VALUES (?, ?) ON CONFLICT (day) DO UPDATE SET visits = visits + excluded.visits"
UNKNOWN = 0
SECONDS = 86_400  # in a day
LAST = LATEST // SECONDS - 1


class Day(NamedTuple):
    """The visits and the games of a day; `day` counts from 1970-01-01, and `UNKNOWN` is that of no clock."""

    day: int
    visits: int
    games: int


def day_of(when: object) -> int:
    """Return the local day of a time in seconds since 1970, as the database has it; `UNKNOWN` for no time."""
    if not isinstance(when, int) or not 0 <= when < LATEST - SECONDS:
        return UNKNOWN
    return (when + time.localtime(when).tm_gmtoff) // SECONDS


def unpack_visits(row: Row) -> tuple[int, int]:
    """Return the day and the visits of a row. Raise `ValueError` for an invalid row."""
    day, visits = row
    dated = isinstance(day, int) and 0 <= day <= LAST
    if dated and isinstance(visits, int) and 0 < visits < LARGEST:
        return day, visits
    raise ValueError("invalid visits of a day")


def by_day(visits: Iterable[tuple[int, int]], ended: Iterable[object]) -> list[Day]:
    """Return the days that have visits or games, in order; `ended` are the times at which games ended."""
    visited, played = Counter(dict(visits)), Counter(map(day_of, ended))
    return [Day(day, visited[day], played[day]) for day in sorted(visited | played)]
