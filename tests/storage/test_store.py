"""The store: what it writes, when it waits for the card, and what it finds again."""

import os
import shutil
import sqlite3
import threading
from dataclasses import replace

import pytest
from store_world import EMPTY, GAME, WON, World, after, finish, new_world

from appliance import store as store_module
from appliance.core.effects import Save
from appliance.core.match import Match
from appliance.core.resume import restore
from appliance.core.settings import Scores, Settings, Tally
from appliance.core.state import Session
from appliance.storage import database, place
from appliance.storage.history import played
from appliance.storage.place import NAME


@pytest.fixture
def world():
    with new_world() as found:
        yield found


def test_a_new_box_has_kept_nothing(world):
    store = world.open()
    assert store.load() is None
    assert store.due() is None
    store.close()


def test_one_thread_may_open_it_and_another_use_it_and_close_it(world):
    store, used = world.open(), []
    opened = store._vault.database

    def box():
        store.save(after(4))
        store.sync()
        used.append(store._vault.database)
        store.close()

    thread = threading.Thread(target=box)
    thread.start()
    thread.join()
    assert used == [opened]
    assert world.rows("SELECT moves FROM progress") == [("5",)]
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        opened._connection.execute("SELECT 1")


def test_each_move_is_in_the_file_before_it_is_shown(world):
    store = world.open()
    store.save(after(4))
    assert world.rows("SELECT moves FROM progress") == [("5",)]
    store.save(after(4, 0))
    assert world.rows("SELECT moves FROM progress") == [("51",)]
    store.close()


def test_what_was_kept_is_found_again_with_all_that_belongs_to_it(world):
    store = world.open()
    match = replace(Match.replay("misere", "o", (4, 0)), started=90.0)
    scores = Scores(Tally(1, 2, 3), Tally(4, 5, 6))
    store.save(Save(match, scores, Settings(level="hard", sound=False)))
    world.time = 500.0
    store = world.reopen(store)
    kept = store.load()
    assert kept.match == replace(match, started=490.0)  # ten seconds of play, however long without power
    session = restore(Session(EMPTY), kept)
    assert (session.scores, session.settings) == (scores, Settings(level="hard", sound=False))
    store.close()


def test_a_game_is_counted_and_kept_in_one_step(world):
    store = world.open()
    store.save(Save(WON, Scores(), Settings()))
    store.save(Save(replace(WON, counted=True), Scores(Tally(1)), Settings()))
    assert world.rows("SELECT counted, box_first FROM progress") == [(0, 0)]
    store.archive(GAME)
    assert world.rows("SELECT counted, box_first FROM progress") == [(1, 1)]
    assert [one.game for one in played(world.path)] == [GAME]
    store.close()


def test_a_counting_save_that_no_game_follows_is_kept_all_the_same(world):
    store = world.open()
    counted = Save(replace(WON, counted=True), Scores(Tally(1)), Settings())
    store.save(counted)
    store.sync()
    assert world.rows("SELECT counted FROM progress") == [(1,)]
    store.save(after())
    store.save(counted)
    store.save(after(8))
    assert world.rows("SELECT moves FROM progress") == [("9",)]
    store.close()


def test_a_game_that_ended_uncounted_before_the_cut_is_counted_once_after_it(world):
    store = world.open()
    store.save(Save(WON, Scores(), Settings()))
    store.cut()
    store = world.open()
    assert not store.load().match.counted
    finish(store)
    store = world.reopen(store)
    assert store.load().match.counted
    store.save(Save(store.load().match, Scores(Tally(1)), Settings(level="easy")))  # the menu, after the game
    assert world.rows("SELECT value FROM setting WHERE name = 'level'") == [("easy",)]
    store.close()
    assert len(list(played(world.path))) == 1


def test_the_same_state_is_not_written_twice(world):
    store = world.open()
    store.save(after(4))
    changes = store._vault.database._connection.total_changes
    world.time += 5.0
    store.save(after(4))
    assert store._vault.database._connection.total_changes == changes
    store = world.reopen(store)
    changes = store._vault.database._connection.total_changes
    store.save(after(4))
    assert store._vault.database._connection.total_changes == changes
    store.close()


def test_one_move_is_one_small_append_and_one_sync(world):
    store = world.open()
    store.save(after(4))
    store.sync()
    before, size = store._vault.database._frames, (world.path / f"{NAME}-wal").stat().st_size
    data = world.file.read_bytes()
    for number in range(20):
        store.save(after(*range(1 + number % 5)))
        store.sync()
    assert store._vault.database._frames == before + 20
    assert world.file.read_bytes() == data  # only the log is written to
    assert (world.path / f"{NAME}-wal").stat().st_size == size == database.LOG_BYTES
    store.close()


def test_the_log_begins_anew_when_it_is_full_and_does_not_grow(world):
    store = world.open()
    for number in range(3 * database.LOG_FRAMES):
        store.save(after(*(4,) * (number % 2)))
        store.sync()
        assert store._vault.database._frames < database.LOG_FRAMES
    assert (world.path / f"{NAME}-wal").stat().st_size == database.LOG_BYTES
    store.close()


def test_sync_is_for_what_was_written(world, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fdatasync", synced.append)
    store = world.open()
    store.sync()  # the log is laid out
    synced.clear()
    store.sync()
    assert synced == []
    store.save(after(4))
    assert synced == []
    store.sync()
    assert len(synced) == 1
    store.sync()
    assert len(synced) == 1
    store.close()


def test_what_a_killed_process_has_written_is_made_durable_before_it_is_shown_again(world, monkeypatch):
    store = world.open()
    store.save(after(4))
    copy = World(world.path.with_name("copy"))
    shutil.copytree(world.path, copy.path)
    store.close()
    synced = []
    monkeypatch.setattr(os, "fdatasync", synced.append)
    store = copy.open()
    assert store.load().match.moves == (4,)
    assert len(synced) == 1
    store.close()


def test_a_clock_that_is_wrong_tells_no_time_and_the_order_stays(world):
    store = world.open()
    for wall in (1_800_000_000.0, 5.0, 1_750_000_000.0):
        world.wall = wall
        finish(store)
        store.save(after())
    store.close()
    assert [(one.number, one.ended) for one in played(world.path)] == [
        (1, 1_800_000_000),
        (2, None),
        (3, 1_750_000_000),
    ]


def test_games_that_wait_for_the_disk_are_bounded(world, monkeypatch):
    monkeypatch.setattr(store_module, "MOST_GAMES", 3)
    store = world.open()

    def fail(*_, **__):
        raise place.Unwritable("No space left on device")

    monkeypatch.setattr(database.Database, "write", fail)
    for _ in range(5):
        finish(store)
        store.save(after())
    monkeypatch.undo()
    store.close()
    assert [one.number for one in played(world.path)] == [3, 4, 5]
