"""The benchmark's page and plots, made of figures that were made up; `make bench` itself takes minutes."""

import re
import runpy
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from types import SimpleNamespace

import pytest

BENCH = Path(__file__).resolve().parent / "bench"


@pytest.fixture
def bench(monkeypatch):
    """Import a module of the benchmark, which is no package."""
    monkeypatch.syspath_prepend(str(BENCH))
    before = set(sys.modules)
    yield __import__
    for name in set(sys.modules) - before:
        if getattr(sys.modules[name], "__file__", None) and str(BENCH) in sys.modules[name].__file__:
            del sys.modules[name]


def idling(share):
    return {"CPU seconds a minute": 0.6 * share, "CPU %": share, "wake-ups a second": 70.0}


def figures(solve, *, whole=True):
    engine = [
        {"position": position, "engine": name, "ms": 2.0 * (1 + index), "nodes": 100, "MB": 13.0}
        | {"million instructions": 5.0}
        for position in solve.POSITIONS
        for index, name in enumerate(solve.ENGINES)
    ]
    engine[-1] |= {"ms": None, "nodes": None, "MB": None, "million instructions": None, "remark": "no end"}
    made = {
        "machine": {
            "processor": "A & B",
            "cores": 2,
            "system": "Linux",
            "python": "3.11",
            "load before": 0.0,
        },
        "date": "2026-01-01",
        "seconds": 12.3,
        "engine": engine,
        "tables": {
            "Boards": [{"board": "3x3", "plies": None, "ms": 0.5}],
            "Lines": [{"rule": "vanishing", "won or lost positions": 9, "best to the end": 9}],
        },
        "peers": {"easyAI": "2"} if whole else {},
        "bus": {
            "pictures": 2,
            "ours": [50, 40],
            "stock": [1034, 1034],
            "transactions": {"ours": 4, "stock": 4},
            "marks": [50, 40],
        },
    }
    if whole:
        names = (
            "python3 -c pass",
            "splash",
            "gpiozero (lgpio), luma.oled, PIL and yaml",
            "board",
            "board, with a configuration file",
        )
        costs = (10.0, 12.0, 100.0, 120.0, 130.0)
        made["start"] = [
            {"until": name, "CPU ms": cost, "ms": cost, "million instructions": None}
            for name, cost in zip(names, costs, strict=True)
        ]
        made["idle"] = {
            "awake": idling(0.4),
            "dimmed": idling(0.4),
            "asleep": idling(0.3),
            "memory": {"MB now": 30.0, "MB peak": 31.0},
            "asleep, on lgpio": idling(0.3),
            "lgpio alone": idling(0.1),
        }
        made["press"] = {
            "whole": [20.0, 21.0, 25.0, 6.5],
            "accepted": [19.0, 20.0, 24.0, 5.5],
            "program": [0.9, 1.0, 1.1, 1.0],
            "parked": [False, False, False, True],
        }
    return made


def test_the_goals_say_what_is_held_and_what_is_missed(bench):
    goals = {goal["goal"]: goal for goal in bench("page").goals(figures(bench("solve")))}
    held = {name: goal["held"] for name, goal in goals.items()}
    assert held["start to the board, times importing the libraries alone"] is True
    assert held["the same with a configuration file"] is False
    assert held["idle CPU awake, % of this core"] is True
    assert held["idle CPU asleep, % of this core"] is False
    assert held["a game on the bus, percent of stock luma.oled's bytes"] is True
    assert held["engine, empty 3x3: times faster than textbook alpha-beta"] is False
    table = bench("page").goal_table(list(goals.values()))
    assert "| idle CPU asleep, % of this core | at most 0.2 | 0.30 | **missed** |" in table


def test_what_was_not_measured_is_neither(bench):
    made = figures(bench("solve"), whole=False)
    made["engine"] = [row for row in made["engine"] if row["engine"] != "easyAI with table"]
    goals = {goal["goal"]: goal["held"] for goal in bench("page").goals(made)}
    assert goals["engine, empty 4x4: times faster than easyAI with its table"] is None
    assert not any(name.startswith("idle") for name in goals)
    page = bench("page").write(made | {"goals": bench("page").goals(made)})
    assert "not measured" in page
    assert "need gcc" in page


