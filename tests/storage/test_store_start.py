"""What stands in the way at the start never keeps the box from playing, and never costs it a game."""

import errno
import os
import socket
import sqlite3
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from store_world import after, finish, keep, new_world

from appliance.core.settings import Scores, Tally
from appliance.storage import database
from appliance.storage.database import NAME


@pytest.fixture
def world():
    with new_world() as found:
        yield found


@pytest.fixture
def played(world):
    """A box that has won three games, has changed its language, and has begun a fourth game."""
    store = world.open()
    for won in (1, 2, 3):
        finish(store, won)
    keep(store, after(4, scores=Scores(Tally(3)), language="de"))
    store.close()
    return world


def everything(world):
    """Return what must never be lost."""
    store = world.reopen()
    kept = store.load()
    language = next(one.value for one in kept.choices if one.name == "language")
    return kept.scores.box.first, kept.match.moves, language, [one.number for one in world.played()]


@contextmanager
def failing(where, call, error, times):
    """Let the first `times` calls fail; -1 for all of them."""
    real, left = getattr(where, call), times

    def fail(*args, **kwargs):
        nonlocal left
        if left:
            left -= 1
            raise OSError(error, os.strerror(error))
        return real(*args, **kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(where, call, fail)
        yield


ERRORS = [errno.EIO, errno.EACCES, errno.EMFILE, errno.ENOSPC]


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("where", [os, Path])
@pytest.mark.parametrize("times", [1, 2])
def test_a_fault_that_passes_at_once_is_not_even_seen(played, where, error, times):
    with failing(where, "open", error, times):
        store = played.open()
    assert store.load().match.moves == (4,)
    assert (played.conditions(), played.aside()) == ([], [])


@pytest.mark.parametrize("error", ERRORS)
def test_a_fault_that_lasts_is_played_through_and_nothing_is_lost(played, error):
    with failing(Path, "open", error, -1):
        store = played.open()
        assert played.conditions() == [("unsaved", True)]
        assert str(played.path) in store.problem
        finish(store, 1)  # the box starts at zero, for it could not read
        keep(store, after(0, 8, scores=Scores(Tally(1))))
        played.time = 2.0
        store.service(2.0)
        assert "playing from memory" in store.problem
    played.heal()
    assert played.conditions() == [("unsaved", True), ("unsaved", False)]
    assert (store.problem, played.aside()) == ("", [])
    assert everything(played) == (4, (0, 8), "de", [1, 2, 3, 4])


def test_an_unread_game_stays_when_nothing_was_played_meanwhile(played):
    with failing(Path, "open", errno.EIO, -1):
        store = played.open()
        keep(store, after(level="easy"))  # the menu
    played.heal()
    assert everything(played) == (3, (4,), "de", [1, 2, 3])
    assert played.rows("SELECT value FROM setting WHERE name = 'level'") == [("easy",)]


def refuse_to_write(monkeypatch, code=sqlite3.SQLITE_READONLY):
    """Let nothing be opened for writing, as on a full or read-only disk."""
    real = sqlite3.connect

    def connect(name, *args, **kwargs):
        if "mode=rw" in str(name):
            error = sqlite3.OperationalError("attempt to write a readonly database")
            error.sqlite_errorcode = code
            raise error
        return real(name, *args, **kwargs)

    monkeypatch.setattr(database.sqlite3, "connect", connect)


@pytest.mark.parametrize("log", ["empty", "full"])
def test_a_disk_that_cannot_be_written_is_played_on_with_what_it_holds(world, monkeypatch, log):
    finish(world.open(), 1)
    keep(world.store, after(4, scores=Scores(Tally(1)), language="de"))
    if log == "empty":
        world.store.close()
    else:
        world = world.copied(world.path.with_name("killed"))
        (world.path / f"{NAME}-shm").unlink()
    files = {file.name: file.read_bytes() for file in world.path.iterdir()}
    with monkeypatch.context() as patch:
        refuse_to_write(patch)
        store = world.open()
        assert store.load().match.moves == (4,)
        assert {file.name: file.read_bytes() for file in world.path.iterdir()} == files
        finish(store, 2)
        assert world.conditions() == [("unsaved", True)]
    world.heal()
    keep(store, after(8, scores=Scores(Tally(2)), language="de"))
    assert everything(world) == (2, (8,), "de", [1, 2])


def a_socket(path):
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))


def foreign(path, application=0):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA page_size = 512")
        connection.execute("CREATE TABLE love_letters (text)")
        connection.execute(f"PRAGMA application_id = {application}")


