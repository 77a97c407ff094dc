"""Local days of visits and games, counted from 1970. Day 0 means that there was no clock."""

import time
from collections.abc import Iterable, Iterator, Mapping

from appliance.storage.rows import LATEST, MAX_NUMBER, Row

Days = Mapping[int, int]
"""How many of something there were on each day, as `day_of` numbers it."""

UNKNOWN = 0
DAY_SECONDS = 86_400
LAST = LATEST // DAY_SECONDS - 1


def day_of(when: object) -> int:
    """Return the local day of a time in seconds since 1970, as the database has it; `UNKNOWN` for no time."""
    if not isinstance(when, int) or not 0 <= when < LATEST - DAY_SECONDS:
        return UNKNOWN
    day = (when + time.localtime(when).tm_gmtoff) // DAY_SECONDS
    return day if 0 <= day <= LAST else UNKNOWN


def valid_visits(rows: Iterable[Row]) -> Iterator[tuple[int, int]]:
    """Yield the day and the visits of each valid row."""
    for day, visits in rows:
        dated = isinstance(day, int) and 0 <= day <= LAST
        if dated and isinstance(visits, int) and 0 < visits < MAX_NUMBER:
            yield day, visits
