"""`tictactoe review`: what it prints is what the engine's review found; a mistake is one sentence."""

import json
import re

import pytest
from store_world import GAME, close_all, fill, numbered

from appliance.cli import main
from appliance.games.remarks import sentences
from appliance.storage.rows import Played
from engine import SOLVED, review

LOST = GAME._replace(human="o", moves=(0, 4, 8, 2, 6, 3, 7), result="x")


@pytest.fixture
def reviewed(tmp_path, capsys):
    """Return what runs the command: its exit status, its output, its errors."""
    won = GAME._replace(moves=(0, 3, 1, 4, 2))
    others = (won._replace(helped=True), won._replace(players=2))
    watched = GAME._replace(players=0, rule="vanishing", level="easy")
    played = (won, LOST, GAME._replace(players=2, rule="chess"), *others, watched)
    fill(tmp_path, numbered(played))

    def run(*arguments):
        status = main(["review", *arguments, "--state", str(tmp_path)])
        return status, *capsys.readouterr()

    yield run
    close_all()


def test_a_game_by_a_rule_that_is_not_solved_is_refused_with_a_remedy(tmp_path, capsys):
    fill(tmp_path, numbered([GAME._replace(rule="ultimate", moves=(40, 36))]))
    assert main(["review", "--state", str(tmp_path)]) == 2
    assert capsys.readouterr().err == (
        "tictactoe: game 1 cannot be reviewed, for ultimate is not solved: give the number of another game, "
        "as `tictactoe export` lists them\n"
    )
    close_all()


