"""What stands in the way at the start never keeps the box from playing, and never costs it a game."""

import errno
import os
import socket
import sqlite3
from contextlib import ExitStack, closing
from hashlib import sha256
from pathlib import Path

import pytest
from store_world import after, failing, finish, play_games

from appliance.core.session.settings import Scores, Tally
from appliance.storage import database, rows
from appliance.storage.database import APPLICATION_ID, NAME
from appliance.storage.faults import Unusable
from appliance.storage.rows import SCHEMA, VERSION


@pytest.fixture
def played(world):
    play_games(world)
    return world


def everything(world):
    """Return what must never be lost."""
    store = world.reopen()
    kept = store.load()
    language = next(one.value for one in kept.choices if one.name == "language")
    return kept.scores.box.first, kept.match.moves, language, world.numbers()


def system_error(number):
    return OSError(number, os.strerror(number))


@pytest.mark.parametrize(
    "error",
    [*map(system_error, (errno.EIO, errno.EACCES, errno.EMFILE, errno.ENOSPC)), MemoryError()],
)
@pytest.mark.parametrize(("where", "call"), [(os, "open"), (database, "connect"), (rows, "read_state")])
def test_a_fault_is_played_through_and_nothing_is_lost(played, where, call, error):
    """One that passes at once is not even noticed; a lasting one gets a badge, and all is merged later."""
    with failing(where, call, error, 2):
        store = played.open()
    assert store.load().match.moves == (4,)
    assert played.conditions() == []
    store.close()
    with failing(where, call, error):
        store = played.open()
        assert played.conditions() == [("unsaved", True)]
        assert str(played.path) in str(store.problem)
        unread = store.load() is None
        assert unread == (where is database)
        finish(store, 1 if unread else 4)
        store.keep([after(0, 8, scores=Scores(Tally(1 if unread else 4)), language="en" if unread else "de")])
        played.time = 5.0
        store.keep(())
        assert "playing from memory" in str(store.problem)
    played.heal()
    assert played.conditions() == [("unsaved", True), ("unsaved", False)]
    assert store.problem is None
    assert everything(played) == (4, (0, 8), "de", [1, 2, 3, 4])


def test_a_file_read_as_damaged_only_once_is_kept(played):
    with failing(rows, "read_state", ValueError("invalid saved game"), 1):
        store = played.open()
    assert (store.load().match.moves, len(store._disk.good), played.conditions()) == ((4,), 2, [])


def test_an_unread_game_stays_when_nothing_was_played_meanwhile(played):
    with failing(database, "connect", system_error(errno.EIO)):
        store = played.open()
        store.keep([after(level="easy")])  # the menu
    # The box is stopped: its last retry succeeds.
    assert everything(played) == (3, (4,), "de", [1, 2, 3])
    assert played.rows("SELECT value FROM setting WHERE name = 'level'") == [("easy",)]


@pytest.mark.parametrize("log", ["empty", "full"])
def test_a_disk_that_cannot_be_written_is_played_on_with_what_it_holds(world, log):
    finish(world.open(), 1)
    world.store.keep([after(4, scores=Scores(Tally(1)), language="de")])
    if log == "empty":
        world.store.close()
    else:
        world = world.copied(world.path.with_name("killed"))
        for index in world.path.glob("*-shm"):
            index.unlink()
    files = world.files()
    with failing(database.Database, "__init__", Unusable("attempt to write a readonly database")):
        store = world.open()
        assert store.load().match.moves == (4,)
        assert {name: data for name, data in world.files().items() if not name.endswith("-shm")} == files
        finish(store, 2)
        assert world.conditions() == [("unsaved", True)]
    world.heal()
    store.keep([after(8, scores=Scores(Tally(2)), language="de")])
    assert everything(world) == (2, (8,), "de", [1, 2])


