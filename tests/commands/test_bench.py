"""`tictactoe bench`: the tables hold what they say. Nothing here depends on how fast the machine is."""

import json
import subprocess
import sys
from contextlib import contextmanager
from functools import cache
from types import SimpleNamespace

import pytest

from appliance.cli import main
from appliance.commands import _measure, _peers, _sections, bench
from appliance.errors import UserError
from engine import negamax


def test_tables_for_people_and_for_programs(capsys, monkeypatch):
    rows = [
        {"name": "a", "nodes": 12345, "ms": 0.5, "more": None},
        {"name": "bc", "nodes": "none", "ms": 1234.0},
    ]
    monkeypatch.setattr(bench, "SECTIONS", {"one": ("One", lambda: rows)})
    for extra in ("SLOW", "PEERS", "INSTRUCTIONS"):
        monkeypatch.setattr(bench, extra, {extra: (extra, lambda: [{"n": 1}])})
    assert main(["bench"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "One",
        "  name   nodes     ms  more",
        "  a     12,345   0.50     -",
        "  bc      none  1,234     -",
        "",
    ]
    assert main(["bench", "--json", "--slow", "--peers", "--instructions"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told == {"one": rows, "INSTRUCTIONS": [{"n": 1}], "SLOW": [{"n": 1}], "PEERS": [{"n": 1}]}


def test_a_wide_table_fits_a_terminal():
    rows = [{"name": "a" * 40, "million instructions": 7, "engine is faster by": 2.5, "so far": 123456}]
    assert bench.layout(rows).splitlines() == [
        " " * 58 + "engine",
        " " * 62 + "is",
        " " * 49 + "million  faster       so",
        "  name" + " " * 38 + "instructions      by      far",
        "  " + "a" * 40 + "             7    2.50  123,456",
    ]


def test_the_levels(capsys, monkeypatch):
    monkeypatch.setattr(bench, "level_table", cache(bench.level_table))  # told twice, and reckoned once
    assert main(["bench", "--levels"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("| level | against random, first |")
    assert [line.split(" ")[1] for line in lines[2:]] == ["easy", "medium", "hard", "perfect"]
    assert lines[-1].endswith("92.7 / 7.3 / 0.0 | 26.0 / 74.0 / 0.0 |")
    assert main(["bench", "--levels", "--json"]) == 0
    table = json.loads(capsys.readouterr().out)
    assert table["perfect"]["casual, first"][2] == 0


@pytest.fixture
def quick(monkeypatch):
    """Time nothing: every call is made once."""

    def once(*calls, **_):
        for call in calls:
            call()
        return [1.0] * len(calls)

    monkeypatch.setattr(_sections, "milliseconds", once)


def test_the_texts_position(quick, monkeypatch):
    monkeypatch.setattr(_sections, "minimax", negamax)  # 348,149 nodes, counted by who asks for it
    rows = {row["search"]: row for row in _sections.position()}
    assert {row["cell"] for row in rows.values()} == {8}
    assert [rows[name]["nodes"] for name in ("negamax", "engine")] == [562, 2]
    assert (rows["minimax"]["text's ms"], rows["engine"]["text's ms"]) == (892.0, None)


def test_the_rounds(quick, monkeypatch):
    # The whole tree is counted once elsewhere: here without.
    monkeypatch.setattr(_sections, "backtrack", lambda board, **_: SimpleNamespace(nodes=board.ply))
    rows = _sections.rounds()
    assert [(row["plays"], row["move"]) for row in rows] == [
        *(("first", move) for move in range(1, 6)),
        *(("second", move) for move in range(1, 5)),
    ]
    assert [row["plain nodes"] for row in rows] == [0, 2, 4, 6, 8, 1, 3, 5, 7]
    assert rows[0]["text's plain ms"] == 646.50


def test_the_empty_board(quick, monkeypatch):
    monkeypatch.setattr(_sections, "minimax", lambda *_: SimpleNamespace(nodes=549946))
    nodes = {row["search"]: row["nodes"] for row in _sections.empty()}
    assert nodes.pop("engine") < 100
    assert nodes == {"minimax": 549946, "alpha-beta": 18297, "negamax": 18297, "backtracking": 18297}


def test_the_other_sections(monkeypatch):
    monkeypatch.setattr(_sections, "BOARDS", [(3, 3, 3), (4, 4, 3)])
    monkeypatch.setattr(_sections, "SQUARES", [(3, 3)])
    monkeypatch.setattr(_sections, "FOUR", (3, 3, 3))
    monkeypatch.setattr(_sections, "LIMITS", [0.001])
    monkeypatch.setattr(_sections, "peak_megabytes", lambda program: float(len(program)))
    monkeypatch.setattr(_sections, "beyond", lambda *_: 4.0)
    assert [(row["board"], row["value"]) for row in _sections.solved()] == [("3x3", "draw"), ("4x4", "win")]
    assert {row["with"]: row["3x3, k=3"] for row in _sections.switches()}["all of them"] < 100
    assert [row["sequences"] for row in _sections.perft()] == [9, 72, 504, 3024, 15120, 54720, 148176, 200448]
    total = _sections.positions()[-1]
    assert (total["positions"], total["up to symmetry"]) == (5478, 765)
    assert next(row["MB"] for row in _sections.memory()) == 4
    assert _sections.instructions()[0] == {"work": "empty 3x3", "million instructions": 4.0}
    assert len(_sections.limits()) == 1


def test_a_search_that_does_not_end_is_broken_off(monkeypatch):
    monkeypatch.setattr(_sections, "SQUARES", [(3, 3)])
    monkeypatch.setattr(_sections, "ENOUGH", 50)
    assert {row["3x3, k=3"] for row in _sections.switches()} == {"50 and no end"}


def test_measuring():
    assert all(time >= 0 for time in _measure.milliseconds(lambda: None, lambda: None, seconds=0))
    out, err = _measure.output_of("import sys, engine; print(1); print(2, file=sys.stderr)")
    assert (out, err) == ("1\n", "2\n")
    assert 1 < _measure.peak_megabytes("pass") < 200
    with pytest.raises(subprocess.CalledProcessError):
        _measure.output_of("1 / 0")


def test_counting_instructions(monkeypatch):
    monkeypatch.setattr(_measure.shutil, "which", lambda _: None)
    assert _measure.million_instructions("pass") is None
    assert _peers.beyond("", "", sys.executable) is None
    monkeypatch.setattr(_measure.shutil, "which", lambda _: "valgrind")
    monkeypatch.setattr(_measure, "output_of", lambda *_: ("", "==1== I   refs:      1,234,567\n"))
    assert _measure.million_instructions("pass") == 1.234567
    assert _peers.beyond("", "", sys.executable) == 0
    monkeypatch.setattr(_measure, "output_of", lambda *_: ("", "nothing"))
    assert _measure.million_instructions("pass") is None


def test_progress_is_for_a_terminal(capsys, monkeypatch):
    _measure.progress("working")
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    _measure.progress("working")
    assert capsys.readouterr().err == "\r\x1b[Kworking"
    monkeypatch.setenv("COLUMNS", "5")
    _measure.progress("working")
    assert capsys.readouterr().err == "\r\x1b[Kwork"


def test_peers_take_turns(monkeypatch):
    @contextmanager
    def installed():
        yield "python-of-easyai"

    asked = []

    def output_of(program, python):
        asked.append(python)
        return ("1000 80.0\n" if "easyAI" in program else "100 0.5\n"), ""

    monkeypatch.setattr(_peers, "easyai", installed)
    monkeypatch.setattr(_peers, "output_of", output_of)
    monkeypatch.setattr(_peers, "peak_megabytes", lambda *_: 10.0)
    monkeypatch.setattr(_peers, "million_instructions", lambda program, _: float(len(program)))
    rows = _peers.compare()
    assert asked[:4] == ["python-of-easyai", sys.executable] * 2
    assert [row["work"] for row in rows[::2]] == ["empty 3x3", "empty 3x3", "empty 4x4"]
    theirs, ours = ({(row["nodes"], row["engine is faster by"]) for row in rows[at::2]} for at in (0, 1))
    assert (theirs, ours) == ({(1000, 160.0)}, {(100, 1.0)})
    assert [row["million instructions"] is None for row in rows] == [False] * 4 + [True] * 2


def test_easyai_is_installed_and_thrown_away(monkeypatch):
    commands = []
    monkeypatch.setattr(_peers.subprocess, "run", lambda command, **_: commands.append(command))
    with _peers.easyai() as python:
        assert python.endswith("/bin/python")
    assert commands[0][1:3] == ["-m", "venv"]
    assert commands[1] == [python, "-m", "pip", "install", "-q", "easyAI"]


def test_easyai_cannot_be_installed(monkeypatch):
    def fail(command, **_):
        raise subprocess.CalledProcessError(1, command, stderr="a lot\nno such index\n")

    monkeypatch.setattr(_peers.subprocess, "run", fail)
    with pytest.raises(UserError, match=r"could not be installed \(no such index\)"), _peers.easyai():
        pass
