"""The figures of a history: the statistics as tables, the games of each day, a calendar of play."""

import contextlib
import time
from calendar import Calendar
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from statistics import mean
from typing import NamedTuple

from appliance.core.english import duration
from appliance.games.remarks import ENGLISH
from appliance.games.speech import Speech
from appliance.storage.database import MAX_GAMES
from appliance.storage.days import UNKNOWN, Days, day_of
from appliance.storage.history import Statistics, summarise
from appliance.storage.rows import Played
from engine import RULES, SOLVED, Belief

NEWEST_GAMES = 20_000  # games kept in memory; 1.5 MB as CSV
MONTHS = 12  # in the calendar; what came before is one sum
LINE, FEWEST, SMOOTH = 50, 10, 10  # games in a line over time: at most, at least, in the mean of a point
FIRST_DAY = date(1970, 1, 1)


class Gathered(NamedTuple):
    """A history's statistics, the games of each day and each hour of the day, and the newest games in order.

    Days and hours count every game, including those that are in no statistics.
    """

    statistics: Statistics
    days: Days
    hours: Mapping[int, int]
    newest: Sequence[Played]


def gather(games: Iterable[Played], kept: int = NEWEST_GAMES) -> Gathered:
    """Return the figures of games, given in the order in which they ended; keep the newest `kept`."""
    days, hours = Counter[int](), Counter[int]()
    newest: deque[Played] = deque(maxlen=kept)

    def passing() -> Iterator[Played]:
        for one in games:
            days[day := day_of(one.ended)] += 1
            if one.ended is not None and day != UNKNOWN:
                hours[time.localtime(one.ended).tm_hour] += 1
            newest.append(one)
            yield one

    return Gathered(summarise(passing()), days, hours, tuple(newest))


def is_exhibit(games: Days, visits: Days) -> bool:
    """Return whether the last days of play were an exhibit's: visits are counted there alone."""
    return bool(visits) and max(visits) + 1 >= max(games, default=0)  # a visit may last past midnight


class Busy(NamedTuple):
    """How busy an exhibit was: its visits, the days that had any, its games; the busiest day and hour.

    `most` are the visits of that day, `a_day` those of a known day on average. Day and hour are None if no
    day is known.
    """

    visits: int
    days: int
    games: int
    day: date | None
    most: int
    hour: int | None
    a_day: int


def busy(games: Days, visits: Days, hours: Mapping[int, int]) -> Busy:
    """Return how busy it was; of equal days the first counts, and of equal hours."""
    known = sorted(day for day in visits if day != UNKNOWN)
    day = max(known, key=lambda day: visits[day], default=None)
    hour = max(sorted(hours), key=lambda hour: hours[hour], default=None)
    at = None if day is None else FIRST_DAY + timedelta(day)
    a_day = round(mean(visits[day] for day in known)) if known else 0
    most = visits[day] if day else 0
    return Busy(sum(visits.values()), len(known), sum(games.values()), at, most, hour, a_day)


def strengths(games: Iterable[Played]) -> Mapping[str, Sequence[int]]:
    """Return how strong the person was after each of the newest `LINE` games against the box, by solved rule.

    It is the strength, of `STRONGEST`, at which the box would be an even match. The box's belief tells it,
    from the person's moves alone, so games at two levels compare. Each point is the
    mean of ten games, since one game tells little. Games with help do not count.
    """
    found = {}
    for rule in SOLVED:
        own = [
            one.game
            for one in games
            if (one.game.rule, one.game.players, one.game.helped) == (rule, 1, False)
        ]
        belief, series = Belief(), list[int]()
        for game in own[-LINE:]:
            with contextlib.suppress(ValueError):  # an edited file
                belief = belief.seen(RULES[rule].start(), game.moves, first=game.human == "x").ended("draw")
                series.append(belief.strength(rule))
        if len(series) >= FEWEST:
            found[rule] = [
                round(mean(series[max(end - SMOOTH, 0) : end])) for end in range(1, len(series) + 1)
            ]
    return found


