"""The calendar of play, and what is said of the days."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from page_reader import PageReader
from store_world import GAME

from appliance.games.figures import Day, calendar, gather
from appliance.games.page import games_page
from appliance.storage.days import LAST, UNKNOWN
from appliance.storage.rows import Played


def day(year, month, number):
    return (date(year, month, number) - date(1970, 1, 1)).days


def test_a_month_is_as_on_the_wall():
    games = {day(2026, 11, 3): 4, day(2026, 11, 30): 1, UNKNOWN: 2}
    (month,), before, unknown = calendar(games, {day(2026, 11, 4): 3})
    assert (month.year, month.month, len(month.weeks)) == (2026, 11, 6)
    assert month.weeks[0] == (None,) * 6 + (Day(1, 0, 0, 0),)  # the first was a Sunday
    assert month.weeks[1][1:3] == (Day(3, 4, 0, 4), Day(4, 0, 3, 0))
    assert month.weeks[5] == (Day(30, 1, 0, 1),) + (None,) * 6
    assert (before, unknown) == ((0, 0), (2, 0))


def test_only_the_newest_months_are_shown():
    games = {day(2020 + n, 5, 1): n + 1 for n in range(5)}
    months, before, _ = calendar(games, {day(2020, 5, 2): 7}, limit=3)
    assert [(month.year, month.month) for month in months] == [(2024, 5), (2023, 5), (2022, 5)]
    assert before == (3, 7)


COUNTS = st.dictionaries(st.integers(0, LAST), st.integers(1, 1000), max_size=30)


@given(COUNTS, COUNTS)
def test_nothing_is_lost_or_invented(games, visits):
    months, before, unknown = calendar(games, visits)
    shown = {
        (date(month.year, month.month, one.number) - date(1970, 1, 1)).days: one
        for month in months
        for week in month.weeks
        for one in week
        if one
    }
    for place, counts, name in ((0, games, "games"), (1, visits, "visits")):
        found = {number: count for number, one in shown.items() if (count := getattr(one, name))}
        assert found.items() <= counts.items()
        assert sum(found.values()) + before[place] + unknown[place] == sum(counts.values())
    assert all((one.shade > 0) == (one.games > 0) and one.shade <= 4 for one in shown.values())


@pytest.mark.parametrize(("days", "visits", "said"), [
    ([None], {}, "Of these the day is not known: without a network the box has no clock."),
    ([None, 0, 0], {}, "Of 1 game the day is not known"),
    ([0], {UNKNOWN: 4}, "Of 4 visits the day is not known"),
    ([0, None], {UNKNOWN: 1}, "Of 1 game and 1 visit the day is not known"),
    ([0], {}, ""),
])  # fmt: skip
def test_unknown_days_are_said_plainly(days, visits, said):
    played = [Played(1, None if one is None else 1_800_000_000, GAME) for one in days]
    text = PageReader(games_page(gather(played), visits)).text
    assert said in text
    assert ("is not known" in text) == bool(said)


def test_visits_are_on_the_page():
    first = datetime(2026, 11, 3, 23, 59, 59, tzinfo=UTC)
    played = [Played(n, int((first + timedelta(seconds=n)).timestamp()), GAME) for n in range(2)]
    days = PageReader(games_page(gather(played), {day(2026, 11, 4): 1, day(2026, 11, 5): 2})).days
    assert days["2026-11-03"] == ["1", " games"]
    assert days["2026-11-04"] == ["1", " games", "1 visit"]
    assert days["2026-11-05"] == ["2 visits"]
    assert days["2026-11-06"] == []
