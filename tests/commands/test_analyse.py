"""`tictactoe analyse`: its output agrees with the engine; a mistake is one sentence.

test_analyse_tree.py has its trees.
"""

import json

import pytest

from appliance.cli import main
from appliance.commands import analyse
from appliance.teaching.trees import nodes as _tree


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
        "board": "x...o....", "to_move": "x", "value": "draw", "distance": None, "best": 3,
        "moves": {cell: {"value": "draw", "distance": None} for cell in "2346789"},
        "pv": [3, 2, 8, 7, 9, 6, 4], "depth": 7, "rule": "classic",
    }  # fmt: skip


def test_values_and_distances(capsys):
    found = as_json(capsys, "xx./oo./...")
    assert (found["value"], found["distance"], found["best"], found["pv"]) == ("win", 1, 3, [3])
    assert found["moves"] == {
        "3": {"value": "win", "distance": 1},
        "6": {"value": "draw", "distance": None},
        **{cell: {"value": "loss", "distance": 2} for cell in "789"},
    }


def test_an_unproven_value_is_unknown(capsys):
    for limit in (["--depth", "2"], ["--seconds", "0.000001"]):
        found = as_json(capsys, "." * 25, "--k", "4", *limit)
        assert (found["value"], found["distance"]) == ("unknown", None)
        assert len(found["moves"]) == 25
        assert {verdict["value"] for verdict in found["moves"].values()} == {"unknown"}
        assert 1 <= found["best"] <= 25


def test_handicaps(capsys):
    assert as_json(capsys, "xx../..../..../....", "--k", "4", "--to-move", "o")["to_move"] == "o"


def test_the_page_for_people(capsys):
    status, out, _ = run(capsys, ".........")
    assert status == 0
    assert "  1 draw  2 draw  3 draw" in out
    assert "best   5" in out
    assert [
        line.split()[:2] for line in out.splitlines() if line.startswith(("  minimax", "  alpha", "  engine"))
    ] == [["minimax", "549,946"], ["alpha-beta", "20,866"], ["engine", "67"]]


def test_the_page_shows_what_is_unknown(capsys, monkeypatch):
    monkeypatch.setattr(_tree, "COUNT_LIMIT", 100)
    _, out, _ = run(capsys, "." * 25, "--k", "4", "--seconds", "0.05")
    assert "value  ?" in out
    assert "  minimax     too many to count  all" in out
    assert "  alpha-beta  too many to count  the" in out
    assert ", 1 position visited to judge" in run(capsys, ".........", "--seconds", "0.000000001")[1]
    _, out, _ = run(capsys, "x...o....", "--depth", "1")
    assert "  minimax     8  all lines of play, 1 ply deep" in out
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


PAGE, TREE = ["line", "ply", "visited"], ["alpha", "beta", "-inf", "+inf", "="]


@pytest.mark.parametrize(("arguments", "signs"), [
    (".........", PAGE),
    ("xx./oo./...", ["win in 1", *PAGE]),
    ("x...o.... --depth 2", ["?", "best", *PAGE]),
    ("xo./.xx/o.. --depth 1", ["loss in 2", *PAGE]),
    ("x...o.... --depth 3 --tree 1", ["?", "best", *PAGE, *TREE, "<=", "+4", "cut 8", "16 below"]),
    ("xo./.xx/o.o --tree 9", ["loss in 2", *PAGE, *TREE, "<=", "0", "cut 4"]),
])  # fmt: skip
def test_the_legend_explains_the_signs_shown_and_no_others(capsys, arguments, signs):
    legend = run(capsys, *arguments.split())[1].rpartition("\n\n")[2]
    assert [line.split("  ")[1] for line in legend.splitlines() if not line.startswith("     ")] == signs


@pytest.mark.parametrize(("arguments", "words"), [
    (["x..?....."], "'?' in row 2, column 1"),
    (["xxxoo...."], "over, won by x"),
    (["xoxxoxoxo"], "over, drawn"),
    (["xxxoo....", "--rule", "misere"], "over, won by o"),
    ([".........", "--rule", "ultimate"],
     "ultimate is not solved, so nobody knows what its moves are worth: choose classic, "),
    ([".........", "--rule", "chess"], "argument --rule: invalid choice: 'chess' (choose from "),
    (["x........", "--rule", "vanishing"], "which mark is the oldest"),
    (["x/", "--k", "1", "--rule", "vanishing"], "which mark is the oldest"),
    (["155"], "move 3 of '155' is cell 5, which is taken"),
    (["150"], "move 3 of '150' is '0': the cells count from 1 to 9"),
    (["14253"], "over, won by x"),
    (["142536"], "move 6 of '142536' comes after the game is over"),
    (["15", "--k", "3"], "--k and --to-move go with a drawn board"),
    (["15", "--to-move", "x"], "--k and --to-move go with a drawn board"),
    ([".........", "--depth", "0"], "--depth 0 searches nothing: give at least 1"),
    ([".........", "--seconds", "nan"], "--seconds nan searches nothing: give more than 0"),
    (["x..."], "BOARD 'x...' is 2x2, too small for three in a row: write all nine cells, like x...o"),
    (["x.", "--k", "3"], "BOARD 'x.': a run of 2 characters is no square board: separate its rows"),
    (["x.../o...", "--k", "5"], "--k 5 does not fit BOARD 'x.../o...', which is 2x4: give 1 to 4"),
    (["xx......."], "has 2 x and 0 o, but x moves first and both in turn: if marks were set beforehand, "),
    (["xx.......", "--to-move", "z"], "argument --to-move: invalid choice: 'z' (choose from "),
    ([".........", "--seconds", "soon"], "argument --seconds: invalid float value: 'soon'"),
    ([".........", "--tree", "0"], "--tree 0 shows nothing"),
    ([".........", "--tree", "two"], "argument --tree: invalid int value: 'two'"),

    ([".........", "--tree", "1"], "the tree of 9 plies is too large to walk: --depth 2 fits"),
    ([".........", "--tree", "2", "--depth", "2"],
     "--tree 2 is 36 positions, too many to read: --tree 1 has 10"),
])  # fmt: skip
def test_a_mistake_is_one_line(capsys, monkeypatch, arguments, words):
    monkeypatch.setattr(_tree, "COUNT_LIMIT", 100)
    monkeypatch.setattr(analyse, "MAX_POSITIONS", 20)
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1
