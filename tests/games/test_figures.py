"""What a match of two people is, how busy an exhibit was, and how a day is written."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from page_reader import PageReader
from store_world import GAME

from appliance.games.figures import NEWEST, busy_lines, busy_months, gather, tables
from appliance.games.page import games_page
from appliance.games.speech import speech
from appliance.storage.days import DAY_SECONDS, LAST, UNKNOWN
from appliance.storage.history import summarise
from appliance.storage.rows import Played

FIRST, SECOND = (GAME._replace(players=2, result=mark) for mark in "xo")
TURNED, DRAWN = FIRST._replace(human="o"), FIRST._replace(result="draw")
HELPED, BOX, WATCHED = FIRST._replace(helped=True), GAME, GAME._replace(players=0)


@pytest.mark.parametrize(("games", "minutes", "visits", "met"), [
    ([FIRST, SECOND, FIRST, DRAWN], [0, 1, 2, 3], [0] * 4, [(2, 1, 1)]),
    ([FIRST, TURNED], [0, 1], [0] * 2, [(1, 1, 0)]),  # their marks change hands
    ([FIRST, BOX, FIRST], [0, 1, 2], [0] * 3, [(1, 0, 0)] * 2),
    ([FIRST, WATCHED, FIRST], [0, 1, 2], [0] * 3, [(1, 0, 0)] * 2),
    ([FIRST, HELPED, FIRST], [0, 50, 100], [0] * 3, [(2, 0, 0)]),
    ([HELPED], [0], [0], []),
    ([FIRST] * 3, [0, 60, 121], [0] * 3, [(2, 0, 0), (1, 0, 0)]),
    ([FIRST] * 4, [None, None, 0, 900], [0] * 4, [(3, 0, 0), (1, 0, 0)]),
    ([FIRST] * 5, [0, 1, 2, 3, 4], [1, 2, 1, 2, 0], [(2, 0, 0), (2, 0, 0), (1, 0, 0)]),
])  # fmt: skip
def test_a_match_ends_where_others_may_have_come(games, minutes, visits, met):
    """A game of another kind, a pause of more than an hour, the end of a visit; not a game with help."""
    played = [
        Played(n, None if minute is None else 1_800_000_000 + 60 * minute, game, visit)
        for n, (game, minute, visit) in enumerate(zip(games, minutes, visits, strict=True), 1)
    ]
    assert [one[1:] for one in summarise(played).meetings] == met


def test_the_newest_matches_are_told_and_the_others_summed():
    games = [game for n in range(NEWEST + 2) for game in (*[FIRST] * (n + 1), SECOND, BOX)]
    days = [20_000 + n for n in range(NEWEST + 2) for _ in range(n + 3)]
    played = [
        Played(n, DAY_SECONDS * day, game) for n, (day, game) in enumerate(zip(days, games, strict=True), 1)
    ]
    (table,) = [table for table in tables(summarise(played)) if table.title == "Matches of two people"]
    assert table.heads == ("player 1", "player 2", "drawn")
    assert table.rows[:2] == [(("17 October 2024",), [14, 1, 0]), (("16 October 2024",), [13, 1, 0])]
    assert table.rows[NEWEST - 1 :] == [(("6 October 2024",), [3, 1, 0]), (("earlier",), [3, 2, 0])]
    assert table.total == [105, 14, 0]


def number(*day):
    return (date(*day) - date(1970, 1, 1)).days


@pytest.mark.parametrize(("games", "visits", "hours", "said"), [
    ({20_000: 30, 20_001: 6}, {20_000: 4, 20_001: 5}, {9: 3, 14: 20, 15: 20},
     ["9 visits on 2 days (4 a day).", "4 games a visit.",
      "Busiest day: 5 October 2024, 5 visits.", "Busiest hour: 14 to 15."]),
    ({UNKNOWN: 60, 20_000: 18}, {UNKNOWN: 20, 20_000: 6}, {},
     ["6 visits on 1 day.", "Day unknown: 20 visits. Without a network the box has no clock.",
      "3 games a visit.", "Busiest day: 4 October 2024, 6 visits."]),
    ({UNKNOWN: 1}, {UNKNOWN: 1}, {},
     ["Day unknown: 1 visit. Without a network the box has no clock.", "1 game a visit."]),
])  # fmt: skip
def test_visits_of_unknown_days_are_told_apart(games, visits, hours, said):
    """They are on none of the days, and a visit's games count wherever it was."""
    assert list(busy_lines(games, visits, hours)) == said


def test_the_newest_months_are_told_and_the_others_summed():
    games = {number(2024 + n // 12, n % 12 + 1, 5): n + 1 for n in range(15)} | {UNKNOWN: 7}
    visits = {number(2024, 1, 31): 2, number(2025, 3, 6): 9}
    table = busy_months(games, visits)
    assert table.rows[0] == (("March 2025",), (15, 9))
    assert table.rows[11:] == [(("April 2024",), (4, 0)), (("earlier",), (6, 2)), (("unknown",), (7, 0))]
    assert table.total == [127, 11]


COUNTS = st.dictionaries(
    st.integers(0, LAST) | st.integers(20_000, 21_000), st.integers(1, 1000), max_size=30
)


@given(COUNTS, COUNTS)
def test_nothing_is_lost_or_invented(games, visits):
    """Whatever the days: each month has its own sums."""
    rows = busy_months(games, visits).rows
    for place, counts in enumerate((games, visits)):
        months = Counter()
        for day, count in counts.items():
            when = date(1970, 1, 1) + timedelta(day)
            months[f"{when:%B} {when.year}" if day else "unknown"] += count
        told = {name: both[place] for (name,), both in rows if name != "earlier" and both[place]}
        assert told.items() <= months.items()
        assert sum(both[place] for _, both in rows) == sum(counts.values())
    assert len(rows) <= NEWEST + 2


@pytest.mark.parametrize(("language", "day", "month"), [
    ("en", "5 March 2027", "March 2027"), ("de", "5. März 2027", "März 2027"),
    ("fr", "05/03/2027", "mars 2027"), ("es", "5 de marzo de 2027", "marzo de 2027"),
    ("pl", "05.03.2027", "marzec 2027"), ("cs", "5. 3. 2027", "březen 2027"),
])  # fmt: skip
def test_a_day_is_written_as_the_language_writes_it(language, day, month):
    spoken, when = speech(language), int(datetime(2027, 3, 5, 8, 7, tzinfo=UTC).timestamp())
    assert spoken.day(date(2027, 3, 5), "month_of") == month
    played, visits = gather([Played(1, when, GAME)]), {number(2027, 3, 5): 1}
    text = PageReader(games_page(played, visits, spoken)).text
    assert f"{day} 08:07; 30 s" in text
    assert any(day in line for line in busy_lines(played.days, visits, {}, spoken))
    assert month in text
