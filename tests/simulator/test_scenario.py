"""Scenario files: what they may contain, what they report, and that every run is the same."""

import json
from pathlib import Path

import pytest
from PIL import Image

from appliance.cli import main

STORIES = sorted((Path(__file__).parents[1] / "scenarios").glob("*.yaml"))
assert STORIES


def run(tmp_path, capsys, text, *flags):
    file = tmp_path / "story.yaml"
    file.write_text(text)
    status = main(["simulate", "--scenario", str(file), *flags])
    out, err = capsys.readouterr()
    return status, out, err


@pytest.mark.parametrize("file", STORIES, ids=lambda file: file.stem)
def test_a_story_holds(file, capsys):
    assert main(["simulate", "--scenario", str(file), "--json"]) == 0, capsys.readouterr()


def test_the_report_has_the_promised_form(tmp_path, capsys):
    story = """
config: {game: {level: perfect, first: you}}
seed: 3
steps:
- tap: 1
- wait_for: your_turn
- expect: {board: "x...o....", phase: your_turn, lit: true, score: {you: 0, box: 0, drawn: 0}}
- hold: {key: 5, for: 1.2}
- expect: {phase: menu}
"""
    status, out, _ = run(tmp_path, capsys, story, "--json")
    assert status == 0
    report = json.loads(out)
    assert report["ok"] is True
    assert report["steps"][0]["step"] == {"tap": 1}
    assert all(set(entry) == {"step", "ok", "at"} for entry in report["steps"])
    final = report["final"]
    counts = {"score", "strength", "frames", "bus_bytes", "virtual_seconds"}
    assert set(final) == {"board", "phase", "lit", *counts}
    assert (final["board"], final["phase"]) == ("x...o....", "menu")


def test_a_step_that_does_not_hold_gives_1_and_says_why(tmp_path, capsys):
    status, out, _ = run(
        tmp_path, capsys, "[{tap: 1}, {expect: {board: '.........', lit: false}}, {wait: 1}]"
    )
    assert status == 1
    assert "board is x........, not ........." in out
    assert "lit is true, not false" in out
    status, out, _ = run(tmp_path, capsys, "[{expect: {says: Hello}}, {expect: {says: Box wins}}]")
    assert status == 1
    assert "says is Hello! / Hold centre: menu / Adaptive / 0 : 0 : 0, not Box wins" in out
    status, out, _ = run(tmp_path, capsys, "[{wait_for: menu}]", "--json")
    report, (step,) = json.loads(out), json.loads(out)["steps"]
    assert (status, report["ok"], step["ok"], step["at"]) == (1, False, False, 60.0)


def test_chattering_contacts_make_one_mark_the_same_every_time(tmp_path, capsys):
    for seed in range(2):
        story = f"seed: {seed}\nconfig: {{game: {{players: 2}}}}\nsteps:\n" + "".join(
            f"- bounce: {{key: {key}, for: 0.02}}\n" for key in (1, 2, 4, 9)
        )
        reports = [run(tmp_path, capsys, story, "--json") for _ in range(2)]
        assert reports[0] == reports[1]
        assert json.loads(reports[0][1])["final"]["board"] == "xo.x....o"


def test_a_screenshot_is_a_picture_of_the_display(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(tmp_path, capsys, "[{tap: 5}, {screenshot: centre.png}]")[0] == 0
    with Image.open("centre.png") as image:
        assert image.size == (512, 256)
        assert len(image.getcolors()) == 2
    Path("taken.png").mkdir()
    status, _, err = run(tmp_path, capsys, "[{screenshot: taken.png}]")
    assert (status, err.count("\n")) == (2, 1)
    assert "run this in another folder" in err


@pytest.mark.parametrize(("text", "message"), [
    ("tap: 1", "expected one of config, seed, ask, steps"),
    ("- tap: 0", "[1].tap: expected a key from 1 to 9, found 0"),
    ("- tap: 5\n- hop: 5", "[2].hop: unknown key"),
    ("- tap: 5\n  wait: 1", "expected exactly one entry, found 2"),
    ("- wait_for: supper", "wait_for: expected one of"),
    ("- wait: -1", "expected seconds from 0 to 86400"),
    ("- bounce: {key: 1, for: 2}", "expected seconds from 0 to 1, found 2"),
    ("- config: {rest: {drift: 1e-300}}", "expected a number of seconds from 1 to 86400, or 0 for never"),
    ("- wait: 50000\n- wait: 50000", "expected steps of at most 86400 seconds in all, found 100000"),
    ("steps: [{wait: 86400}, {wait_for: menu}]", "in all, found 86460"),
    ("- hold: {key: 5, for: 601}", "expected seconds from 0 to 600"),
    ("- hold: {key: 5}", 'the key "for" is missing'),
    ("- chord: [4, 4]", "expected two different keys"),
    ("- chord: [4]", "expected a list of 2"),
    ("- expect: {bord: x}", "unknown key"),
    ("- expect: {board: xxxx}", "expected nine characters"),
    ("- screenshot: ../up.png", "expected the name of a .png file"),
    ("- config: {game: {level: hrad}}", "game.level: expected one of"),
    ("- seed: 1\n- seed: 2", "seed is given twice"),
    ("seed: foo\nsteps: [{tap: 1}]", 'seed: expected a whole number from 0 to 4294967295, found "foo"'),
    ("- power: maybe", "expected one of cut, on"),
    ("steps: 5", "steps: expected a list"),
    ("[", "story.yaml:1"),
])  # fmt: skip
def test_an_invalid_file_gives_2_and_one_line(tmp_path, capsys, text, message):
    status, out, err = run(tmp_path, capsys, text)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert message in err
    assert "story.yaml:" in err
