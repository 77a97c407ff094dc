"""`tictactoe bench`: the strength of the levels, and where the adaptive one settles."""

from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from appliance.cli import main
from appliance.commands.bench import level_table
from appliance.teaching.odds import CASUAL, exact, policy
from engine import RULES, Board, Misere, adaptive
from tests.bench.courses import courses, courses_as_markdown, seats_by_strength

PAGE = (Path(__file__).parents[2] / "docs/engine.md").read_text()
# Printed by `tictactoe bench`, then by tests/bench/courses.py.
PRINTED = Path(__file__).with_name("levels.md").read_text()
LEVELS, COURSES = PRINTED.removesuffix("\n").split("\n\n")
LEVELS += "\n"
table = cache(level_table)
SEATS = [f"{model}, {seat}" for model in ("random", "casual") for seat in ("first", "second")]


def test_the_printed_tables_are_those_tested_here(capsys, monkeypatch):
    monkeypatch.setattr("appliance.commands.bench.level_table", table)
    for options in [], ["--levels"]:
        assert main(["bench", *options]) == 0
        assert capsys.readouterr().out == LEVELS
    assert courses_as_markdown({rule: courses(rule) for rule in RULES}) == COURSES


def test_the_page_has_the_table_of_the_levels_and_the_adaptive_one_at_classic():
    assert LEVELS in PAGE
    assert "\n".join(COURSES.splitlines()[:7]) in PAGE
    assert "misere" not in COURSES.splitlines()[6]


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


# The adaptive level, from the printed table


class Row(NamedTuple):
    strength: float
    games: float
    early: list[float]
    middle: list[float]
    late: list[float]
    streak: float


def row(rule, name):
    (line,) = (line for line in PRINTED.splitlines() if line.startswith(f"| {rule} | {name} |"))
    cells = [[float(number) for number in cell.split(" / ")] for cell in line.strip("| ").split(" | ")[2:]]
    return Row(*(cell if len(cell) > 1 else cell[0] for cell in cells))


@pytest.mark.parametrize("rule", RULES)
def test_an_imperfect_player_wins_about_a_third_of_the_games(rule):
    for name in ("random", "casual"):
        assert 30 <= row(rule, name).late[0] <= 37
    won, _, lost = row(rule, "good").late
    assert abs(won - lost) < 4
    assert row(rule, "good").middle[0] >= 25
    assert 33 <= row(rule, "learning").middle[0] <= 50


@pytest.mark.parametrize(("rule", "streak"), [("classic", 2.0), ("misere", 3.5), ("vanishing", 10.0)])
def test_a_casual_player_rarely_loses_three_of_the_first_six_games_in_a_row(rule, streak):
    found = row(rule, "casual")
    assert found.streak < streak
    assert found.early[0] > 39


@pytest.mark.parametrize("rule", RULES)
def test_against_a_perfect_player_it_becomes_perfect(rule):
    """At vanishing the first player wins: the level is at 1000 when the box starts, else at 900."""
    for name, soon in ("perfect", 50), ("learning", 125):
        found = row(rule, name)
        assert found.strength == (950 if rule == "vanishing" else 1000)
        assert found.late == ([50, 0, 50] if rule == "vanishing" else [0, 100, 0])
        assert found.games < soon


@pytest.mark.parametrize("start", [Board(), Misere()])
def test_the_odds_between_the_six_strengths_are_exact(start):
    """And the cached policy is the level's own."""
    rule, level = ("misere" if isinstance(start, Misere) else "classic"), adaptive(370)
    assert policy(level)(start.play(4)) == pytest.approx(level.policy(start.play(4)))
    found = seats_by_strength(CASUAL, rule)[370]
    for first in (True, False):
        expected = exact(policy(CASUAL), policy(level), start, first=first)
        assert found[not first] == pytest.approx(expected, abs=1e-9)
