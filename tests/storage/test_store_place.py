"""What lies where the database should be: other things, newer and older ones; and where that is."""

import os
import shutil
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from store_world import World, after, finish, new_world

from appliance.core.settings import Scores, Tally
from appliance.errors import UserError
from appliance.storage import database, directory, place
from appliance.storage.history import played
from appliance.storage.place import NAME


@pytest.fixture
def world():
    with new_world() as found:
        yield found


def foreign(path, application=0):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE love_letters (text)")
        connection.execute("INSERT INTO love_letters VALUES ('dear')")
        connection.execute(f"PRAGMA application_id = {application}")
        connection.commit()


def newer(path):
    place.create(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {len(place.MIGRATIONS) + 1}")


def a_socket(path):
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (Path.mkdir, "is a directory"),
        (a_socket, "is a socket"),
        (os.mkfifo, "is a device"),
        (lambda path: path.symlink_to("/etc/passwd"), "is a symbolic link"),
        (foreign, "another program's database"),
        (lambda path: foreign(path, 0x0F055112), "another program's database"),
        (newer, "newer version"),
    ],
    ids=["directory", "socket", "pipe", "link", "no id", "other id", "newer"],
)
def test_what_is_not_ours_is_refused_in_a_sentence_and_left_alone(world, make, words):
    world.path.mkdir()
    make(world.file)
    before = world.file.read_bytes() if world.file.is_file() else None
    with pytest.raises(UserError, match=words) as caught:
        world.open()
    assert str(world.file) in str(caught.value)
    assert "--state" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert list(world.path.iterdir()) == [world.file]
    assert before is None or world.file.read_bytes() == before
    with pytest.raises(UserError, match=words):
        list(played(world.path))


@pytest.mark.parametrize("suffix", ["-wal", "-shm", "-journal"])
def test_what_stands_in_the_way_of_the_files_beside_it_is_refused_too(world, suffix):
    (world.path / f"{NAME}{suffix}").mkdir(parents=True)
    with pytest.raises(UserError, match="is a directory"):
        world.open()


def test_a_version_that_only_the_log_tells_is_refused_too(world):
    world.open().close()
    with closing(sqlite3.connect(world.file)) as connection:
        connection.execute("PRAGMA user_version = 99")
        copy = World(world.path.with_name("copy"))
        shutil.copytree(world.path, copy.path)
    with pytest.raises(UserError, match="newer version"):
        copy.open()
    with pytest.raises(UserError, match="newer version"):
        list(played(copy.path))


def test_a_directory_that_is_a_file_is_refused(world):
    world.path.write_text("")
    with pytest.raises(UserError, match="nothing can be kept there"):
        world.open()
    world.path = world.path / "deeper"
    with pytest.raises(UserError, match="nothing can be kept there"):
        world.open()


def test_a_file_that_may_not_be_read_is_refused(world, monkeypatch):
    world.open().close()
    real = Path.open

    def refuse(path, *args, **kwargs):
        if path == world.file:
            raise PermissionError(13, "Permission denied")
        return real(path, *args, **kwargs)

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(UserError, match=r"cannot be read: Permission denied"):
        world.open()


def test_a_directory_that_may_not_be_looked_into_is_refused(world, monkeypatch):
    world.open().close()

    def refuse(path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "lstat", refuse)
    with pytest.raises(UserError, match=r"cannot be looked at: Permission denied"):
        world.open()


def test_one_directory_is_for_one_box(world):
    store = world.open()
    store.save(after(4))
    with pytest.raises(UserError, match="in use by a box that is running"):
        world.open()
    store.save(after(4, 0))
    store = world.reopen(store)
    assert store.load().match.moves == (4, 0)
    store.close()


def test_a_file_system_without_locks_will_do(world, monkeypatch):
    def refuse(*_):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(directory.fcntl, "flock", refuse)
    store = world.open()
    store.save(after(4))
    assert world.reopen(store).load().match.moves == (4,)


