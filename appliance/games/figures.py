"""The figures of a history: the statistics as tables, how strong a person was, how busy an exhibit."""

import contextlib
import time
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
NEWEST = 12  # months, and meetings of two people, that have a row of their own; those before share one
LINE, FEWEST, SMOOTH = 50, 10, 10  # games in a line over time: at most, at least, in the mean of a point


class Gathered(NamedTuple):
    """A history's statistics, the games of each day and each hour of the day, and the newest games in order.

    Days and hours count the games that people have played, with help, too.
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
            if one.game.players:
                days[day := day_of(one.ended)] += 1
                if one.ended is not None and day != UNKNOWN:
                    hours[time.localtime(one.ended).tm_hour] += 1
            newest.append(one)
            yield one

    return Gathered(summarise(passing()), days, hours, tuple(newest))


def date_of(day: int) -> date | None:
    """Return a day as a date, None if it is unknown."""
    return None if day == UNKNOWN else date(1970, 1, 1) + timedelta(day)


def is_exhibit(games: Days, visits: Days) -> bool:
    """Return whether the last days of play were an exhibit's: visits are counted there alone."""
    return bool(visits) and max(visits) + 1 >= max(games, default=0)  # a visit may last past midnight


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


CountsRow = tuple[Sequence[str], Sequence[int]]


class Counts(NamedTuple):
    """A table of counts: its title, the titles of its columns of names and of counts, its rows of both."""

    title: str
    names: tuple[str, ...]
    heads: tuple[str, ...]
    rows: Sequence[CountsRow]
    summed: bool = True

    @property
    def total(self) -> Sequence[int]:
        """The sum of each column of counts; none of a single row, and where it says nothing."""
        counts = [counts for _, counts in self.rows] if self.summed and len(self.rows) > 1 else []
        return [sum(column) for column in zip(*counts, strict=True)]


def headline(statistics: Statistics, where: str = "", spoken: Speech = ENGLISH) -> str:
    """Return one sentence without a full stop: how many games there are `where`, and how long they took."""
    lead = spoken.say("none_yet") + where
    if statistics.games:
        games = spoken.count("games", statistics.games)
        if statistics.games + statistics.helped + statistics.watched >= MAX_GAMES:
            games = spoken.say("newest", games=games)
        lead = spoken.say("lead", games=games + where, time=duration(statistics.seconds))
    return spoken.say("with_help", lead=lead, number=statistics.helped) if statistics.helped else lead


def tables(statistics: Statistics, spoken: Speech = ENGLISH, *, exhibit: bool = False) -> Iterator[Counts]:
    """Yield the tables that have rows. The name of a level that is not known is empty.

    In an exhibit nobody wins in a row: the next game is a stranger's.
    """
    say = spoken.say
    if statistics.box:
        names, heads = (say("rule"), say("level")), (say("won"), say("lost"), say("drawn"))
        rows = [((spoken.rule(of.rule), spoken.level(of.level, of.rule)), of[2:]) for of in statistics.box]
        yield Counts(say("against"), names, heads, rows)
    if met := statistics.meetings:
        heads = spoken.person(1), spoken.person(2), say("drawn")
        newest: list[CountsRow] = [
            ((spoken.day(date_of(day)),), won) for day, *won in reversed(met[-NEWEST:])
        ]
        if before := [won for _, *won in met[:-NEWEST]]:
            newest.append(((say("earlier"),), [sum(column) for column in zip(*before, strict=True)]))
        yield Counts(say("pair"), (say("day"),), heads, newest)
    if statistics.levels and not exhibit:
        streaks = [((spoken.level(level),), streak) for level, streak in statistics.levels.items()]
        yield Counts(say("streaks"), (say("level"),), (say("now"), say("best")), streaks, summed=False)


def busy_months(games: Days, visits: Days, spoken: Speech = ENGLISH) -> Counts:
    """Return the games and visits of each month, of those before, and of unknown days."""
    sums: dict[str, tuple[int, int]] = {}
    for day in sorted({*games, *visits}, reverse=True):  # `UNKNOWN` is the last
        name = spoken.day(date_of(day), "month_of")
        if day != UNKNOWN and name not in sums and len(sums) >= NEWEST:
            name = spoken.say("earlier")
        played, came = sums.get(name, (0, 0))
        sums[name] = played + games.get(day, 0), came + visits.get(day, 0)
    heads = spoken.noun("games"), spoken.noun("visits")
    rows = [((name,), both) for name, both in sums.items()]
    return Counts(spoken.say("by_month"), (spoken.say("month"),), heads, rows)


def busy_lines(
    games: Days, visits: Days, hours: Mapping[int, int], spoken: Speech = ENGLISH
) -> Iterator[str]:
    """Yield how busy an exhibit was, in sentences; of equal days the first counts, and of equal hours."""

    def said(number: int) -> str:
        return spoken.count("visits", number)

    known = sorted(day for day in visits if day != UNKNOWN)
    if known:
        dated = sum(visits[day] for day in known)
        a_day = f" ({spoken.say('a_day', number=round(dated / len(known)))})" if len(known) > 1 else ""
        yield f"{said(dated)} {spoken.count('on_days', len(known))}{a_day}."
    if undated := visits.get(UNKNOWN):
        yield spoken.say("undated", visits=said(undated))
    yield f"{spoken.count('a_visit', round(sum(games.values()) / sum(visits.values())))}."
    if known:
        day = max(known, key=lambda day: visits[day])
        yield spoken.say("busiest_day", day=spoken.day(date_of(day)), visits=said(visits[day]))
    if hours:
        hour = max(sorted(hours), key=lambda hour: hours[hour])
        yield spoken.say("busiest_hour", hour=hour, next=hour + 1)
