"""`tictactoe stats`, `export` and `reset`: what they say, while the box plays and when nothing is well."""

import csv
import io
import json
import os
import pty
import random
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store_world import MEMORY, World, close_all, games_in

from appliance.cli import main
from appliance.commands import stats
from appliance.commands.stats import Bar
from appliance.core.match import Finished
from appliance.storage.database import NAME, Database
from appliance.storage.history import History, Streaks
from appliance.storage.rows import Played, State, pack_game
from engine import LEVELS, RULES

GAME = Finished("classic", "medium", 1, "x", (4, 0, 8), "x", 30.0)
STATE = State(("classic", "x", "", 0, 0, 0, 0, 0, 0, 0), None, ())
HISTORY = (
    GAME,
    GAME,
    GAME._replace(result="o"),
    GAME._replace(human="o", result="draw"),
    GAME._replace(level="perfect", rule="misere"),
    GAME._replace(players=2, result="o"),
    GAME._replace(players=2, result="draw", level="hard"),
    GAME._replace(players=0),
)


def numbered(games):
    return [Played(number, 1_800_000_000 + number, game) for number, game in enumerate(games, 1)]


def fill(directory, games):
    database = Database(directory / NAME)
    database.write(STATE, [pack_game(one) for one in games], with_settings=True)
    database.close()


def summarise(directory):
    with History(directory) as history:
        return history.statistics()


@pytest.fixture
def box(tmp_path):
    """A directory in which a box has kept the games of HISTORY."""
    fill(tmp_path, numbered(HISTORY))
    yield tmp_path
    close_all()


def test_stats_for_a_person(box, capsys):
    assert main(["stats", "--state", str(box)]) == 0
    assert capsys.readouterr().out.splitlines() == [
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


def test_stats_for_a_program(box, capsys):
    assert main(["stats", "--json", "--state", str(box)]) == 0
    assert json.loads(capsys.readouterr().out) == {
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


def test_stats_before_the_first_game(tmp_path, capsys):
    assert main(["stats", "--state", str(tmp_path / "none")]) == 0
    assert capsys.readouterr().out == f"No game has been finished yet in {tmp_path / 'none'}.\n"
    assert main(["stats", "--json", "--state", str(tmp_path / "none")]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 0
    assert list(tmp_path.iterdir()) == []


def test_the_games_of_the_configured_directory_are_shown_without_an_option(
    box, capsys, monkeypatch, tmp_path
):
    config = tmp_path / "tictactoe/config.yaml"
    config.parent.mkdir()
    config.write_text(f"state: {box}\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert main(["stats"]) == 0
    assert capsys.readouterr().out.startswith("8 games")
    config.write_text("")
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "elsewhere"))
    monkeypatch.setattr(
        "appliance.storage.directory.kept_directory.__defaults__", (os.environ, Path("/none"))
    )
    assert main(["stats"]) == 0
    assert capsys.readouterr().out.startswith("No game")


def in_a_terminal(arguments, answer=b"", **environ):
    """Run the command in a terminal; return its exit status and what it has shown."""
    controller, terminal = pty.openpty()
    environ = {**os.environ, "TERM": "xterm", "PYTHONUTF8": "1", **environ}
    command = [
        sys.executable,
        "-c",
        "import sys; from appliance.cli import main; sys.exit(main())",
        *arguments,
    ]
    with subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal, env=environ) as child:
        os.close(terminal)
        os.write(controller, answer)
        shown = b""
        while True:
            try:
                new = os.read(controller, 4096)
            except OSError:  # how a terminal tells that nobody is left at its other end
                break
            if not new:
                break
            shown += new
    os.close(controller)
    return child.returncode, shown.decode().replace("\r\n", "\n")


def test_a_terminal_has_colours_unless_they_are_not_wanted(box):
    status, shown = in_a_terminal(["stats", "--state", str(box)])
    assert status == 0
    assert "\x1b[32m██\x1b[0m\x1b[31m░\x1b[0m\x1b[33m▒\x1b[0m" in shown
    assert "\x1b" not in in_a_terminal(["stats", "--state", str(box)], NO_COLOR="1")[1]
    plain = in_a_terminal(["stats", "--state", str(box)], TERM="dumb")[1]
    assert "\x1b" not in plain
    assert "##.=" in plain


@given(st.lists(st.integers(0, 10**5), min_size=3, max_size=3), st.integers(4, 60), st.integers(0, 10**5))
def test_a_bar_has_room_for_all_that_happened(counts, width, more):
    drawn = Bar("#.=", colour=False).text(counts, sum(counts) + more, width)
    assert len(drawn) <= width
    assert [mark in drawn for mark in "#.="] == [bool(count) for count in counts]
    assert drawn == "#" * drawn.count("#") + "." * drawn.count(".") + "=" * drawn.count("=")
    if sum(counts) + more <= width:
        assert len(drawn) == sum(counts)


@pytest.mark.parametrize("width", [10, 45, 60, 80, 100])
def test_a_line_of_the_statistics_fits_the_terminal(width, tmp_path):
    fill(tmp_path, numbered([game for game in HISTORY for _ in range(400)]))
    lines = stats.text_lines(summarise(tmp_path), Path("/b"), width, Bar("#.=", colour=False))
    tables = [line for line in lines if line.startswith("  ")]
    assert len(tables) == 4
    assert all(len(line) <= max(width, 45) for line in tables)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0, "0 s"), (29.4, "29 s"), (60.0, "1 min"), (7000.0, "117 min"), (7260.0, "2 h 1 min")],
)
def test_a_duration_is_told_in_what_people_count(seconds, text):
    assert stats._duration(seconds) == text


