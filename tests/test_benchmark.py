"""The benchmark's page and its parts; `make bench` itself takes minutes."""

import json
import re
import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BENCH = ROOT / "tests" / "bench"
sys.path.append(str(BENCH))

import inside  # noqa: E402
import page  # noqa: E402
import searches  # noqa: E402

from appliance.teaching.trees import nodes as _tree  # noqa: E402
from engine import Board, search  # noqa: E402

COUNTS = {  # the way of the benchmark -> what `tictactoe analyse` prints
    "textbook minimax": _tree.minimax_nodes,
    "textbook alpha-beta": _tree.alpha_beta_nodes,
    "engine": lambda board, _: search(board).nodes,
}


@pytest.fixture
def figures():
    return json.loads((BENCH / "results/figures.json").read_text())


def test_the_page_shows_the_raw_figures(figures):
    """`python tests/bench page` writes it again."""
    written = page.write(figures)
    assert written == (ROOT / "BENCHMARKS.md").read_text()
    for table in re.findall(r"(?:^\|.*\n?)+", written, re.MULTILINE):
        assert len({line.count("|") for line in table.splitlines()}) == 1


def test_the_page_says_which_goals_are_missed(figures):
    figures["idle"]["asleep"]["CPU %"] = 0.3
    written = page.write(figures)
    assert "| idle CPU asleep, % of this core | at most 0.2 | 0.30 | **missed** |" in written


@pytest.mark.parametrize(
    ("position", "way"),
    [(position, "textbook alpha-beta") for position in searches.POSITIONS if position != "empty 4x4"]
    + [("3x3 after a corner", "textbook minimax"), ("empty 3x3", "engine")],
)
def test_the_benchmark_counts_the_positions_that_analyse_counts(position, way):
    text, k = searches.POSITIONS[position]
    board = Board.parse(text, k=k)
    assert searches.WAYS[way](board).nodes == COUNTS[way](board, board.horizon)


def test_the_raw_figures_count_them_too(figures):
    for row in figures["engine"]:
        text, k = searches.POSITIONS[row["position"]]
        board = Board.parse(text, k=k)
        assert row["nodes"] == COUNTS[row["way"]](board, board.horizon), row


def test_boards_are_solved(monkeypatch):
    monkeypatch.setattr(searches, "BOARDS", [(3, 3, 3), (4, 4, 3)])
    assert [(row["value"], row["plies"]) for row in searches.boards()] == [("draw", None), ("win", 5)]


def test_variations_are_compared_with_the_solution():
    for row in searches.variations(step=200):
        assert row["positions"] == row["best play"] > 3


def run(capsys, monkeypatch, program, *arguments):
    monkeypatch.setattr(sys, "argv", [str(program), *arguments])
    runpy.run_path(str(program), run_name="__main__")
    return capsys.readouterr().out


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # luma.oled still calls Image.getdata
def test_a_part_is_measured_alone_and_a_game_costs_less_than_a_tenth_of_what_stock_luma_sends(
    capsys, monkeypatch
):
    name, _, printed = run(capsys, monkeypatch, BENCH, "bus").partition(" ")
    assert name == "bus"
    figures = json.loads(printed)
    assert max(figures["marks"]) <= 52
    assert sum(figures["ours"]) < sum(figures["stock"]) / 10


@pytest.mark.parametrize("way", ["engine", "textbook alpha-beta"])
def test_one_search_is_measured(capsys, monkeypatch, way):
    printed = run(capsys, monkeypatch, BENCH / "searches.py", way, "3x3 after a corner")
    assert re.fullmatch(r'{"ms": [\d.]+, "nodes": [1-9]\d*, "MB": [\d.]+}\n', printed)


def test_what_runs_inside_the_box_finds_the_parts_of_the_program():
    assert {"watch", "watch_polling", "time_presses"} <= set(vars(inside))