def test_a_game_whose_commit_failed_after_it_was_durable_is_kept_once(played, monkeypatch):
    real, store = database.Database.commit, played.open()

    def commit(*args):
        real(*args)
        raise Unusable("Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(database.Database, "commit", commit)
        finish(store, 4)
        finish(store, 5)
    played.heal()
    finish(store, 6)
    assert played.numbers() == [1, 2, 3, 4, 5, 6]


def a_socket(world):
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(world.file))


NO_FILE, FOREIGN = ("is not a regular file", "move it away"), ("another program's database", "move it away")
LETTERS = ("PRAGMA page_size = 512", "CREATE TABLE love_letters (text)")
OTHERS = {
    "directory": (lambda world: world.file.mkdir(), *NO_FILE),
    "socket": (a_socket, *NO_FILE),
    "pipe": (lambda world: os.mkfifo(world.file), *NO_FILE),
    "link": (lambda world: world.file.symlink_to("/etc/passwd"), *NO_FILE),
    "no id": (lambda world: world.harm(*LETTERS), *FOREIGN),
    "other id": (lambda world: world.harm(*LETTERS, "PRAGMA application_id = 252006674"), *FOREIGN),
}


@pytest.mark.parametrize(("make", "reason", "remedy"), OTHERS.values(), ids=OTHERS)
def test_what_is_not_ours_is_left_alone_and_played_past(world, make, reason, remedy, caplog):
    world.path.mkdir()
    make(world)
    before = world.file.read_bytes() if world.file.is_file() else None
    store = world.open()
    finish(store)
    assert world.conditions() == [("unsaved", True)]
    for part in (reason, remedy, str(world.file)):
        assert part in str(store.problem)
    assert str(store.problem) in caplog.text
    assert "\n" not in str(store.problem)
    world.time = store.retry_at
    store.keep(())
    assert list(world.path.iterdir()) == [world.file]
    assert before is None or world.file.read_bytes() == before
    world.file.rmdir() if world.file.is_dir() else world.file.unlink()
    world.heal()
    assert world.conditions() == [("unsaved", True), ("unsaved", False)]
    assert world.numbers() == [1]


@pytest.mark.parametrize(
    ("number", "said", "remedy", "newer"),
    [(6, "a newer version", "upgrade", True), (4, "an older version", "--state", False)],
)
def test_another_version_is_recognised_in_the_log(world, number, said, remedy, newer):
    world.open().close()
    with closing(sqlite3.connect(world.file)) as connection:
        connection.execute("CREATE TABLE medal (name)")
        connection.execute(f"PRAGMA user_version = {number}")
        store = world.copied(world.path.with_name("copy")).open()
    assert f"written by {said} of this program (its format is {number}, known is 5)" in str(store.problem)
    assert str(store.problem).endswith(remedy)
    assert store.newer == newer


def test_the_database_of_an_earlier_format_stays_as_it_is(world):
    """Format 4 had no sums, and no second copy."""
    old = SCHEMA.partition(";")[2].replace(", sum INTEGER NOT NULL", "")
    score = "INSERT INTO progress VALUES (1, 'classic', 'x', '', 0, 0, 7, 3, 1, 0, 0, 0, 0, 0, 0, NULL)"
    world.harm(
        "PRAGMA page_size = 512", "PRAGMA user_version = 4", f"PRAGMA application_id = {APPLICATION_ID}"
    )
    world.harm(*old.split(";"), score, "PRAGMA journal_mode = WAL")
    before = world.file.read_bytes()
    store = world.open()
    assert "written by an older version of this program (its format is 4" in str(store.problem)
    finish(store)
    world.time += 2000.0
    store.keep(())
    store.close()
    assert world.files() == {NAME: before}


def test_other_tables_are_another_format():
    """When this fails, raise `VERSION` and rename a table: one flipped bit does not do both."""
    assert (VERSION, sha256(SCHEMA.encode()).hexdigest()[:16]) == (5, "beaf7c5f06be095e")


