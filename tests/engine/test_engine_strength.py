"""The strength of the levels, and how people fare against the adaptive one."""

import random
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import courses
import odds
import pytest
from chances import Solved
from effort import longer
from odds import CASUAL, as_markdown, exact, level_table
from visitors import CHILDREN, PEOPLE

from engine import RULES, SOLVED, Board, Misere, Vanishing, adaptive, search

PAGE = (Path(__file__).parents[2] / "docs/engine.md").read_text()
# Printed by tests/support/odds.py, then by courses.py; `make tables RULES=...` writes a rule's rows.
PRINTED = Path(__file__).with_name("strength.md").read_text()
FIXED, COURSES, VISITS = PRINTED.removesuffix("\n").split("\n\n")
table = cache(level_table)
SEATS = [f"{model}, {seat}" for model in ("random", "casual") for seat in ("first", "second")]


@pytest.fixture
def solved(monkeypatch):
    """Perfect play at vanishing from its solution, to save minutes: test_engine_people.py compares them."""
    monkeypatch.setitem(odds.TRAPS, Vanishing, Solved())
    odds.mistake_moves.cache_clear()


def test_the_printed_tables_are_those_tested_here(monkeypatch):
    """The rows of the adaptive level are made anew in the next two tests, a few of them."""
    monkeypatch.setattr(courses, "course_line", printed)
    monkeypatch.setattr(courses, "visit_line", printed)
    assert as_markdown(table()) == FIXED
    assert "\n".join(courses.as_markdown()) == f"{COURSES}\n\n{VISITS}"


def printed(rule, name=None):
    start, lines = (f"| {rule} | {name} |", COURSES) if name else (f"| {rule} |", VISITS)
    found = [line for line in lines.splitlines() if line.startswith(start)]
    assert found, f"strength.md has no row {start}: `make tables RULES=...` writes it"
    return found[0]


@pytest.mark.parametrize(("rule", "name"), [*longer(("classic", "perfect"), ("vanishing", "perfect"))])
def test_rows_of_the_people_are_what_is_printed(rule, name, solved):
    assert courses.course_line(rule, name) == printed(rule, name)


@pytest.mark.long
@pytest.mark.parametrize("rule", SOLVED)
def test_a_few_runs_of_children_come_out_as_printed(rule, solved):
    """The same runs as the first ones of the table."""
    found = []
    for name in CHILDREN:
        for run in range(12):
            rng = random.Random(f"{rule} {name} {run}")
            found += courses.games(courses.Filter(rule), name, rule, 10, rng)
    expected = sum(row(rule, name).early[0] for name in CHILDREN) / len(CHILDREN)
    assert abs(courses.shares(found)[0] - expected) < 12


def test_a_small_corridor_loses_few_children(solved):
    lost, _ = courses.corridor("classic", 150)
    assert lost <= 15


def test_the_page_has_the_table_of_the_adaptive_level_at_classic():
    assert "\n".join(COURSES.splitlines()[: 2 + len(PEOPLE)]) in PAGE
    _, first, lost, _ = VISITS.splitlines()[2].strip("| ").split(" | ")[1:]
    for words in f"first wins at classic in game {first},", f"{lost}% of the children's are all lost.":
        assert words in " ".join(PAGE.split())


@pytest.mark.parametrize("seat", SEATS)
def test_strength_rises_with_the_level(seat):
    rows = [row[seat] for row in table().values()]
    assert all(abs(sum(row) - 1) < 1e-9 for row in rows)
    for weaker, stronger in pairwise(rows):
        assert weaker.win + weaker.draw / 2 < stronger.win + stronger.draw / 2 - 0.005
        assert weaker.win < stronger.win
        assert weaker.loss > stronger.loss


@pytest.mark.parametrize(("seat", "wins"), [("casual, first", 92.7), ("casual, second", 26.0)])
def test_perfect_never_loses_and_wins_as_often_as_possible(seat, wins):
    """The shares are the largest against the casual player for play that never gives away value."""
    perfect = table()["perfect"][seat]
    assert round(100 * perfect.win, 1) == wins
    assert perfect.loss == 0


def test_a_casual_player_beats_easy():
    assert all(table()["easy"][seat].loss >= 0.4 for seat in SEATS[2:])


# The goals of the adaptive level, from the printed tables


class Row(NamedTuple):
    early: list[float]
    late: list[float]
    streaks: float
    strength: list[float]
    perfect: list[float]


def row(rule, name):
    cells = printed(rule, name).strip("| ").split(" | ")[2:]
    found = [[float(number) for number in cell.replace(" /", ",").split(", ")] for cell in cells]
    return Row(*(cell if len(cell) > 1 else cell[0] for cell in found))


@pytest.mark.parametrize("rule", RULES)
def test_children_win_two_games_in_five_from_the_first_and_rarely_lose_three_in_a_row(rule):
    for name in CHILDREN:
        found = row(rule, name)
        assert min(found.early[0], found.late[0]) >= 40
        assert found.streaks <= 20


@pytest.mark.parametrize("rule", RULES)
def test_casual_players_and_learners_win_two_in_five_and_lose_less(rule):
    for name in ("casual", "casual, 10% slips", "learner"):
        won, _, lost = row(rule, name).early
        assert won >= 42
        assert lost < won
        assert row(rule, name).streaks <= 25


@pytest.mark.parametrize("rule", SOLVED)
def test_who_is_perfect_meets_the_perfect_box_within_ten_games_and_keeps_it(rule):
    assert row(rule, "perfect").perfect == [100, 100]
    assert row(rule, "perfect").late == (
        [0, 100, 0] if search(SOLVED[rule]()).value == "draw" else [50, 0, 50]
    )


def test_who_searches_at_ultimate_soon_meets_a_strong_box():
    """The belief is close to its threshold there: after ten games two runs of five are over it."""
    found = row("ultimate", "perfect")
    assert min(found.strength) >= 800
    assert found.perfect[1] >= 40
    assert 40 <= found.late[0] + found.late[1] / 2 <= 70  # points, and the box aims at 58


@pytest.mark.parametrize("rule", SOLVED)
def test_it_does_not_wander(rule):
    """Between games 11 to 40 and 71 to 100 the mean strength moves by little more than one step of POINTS."""
    for name, person in PEOPLE.items():
        if not person.perfect[1]:  # a learner becomes stronger
            before, after = row(rule, name).strength
            assert abs(after - before) <= 65, name


@pytest.mark.parametrize("rule", SOLVED)
def test_children_in_a_corridor_rarely_lose_all_their_games(rule):
    """At misère a child's moves show least: the box takes longer to believe that the expert has gone."""
    odds, first, lost, _ = printed(rule).strip("| ").split(" | ")[1:]
    assert float(lost) <= 6
    assert float(odds.split(" / ")[0]) >= (20 if rule == "misere" else 40)
    assert float(first) <= (7 if rule == "misere" else 4)


@pytest.mark.parametrize("start", [Board(), Misere()])
def test_nobody_wins_against_perfect_play(start):
    assert exact(CASUAL.policy, adaptive(1000).policy, start, first=True).win == 0
