"""`tictactoe stats`, `export` and `reset` with a damaged, tampered, busy or foreign database."""

import csv
import json
import os
import random
import tempfile
from pathlib import Path
from unittest.mock import Mock

import pytest
from store_world import GAME, World, fill, finish, numbered

from appliance.storage.copies import both
from appliance.storage.database import NAME, PAGE
from appliance.storage.faults import LEAVE_ON

AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become somebody else")


def test_what_is_wrong_in_one_copy_is_read_from_the_other(box, tictactoe):
    fill(box, numbered([GAME] * 60))
    whole = tictactoe("export")
    for file in both(box / NAME):
        data = file.read_bytes()
        for harm in (b"", b"rubbish", data[:-1], data[:700] + bytes(5000) + data[5700:]):
            file.write_bytes(harm)
            assert tictactoe("export") == whole
            assert tictactoe("stats")[::2] == (0, "")
            assert file.read_bytes() == harm
        file.write_bytes(data)


def test_what_is_wrong_in_both_copies_is_left_out_and_a_sentence_says_so(box, tictactoe):
    fill(box, numbered([GAME] * 60))
    for file in both(box / NAME):
        data = file.read_bytes()
        leaves = [
            at for at in range(0, len(data), 512) if data[at] == 13 and b"medium" in data[at : at + 512]
        ]
        file.write_bytes(data[: leaves[2]] + b"\xff" * 512 + data[leaves[2] + 512 :])
    before = World(box).files()
    status, shown, errors = tictactoe("export")
    rows = list(csv.DictReader(shown.splitlines()))
    numbers = [int(row["game"]) for row in rows]
    assert (status, numbers) == (1, sorted({*numbers}))
    assert (numbers[0], numbers[-1]) == (1, 68)
    assert 40 < len(numbers) < 68
    assert "is damaged (database disk image is malformed): this is what can be read; leave" in errors
    status, shown, errors = tictactoe("stats", "--json")
    assert (status, json.loads(shown)["games"]) == (1, sum(row["players"] != "0" for row in rows))
    assert "is damaged" in errors
    assert World(box).files() == before


def test_copies_that_cannot_be_read_are_not_deleted(box, tictactoe):
    for file in both(box / NAME):
        file.write_bytes(b"rubbish" * 100)
    status, _, errors = tictactoe("reset", "--yes")
    assert (status, "leave the box on for twenty minutes" in errors) == (2, True)


def test_a_page_that_leads_back_to_an_earlier_one_shows_no_game_twice(box, tictactoe):
    fill(box, numbered([GAME] * 60))
    (root,) = World(box).rows("SELECT rootpage FROM sqlite_master WHERE name = 'game'")[0]
    for file in both(box / NAME):
        data = bytearray(file.read_bytes())
        at = PAGE * (root - 1)
        first, third = (int.from_bytes(data[cell : cell + 2]) for cell in (at + 12, at + 16))  # of the page
        data[at + third : at + third + 4] = data[at + first : at + first + 4]
        file.write_bytes(data)
    numbers = [int(line.partition(",")[0]) for line in tictactoe("export")[1].splitlines()[1:]]
    assert numbers == sorted({*numbers})
    assert (numbers[0], numbers[-1]) == (1, 68)


# fmt: off
INVALID = [
    "rule = '=cmd()'", "rule = 'a' || char(27) || '[2J'", "rule = 'a' || char(0) || 'b'",
    "level = char(10) || 'x'", "level = CAST(x'ff' AS TEXT)", "level = 5", "human = '-1+1'", "result = 'z'",
    "moves = '=1+1'", "moves = x'31'", "players = 3", "seconds = 9e999", "seconds = -1.0",
    "seconds = 'long'", "ended = 1 << 60", "ended = 'noon'", "id = 1 << 60", "id = -5",
]
# fmt: on


@pytest.mark.parametrize("change", INVALID)
def test_a_tampered_game_is_left_out(box, tictactoe, change):
    """No control character, formula or infinity reaches a terminal, a spreadsheet or a program."""
    World(box).harm(f"UPDATE game SET {change} WHERE id = 2", copies=2)  # noqa: S608  # ours
    said = f"is damaged (the sum of a row is wrong): this is what can be read; {LEAVE_ON}"
    note = f"tictactoe: {box / NAME}: {said}\n"
    status, shown, errors = tictactoe("stats", "--json")
    assert (status, errors) == (1, note)
    assert (json.loads(shown)["games"], json.loads(shown)["seconds"]) == (6, 180.0)  # with people
    for kind in ("csv", "jsonl"):
        status, shown, errors = tictactoe("export", "--format", kind)
        lines = shown.splitlines()[kind == "csv" :]
        assert (status, errors, len(lines)) == (1, note, 7)
        assert all(line.isprintable() and not line.startswith(("=", "+", "@", "-")) for line in lines)


@pytest.mark.parametrize("change", ["box_first = -1", "pair_drawn = 'many'", "box_drawn = 1 << 60"])
def test_the_statistics_need_no_valid_score(box, tictactoe, change):
    finish(World(box).open())
    World.opened.pop().close()
    World(box).harm(f"UPDATE progress SET {change}", copies=2)  # noqa: S608  # ours
    status, shown, _ = tictactoe("stats", "--json")
    assert (status, json.loads(shown)["plays_like"]) == (0, {})


def test_no_raw_text_from_the_file_is_in_a_message(box, tictactoe):
    schema = "UPDATE sqlite_master SET sql = 'CREATE TABLE \x1b[2J(' WHERE name = 'game'"
    World(box).harm("PRAGMA writable_schema = ON", schema, copies=2)
    status, shown, errors = tictactoe("stats")
    assert status == 2
    assert "is damaged" in errors
    assert "\x1b" not in shown + errors


@pytest.mark.parametrize("command", [["stats"], ["export"], ["reset", "--yes"]])
def test_another_programs_database_gets_a_sentence(tmp_path, tictactoe, command):
    World(tmp_path / "other").harm("CREATE TABLE love_letters (text)")
    status, _, errors = tictactoe(*command, state=tmp_path / "other")
    assert status == 2
    assert "another program's database" in errors
    assert (tmp_path / "other" / NAME).exists()


def test_a_failed_read_gets_a_sentence(tictactoe, monkeypatch):
    error = OSError(5, "Input/output error")
    monkeypatch.setattr("appliance.storage.database.sqlite3.connect", Mock(side_effect=error))
    status, _, errors = tictactoe("export")
    assert status == 2
    assert "cannot be used now (Input/output error): try again" in errors


@pytest.mark.parametrize("how", ["running", "killed", pytest.param("somebody else's", marks=AS_ROOT)])
def test_the_games_can_be_read_while_the_box_plays_and_after_it_was_killed(loaded, tictactoe, how):
    with tempfile.TemporaryDirectory() as path:
        Path(path).chmod(0o755)
        world = one = World(Path(path) / "box")
        steps = world.drive(random.Random(3), 150)
        if how != "running":
            one = world.copied(Path(path) / "killed")
        if how == "somebody else's":
            for index in one.path.glob("*-shm"):
                index.unlink()
            os.seteuid(65534)
        before = one.files()
        try:
            assert (
                json.loads(tictactoe("stats", "--json", state=one.path)[1])["games"] == steps[-1]["games"] > 3
            )
        finally:
            os.seteuid(os.getuid())
        after = one.files()
        assert {name: after[name] for name in before if not name.endswith("-shm")} == {
            name: data for name, data in before.items() if not name.endswith("-shm")
        }
        assert world.drive_on(5)[-1] == world.look()[0]