def test_a_directory_that_is_a_file_is_played_past(world):
    world.path.write_text("")
    assert "--state" in str(world.open().problem)
    world.path = world.path / "deeper"
    assert "--state" in str(world.open().problem)
    assert world.conditions() == [("unsaved", True)]


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to give files away")
@pytest.mark.parametrize(("mode", "kept"), [(0o644, (3, (4,))), (0o600, (0, None))])
def test_a_database_that_belongs_to_root_is_played_on_and_the_remedy_works(played, mode, kept):
    """Running the box by hand as root makes such files. This process becomes nobody for a while."""
    os.chown(played.path, 65534, 65534)
    played.path.parent.chmod(0o755)
    played.file.chmod(mode)
    played.other.chmod(mode)
    os.seteuid(65534)
    try:
        store = played.open()
        found = store.load()
        assert (found.scores.box.first, found.match.moves) == kept if found else kept[1] is None
        assert f"sudo chown -R 65534:{os.getegid()} {played.path}" in str(store.problem)
        finish(store, kept[0] + 1)
        store.keep([after(0, scores=Scores(Tally(kept[0] + 1)), language="de")])
        assert played.conditions() == [("unsaved", True)]
        os.seteuid(0)
        for file in played.path.iterdir():
            os.chown(file, 65534, os.getegid())
        os.seteuid(65534)
        played.heal()
        assert everything(played) == (4, (0,), "de", [1, 2, 3, 4])
        played.store.close()
    finally:
        os.seteuid(0)


def test_databases_that_another_program_has_locked_are_read_later(played, monkeypatch):
    monkeypatch.setattr(database, "WAIT", 0.0)
    with ExitStack() as others:
        for file in (played.file, played.other):
            other = others.enter_context(closing(sqlite3.connect(file, isolation_level=None)))
            other.execute("PRAGMA locking_mode = EXCLUSIVE")
            other.execute("BEGIN EXCLUSIVE")
        assert "locked" in str(played.open().problem)
    played.heal()
    assert everything(played) == (3, (4,), "de", [1, 2, 3])


def test_a_lasting_fault_is_retried_and_logged_once(world, caplog):
    with failing(Path, "mkdir", system_error(errno.ENOSPC)):
        store = world.open()
        retries = set()
        for world.time in range(60):
            store.keep([after(4)])
            retries.add(store.retry_at)
        assert retries == set(range(5, 65, 5))
        assert caplog.messages == [str(store.problem)]
        assert world.conditions() == [("unsaved", True)]
        assert "(the card or disk is full), playing from memory: free some space, or use another card" in str(
            store.problem
        )
    world.heal()
    assert world.conditions() == [("unsaved", True), ("unsaved", False)]
    assert world.reopen().load().match.moves == (4,)


@pytest.mark.parametrize(("code", "blocks", "inodes", "said"), [
    (sqlite3.SQLITE_FULL, 9, 9, "full"),
    (sqlite3.SQLITE_IOERR_SHMSIZE, 7, 9, "full"),  # no room for the log's index of 32 KB
    (sqlite3.SQLITE_IOERR_SHMSIZE, 8, 0, "full"),
    (sqlite3.SQLITE_IOERR_READ, 8, 9, "disk I/O error"),
])  # fmt: skip
def test_a_full_disk_is_told_from_a_failing_one(played, monkeypatch, code, blocks, inodes, said):
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = code
    real = os.statvfs(played.path)
    disk = os.statvfs_result((4096, 4096, 9, 9, blocks, 9, 9, inodes, *real[8:]))
    monkeypatch.setattr(os, "statvfs", lambda _path: disk)
    with failing(rows, "read_state", error):
        problem = str(played.open().problem)
    assert said in problem
    assert problem.endswith(": free some space, or use another card") == (said == "full")


def test_a_bug_of_ours_is_no_damage(played):
    bug = sqlite3.ProgrammingError("closed")
    with failing(rows, "read_state", bug), pytest.raises(sqlite3.ProgrammingError):
        played.open()
