"""`tictactoe stats`, `export` and `reset` on a history that is damaged, tampered with, in use or not ours."""

import csv
import io
import json
import os
import random
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from history import GAME, fill, numbered
from store_world import World, new_world

from appliance.commands import stats
from appliance.storage.database import NAME


@pytest.mark.parametrize("damage", ["id", "end", "page"])
def test_a_damaged_history_shows_what_can_be_read_and_says_so(box, tictactoe, damage):
    fill(box, numbered([GAME] * 60))
    data = bytearray((box / NAME).read_bytes())
    leaves = [at for at in range(0, len(data), 512) if data[at] == 13 and b"medium" in data[at : at + 512]]
    if damage == "end":
        del data[-1:]
    else:
        at, length = (68, 4) if damage == "id" else (leaves[2], 512)
        data[at : at + length] = b"\xff" * length
    (box / NAME).write_bytes(data)
    status, shown, errors = tictactoe("export")
    numbers = [int(row["game"]) for row in csv.DictReader(io.StringIO(shown))]
    assert (status, numbers == sorted(numbers)) == (1, True)
    assert (numbers[0], numbers[-1]) == (1, 60)
    assert len(numbers) == 60 if damage == "id" else 40 < len(numbers) <= 60
    assert "is damaged" in errors
    status, shown, errors = tictactoe("stats", "--json")
    assert (status, json.loads(shown)["games"]) == (1, len(numbers))
    assert "is damaged" in errors
    if damage != "page":
        status, _, errors = tictactoe("reset", "--yes")
        assert status == 2
        assert "start the box, which sets it aside" in errors
    assert (box / NAME).read_bytes() == data


def harm(directory, *statements):
    with closing(sqlite3.connect(directory / NAME)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


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
def test_a_game_that_somebody_has_tampered_with_is_left_out(box, tictactoe, change):
    """No control character, formula or infinity of a file reaches a terminal, a spreadsheet or a program."""
    harm(box, f"UPDATE game SET {change} WHERE id = 2")  # noqa: S608  # ours
    note = f"tictactoe: {box / NAME}: 1 game is invalid and left out\n"
    status, shown, errors = tictactoe("stats", "--json")
    assert (status, errors) == (1, note)
    assert (json.loads(shown)["games"], json.loads(shown)["seconds"]) == (7, 210.0)
    for kind in ("csv", "jsonl"):
        status, shown, errors = tictactoe("export", "--format", kind)
        lines = shown.splitlines()[kind == "csv" :]
        assert (status, errors, len(lines)) == (1, note, 7)
        assert all(line.isprintable() and not line.startswith(("=", "+", "@", "-")) for line in lines)


def test_no_raw_text_of_the_file_is_in_a_message(box, tictactoe):
    schema = "UPDATE sqlite_master SET sql = 'CREATE TABLE \x1b[2J(' WHERE name = 'game'"
    harm(box, "PRAGMA writable_schema = ON", schema)
    status, shown, errors = tictactoe("stats")
    assert status == 1
    assert "\x1b" not in shown + errors


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become somebody else")
def test_anybody_who_may_read_the_games_of_a_killed_box_sees_them(tictactoe):
    with new_world() as world:
        games = world.drive(random.Random(3), 150)[-1]["games"]
        killed = world.copied(world.path.with_name("killed")).path
        (killed / f"{NAME}-shm").unlink()
        killed.parent.chmod(0o755)
        os.seteuid(65534)
        try:
            assert json.loads(tictactoe("stats", "--json", state=killed)[1])["games"] == games
        finally:
            os.seteuid(0)


def test_another_programs_database_gets_a_sentence(tmp_path, tictactoe):
    state = tmp_path / "other"
    state.mkdir()
    harm(state, "CREATE TABLE love_letters (text)")
    for command in (["stats"], ["export"], ["reset", "--yes"]):
        status, _, errors = tictactoe(*command, state=state)
        assert status == 2
        assert "another program's database" in errors
    assert (state / NAME).exists()


def test_a_history_that_cannot_be_opened_gets_a_sentence(tictactoe, monkeypatch):
    def refuse(*_, **__):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("appliance.storage.database.sqlite3.connect", refuse)
    status, _, errors = tictactoe("stats")
    assert status == 2
    assert "cannot be used now (Input/output error): try again" in errors


def test_the_newest_games_of_a_full_history(tictactoe, monkeypatch):
    monkeypatch.setattr(stats, "MAX_GAMES", 8)
    assert tictactoe("stats")[1].startswith("The newest 8 games in")


@pytest.mark.parametrize("killed", [False, True])
def test_the_games_can_be_read_while_the_box_plays_and_when_it_was_killed(tmp_path, killed):
    world = World(tmp_path / "box")
    steps = world.drive(random.Random(3), 150)
    directory = world.copied(tmp_path / "killed").path if killed else world.path
    before = {file.name: file.read_bytes() for file in directory.iterdir() if "-shm" not in file.name}
    command = [sys.executable, "-c", "from appliance.cli import main; main()", "stats", "--json"]
    shown = subprocess.run([*command, "--state", str(directory)], capture_output=True, check=True).stdout
    assert json.loads(shown)["games"] == steps[-1]["games"] > 3
    after = {file.name: file.read_bytes() for file in directory.iterdir() if "-shm" not in file.name}
    assert after == before
    assert world.drive_on(5)[-1] == world.stop()
