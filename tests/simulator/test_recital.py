"""`tictactoe simulate` without a terminal: one game, told."""

import os
import subprocess
import sys

import pytest

from appliance.cli import main
from appliance.core.match import Match
from appliance.core.settings import Scores, Tally
from appliance.core.state import Session
from appliance.simulator import recital


def test_without_a_terminal_a_game_is_played_and_told():
    done = subprocess.run(
        [sys.executable, "-c", "import sys; from appliance.cli import main; sys.exit(main())", "simulate"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        env={**os.environ, "XDG_CONFIG_HOME": "/nonexistent", "PYTHONIOENCODING": "utf-8"},
    )
    told = done.stdout.decode()
    assert done.returncode == 0
    assert done.stderr == b""
    assert "\x1b" not in told
    assert "You press 5." in told
    assert "The box plays" in told
    assert told.splitlines()[-1] in {"You win.", "The box wins.", "Drawn."}
    frames = told.split("\n\n")
    assert all(sum(line[:1] >= "\u2800" for line in frame.splitlines()) == 16 for frame in frames[1:-1])


def config_file(tmp_path, text):
    path = tmp_path / "box.yaml"
    path.write_text(text)
    return ["simulate", "--config", str(path)]


def test_however_the_display_is_mounted_a_person_sees_it_upright(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    told = []
    for rotate in (0, 180):
        assert main(config_file(tmp_path, f"display: {{rotate: {rotate}}}")) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("game: {level: easy, first: box, players: 2, pause: 0}", {"You win.", "The box wins.", "Drawn."}),
        ("game: {rule: vanishing, level: perfect}", {"The box wins.", "Nobody has won yet."}),
        ("game: {rule: misere}", {"You win.", "The box wins.", "Drawn."}),
        ("display: {height: 32}", {"You win.", "The box wins.", "Drawn."}),
    ],
)
def test_any_box_can_be_told(tmp_path, capsys, monkeypatch, text, ends):
    monkeypatch.setattr(sys, "stdin", None)
    assert main(config_file(tmp_path, text)) == 0
    told = capsys.readouterr().out
    assert told.splitlines()[-1] in ends
    assert main([*config_file(tmp_path, text), "--seed", "0"]) == 0
    assert capsys.readouterr().out == told


def test_a_game_without_an_end_is_ended(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    monkeypatch.setattr(recital, "LONGEST", 1)
    assert main(config_file(tmp_path, "")) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "Nobody has won yet."


@pytest.mark.parametrize(
    ("scores", "told"),
    [
        (Scores(), ""),
        (Scores(box=Tally(2, 1, 3)), "you 2, the box 1, drawn 3"),
        (Scores(box=Tally(0, 1, 0), pair=Tally(0, 0, 1)), "you 0, the box 1, drawn 0; x 0, o 0, drawn 1"),
    ],
)
def test_the_score_is_told(scores, told):
    assert recital.score(Session(Match.new("classic", "x"), scores=scores)) == told
