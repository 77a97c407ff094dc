"""`tictactoe simulate` without a terminal: one printed game."""

import os
import subprocess
import sys

import pytest

from appliance.cli import main
from appliance.simulator import demo


def test_without_a_terminal_a_game_is_played_and_printed():
    done = subprocess.run(
        [sys.executable, "-c", "import sys; from appliance.cli import main; sys.exit(main())", "simulate"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        env={**os.environ, "XDG_CONFIG_HOME": "/nonexistent", "PYTHONIOENCODING": "utf-8"},
    )
    printed = done.stdout.decode()
    assert done.returncode == 0
    assert done.stderr == b""
    assert "\x1b" not in printed
    assert "You press 5." in printed
    assert "The box plays" in printed
    assert printed.splitlines()[-1] in {"You win.", "The box wins.", "Drawn."}
    frames = printed.split("\n\n")
    assert all(sum(line[:1] >= "\u2800" for line in frame.splitlines()) == 16 for frame in frames[1:-1])


def config_file(tmp_path, text):
    path = tmp_path / "box.yaml"
    path.write_text(text)
    return ["simulate", "--config", str(path)]


def test_however_the_display_is_mounted_a_person_sees_it_upright(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    printed = []
    for rotate in (0, 180):
        assert main(config_file(tmp_path, f"display: {{rotate: {rotate}}}")) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("game: {level: easy, first: box, players: 2, pause: 0}", {"You win.", "The box wins.", "Drawn."}),
        ("game: {rule: vanishing, level: perfect}", {"The box wins.", "Nobody has won yet."}),
        ("game: {rule: misere}", {"You win.", "The box wins.", "Drawn."}),
        ("display: {height: 32}", {"You win.", "The box wins.", "Drawn."}),
    ],
)
def test_any_box_can_play(tmp_path, capsys, monkeypatch, text, ends):
    monkeypatch.setattr(sys, "stdin", None)
    assert main(config_file(tmp_path, text)) == 0
    printed = capsys.readouterr().out
    assert printed.splitlines()[-1] in ends
    assert main([*config_file(tmp_path, text), "--seed", "0"]) == 0
    assert capsys.readouterr().out == printed


def test_a_game_without_an_end_is_ended(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    monkeypatch.setattr(demo, "LONGEST", 1)
    assert main(config_file(tmp_path, "")) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "Nobody has won yet."