def test_a_database_that_another_program_has_locked_is_told_of(world):
    world.open().close()
    with closing(sqlite3.connect(world.file, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(UserError, match="locked by another program"):
            world.open()


def test_a_write_that_another_program_holds_up_is_made_good_later(world):
    store = world.open()
    store.save(after(4))
    with closing(sqlite3.connect(world.file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        store.save(after(4, 0))
        other.execute("ROLLBACK")
    world.time = store._retry_at
    store.service(world.time)
    assert world.conditions() == [("unsaved", True), ("unsaved", False)]
    assert world.rows("SELECT moves FROM progress") == [("51",)]
    store.close()


def test_an_older_database_is_brought_up_to_date(world, monkeypatch):
    store = world.open()
    finish(store)
    store.close()
    monkeypatch.setattr(
        place, "MIGRATIONS", (*place.MIGRATIONS, "ALTER TABLE game ADD COLUMN mood TEXT DEFAULT 'good';")
    )
    monkeypatch.setattr(database, "MIGRATIONS", place.MIGRATIONS)
    store = world.open()
    assert store.load().scores == Scores(Tally(1))
    assert world.rows("PRAGMA user_version") == [(2,)]
    assert world.file.read_bytes()[60:64] == b"\0\0\0\2"  # in the file itself: an older program sees it there
    assert world.rows("SELECT mood FROM game") == [("good",)]
    store.close()


def test_a_migration_that_fails_changes_nothing(world, monkeypatch):
    store = world.open()
    finish(store)
    store.close()
    before = world.file.read_bytes()
    monkeypatch.setattr(place, "MIGRATIONS", (*place.MIGRATIONS, "CREATE TABLE mood (m); SELECT nonsense;"))
    with pytest.raises(place.Damaged):
        database.Database(world.file)
    assert world.file.read_bytes() == before


def test_a_large_database_is_not_checked_at_each_start(world, monkeypatch):
    store = world.open()
    store.save(after(4))
    store.close()
    checks = []
    real = database.Database.__init__

    def watched(self, path):
        real(self, path)
        self._connection.set_trace_callback(checks.append)
        self._prepare()

    monkeypatch.setattr(database.Database, "__init__", watched)
    world.open().cut()
    assert any("quick_check" in check for check in checks)
    checks.clear()
    monkeypatch.setattr(database, "CHECKED", 100)
    store = world.open()
    assert store.load().match.moves == (4,)
    assert checks
    assert not any("quick_check" in check for check in checks)
    store.close()


@pytest.mark.parametrize(
    ("chosen", "environ", "expected"),
    [
        ("/a", {"STATE_DIRECTORY": "/b"}, "/a"),
        (None, {"STATE_DIRECTORY": "/b:/c", "XDG_STATE_HOME": "/d"}, "/b"),
        (None, {"XDG_STATE_HOME": "/d"}, "/d/tictactoe"),
        (None, {"XDG_STATE_HOME": "d"}, "/home/me/.local/state/tictactoe"),
        (None, {"STATE_DIRECTORY": ""}, "/home/me/.local/state/tictactoe"),
        ("~/games", {}, "/home/me/games"),
    ],
)
def test_the_directory_is_the_chosen_one_or_systemds_or_xdgs(chosen, environ, expected, monkeypatch):
    monkeypatch.setenv("HOME", "/home/me")
    assert directory.state_directory(chosen and Path(chosen), environ) == Path(expected)


def test_without_a_home_there_is_a_sentence(monkeypatch):
    def homeless(path):
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "expanduser", homeless)
    with pytest.raises(UserError, match="--state"):
        directory.state_directory(None, {})


def test_who_asks_about_the_box_is_told_about_the_service(world):
    own = {"XDG_STATE_HOME": str(world.path.parent)}
    system = world.path.parent / "var"
    assert directory.kept_directory(None, own, system) == world.path.parent / "tictactoe"
    system.mkdir()
    (system / NAME).touch()
    assert directory.kept_directory(None, own, system) == system
    assert directory.kept_directory(world.path, own, system) == world.path
    (world.path.parent / "tictactoe").mkdir()
    (world.path.parent / "tictactoe" / NAME).touch()
    assert directory.kept_directory(None, own, system) == world.path.parent / "tictactoe"


def test_the_daemon_pays_for_sqlite_only_when_it_keeps_something():
    code = "import sys, appliance.cli, appliance.core.resume; print('sqlite3' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
