"""A damaged database is set aside and a new one begun, at the start and while the box plays."""

import logging
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from store_world import EMPTY, GAME, WON, World, after, finish, new_world

from appliance.core.effects import Save
from appliance.core.events import Condition
from appliance.core.resume import restore
from appliance.core.settings import Scores, Settings, Tally
from appliance.core.state import Session
from appliance.storage import database
from appliance.storage.history import played
from appliance.storage.place import NAME


@pytest.fixture
def world():
    with new_world() as found:
        yield found


DAMAGES = {
    "not a database": lambda data: b"\0" * 100 + data[100:],
    "one byte": lambda data: data[:1],
    "a page too few": lambda data: data[:-512],
    "a root page gone": lambda data: data[:512] + b"\xff" * 512 + data[1024:],
    "the schema gone": lambda data: data[:100] + b"\r\0\0\0\0\2\0\0\0" + b"\0" * 403 + data[512:],
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_set_aside_and_play_goes_on_with_a_new_one(world, damage, caplog):
    store = world.open()
    finish(store)
    store.close()
    harm = damage(world.file.read_bytes())
    world.file.write_bytes(harm)
    with caplog.at_level(logging.INFO, "tictactoe"):
        store = world.open()
    assert store.load() is None
    aside = world.path / f"{NAME}.damaged-20270115T080000Z"
    assert aside.read_bytes() == harm
    assert "is damaged" in caplog.text
    assert aside.name in caplog.text
    assert store.due() == world.time
    store.service(world.time)
    assert world.conditions() == [("damaged", True)]
    assert store.due() is None
    store.save(after(4))
    store.sync()
    finish(store)
    store.sync()
    store.service(world.time)  # a game has been kept again: that will do for the display
    assert world.conditions() == [("damaged", True), ("damaged", False)]
    store = world.reopen(store)
    assert store.load().scores == Scores(Tally(1))
    store.close()


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE progress SET moves = '11'",
        "UPDATE progress SET rule = 'chess'",
        "UPDATE progress SET moves = CAST(x'ff' AS TEXT)",
        "DROP TABLE game",
        "DROP TABLE setting",
    ],
)
def test_data_that_makes_no_sense_is_damage(world, harm):
    store = world.open()
    store.save(after(4))
    store.close()
    with closing(sqlite3.connect(world.file)) as connection:
        connection.execute(harm)
        connection.commit()
    store = world.open()
    assert store.load() is None
    store.service(world.time)
    assert world.conditions() == [("damaged", True)]
    store.close()


def test_a_log_without_its_database_is_set_aside_not_taken_for_the_next_ones(world):
    store = world.open()
    store.save(after(4))
    copy = World(world.path.with_name("copy"))
    shutil.copytree(world.path, copy.path)
    store.close()
    copy.file.unlink()
    store = copy.open()
    assert store.load() is None
    assert (copy.path / f"{NAME}.damaged-20270115T080000Z-wal").stat().st_size > 0
    store.save(after(0))
    assert copy.reopen(store).load().match.moves == (0,)


def test_two_damaged_files_of_one_second_do_not_overwrite_each_other(world):
    world.path.mkdir()
    for text in ("one", "two", "three"):
        world.file.write_text(text)
        world.open().close()
    texts = {file.read_text() for file in world.path.glob("*.damaged-*")}
    assert texts == {"one", "two", "three"}


def test_damage_that_shows_while_the_box_plays_is_met_the_same_way(world):
    store = world.open()
    finish(store)
    store.sync()
    with closing(sqlite3.connect(world.file)) as other:
        other.execute("DROP TABLE progress")
        other.commit()
    store.save(after(4))
    store.service(world.time)
    assert world.conditions() == [("damaged", True)]
    store = world.reopen(store)
    assert store.load().match.moves == (4,)
    assert len(list(world.path.glob("*.damaged-20270115T080000Z"))) == 1
    store.close()


def test_damage_among_the_games_is_found_at_the_start(world):
    store = world.open()
    for _ in range(40):
        finish(store)
        store.save(after())
        store.sync()
    assert not store._games  # what is durable is not written again
    store.close()
    data = bytearray(world.file.read_bytes())
    page = next(
        at for at in range(0, len(data), 512) if data[at] == 13 and b"classicmedium" in data[at : at + 512]
    )
    data[page : page + 512] = bytes(512)
    world.file.write_bytes(data)
    store = world.open()
    assert store.load() is None
    store.service(world.time)
    assert world.conditions() == [("damaged", True)]
    store.close()


