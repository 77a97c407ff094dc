"""`tictactoe analyse`: what it prints is what the engine knows; a mistake is one sentence."""

import json
import re

import pytest

from appliance.cli import main
from appliance.commands import _tree


def run(capsys, *arguments):
    status = main(["analyse", *arguments])
    return status, *capsys.readouterr()


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
        "rule": "classic",
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
    assert (found["to_move"], found["level"]["name"]) == ("o", "easy")
    assert abs(sum(found["level"]["moves"].values()) - 1) < 1e-3


def test_the_page_for_people(capsys):
    status, out, _ = run(capsys, ".........", "--level", "perfect")
    assert status == 0
    assert "  1 draw  2 draw  3 draw" in out
    assert "best   5" in out
    assert "minimax 549,946, alpha-beta 20,866, engine 67" in out
    assert "perfect plays  1 25%, 3 25%, 7 25%, 9 25%" in out


def test_the_page_says_what_is_not_known(capsys, monkeypatch):
    monkeypatch.setattr(_tree, "PATIENCE", 100)
    _, out, _ = run(capsys, "." * 25, "--k", "4", "--seconds", "0.05")
    assert "value  ?" in out
    assert "minimax too many to count, alpha-beta too many to count" in out
    _, out, _ = run(capsys, "x...o....", "--depth", "1")
    assert "nodes  minimax 8" in out
    _, out, _ = run(capsys, "x.x/.o./x.o")
    assert "value  loss in 2" in out


def test_other_rules(capsys):
    misere = as_json(capsys, "xx./oo./...", "--rule", "misere")
    assert misere["moves"]["3"] == {"value": "loss", "distance": 1}
    start = as_json(capsys, "... ... ...", "--rule", "vanishing")
    assert (start["rule"], start["value"], start["distance"], start["best"]) == ("vanishing", "win", 13, 2)
    for arguments, title in (
        (["xx./oo./...", "--rule", "misere"], "3 in a row lose"),
        ([".........", "--rule", "vanishing", "--depth", "2"], "x to move, 3 in a row win"),
        (["541 287 3", "--rule", "vanishing", "--depth", "3"], "o to move, 4 vanishes"),
    ):
        assert title in run(capsys, *arguments)[1]


def test_the_cells_played_are_a_position(capsys):
    played, drawn = as_json(capsys, "1 5 9"), as_json(capsys, "x../.o./..x")
    for found in (played, drawn):
        del found["seconds"]
    assert played == drawn


def test_the_tree_of_alpha_beta(capsys):
    _, out, _ = run(capsys, "xo./.xx/o.o", "--tree", "9")
    assert [line for line in out.splitlines() if line != line.rstrip()] == []
    assert out.splitlines()[-11:] == [
        "alpha-beta, 9 positions; all scores are x's",
        "  move           alpha  beta  value",
        "  -               -inf  +inf  = win in 1",
        "    x 3           -inf  +inf  = loss in 2",
        "      o 4         -inf  +inf  = 0",
        "        x 8       -inf  +inf  = 0",
        "      o 8         -inf     0  = loss in 2",
        "    x 4      loss in 2  +inf  = win in 1",
        "    x 8       win in 1  +inf  <= win in 3  cut 4: x has win in 1 elsewhere",
        "      o 3     win in 1  +inf  <= win in 3",
        "        x 4   win in 1  +inf  = win in 3",
    ]


def test_both_sides_cut(capsys):
    _, out, _ = run(capsys, "x...o....", "--depth", "3", "--tree", "2")
    assert ": x has " in out
    assert re.search(r"cut .*: o holds x to .* below\n", out)


def test_the_tree_as_json(capsys):
    tree = as_json(capsys, "x...o....", "--depth", "2", "--tree", "1")["tree"]
    assert (tree["move"], tree["alpha"], tree["beta"], tree["bound"], tree["nodes"]) == (
        None, None, None, "exact", 28
    )  # fmt: skip
    assert [child["move"] for child in tree["children"]] == [2, 3, 4, 6, 7, 8, 9]
    third = {"move": 4, "alpha": -2, "beta": None, "value": -2, "bound": "upper", "nodes": 2}
    assert tree["children"][2] == third | {"cut": [3, 6, 7, 8, 9], "children": []}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["x..?....."], "'?' in row 2, column 1"),
        (["xxxoo...."], "over, won by x"),
        (["xoxxoxoxo"], "over, drawn"),
        (["xxxoo....", "--rule", "misere"], "over, won by o"),
        ([".........", "--rule", "chess"], "argument --rule: invalid choice: 'chess' (choose from "),
        (["x........", "--rule", "vanishing"], "which mark is the oldest"),
        (["x/", "--k", "1", "--rule", "vanishing"], "which mark is the oldest"),
        (["155"], "move 3 of '155' is cell 5, which is taken"),
        (["150"], "move 3 of '150' is '0': the cells count from 1 to 9"),
        (["14253"], "over, won by x"),
        (["142536"], "move 6 of '142536' comes after the game is over"),
        (["15", "--k", "3"], "--k and --to-move go with a board that is drawn"),
        (["15", "--to-move", "x"], "--k and --to-move go with a board that is drawn"),
        ([".........", "--tree", "0"], "--tree 0 shows nothing"),
        ([".........", "--tree", "two"], "argument --tree: invalid int value: 'two'"),
        (["." * 16, "--k", "4", "--tree", "1"], "the tree of 16 plies is too large to show"),
        ([".........", "--depth", "0"], "depth=0"),
        ([".........", "--seconds", "nan"], "seconds=nan"),
        ([".........", "--seconds", "soon"], "argument --seconds: invalid float value: 'soon'"),
        ([".........", "--level", "godlike"], "argument --level: invalid choice: 'godlike' (choose from "),
    ],
)
def test_a_mistake_is_one_line(capsys, monkeypatch, arguments, words):
    monkeypatch.setattr(_tree, "PATIENCE", 100)
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1
