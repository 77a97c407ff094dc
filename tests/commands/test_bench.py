"""`tictactoe bench`: the exact strength of the levels."""

from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from appliance.cli import main
from appliance.commands.bench import level_table

README = (Path(__file__).parents[2] / "README.md").read_text()
table = cache(level_table)
SEATS = [f"{model}, {seat}" for model in ("random", "casual") for seat in ("first", "second")]


@pytest.mark.parametrize("options", [[], ["--levels"]])
def test_the_command_prints_the_table_in_readme(capsys, monkeypatch, options):
    monkeypatch.setattr("appliance.commands.bench.level_table", table)
    assert main(["bench", *options]) == 0
    assert capsys.readouterr().out.rstrip() in README


@pytest.mark.parametrize("seat", SEATS)
def test_strength_rises_with_the_level(seat):
    rows = [row[seat] for row in table().values()]
    assert all(abs(sum(row) - 1) < 1e-9 for row in rows)
    for weaker, stronger in pairwise(rows):
        assert weaker.win + weaker.draw / 2 < stronger.win + stronger.draw / 2 - 0.005
        assert weaker.win < stronger.win
        assert weaker.loss > stronger.loss


@pytest.mark.parametrize(("seat", "wins"), [("casual, first", 92.7), ("casual, second", 26.0)])
def test_perfect_never_loses_and_wins_as_often_as_is_possible(seat, wins):
    """The greatest share against the casual player for play that never gives away value."""
    perfect = table()["perfect"][seat]
    assert round(100 * perfect.win, 1) == wins
    assert perfect.loss == 0


def test_a_casual_player_beats_easy():
    assert all(table()["easy"][seat].loss >= 0.4 for seat in SEATS[2:])