def test_without_a_number_the_newest_game_that_can_be_reviewed_is_taken(tmp_path, capsys):
    nine = GAME._replace(rule="ultimate", moves=(40, 36))
    fill(tmp_path, numbered([GAME, GAME, nine, nine._replace(rule="later")]))
    assert main(["review", "--state", str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith("Game 2: classic")
    close_all()


def test_a_saved_game_in_words(reviewed):
    assert reviewed("2") == (
        0,
        """\
Game 2: classic, you (o) against the box at medium (x). The box won.

     move        then, with best play (plies: moves of either side)
  1  the box 1    draw
  2  you     5    draw
  3  the box 9    draw
  4  you     3 !  the box wins in 3 plies
  5  the box 7    the box wins in 2 plies
  6  you     4    the box wins in 1 ply
  7  the box 8    the box won

      x   2  (3)    Your second move lost: 2, 4, 6 and 8 kept the draw. The
      4   o   6     box answers 7 and threatens 4 and 8.
      .   8   x
""",
        "",
    )


@pytest.mark.parametrize(("rule", "cells", "said"), [
    ("classic", "1 5 2 4", "o's second move lost: 3 kept the draw. x threatened 3, and o did not block it."),
    ("classic", "9 7 2 4", "o's second move lost: 1 kept the draw. x answers 1 and threatens 3 and 5."),
    ("classic", "1 7",
     "o's first move lost: 5 kept the draw. x answers 2 and wins by force in 5 plies (2 3 5 9 8)."),
    ("classic", "9 5 8 2 1", "x's third move gave the win away: 7 won at once."),
    ("classic", "1 2 4 3 5", "x's third move kept the win, but 7 won at once."),
    ("classic", "1 7 8", "x's second move gave the win away: 2, 3 and 9 kept it, 2 in 5 plies (2 3 5 9 8)."),
    (
        "classic",
        "4 7 6 2",
        (
            "o's second move turned a win into a loss: 5 won in 5 plies (5 3 9 1 8). "
            "x threatened 5, and o did not block it."
        ),
    ),
    ("misere", "3 5 1 6 9 4", "o's third move lost: 7 kept the draw. It completed a line, which loses."),
    ("misere", "3 7 8 6 2 5 4",
     "x's fourth move lost: 9 kept the draw. o answers 9, and every move left to x completes a line."),
    ("misere", "6 5 4 9 3 2 1", "x's fourth move gave the win away: 7 forced o to complete a line."),
    ("misere", "3 8 7 6 1 2", "o's third move kept the win, but 9 forced x to complete a line."),
    ("vanishing", "3 7 4 6 2",
     "x's third move lost: 9 kept the draw. o answers 9 and threatens 3, where x's own mark vanishes."),
    ("vanishing", "9 3 7 2 1", "x's third move kept the win, but 8 won at once."),
    ("vanishing", "3 4 8 9 2 6 1",
     "x's fourth move turned a win into a loss: 5 won at once. o wins at once, on 3."),
])  # fmt: skip
def test_what_a_move_did_and_why(reviewed, rule, cells, said):
    status, shown, errors = reviewed("--rule", rule, cells)
    assert (status, errors) == (0, "")
    *_, remark = review(SOLVED[rule](), [int(cell) - 1 for cell in cells.split()])
    assert sentences(remark, {"x": "x", "o": "o"}) == said
    # On the display the words stand beside a board, the last of the boards beside the last of the words.
    *_, last = shown.split("\n\n")
    assert " ".join(" ".join(line[20:] for line in last.splitlines()).split()) == said


def test_titles(reviewed):
    for arguments, first in (
        ([], "Game 6: vanishing, the box (x) against the box at easy (o). Not finished, o to move."),
        (["001"], "Game 1: classic, you (x) against the box at medium (o). You won."),
        (["4"], "Game 4: classic, you (x) against the box at medium (o), with help. You won."),
        (["5"], "Game 5: classic, player 1 (x) against player 2 (o). Player 1 won."),
        (["2"], "Game 2: classic, you (o) against the box at medium (x). The box won."),
        (["5 1 9"], "Classic. Not finished, o to move."),
        (["5", "1", "9"], "Classic. Not finished, o to move."),
        (["123 546 879"], "Classic. Drawn."),
        (["1 5 2 4 3", "--rule", "misere"], "Misere. o won."),
    ):
        status, shown, errors = reviewed(*arguments)
        assert (status, errors, shown.splitlines()[0]) == (0, "", first)
    assert "No move changed the result." in reviewed("5 1 9 3 2 8 4 6 7")[1]


def test_a_review_for_programs(reviewed):
    status, shown, _ = reviewed("2", "--json")
    found = json.loads(shown)
    assert (status, found["rule"], found["outcome"], len(found["moves"])) == (0, "classic", "x", 7)
    assert (found["saved"]["game"], found["saved"]["moves"]) == (2, [1, 5, 9, 3, 7, 4, 8])
    assert found["moves"][3] == {
        "ply": 3, "side": "o", "move": 3, "before": {"value": "draw", "distance": None},
        "after": {"value": "loss", "distance": 4}, "kept": [2, 4, 6, 8], "best": 2, "missed": [],
        "changed": True, "reason": "gave_fork", "reasons": ["gave_fork"], "reply": 7, "threats": [4, 8],
        "best_line": [], "reply_line": [7, 4, 8],
    }  # fmt: skip
    assert [move["reason"] for move in found["moves"]].count(None) == 6
    *_, both = json.loads(reviewed("4 7 6 2", "--json")[1])["moves"]
    assert (both["reason"], both["reasons"]) == ("missed_win", ["missed_win", "missed_block"])
    assert (both["best_line"], both["reply_line"]) == ([5, 3, 9, 1, 8], [5])
    *_, kept = json.loads(reviewed("1 2 4 3 5", "--json")[1])["moves"]
    assert (kept["missed"], kept["changed"], kept["reasons"]) == ([7], False, ["not_at_once"])
    assert json.loads(reviewed("5 1", "--json")[1])["saved"] is None


@pytest.mark.parametrize(("arguments", "sentence"), [
    (["9"], r"there is no game 9, the newest is 6; separate cells by spaces, like tictactoe review .5 1 9.$"),
    (["3"], r"game 3 of 'chess' cannot be replayed by this version"),
    (["15937", "--rule", "misere"], r"--rule goes with the cells played"),
    (["x...o...."], r"'x...o....' is not a game: give a saved game.s number, or the cells"),
    ([""], r"'' is not a game"),
    (["5 5"], r"move 2 of '5 5' is cell 5, which is taken"),
    (["5 0"], r"move 2 of '5 0' is '0': the cells count from 1 to 9"),
    (["1 4 2 5 3 6"], r"move 6 of '1 4 2 5 3 6' comes after the game is over"),
    (["5 1", "--rule", "ultimate"], r"ultimate is not solved"),
    (["5 1", "--rule", "chess"], r"invalid choice: 'chess'"),
])  # fmt: skip
def test_a_mistake_is_one_sentence(reviewed, arguments, sentence):
    status, shown, errors = reviewed(*arguments)
    assert (status, shown, errors.count("\n")) == (2, "", 1)
    assert re.search(sentence, errors), errors


def test_where_nothing_is_kept(tmp_path, capsys):
    assert main(["review", "--state", str(tmp_path)]) == 2
    assert "no game has been finished yet; give the cells played" in capsys.readouterr().err


def test_a_saved_game_that_cannot_be_replayed(tmp_path, capsys):
    fill(tmp_path, [Played(1, None, GAME._replace(moves=(4, 4)))])
    assert main(["review", "--state", str(tmp_path)]) == 2
    assert "game 1 of 'classic' cannot be replayed" in capsys.readouterr().err
    close_all()
