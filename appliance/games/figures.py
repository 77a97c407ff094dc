"""The figures of a history: the statistics as tables, the games of each day, a calendar of play."""

from calendar import Calendar
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from appliance.core.english import counted, duration
from appliance.storage.database import MAX_GAMES
from appliance.storage.days import UNKNOWN, Days, day_of
from appliance.storage.history import Statistics, summarise
from appliance.storage.rows import Played

NEWEST_GAMES = 20_000  # games kept in memory; 1.5 MB as CSV
MONTHS = 12  # in the calendar; what came before is one sum
SIDES = ("x", "o", "drawn")


class Gathered(NamedTuple):
    """A history's statistics, the games of each day, and the newest games in order.

    The days count every game, including those that are in no statistics.
    """

    statistics: Statistics
    days: Days
    newest: Sequence[Played]


def gather(games: Iterable[Played], kept: int = NEWEST_GAMES) -> Gathered:
    """Return the figures of games, given in the order in which they ended; keep the newest `kept`."""
    days: Counter[int] = Counter()
    newest: deque[Played] = deque(maxlen=kept)

    def passing() -> Iterator[Played]:
        for one in games:
            days[day_of(one.ended)] += 1
            newest.append(one)
            yield one

    return Gathered(summarise(passing()), days, tuple(newest))


class Counts(NamedTuple):
    """A table of counts: its title, the titles of its columns of names and of counts, its rows of both."""

    title: str
    names: tuple[str, ...]
    heads: tuple[str, ...]
    rows: Sequence[tuple[Sequence[str], Sequence[int]]]


def headline(statistics: Statistics, where: str = "") -> str:
    """Return one sentence without a full stop: how many games there are `where`, and how long they took."""
    helped = f"; {statistics.helped} with help, not counted" if statistics.helped else ""
    if not statistics.games:
        return f"No game has been finished yet{where}{helped}"
    games = counted(statistics.games, "game")
    if statistics.games + statistics.helped >= MAX_GAMES:
        games = f"The newest {games}"
    return f"{games}{where}, {duration(statistics.seconds)} of play{helped}"


def tables(statistics: Statistics) -> Iterator[Counts]:
    """Yield the tables that have rows. The name of a level that is not known is empty."""
    for title, lines, names, heads in (
        ("Against the box", statistics.box, ("rule", "level"), ("won", "lost", "drawn")),
        ("Two people", statistics.pair, ("rule",), SIDES),
        ("The box against itself", statistics.watched, ("rule", "level"), SIDES),
    ):
        if lines:
            counts = [(line.first, line.second, line.drawn) for line in lines]
            kinds = [(line.rule, line.level)[: len(names)] for line in lines]
            yield Counts(title, names, heads, list(zip(kinds, counts, strict=True)))
    if statistics.levels:
        streaks = [((level,), streak) for level, streak in statistics.levels.items()]
        yield Counts("Won in a row", ("level",), ("now", "best"), streaks)


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
    dated = {date(1970, 1, 1) + timedelta(day): both for day, both in counts.items() if any(both)}
    months = sorted({(day.year, day.month) for day in dated}, reverse=True)[:limit]
    before = [both for day, both in dated.items() if (day.year, day.month) not in months]
    sums = sum(games for games, _ in before), sum(visits for _, visits in before)
    most = max((games for games, _ in dated.values()), default=0)
    return Shown(tuple(Month(*month, tuple(_weeks(month, dated, most))) for month in months), sums, unknown)


def _weeks(
    month: tuple[int, int], dated: Mapping[date, tuple[int, int]], most: int
) -> Iterator[tuple[Day | None, ...]]:
    """Yield the weeks of a month. The darkest shade is that of days with more than 3/4 of `most` games."""

    def day(number: int) -> Day:
        games, visits = dated.get(date(*month, number), (0, 0))
        return Day(number, games, visits, -(-4 * games // most) if games else 0)

    for week in Calendar().monthdayscalendar(*month):
        yield tuple(day(number) if number else None for number in week)