GAMES = st.builds(
    Finished,
    st.sampled_from([*RULES, "chess"]),
    st.sampled_from([*LEVELS, "godlike"]),
    st.sampled_from([0, 1, 2]),
    st.sampled_from("xo"),
    st.just((4,)),
    st.sampled_from(["x", "o", "draw"]),
    st.just(1.0),
)


@given(st.lists(GAMES, max_size=30))
def test_the_summary_counts_each_game_once_and_finds_the_longest_runs(games):
    with tempfile.TemporaryDirectory(dir=MEMORY) as directory:
        fill(Path(directory), numbered(games))
        found = summarise(Path(directory))
    lines = (*found.box, *found.pair, *found.watched)
    assert found.games == len(games) == sum(line.first + line.second + line.drawn for line in lines)
    assert len({(line.rule, line.level) for line in found.box}) == len(found.box)
    results = "".join(
        {"draw": "d", game.human: "w"}.get(game.result, "l") for game in games if game.players == 1
    )
    assert found.streaks == Streaks(
        {"w": "won", "l": "lost", "d": "drawn", "": ""}[results[-1:]],
        len(results) - len(results.rstrip(results[-1:])) if results else 0,
        max(map(len, results.replace("d", "l").split("l"))),
        max(map(len, results.replace("d", "w").split("w"))),
        max(map(len, results.split("l"))),
    )


def test_rules_and_levels_stand_in_the_order_of_the_menu(tmp_path):
    kinds = [("vanishing", "easy"), ("classic", "perfect"), ("classic", "easy"), ("chess", "easy")]
    fill(tmp_path, numbered([GAME._replace(rule=rule, level=level) for rule, level in kinds]))
    found = summarise(tmp_path)
    assert [(line.rule, line.level) for line in found.box] == [
        ("classic", "easy"),
        ("classic", "perfect"),
        ("vanishing", "easy"),
        ("chess", "easy"),
    ]


def test_export_as_csv(box, capsys):
    assert main(["export", "--state", str(box)]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 8
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


def test_export_as_json_lines(box, capsys):
    assert main(["export", "--format", "jsonl", "--state", str(box)]) == 0
    objects = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["game"] for one in objects] == list(range(1, 9))
    assert objects[0]["moves"] == [5, 1, 9]
    assert (objects[5]["level"], objects[5]["human"]) == (None, None)
    assert (objects[7]["level"], objects[7]["human"]) == ("medium", None)


