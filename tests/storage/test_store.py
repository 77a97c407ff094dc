"""The store on a healthy disk: what it commits, when, and what it finds again."""

import fcntl
import sqlite3
from contextlib import closing, nullcontext
from pathlib import Path

import pytest
from store_player import resumed
from store_world import GAME, WALL, after, failing, finish

from appliance.core.errors import UserError
from appliance.core.session.events import Archive, Saved
from appliance.core.session.match import Match
from appliance.core.session.settings import Scores, Settings, Tally
from appliance.storage import database
from appliance.storage.database import NAME, state_directory
from appliance.storage.faults import Unusable
from appliance.storage.rows import put


def bytes_moved():
    """Return how many bytes this process has read and written."""
    return [int(number) for number in Path("/proc/self/io").read_text().split()[1:4:2]]


def test_a_committed_state_is_found_again_on_another_clock(world):
    store = world.open()
    assert (store.load(), store.retry_at, store.problem, store.trouble(0.0)) == (None, None, None, "")
    world.time = 100.0
    match = Match.replay("misere", "o", (4, 0))._replace(started=90.0)
    scores = Scores(Tally(1, 2, 3), Tally(4, 5, 6))
    store.keep([Saved(match, scores, Settings(level="hard", sound=False))])
    world.time = 500.0
    kept = world.reopen().load()
    assert kept.match == match._replace(started=490.0)  # ten seconds of play, however long without power
    session = resumed(kept)
    assert (session.scores, session.settings) == (scores, Settings(level="hard", sound=False))


def test_only_what_has_changed_is_written(world):
    store = world.open()
    store.keep([after(4)])
    for _ in range(2):
        connection = store._disk.good[0]._connection
        before = connection.total_changes
        world.time += 5.0
        store.keep([after(4)])
        assert connection.total_changes == before
        store.keep([after(4, language="de")])
        assert connection.total_changes == before + 3  # the state, one setting, and the number of commits
        store.keep([after(4)])
        store = world.reopen()


def test_a_game_costs_few_bytes_and_the_log_is_copied_and_reused_when_it_is_full(world):
    store, before = world.open(), bytes_moved()[1]
    for _ in range(100):
        for number in range(1, 8):
            store.keep([after(*(4, 0, 8, 2, 1, 7, 6)[:number])])
        finish(store)
    assert bytes_moved()[1] - before < 100 * 140_000  # to two copies; a commit fills its last 4 KB
    assert world.log.stat().st_size <= 32 + (512 + 20) * (512 + 24)


def test_a_restored_copy_without_a_log_gets_one_again(world):
    world.open().close()
    world.harm("PRAGMA journal_mode = DELETE", copies=2)
    world.open().keep([after(4)])
    assert (world.conditions(), world.log.exists()) == ([], True)


def test_a_wrong_clock_gives_no_time_and_the_order_stays(world):
    store = world.open()
    for wall in (WALL, 5.0, 1_750_000_000.0, float("1e300")):
        world.wall = wall
        finish(store)
    ended = [WALL + 1, None, 1_750_000_001, None]
    assert [(one.number, one.ended) for one in world.played()] == [*enumerate(ended, 1)]


@pytest.mark.parametrize("fails", [False, True])
def test_a_game_that_is_taken_back_leaves_the_history_once(world, fails):
    """Also one that waits in memory, and not the one before it, though it had the same moves."""
    store = world.open()
    store.keep([Archive(GAME), Archive(GAME)])
    with failing(database.Database, "commit", Unusable("no")) if fails else nullcontext():
        store.keep([after(4), Archive(GAME._replace(moves=(0, 1, 2)))])
    store.keep([after(4, 0), Archive(GAME._replace(moves=(0, 1, 2)), back=True)])
    assert len(world.played()) == 2
    world.wall += 60
    world.reopen().keep([after(4), Archive(GAME, back=True)])
    assert len(world.played()) == 1
    world.store.keep([after(4, 0), Archive(GAME._replace(moves=(3,)), back=True)])
    assert len(world.played()) == 1, "another game"


