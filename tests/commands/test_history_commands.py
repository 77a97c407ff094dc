"""`tictactoe stats`, `export` and `reset`: what they say, while the box plays and when nothing is well."""

import csv
import io
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from history import GAME, HISTORY, fill, numbered
from hypothesis import given
from hypothesis import strategies as st
from store_world import World, games_in

from appliance.cli import main
from appliance.commands import stats
from appliance.storage.database import NAME
from appliance.storage.history import Streaks, summarise
from appliance.storage.rows import Played


def test_stats_for_a_person(box, tictactoe):
    status, shown, _ = tictactoe("stats")
    assert status == 0
    assert shown.splitlines() == [
        f"8 games in {box}, 4 min of play",
        "",
        "Against the box             won   lost  drawn  # won  . lost  = drawn",
        "  classic    medium           2      1      1  ##.=",
        "  misere     perfect          1      0      0  #",
        "",
        "Two people                    x      o  drawn  # x  . o  = drawn",
        "  classic                     0      1      1  .=",
        "",
        "The box with itself           x      o  drawn  # x  . o  = drawn",
        "  classic    medium           1      0      0  #",
        "",
        "Against the box: the last one won; at best 2 won in a row and 2 not lost, at worst 1 lost",
    ]


def test_stats_for_a_program(tictactoe):
    status, shown, _ = tictactoe("stats", "--json")
    assert status == 0
    assert json.loads(shown) == {
        "games": 8,
        "seconds": 240.0,
        "box": [
            {"rule": "classic", "level": "medium", "won": 2, "lost": 1, "drawn": 1},
            {"rule": "misere", "level": "perfect", "won": 1, "lost": 0, "drawn": 0},
        ],
        "pair": [{"rule": "classic", "x": 0, "o": 1, "drawn": 1}],
        "watched": [{"rule": "classic", "level": "medium", "x": 1, "o": 0, "drawn": 0}],
        "streaks": {"result": "won", "running": 1, "won": 2, "lost": 1, "unbeaten": 2},
    }


def test_where_nothing_is_kept_the_commands_say_so_and_make_no_file(box, tmp_path, tictactoe, monkeypatch):
    monkeypatch.setattr(stats, "SYSTEM", box)  # not meant when a directory is named
    none = tmp_path / "none"
    assert tictactoe("stats", state=none)[:2] == (0, f"No game has been finished yet in {none}.\n")
    assert json.loads(tictactoe("stats", "--json", state=none)[1])["games"] == 0
    assert tictactoe("reset", "--yes", state=none)[:2] == (0, f"Nothing is kept in {none}.\n")
    assert not none.exists()


def test_without_an_option_the_games_are_the_configured_or_the_services(box, capsys, monkeypatch, tmp_path):
    config = tmp_path / "tictactoe/config.yaml"
    config.parent.mkdir()
    config.write_text(f"state: {box}\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(stats, "SYSTEM", tmp_path / "none")
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "elsewhere"))
    assert main(["stats"]) == 0
    assert capsys.readouterr().out.startswith("8 games")
    config.write_text("")
    assert main(["stats"]) == 0
    assert f"No game has been finished yet in {tmp_path / 'elsewhere'}" in capsys.readouterr().out
    monkeypatch.setattr(stats, "SYSTEM", box)
    assert main(["stats"]) == 0
    assert capsys.readouterr().out.startswith("8 games")
    (tmp_path / "elsewhere").mkdir()
    fill(tmp_path / "elsewhere", numbered([GAME]))
    assert main(["stats"]) == 0
    assert capsys.readouterr().out.startswith("1 game in")


@pytest.mark.parametrize(
    ("kind", "columns", "expected"),
    [("xterm", 80, "██░▒"), ("dumb", 80, "##.="), ("xterm", 40, "1      1\n")],
)
def test_a_terminal_shows_blocks_as_far_as_it_has_room(tictactoe, monkeypatch, kind, columns, expected):
    monkeypatch.setenv("TERM", kind)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert f"2      1      1  {expected}"[-len(expected) :] in tictactoe("stats")[1]


@given(st.lists(st.integers(0, 10**5), min_size=3, max_size=3), st.integers(4, 60), st.integers(0, 10**5))
def test_a_bar_shows_every_result_that_occurred(counts, width, more):
    drawn = stats.bar("#.=", counts, sum(counts) + more, width)
    assert len(drawn) <= width
    assert [mark in drawn for mark in "#.="] == [bool(count) for count in counts]
    assert drawn == "#" * drawn.count("#") + "." * drawn.count(".") + "=" * drawn.count("=")
    if sum(counts) + more <= width:
        assert len(drawn) == sum(counts)


@pytest.mark.parametrize("width", [10, 45, 60, 80, 100])
def test_a_line_of_the_statistics_fits_the_terminal(width):
    games = summarise(numbered([game for game in HISTORY for _ in range(400)]))
    tables = [line for line in stats.text_lines(games, Path("/b"), width, "#.=") if line.startswith("  ")]
    assert len(tables) == 4
    assert all(len(line) <= max(width, 45) for line in tables)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0, "0 s"), (29.4, "29 s"), (60.0, "1 min"), (7000.0, "117 min"), (7260.0, "2 h 1 min")],
)
def test_a_duration_is_shown_in_minutes_or_hours(seconds, text):
    assert stats._duration(seconds) == text


