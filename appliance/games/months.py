"""The calendar of play: days -> months, as a wall calendar shows them."""

from calendar import Calendar
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from appliance.storage.days import UNKNOWN, Days

MONTHS = 12  # shown; what came before is one sum


class Day(NamedTuple):
    """A day of a month, from 1, with its games and visits. `shade` is 0 without games, else 1 to 4."""

    number: int
    games: int
    visits: int
    shade: int


class Month(NamedTuple):
    """A month by weeks from Monday to Sunday; None for the days of its neighbours."""

    year: int
    month: int
    weeks: tuple[tuple[Day | None, ...], ...]


class Shown(NamedTuple):
    """The newest months with games or visits, the newest first; the sums before them, and of unknown days.

    Each sum is (games, visits).
    """

    months: tuple[Month, ...]
    before: tuple[int, int]
    unknown: tuple[int, int]


def calendar(games: Days, visits: Days, limit: int = MONTHS) -> Shown:
    """Return the months in which somebody played or came."""
    counts = {day: (games.get(day, 0), visits.get(day, 0)) for day in {*games, *visits}}
    unknown = counts.pop(UNKNOWN, (0, 0))
    dated = {_date(day): both for day, both in counts.items() if any(both)}
    months = sorted({(day.year, day.month) for day in dated}, reverse=True)[:limit]
    most = max((both[0] for both in dated.values()), default=0)
    before = [both for day, both in dated.items() if (day.year, day.month) not in months]
    sums = sum(both[0] for both in before), sum(both[1] for both in before)
    return Shown(tuple(Month(*month, tuple(_weeks(month, dated, most))) for month in months), sums, unknown)


def _weeks(
    month: tuple[int, int], dated: dict[date, tuple[int, int]], most: int
) -> Iterator[tuple[Day | None, ...]]:
    """Yield the weeks of a month. The darkest shade is that of days with more than 3/4 of `most` games."""
    for week in Calendar().monthdayscalendar(*month):
        days: list[Day | None] = []
        for number in week:
            games, visits = dated.get(date(*month, number), (0, 0)) if number else (0, 0)
            days.append(Day(number, games, visits, -(-4 * games // most) if games else 0) if number else None)
        yield tuple(days)


def _date(day: int) -> date:
    return date(1970, 1, 1) + timedelta(day)