def test_the_page_has_every_plot_and_no_table_is_broken(bench):
    made = figures(bench("solve"))
    made["goals"] = bench("page").goals(made)
    page, plots = bench("page").write(made), bench("plots").draw(made)
    assert set(re.findall(r"\(tests/bench/results/(\w+\.svg)\)", page)) == set(plots)
    for table in re.findall(r"(?:^\|.*\n?)+", page, re.MULTILINE):
        assert len({line.count("|") for line in table.splitlines()}) == 1
    assert "| OpenSpiel | no end |" in page
    assert "### Boards" in page
    assert "| 3x3 | - | 0.50 |" in page
    assert "| sampling, the first press after a pause | 0.50 | 0.50 |" in page
    assert "| sampling, soon after another | 15.0 | 19.0 |" in page


def test_the_plots_are_svg_for_light_and_dark_and_nothing_leaves_them(bench):
    for svg in bench("plots").draw(figures(bench("solve"))).values():
        root = ET.fromstring(svg)  # noqa: S314 - our own
        _, _, width, height = map(float, root.get("viewBox").split())
        assert "prefers-color-scheme: dark" in svg
        for text in root.iter("{http://www.w3.org/2000/svg}text"):
            if text.get("text-anchor") == "end":  # a letter is hardly wider than 6.5
                assert 6.7 * len(text.text) <= float(text.get("x")), text.text
        for box in root.iter("{http://www.w3.org/2000/svg}rect"):
            assert float(box.get("width")) > 0
            assert 0 <= float(box.get("y")) <= height - float(box.get("height"))
            assert float(box.get("x")) + float(box.get("width")) <= width


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "-"),
        (0, "0"),
        (0.05123, "0.051"),
        (0.4, "0.40"),
        (1.234, "1.23"),
        (52, "52.0"),
        (15869.2, "15,869"),
    ],
)
def test_figures_have_as_many_digits_as_tell_anything(bench, value, text):
    assert bench("plots").number(value) == text


@pytest.fixture
def tables(bench, monkeypatch):
    """The tables of the engine, with little to measure."""
    monkeypatch.setattr(bench("measure"), "progress", lambda _: None)
    return bench("tables")


def test_the_game_of_the_python_text(tables, monkeypatch):
    # The whole tree is counted in the engine's own tests: not here.
    monkeypatch.setattr(tables, "backtrack", lambda board, **_: SimpleNamespace(nodes=board.ply))
    rows = tables.rounds()
    seats = [*(("first", move) for move in range(1, 6)), *(("second", move) for move in range(1, 5))]
    assert [(row["plays"], row["move"]) for row in rows] == seats
    assert [row["plain positions"] for row in rows] == [0, 2, 4, 6, 8, 1, 3, 5, 7]
    assert rows[0]["published plain ms"] == 646.50


def test_boards_switches_and_limits(tables, monkeypatch):
    monkeypatch.setattr(tables, "BOARDS", [(3, 3, 3), (4, 4, 3)])
    monkeypatch.setattr(tables, "SQUARES", [(3, 3)])
    monkeypatch.setattr(tables, "LIMITS", [0.001])
    assert [(row["value"], row["plies"]) for row in tables.solved()] == [("draw", None), ("win", 5)]
    visited = {row["switched off"]: row["3x3, k=3"] for row in tables.switches()}
    assert list(visited) == ["nothing", "table", "symmetry", "ordering", "proofs"]
    assert all(count > visited["nothing"] for name, count in visited.items() if name != "nothing")
    monkeypatch.setattr(tables, "MAX_NODES", 50)
    assert {row["3x3, k=3"] for row in tables.switches()} == {"over a million"}
    assert len(tables.limits()) == 1


@pytest.mark.untraced
def test_variations_are_compared_with_the_solution(tables):
    [row] = tables.variations(step=100)
    assert row["won or lost positions"] == row["best to the end"] > 20


@pytest.mark.parametrize("name", ["engine", "textbook alpha-beta"])
def test_a_search_is_measured_in_a_process_of_its_own(name, capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["solve.py", name, "3x3 after a corner"])
    runpy.run_path(str(BENCH / "solve.py"), run_name="__main__")
    assert re.match(r'{"ms": [\d.]+, "nodes": [1-9]\d*, "MB": [\d.]+}', capsys.readouterr().out)