def test_a_new_file_gets_all_that_is_known(world):
    store = world.open()
    chosen = Settings(level="hard", language="de")
    store.save(Save(EMPTY, Scores(), chosen))
    store.sync()
    store.save(Save(replace(WON, counted=True), Scores(Tally(1)), chosen))
    store.archive(GAME)
    shutil.rmtree(world.path)
    store.sync()
    world.time = store._retry_at
    store.service(world.time)
    store = world.reopen(store)
    assert restore(Session(EMPTY), store.load()).settings == chosen
    assert [one.game for one in played(world.path)] == [GAME]
    store.close()


def test_a_damaged_file_that_cannot_be_set_aside_at_the_start_is_not_written_to(world, monkeypatch):
    store = world.open()
    finish(store)
    store.close()
    with closing(sqlite3.connect(world.file)) as connection:
        connection.execute("UPDATE progress SET moves = '11'")
        connection.commit()

    def refuse(*_):
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", refuse)
        store = world.open()
    assert store.load() is None
    store.save(after(4))
    world.time = store._retry_at
    store.service(world.time)
    assert world.conditions() == [("unsaved", True), ("damaged", True), ("unsaved", False)]
    assert list(played(world.path)) == []
    with closing(sqlite3.connect(world.file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        store.save(after(4, 0))
    world.time = store._retry_at
    store.service(world.time)
    assert len(list(world.path.glob("*.damaged-*"))) == 1  # the new file is not taken for the old one
    assert world.reopen(store).load().match.moves == (4, 0)


def test_damage_that_cannot_be_set_aside_yet_is_when_it_can_be(world, monkeypatch):
    store = world.open()
    store.save(after(4))
    store.sync()
    with closing(sqlite3.connect(world.file)) as other:
        other.execute("DROP TABLE progress")
        other.commit()

    def refuse(*_):
        raise OSError(30, "Read-only file system")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", refuse)
        store.save(after(4, 0))
        store.service(world.time)
        assert world.conditions() == [("unsaved", True)]
        world.time = store.due()
        store.service(world.time)
    delays = []
    while store.due() is not None:
        delays.append(store.due() - world.time)
        world.time = store.due()
        store.service(world.time)
    assert delays == [2.0]
    assert world.conditions() == [("unsaved", True), ("damaged", True), ("unsaved", False)]
    assert len(list(world.path.glob("*.damaged-*"))) == 1
    store = world.reopen(store)
    assert store.load().match.moves == (4, 0)
    store.close()


def test_tries_become_rarer_and_go_on(world, monkeypatch):
    def refuse(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "mkdir", refuse)
    store = world.open()
    store.service(world.time)
    delays = []
    for _ in range(9):
        delays.append(store.due() - world.time)
        world.time = store.due()
        store.service(world.time)
    assert delays == [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0, 60.0]
    assert world.conditions() == [("unsaved", True)]
    monkeypatch.undo()
    world.time = store.due()
    store.service(world.time)  # nothing has been played yet: there is nothing to write
    assert world.conditions() == [("unsaved", True), ("unsaved", False)]
    assert store.due() is None
    store.save(after(4))
    assert world.reopen(store).load().match.moves == (4,)


def test_a_file_system_that_cannot_hold_a_log_is_not_trusted(world, monkeypatch):
    real = sqlite3.connect

    class WithoutLog(sqlite3.Connection):
        def execute(self, sql, *args):
            return super().execute("SELECT 'delete'" if "journal_mode = WAL" in sql else sql, *args)

    monkeypatch.setattr(
        database.sqlite3, "connect", lambda *args, **kw: real(*args, factory=WithoutLog, **kw)
    )
    store = world.open()
    store.service(world.time)
    assert world.conditions() == [("unsaved", True)]
    store.cut()


def test_an_empty_file_is_no_damage(world):
    world.path.mkdir()
    world.file.touch()
    store = world.open()
    store.save(after(4))
    assert world.reopen(store).load().match.moves == (4,)
    assert world.conditions() == []


def test_the_leftover_of_a_making_that_was_cut_is_no_obstacle(world):
    world.path.mkdir()
    (world.path / f"{NAME}.new").write_text("half")
    store = world.open()
    store.save(after(4))
    assert world.reopen(store).load().match.moves == (4,)
    assert not (world.path / f"{NAME}.new").exists()


def test_conditions_carry_the_time_of_what_they_tell(world):
    world.path.mkdir()
    world.file.write_text("rubbish")
    store = world.open()
    world.time = 104.0
    store.service(104.0)
    assert world.events == [Condition(100.0, "damaged", True)]
    store.close()