@pytest.mark.parametrize("clock", [True, False])
def test_games_like_the_one_that_is_taken_back_stay_though_the_commit_seems_to_fail(
    world, monkeypatch, clock
):
    monkeypatch.setattr(world, "clock", world.clock if clock else lambda: None)
    real, fails = database.Database.commit, iter(())
    store = world.open()
    store.keep([Archive(GAME)] * 8)

    def commit(*args):
        real(*args)
        if next(fails, 0):
            raise Unusable("Input/output error")

    monkeypatch.setattr(database.Database, "commit", commit)
    for change in Archive(GAME._replace(seconds=9.0)), Archive(GAME, back=True):
        fails = iter([1] * 24)
        store.keep([after(4), change])
        world.heal()
    assert world.numbers() == [*range(1, 9)]
    assert {one.game for one in world.played()} == {GAME}


def test_the_newest_games_are_kept(world, monkeypatch):
    monkeypatch.setattr(database, "MAX_GAMES", 25)
    world.open()
    for _ in range(40):
        finish(world.store)
    assert world.numbers() == list(range(16, 41))
    finish(world.reopen())
    assert world.numbers() == list(range(17, 42))


def test_a_start_costs_the_same_with_many_games_as_with_ten(world):
    finish(world.open())
    works = []
    for games in (10, 20_000):
        world.store.close()
        for file in (world.file, world.other):
            with closing(sqlite3.connect(file)) as connection:
                row = (None, 8.0, "classic", "easy", 1, "x", "1425", "x", 0, 0)
                put(connection, "game", [(number, *row) for number in range(2, games)])
                connection.commit()
        before = bytes_moved()[0]
        world.open()
        works.append(bytes_moved()[0] - before)
    assert world.file.stat().st_size > 500_000
    assert works[1] - works[0] <= 2 * 8 * database.PAGE  # deeper trees


def test_one_directory_is_for_one_box(world):
    store = world.open()
    with pytest.raises(UserError, match="in use by a box that is running: stop that one"):
        world.open()
    store.keep([after(4, 0)])
    store.close()
    with failing(fcntl, "flock", OSError(95, "Operation not supported")):  # no locks: that will do
        assert world.open().load().match.moves == (4, 0)


def test_a_database_half_made_at_a_power_cut_is_made_again(world):
    world.path.mkdir()
    world.file.touch()
    (world.path / f"{NAME}.tictactoe-new").write_text("half")
    world.open().keep([after(4)])
    assert world.reopen().load().match.moves == (4,)
    assert world.conditions() == []
    assert {file.name.partition("-wal")[0].partition("-shm")[0] for file in world.path.iterdir()} == {
        world.file.name,
        world.other.name,
    }


@pytest.mark.parametrize(("chosen", "environ", "expected"), [
    ("/a", {"STATE_DIRECTORY": "/b"}, "/a"),
    (None, {"STATE_DIRECTORY": "/b:/c", "XDG_STATE_HOME": "/d"}, "/b"),
    (None, {"XDG_STATE_HOME": "/d"}, "/d/tictactoe"),
    (None, {"XDG_STATE_HOME": "d"}, "/home/me/.local/state/tictactoe"),
    (None, {"STATE_DIRECTORY": ""}, "/home/me/.local/state/tictactoe"),
    ("~/games", {}, "/home/me/games"),
])  # fmt: skip
def test_the_directory_is_the_chosen_one_or_systemds_or_xdgs(chosen, environ, expected, monkeypatch):
    monkeypatch.setenv("HOME", "/home/me")
    assert state_directory(chosen and Path(chosen), environ) == Path(expected)


def test_without_a_home_directory_there_is_a_sentence():
    with failing(Path, "expanduser", RuntimeError("no home")), pytest.raises(UserError, match="--state"):
        state_directory(None, {})