class Counts(NamedTuple):
    """A table of counts: its title, the titles of its columns of names and of counts, its rows of both."""

    title: str
    names: tuple[str, ...]
    heads: tuple[str, ...]
    rows: Sequence[tuple[Sequence[str], Sequence[int]]]


def headline(statistics: Statistics, where: str = "", spoken: Speech = ENGLISH) -> str:
    """Return one sentence without a full stop: how many games there are `where`, and how long they took."""
    lead = spoken.say("none_yet") + where
    if statistics.games:
        games = spoken.count("games", statistics.games)
        if statistics.games + statistics.helped >= MAX_GAMES:
            games = spoken.say("newest", games=games)
        lead = spoken.say("lead", games=games + where, time=duration(statistics.seconds))
    return spoken.say("with_help", lead=lead, number=statistics.helped) if statistics.helped else lead


def tables(statistics: Statistics, spoken: Speech = ENGLISH, *, exhibit: bool = False) -> Iterator[Counts]:
    """Yield the tables that have rows. The name of a level that is not known is empty.

    In an exhibit nobody wins in a row: the next game is a stranger's.
    """
    for title, lines, names, heads in (
        ("against", statistics.box, ("rule", "level"), ("won", "lost", "drawn")),
        ("pair", statistics.pair, ("rule",), ("first_person", "second_person", "drawn")),
        ("watched", statistics.watched, ("rule", "level"), ("x", "o", "drawn")),
    ):
        if lines:
            counts = [(line.first, line.second, line.drawn) for line in lines]
            kinds = [
                (spoken.rule(line.rule), spoken.level(line.level, line.rule))[: len(names)] for line in lines
            ]
            yield _counts(spoken, title, names, heads, list(zip(kinds, counts, strict=True)))
    if statistics.levels and not exhibit:
        streaks = [((spoken.level(level),), streak) for level, streak in statistics.levels.items()]
        yield _counts(spoken, "streaks", ("level",), ("now", "best"), streaks)


def busy_months(games: Days, visits: Days, spoken: Speech = ENGLISH) -> Counts:
    """Return the games and visits of each month, of those before, of unknown days, and in all."""
    shown = calendar(games, visits)
    months = [((f"{month.year}-{month.month:02}",), month.sums) for month in shown.months]
    others = [
        ((name,), sums)
        for name, sums in (("…", shown.before), (spoken.say("unknown_day"), shown.unknown))
        if any(sums)
    ]
    total = ((spoken.say("total"),), (sum(games.values()), sum(visits.values())))
    return Counts(
        spoken.say("days"),
        (spoken.say("month"),),
        (spoken.noun("games"), spoken.noun("visits")),
        [*months, *others, total],
    )


def busy_lines(found: Busy, spoken: Speech = ENGLISH) -> Iterator[str]:
    """Yield how busy an exhibit was, in sentences."""
    visits = spoken.count("visits", found.visits)
    days = f" {spoken.count('on_days', found.days)}" if found.days else ""
    days += f" ({spoken.say('a_day', number=found.a_day)})" if found.days > 1 else ""
    yield f"{visits}{days}, {spoken.count('a_visit', round(found.games / found.visits))}."
    if found.day:
        yield spoken.say("busiest_day", day=found.day.isoformat(), visits=spoken.count("visits", found.most))
    if found.hour is not None:
        yield spoken.say("busiest_hour", hour=found.hour, next=found.hour + 1)


def _counts(
    spoken: Speech,
    title: str,
    names: Sequence[str],
    heads: Sequence[str],
    rows: Sequence[tuple[Sequence[str], Sequence[int]]],
) -> Counts:
    return Counts(spoken.say(title), tuple(map(spoken.say, names)), tuple(map(spoken.say, heads)), rows)


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

    @property
    def sums(self) -> tuple[int, int]:
        """Its games and visits."""
        days = [day for week in self.weeks for day in week if day]
        return sum(day.games for day in days), sum(day.visits for day in days)


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
    dated = {FIRST_DAY + timedelta(day): both for day, both in counts.items() if any(both)}
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