def newer(path):
    database.create(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE medal (name)")
        connection.execute("PRAGMA user_version = 2")


@pytest.mark.parametrize(
    ("make", "reason", "remedy"),
    [
        (Path.mkdir, "is a directory", "move it away"),
        (a_socket, "is a socket", "move it away"),
        (os.mkfifo, "is a device", "move it away"),
        (lambda path: path.symlink_to("/etc/passwd"), "is a symbolic link", "move it away"),
        (foreign, "another program's database", "move it away"),
        (lambda path: foreign(path, 0x0F055112), "another program's database", "move it away"),
        (newer, "written by a newer version", "upgrade"),
    ],
    ids=["directory", "socket", "pipe", "link", "no id", "other id", "newer"],
)
def test_what_is_not_ours_is_left_alone_and_played_past(world, make, reason, remedy, caplog):
    world.path.mkdir()
    make(world.file)
    before = world.file.read_bytes() if world.file.is_file() else None
    store = world.open()
    finish(store)
    assert world.conditions() == [("unsaved", True)]
    assert reason in store.problem
    assert remedy in store.problem
    assert str(world.file) in store.problem
    assert store.problem in caplog.text
    assert "\n" not in store.problem
    world.time = store.due()
    store.service(world.time)
    assert list(world.path.iterdir()) == [world.file]
    assert before is None or world.file.read_bytes() == before
    world.file.rmdir() if world.file.is_dir() else world.file.unlink()
    world.heal()
    assert world.conditions() == [("unsaved", True), ("unsaved", False)]
    assert [one.number for one in world.played()] == [1]


@pytest.mark.parametrize("suffix", ["-wal", "-shm", "-journal"])
def test_what_stands_in_the_way_of_the_files_beside_it_too(world, suffix):
    (world.path / f"{NAME}{suffix}").mkdir(parents=True)
    store = world.open()
    assert f"{NAME}{suffix}: is a directory" in store.problem


def test_a_version_that_only_the_log_shows_is_newer_too(world):
    world.open().close()
    with closing(sqlite3.connect(world.file)) as connection:
        connection.execute("CREATE TABLE medal (name)")
        connection.execute("PRAGMA user_version = 99")
        copy = world.copied(world.path.with_name("copy"))
    assert "newer version" in copy.open().problem


def test_a_directory_that_is_a_file_is_played_past(world):
    world.path.write_text("")
    assert "--state" in world.open().problem
    world.store.cut()
    world.file = world.path / "deeper" / NAME
    world.path = world.path / "deeper"
    assert "--state" in world.open().problem
    assert world.conditions() == [("unsaved", True)]


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to give files away")
@pytest.mark.parametrize(("mode", "kept"), [(0o644, (3, (4,))), (0o600, (0, None))])
def test_a_database_that_belongs_to_root_is_played_on_and_the_remedy_works(played, mode, kept):
    """Running the box by hand as root makes such files. This process becomes nobody for a while."""
    os.chown(played.path, 65534, 65534)
    played.path.parent.chmod(0o755)
    played.file.chmod(mode)
    os.seteuid(65534)
    try:
        store = played.open()
        found = store.load()
        assert (found.scores.box.first, found.match.moves) == kept if found else kept[1] is None
        assert f"sudo chown -R 65534:{os.getegid()} {played.path}" in store.problem
        finish(store, kept[0] + 1)
        keep(store, after(0, scores=Scores(Tally(kept[0] + 1)), language="de"))
        assert played.conditions() == [("unsaved", True)]
        os.seteuid(0)
        for file in played.path.iterdir():
            os.chown(file, 65534, os.getegid())
        os.seteuid(65534)
        played.heal()
        assert everything(played) == (4, (0,), "de", [1, 2, 3, 4])
        store = played.store
        store.close()
    finally:
        os.seteuid(0)


def test_a_database_that_another_program_has_locked_is_a_passing_fault(played):
    with closing(sqlite3.connect(played.file, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        assert "locked" in played.open().problem
    played.heal()
    assert everything(played) == (3, (4,), "de", [1, 2, 3])


def test_retries_become_rarer_and_go_on(world, monkeypatch):
    def refuse(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "mkdir", refuse)
    store, delays = world.open(), []
    assert "No space left on device" in store.problem
    assert "free some space" in store.problem
    store.service(world.time)
    for _ in range(9):
        delays.append(store.due() - world.time)
        world.time = store.due()
        store.service(world.time)
    assert delays == [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0, 60.0]
    monkeypatch.undo()
    world.heal()
    assert world.conditions() == [("unsaved", True), ("unsaved", False)]
    keep(store, after(4))
    assert world.reopen().load().match.moves == (4,)


def test_out_of_memory_is_a_passing_fault(played, monkeypatch):
    def refuse(*_, **__):
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(database, "read", refuse)
        assert "out of memory" in played.open().problem
    played.heal()
    assert everything(played) == (3, (4,), "de", [1, 2, 3])


def test_a_file_system_that_cannot_hold_a_log_is_not_trusted(world, monkeypatch):
    real = sqlite3.connect

    class WithoutLog(sqlite3.Connection):
        def execute(self, sql, *args):
            return super().execute("SELECT 'delete'" if "journal_mode = WAL" in sql else sql, *args)

    monkeypatch.setattr(
        database.sqlite3, "connect", lambda *args, **kw: real(*args, factory=WithoutLog, **kw)
    )
    assert "write-ahead log" in world.open().problem


def test_a_mistake_of_ours_is_no_damage(played, monkeypatch):
    def wrong(*_):
        raise sqlite3.ProgrammingError("closed")

    monkeypatch.setattr(database, "read", wrong)
    with pytest.raises(sqlite3.ProgrammingError):
        played.open()
    assert played.aside() == []