@pytest.mark.parametrize(
    ("results", "streaks"),
    [
        ("", Streaks()),
        ("x", Streaks("won", 1, 1, 0, 1)),
        ("ood", Streaks("drawn", 1, 0, 2, 1)),
        ("xxdxooox", Streaks("won", 1, 2, 3, 4)),
        ("oddd", Streaks("drawn", 3, 0, 1, 3)),
        ("xoo", Streaks("lost", 2, 1, 2, 1)),
    ],
)
def test_the_longest_runs_are_found(results, streaks):
    games = [GAME._replace(result={"d": "draw"}.get(result, result)) for result in results]
    others = [GAME._replace(players=2), GAME._replace(players=0)]
    assert summarise(numbered([*games, *others])).streaks == streaks
    swapped = [
        game._replace(human="o", result={"x": "o", "o": "x"}.get(game.result, "draw")) for game in games
    ]
    assert summarise(numbered(swapped)).streaks == streaks


def test_rules_and_levels_are_in_the_order_of_the_menu():
    kinds = [("vanishing", "easy"), ("chess", "easy"), ("classic", "perfect"), ("classic", "easy")]
    found = summarise(numbered([GAME._replace(rule=rule, level=level) for rule, level in kinds]))
    assert [line[:2] for line in found.box] == [kinds[place] for place in (3, 2, 0, 1)]


def test_export_as_csv(tictactoe):
    status, shown, _ = tictactoe("export")
    rows = list(csv.DictReader(io.StringIO(shown)))
    assert (status, len(rows)) == (0, 8)
    assert rows[0] == {
        "game": "1",
        "ended": "2027-01-15T08:00:01Z",
        "seconds": "30.0",
        "rule": "classic",
        "level": "medium",
        "players": "1",
        "human": "x",
        "result": "x",
        "moves": "5 1 9",
    }
    assert (rows[5]["level"], rows[5]["human"]) == ("", "")


def test_export_as_json_lines(tictactoe):
    status, shown, _ = tictactoe("export", "--format", "jsonl")
    objects = [json.loads(line) for line in shown.splitlines()]
    assert (status, [one["game"] for one in objects]) == (0, list(range(1, 9)))
    assert objects[0]["moves"] == [5, 1, 9]
    assert (objects[5]["level"], objects[5]["human"]) == (None, None)
    assert (objects[7]["level"], objects[7]["human"]) == ("medium", None)


def test_an_export_that_cannot_be_written_gets_a_sentence(tictactoe, monkeypatch):
    def full(games, file):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("appliance.commands.export.write_csv", full)
    status, _, errors = tictactoe("export")
    assert status == 2
    assert "standard output: not everything could be written: No space left" in errors


def test_a_reader_that_goes_away_is_no_error(box):
    command = f'"{sys.executable}" -c "from appliance.cli import main; main()" export --state "{box}" | true'
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_reset_forgets_everything(box, tictactoe):
    for name in (".damaged-20270115T080000Z", ".damaged-20270115T080000Z-wal", ".salvaged"):
        (box / f"{NAME}{name}").write_text("old games")
    (box / "letter").write_text("not ours")
    assert tictactoe("reset", "--yes") == (0, "Everything was forgotten.\n", "")
    assert [file.name for file in box.iterdir()] == ["letter"]
    assert World(box).open().load() is None


@pytest.mark.parametrize(
    ("answer", "agreed"), [("n", False), ("", False), (None, False), ("yes", True), ("Y ", True)]
)
def test_reset_asks_first(box, tictactoe, monkeypatch, answer, agreed):
    def ask(_prompt):
        if answer is None:
            raise EOFError
        return answer

    monkeypatch.setattr("sys.stdin", type("Terminal", (), {"isatty": lambda _self: True})())
    monkeypatch.setattr("builtins.input", ask)
    status, shown, _ = tictactoe("reset")
    assert status == (0 if agreed else 1)
    assert "8 finished games, the score, the game in progress, the settings changed from the menu" in shown
    assert ("Everything was forgotten." if agreed else "Nothing was forgotten.") in shown
    assert len(games_in(box)) == (0 if agreed else 8)


@pytest.mark.parametrize("stdin", [io.StringIO("y\n"), None])
def test_reset_with_nobody_to_ask(box, tictactoe, monkeypatch, stdin):
    monkeypatch.setattr("sys.stdin", stdin)
    status, _, errors = tictactoe("reset")
    assert (status, "--yes" in errors, len(games_in(box))) == (2, True, 8)


def test_reset_is_refused_while_the_box_is_running(tmp_path, tictactoe):
    world = World(tmp_path / "box")
    steps = world.drive(random.Random(3), 50)
    status, _, errors = tictactoe("reset", "--yes", state=world.path)
    assert status == 2
    assert "in use by a box that is running" in errors
    assert world.stop() == steps[-1]


def test_one_game_is_one_game(tmp_path, tictactoe):
    state = tmp_path / "one"
    state.mkdir()
    fill(state, [Played(1, None, GAME._replace(players=2))])
    status, shown, _ = tictactoe("stats", state=state)
    assert (status, shown.splitlines()[-1][:9]) == (0, "  classic")  # no streaks of games against the box
    assert shown.startswith("1 game in")
    assert tictactoe("export", state=state)[1].splitlines()[1].startswith("1,,30.0")  # no time is known
