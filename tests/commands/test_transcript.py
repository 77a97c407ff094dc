"""`tictactoe transcript`: its options, a box's own games, and every mistake in one sentence."""

import re

import pytest
from store_world import GAME, fill, numbered

from appliance.cli import main
from appliance.teaching.commentary.season import SEATS

PLAYED = (
    GAME._replace(moves=(4, 0, 8, 1, 2, 6, 5), result="x"),
    GAME._replace(moves=(4, 0, 2, 6, 3, 5, 1, 7, 8), result="draw", human="o"),
    GAME._replace(moves=(0, 4, 8, 2, 6, 3, 7), result="x", players=2),
    GAME._replace(moves=(0, 1, 3, 4, 6), result="x", players=0, level="hard"),
    GAME._replace(moves=(4, 0, 8, 1, 2, 5, 6), result="o", rule="misere"),
)


@pytest.fixture
def played(tmp_path):
    fill(tmp_path / "box", numbered(PLAYED))
    return tmp_path / "box"


def transcript(capsys, *arguments):
    status = main(["transcript", *map(str, arguments)])
    return status, *capsys.readouterr()


def test_by_default_a_matchday_with_a_seed_that_is_shown(capsys):
    status, shown, errors = transcript(capsys)
    assert (status, errors) == (0, "")
    assert len(re.findall(r"^ +[1-9 ]+: (?:[xo] wins|a draw)$", shown, re.MULTILINE)) == 4
    (seed,) = re.findall(r"BROADCAST (\d+)", shown)
    assert transcript(capsys, "--seed", seed)[1] == shown


def test_markdown(capsys):
    shown = transcript(capsys, "--seed", 3, "--games", 1, "--format", "markdown")[1]
    assert shown.startswith("# The League of Nine Squares, broadcast 3\n\n**Max:** ")
    assert "\n| --- | ---: | ---: |" in shown
    assert shown.count("```") % 2 == 0


def test_so_many_words(capsys):
    shown = transcript(capsys, "--seed", 3, "--words", 1500)[1]
    assert 1500 <= len(shown.split()) < 2600


def test_the_games_of_a_box(played, capsys):
    status, shown, errors = transcript(
        capsys, "--from", "history", "--state", played, "--games", 5, "--seed", 1
    )
    assert (status, errors) == (0, "")
    for title in (
        "The visitor (x) - The Box (o), classic, the Box plays at medium",
        "The Box (x) - The visitor (o), classic, the Box plays at medium",
        "The home side (x) - The visitor (o), classic\n",
        "The Box (x) - The Mirror (o), classic, the Box plays at hard",
        "SEASON 1, MATCHDAY 2\n",
    ):
        assert title in shown
    assert "5 1 9 2 3 7 6: x wins" in shown
    assert all(player.full in shown for player in SEATS.values())
    newest = transcript(capsys, "--from", "history", "--state", played, "--games", 1, "--seed", 1)[1]
    assert newest.count(" wins\n") == 1


def test_a_game_that_cannot_be_replayed_is_left_out(tmp_path, capsys):
    bad = [{"moves": (4, 4)}, {"result": "draw"}, {"rule": "chess"}]
    fill(tmp_path, numbered([PLAYED[0], *(PLAYED[0]._replace(**change) for change in bad)]))
    status, shown, errors = transcript(capsys, "--from", "history", "--state", tmp_path, "--words", 5000)
    assert (status, shown.count(": x wins")) == (1, 1)
    assert errors == "tictactoe: 3 of the games cannot be replayed and are left out\n"


@pytest.mark.parametrize(("arguments", "sentence"), [
    (("--games", "0"), "--games 0 is out of range: 1 to 100,000"),
    (("--words", "-5"), "--words -5 is out of range"),
    (("--games", "9" * 30), "is out of range"),
    (("--words", "many"), "invalid int value: 'many'"),
    (("--games", "1", "--words", "1"), "not allowed with argument"),
    (("--seed", "x"), "invalid int value"),
    (("--state", "/nowhere"), "--state goes with --from history"),
    (("--from", "memory"), "invalid choice"),
    (("--from", "history", "--state", "/nowhere"), "/nowhere: there is no such directory"),
])  # fmt: skip
def test_a_mistake_is_one_sentence(arguments, sentence, capsys):
    status, shown, errors = transcript(capsys, *arguments)
    assert (status, shown, errors.count("\n")) == (2, "", 1)
    assert sentence in errors
