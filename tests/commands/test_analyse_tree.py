"""The tree of `tictactoe analyse` as text and SVG: each shows what alpha-beta visited, cut, and why."""

import json
import re

import pytest

from appliance.cli import main
from appliance.core.errors import UserError
from appliance.teaching.trees import nodes as _tree
from engine import Board

POSITIONS = [
    ("x...o....", "--depth", "3", "--tree", "2"),
    ("xo./.xx/o.o", "--tree", "9"),
    ("x...o..ox", "--rule", "misere", "--tree", "2"),
    ("519328", "--rule", "vanishing", "--depth", "3", "--tree", "2"),
    ("xxx.ooo.x.......", "--k", "4", "--depth", "2", "--tree", "2"),
    ("x..../", "--k", "3", "--tree", "2"),  # one row
]


def run(capsys, *arguments):
    status, (out, err) = main(["analyse", *arguments]), capsys.readouterr()
    assert (status, err) == (0, "")
    return out


def visits(tree):
    yield tree
    for child in tree["children"]:
        yield from visits(child)


def test_a_depth_that_fits_is_found_from_below(monkeypatch):
    """From above, each of 60 trees that are too large would be walked as far as is allowed."""
    walked, walk = [], _tree.alpha_beta
    monkeypatch.setattr(_tree, "alpha_beta", lambda *asked: walked.append(asked[1]) or walk(*asked))
    with pytest.raises(UserError, match="of 64 plies is too large to walk: --depth 2 fits"):
        _tree.grow(Board(8, 8, 5), 64)
    assert walked == [64, 1, 2, 3]


def test_the_tree_as_text(capsys):
    out = run(capsys, "xo./.xx/o.o", "--tree", "9")
    assert [line for line in out.splitlines() if line != line.rstrip()] == []
    assert out.split("\n\n")[-2].splitlines() == [
        "alpha-beta, 3 plies deep: 9 positions visited; all values are for x",
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
    out = run(capsys, "x...o....", "--depth", "3", "--tree", "2")
    assert ": x has " in out
    assert re.search(r"cut .*: o holds x to .* below\n", out)


def test_the_tree_as_json(capsys):
    tree = json.loads(run(capsys, "x...o....", "--depth", "2", "--tree", "1", "--json"))["tree"]
    assert (tree["move"], tree["alpha"], tree["beta"], tree["bound"], tree["nodes"]) == (
        None, None, None, "exact", 28
    )  # fmt: skip
    assert [child["move"] for child in tree["children"]] == [2, 3, 4, 6, 7, 8, 9]
    third = {"move": 4, "alpha": -2, "beta": None, "value": -2, "bound": "upper", "nodes": 2}
    assert tree["children"][2] == third | {"cut": [3, 6, 7, 8, 9], "children": []}


def test_a_value_from_a_limited_depth_is_called_a_guess_and_only_then(capsys):
    text = " ".join(run(capsys, "x...o....", "--depth", "3", "--tree", "1").split())
    assert "+4 a guess, good for x above 0: the game was not over 3 plies deep, so the search judged" in text
    assert "guess" not in run(capsys, "x...o....", "--tree", "1")
    level = run(capsys, "519328", "--rule", "vanishing", "--depth", "3", "--tree", "2")
    assert re.search(r"\n  0 +a draw, or a guess that neither side is ahead\n", level)
