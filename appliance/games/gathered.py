"""One pass over the finished games, for the page and for games.csv.

All of them count; of a long history only the newest are kept in memory.
"""

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from appliance.storage.days import Days, day_of
from appliance.storage.history import Statistics, summarise
from appliance.storage.rows import Played

KEPT = 20_000  # games; 1.5 MB as CSV


class Gathered(NamedTuple):
    """What was read: the statistics, the games of each day, and the newest games in order.

    The days count every game, including those that are in no statistics.
    """

    statistics: Statistics
    days: Days
    newest: Sequence[Played]


def gather(games: Iterable[Played], kept: int = KEPT) -> Gathered:
    """Return the figures of games in the order in which they ended, and the newest `kept`."""
    days: Counter[int] = Counter()
    newest: deque[Played] = deque(maxlen=kept)

    def passing() -> Iterator[Played]:
        for one in games:
            days[day_of(one.ended)] += 1
            newest.append(one)
            yield one

    statistics = summarise(passing())
    return Gathered(statistics, days, tuple(newest))
