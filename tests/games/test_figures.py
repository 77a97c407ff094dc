"""How busy an exhibit was, by months and in sentences, and how a day is written."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from page_reader import PageReader
from store_world import GAME

from appliance.games.figures import MONTHS, busy_lines, busy_months, gather
from appliance.games.page import games_page
from appliance.games.speech import speech
from appliance.storage.days import LAST, UNKNOWN
from appliance.storage.rows import Played


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
    (newest, *_), (last_told, earlier, unknown, total) = (
        (rows := busy_months(games, visits).rows)[:1],
        rows[11:],
    )
    assert newest == (("March 2025",), (15, 9))
    assert (last_told, earlier) == ((("April 2024",), (4, 0)), (("earlier",), (6, 2)))
    assert (unknown, total) == ((("unknown",), (7, 0)), (("total",), (127, 11)))


COUNTS = st.dictionaries(
    st.integers(0, LAST) | st.integers(20_000, 21_000), st.integers(1, 1000), max_size=30
)


@given(COUNTS, COUNTS)
def test_nothing_is_lost_or_invented(games, visits):
    """Whatever the days: each month has its own sums, and all rows add up to the last."""
    *rows, (_, total) = busy_months(games, visits).rows
    for place, counts in enumerate((games, visits)):
        months = Counter()
        for day, count in counts.items():
            when = date(1970, 1, 1) + timedelta(day)
            months[f"{when:%B} {when.year}" if day else "unknown"] += count
        told = {name: both[place] for (name,), both in rows if name != "earlier" and both[place]}
        assert told.items() <= months.items()
        assert sum(both[place] for _, both in rows) == total[place] == sum(counts.values())
    assert len(rows) <= MONTHS + 2


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
