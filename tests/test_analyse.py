"""`tictactoe analyse`: what it prints is what the engine knows; mistakes are told in one line."""

import json
import sys

import pytest

from appliance.cli import main
from appliance.commands import _cost
from engine import Board, alpha_beta, minimax


def run(capsys, *arguments):
    status = main(["analyse", *arguments])
    told = capsys.readouterr()
    return status, told.out, told.err


def as_json(capsys, *arguments):
    status, out, err = run(capsys, *arguments, "--json")
    assert (status, err) == (0, "")
    return json.loads(out)


def test_json(capsys):
    found = as_json(capsys, "x...o....")
    assert found["seconds"] >= 0
    assert found["nodes"] > 0
    del found["seconds"], found["nodes"]
    assert found == {
        "board": "x...o....",
        "to_move": "x",
        "value": "draw",
        "distance": None,
        "best": 3,
        "moves": {cell: {"value": "draw", "distance": None} for cell in "2346789"},
        "pv": [3, 2, 8, 7, 9, 6, 4],
        "depth": 7,
    }


def test_values_and_distances(capsys):
    found = as_json(capsys, "xx./oo./...")
    assert (found["value"], found["distance"], found["best"], found["pv"]) == ("win", 1, 3, [3])
    assert found["moves"] == {
        "3": {"value": "win", "distance": 1},
        "6": {"value": "draw", "distance": None},
        **{cell: {"value": "loss", "distance": 2} for cell in "789"},
    }


def test_what_is_not_proven_is_unknown(capsys):
    for limit in (["--depth", "2"], ["--seconds", "0.000001"]):
        found = as_json(capsys, "." * 25, "--k", "4", *limit)
        assert (found["value"], found["distance"]) == ("unknown", None)
        assert len(found["moves"]) == 25
        assert {verdict["value"] for verdict in found["moves"].values()} == {"unknown"}
        assert 1 <= found["best"] <= 25


def test_handicaps_and_levels(capsys):
    found = as_json(capsys, "xx../..../..../....", "--k", "4", "--to-move", "o", "--level", "easy")
    assert found["to_move"] == "o"
    assert found["level"]["name"] == "easy"
    assert abs(sum(found["level"]["moves"].values()) - 1) < 1e-3
    assert "level" not in as_json(capsys, ".........")


def test_the_page_for_people(capsys):
    status, out, _ = run(capsys, ".........", "--level", "perfect")
    assert status == 0
    assert "  1 draw  2 draw  3 draw" in out
    assert "best   5" in out
    assert "minimax 549,946, alpha-beta 20,866, engine 67" in out
    assert "perfect plays  1 25%, 3 25%, 7 25%, 9 25%" in out
    assert "\x1b" not in out


def test_the_page_says_what_it_does_not_know(capsys):
    _, out, _ = run(capsys, "." * 25, "--k", "4", "--seconds", "0.05")
    assert "value  ?" in out
    assert "too many to count" in out
    _, out, _ = run(capsys, "x...o....", "--depth", "1")
    assert "nodes  minimax 8" in out
    _, out, _ = run(capsys, "x.x/.o./x.o")
    assert "value  loss in 2" in out


def test_colour_is_for_a_person(capsys, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert "\x1b[1;33m" in run(capsys, ".........")[1]
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run(capsys, ".........")[1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["x..?....."], "'?' in row 2, column 1"),
        (["xx......."], "2 x and 0 o cannot be"),
        (["xxxoo...."], "over"),
        (["........."], None),
        ([".........", "--depth", "0"], "depth=0"),
        ([".........", "--seconds", "-1"], "seconds=-1"),
        ([".........", "--seconds", "nan"], "seconds=nan"),
        ([".........", "--seconds", "soon"], "--seconds 'soon' is no number"),
        ([".........", "--depth", "deep"], "--depth 'deep' is no whole number"),
        ([".........", "--k", "9"], "k=9 is out of range"),
        ([".........", "--k", "three"], "--k 'three' is no whole number"),
        ([".........", "--to-move", "z"], "to_move is 'z'"),
        ([".........", "--level", "godlike"], "--level godlike is unknown: it is one of easy, medium"),
        ([""], "no board at all"),
    ],
)
def test_mistakes_are_told_in_one_line(capsys, arguments, words):
    status, out, err = run(capsys, *arguments)
    if words is None:
        assert status == 0
        return
    assert (status, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("text", [".........", "x...o....", "xox/o../..."])
@pytest.mark.parametrize("depth", [1, 3, 9])
def test_the_costs_are_those_of_the_textbook(text, depth):
    board = Board.parse(text)
    if text != "." * 9 or depth < 9:
        assert _cost.minimax_nodes(board, depth) == minimax(board, depth).nodes
    assert _cost.alpha_beta_nodes(board, depth) == alpha_beta(board, depth).nodes


def test_counting_is_given_up(monkeypatch):
    monkeypatch.setattr(_cost, "PATIENCE", 100)
    assert _cost.minimax_nodes(Board(), 9) is None
    assert _cost.alpha_beta_nodes(Board(), 9) is None