def test_a_time_that_is_not_known_is_empty(tmp_path, capsys):
    fill(tmp_path, [Played(1, None, GAME)])
    assert main(["export", "--state", str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("1,,30.0")


def test_export_to_a_new_file_only(box, tmp_path, capsys):
    target = tmp_path / "games.csv"
    assert main(["export", "--state", str(box), "--output", str(target)]) == 0
    assert len(target.read_text().splitlines()) == 9
    target.write_text("precious")
    assert main(["export", "--state", str(box), "--output", str(target)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert target.read_text() == "precious"
    assert main(["export", "--state", str(box), "--output", str(tmp_path / "no/games.csv")]) == 2
    assert "cannot be written: No such file" in capsys.readouterr().err


def test_an_export_that_fails_leaves_no_half(box, tmp_path, capsys, monkeypatch):
    target = tmp_path / "games.csv"

    def full(games, file):
        file.write("half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("appliance.commands.export.write_csv", full)
    assert main(["export", "--state", str(box), "--output", str(target)]) == 2
    assert "No space left on device" in capsys.readouterr().err
    assert not target.exists()
    assert main(["export", "--state", str(box)]) == 2
    assert "standard output: not everything could be written: No space left" in capsys.readouterr().err

    def interrupted(games, file):
        raise KeyboardInterrupt

    monkeypatch.setattr("appliance.commands.export.write_csv", interrupted)
    with pytest.raises(KeyboardInterrupt):
        main(["export", "--state", str(box), "--output", str(target)])
    assert not target.exists()


def test_a_reader_that_goes_away_is_no_error(box):
    command = f'"{sys.executable}" -c "from appliance.cli import main; main()" export --state "{box}" | true'
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def harm(directory, statement):
    with closing(sqlite3.connect(directory / NAME)) as connection:
        connection.execute(statement)
        connection.commit()


@pytest.mark.parametrize("damage", ["header", "page"])
def test_a_damaged_history_shows_what_can_be_read_and_says_so(tmp_path, capsys, damage):
    fill(tmp_path, numbered([GAME] * 60))
    data = bytearray((tmp_path / NAME).read_bytes())
    pages = [
        at for at in range(0, len(data), 512) if data[at] == 13 and b"classicmedium" in data[at : at + 512]
    ]
    at, length = {"header": (16, 4), "page": (pages[2], 512)}[damage]
    data[at : at + length] = b"\xff" * length
    (tmp_path / NAME).write_bytes(data)
    assert main(["export", "--state", str(tmp_path)]) == 1
    printed = capsys.readouterr()
    numbers = [int(row["game"]) for row in csv.DictReader(io.StringIO(printed.out))]
    assert (numbers[0], numbers[-1], numbers == sorted(numbers)) == (1, 60, True)
    assert len(numbers) == 60 if damage == "header" else 40 < len(numbers) < 60
    assert "is damaged" in printed.err
    assert main(["stats", "--json", "--state", str(tmp_path)]) == 1
    printed = capsys.readouterr()
    assert json.loads(printed.out)["games"] == len(numbers)
    assert "is damaged" in printed.err
    if damage == "header":
        assert main(["reset", "--yes", "--state", str(tmp_path)]) == 2
        assert "start the box, which sets it aside" in capsys.readouterr().err
    assert (tmp_path / NAME).read_bytes() == data


@pytest.mark.parametrize(
    "change",
    [
        "rule = '=cmd()'",
        "rule = 'a' || char(27) || '[2J'",
        "rule = 'a' || char(0) || 'b'",
        "level = char(10) || 'x'",
        "level = CAST(x'ff' AS TEXT)",
        "level = 5",
        "human = '-1+1'",
        "result = 'z'",
        "moves = '=1+1'",
        "moves = x'31'",
        "players = 3",
        "seconds = 9e999",
        "seconds = -1.0",
        "seconds = 'long'",
        "ended = 1 << 60",
        "ended = 'noon'",
        "id = 1 << 60",
        "id = -5",
    ],
)
def test_a_game_that_somebody_has_tampered_with_is_left_out(box, capsys, change):
    """No control character, formula or infinity of a file reaches a terminal, a spreadsheet or a program."""
    harm(box, f"UPDATE game SET {change} WHERE id = 2")  # noqa: S608  # ours
    assert main(["stats", "--json", "--state", str(box)]) == 1
    printed = capsys.readouterr()
    assert json.loads(printed.out)["games"] == 7
    assert json.loads(printed.out)["seconds"] == 210.0
    assert printed.err == f"tictactoe: {box / NAME}: 1 game is invalid and left out\n"
    for kind in ("csv", "jsonl"):
        assert main(["export", "--format", kind, "--state", str(box)]) == 1
        printed = capsys.readouterr()
        lines = printed.out.splitlines()[kind == "csv" :]
        assert len(lines) == 7
        assert all(line.isprintable() and not line.startswith(("=", "+", "@", "-")) for line in lines)
        assert "1 game is invalid" in printed.err


def test_a_message_quotes_nothing_raw_from_the_file(box, capsys):
    with closing(sqlite3.connect(box / NAME)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_master SET sql = 'CREATE TABLE \x1b[2J(' WHERE name = 'game'")
        connection.commit()
    assert main(["stats", "--state", str(box)]) == 1
    printed = capsys.readouterr()
    assert "\x1b" not in printed.out + printed.err


def test_the_newest_games_of_a_full_history(box, capsys, monkeypatch):
    monkeypatch.setattr("appliance.storage.history.MAX_GAMES", 8)
    assert main(["stats", "--state", str(box)]) == 0
    assert capsys.readouterr().out.startswith("The newest 8 games in")


def test_reset_forgets_what_was_set_aside_too(box):
    aside = box / f"{NAME}.damaged-20270115T080000Z"
    aside.write_text("old games")
    assert main(["reset", "--yes", "--state", str(box)]) == 0
    assert b"classic" not in (box / NAME).read_bytes()
    assert not aside.exists()


def test_a_history_that_cannot_be_opened_gets_a_sentence(box, capsys, monkeypatch):
    def refuse(*_, **__):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("appliance.storage.database.sqlite3.connect", refuse)
    assert main(["stats", "--state", str(box)]) == 2
    assert "cannot be used now (Input/output error)" in capsys.readouterr().err


def test_the_games_can_be_read_while_the_box_plays_and_when_it_was_killed(tmp_path, capsys):
    world = World(tmp_path / "box")
    steps = world.drive(random.Random(3), 150)
    world.copied(tmp_path / "killed")
    for directory in (world.path, tmp_path / "killed"):
        before = {file.name: file.read_bytes() for file in directory.iterdir() if "-shm" not in file.name}
        command = [sys.executable, "-c", "from appliance.cli import main; main()", "stats", "--json"]
        shown = subprocess.run([*command, "--state", str(directory)], capture_output=True, check=True).stdout
        assert json.loads(shown)["games"] == steps[-1]["games"] > 3
        after = {file.name: file.read_bytes() for file in directory.iterdir() if "-shm" not in file.name}
        assert after == before
    assert world.drive_on(5)[-1] == world.stop()


def test_reset_forgets_everything_when_told_to(box, capsys):
    assert main(["reset", "--yes", "--state", str(box)]) == 0
    assert capsys.readouterr().out == "Everything was forgotten.\n"
    assert games_in(box) == []
    assert World(box).open().load() is None


def test_reset_asks_first(box):
    status, shown = in_a_terminal(["reset", "--state", str(box)], b"n\n")
    assert status == 1
    assert "8 finished games, the score, the game in progress, the settings changed from the menu" in shown
    assert "Nothing was forgotten." in shown
    assert in_a_terminal(["reset", "--state", str(box)], b"\n")[0] == 1
    assert in_a_terminal(["reset", "--state", str(box)], b"\x04")[0] == 1  # end of input
    assert len(games_in(box)) == 8
    assert in_a_terminal(["reset", "--state", str(box)], b"yes\n")[0] == 0
    assert games_in(box) == []


def test_reset_with_nobody_to_ask(box, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    assert main(["reset", "--state", str(box)]) == 2
    assert "--yes" in capsys.readouterr().err
    assert len(games_in(box)) == 8


def test_reset_where_there_is_nothing(tmp_path, capsys):
    assert main(["reset", "--yes", "--state", str(tmp_path / "none")]) == 0
    assert capsys.readouterr().out == f"Nothing is kept in {tmp_path / 'none'}.\n"
    assert list(tmp_path.iterdir()) == []


def test_reset_does_not_pull_the_board_from_under_a_box(tmp_path, capsys):
    world = World(tmp_path / "box")
    steps = world.drive(random.Random(3), 50)
    assert main(["reset", "--yes", "--state", str(world.path)]) == 2
    assert "in use by a box that is running" in capsys.readouterr().err
    assert world.stop() == steps[-1]


def test_without_games_against_the_box_nothing_is_said_of_streaks(tmp_path):
    fill(tmp_path, numbered([GAME._replace(players=2)]))
    found = summarise(tmp_path)
    lines = list(stats.text_lines(found, Path("/b"), 80, Bar("#.=", colour=False)))
    assert lines[-1].startswith("  classic")


def test_no_is_no(box, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", type("Terminal", (), {"isatty": lambda _self: True})())

    def end_of_input(_prompt):
        raise EOFError

    for answer in (lambda _prompt: "no", end_of_input):
        monkeypatch.setattr("builtins.input", answer)
        assert main(["reset", "--state", str(box)]) == 1
        assert capsys.readouterr().out.endswith("Nothing was forgotten.\n")
    assert len(games_in(box)) == 8


def test_one_game_is_one_game(tmp_path, capsys, monkeypatch):
    fill(tmp_path, [Played(1, None, GAME)])
    assert main(["stats", "--state", str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith("1 game in")
    monkeypatch.setattr("sys.stdin", type("Terminal", (), {"isatty": lambda _self: True})())
    monkeypatch.setattr("builtins.input", lambda _prompt: "YES ")
    assert main(["reset", "--state", str(tmp_path)]) == 0
    assert "1 finished game," in capsys.readouterr().out
