"""The database: one SQLite file and its write-ahead log. A commit that has returned is durable.

WAL mode with `synchronous=FULL`: a commit appends to the log and syncs it. SQLite copies the log into the
database by itself: https://sqlite.org/walformat.html

A card that loses power in the middle of a write may tear the sector, with what was safe in it before. So no
commit shares a sector with an earlier one: `psow=0` tells SQLite not to trust the disk there ("powersafe
overwrite", https://sqlite.org/psow.html), and it fills the rest of the last 4 KB with copies. For 100 games
that writes 1.7 times as many 4 KB blocks.
"""

import contextlib
import fcntl
import os
import sqlite3
import stat
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from appliance.core.errors import UserError
from appliance.storage.faults import Damaged, InUse, Newer, Unusable, faults
from appliance.storage.rows import LARGEST, RECORD, Row, State, count_records, unpack_state

NAME = "tictactoe.db"
APPLICATION_ID = 0x54545439  # "TTT9"
VERSION = 1  # a later one must add or rename a table: a flipped bit cannot do that
PAGE = 512  # bytes; a move changes one row
LOG_FRAMES = 512  # pages in the log before SQLite copies it into the database: about ten games
MAX_GAMES = 100_000  # kept: 6 MB; the oldest go first
BUSY = 0.2  # seconds to wait for a lock that another program holds
ELSEWHERE = "move it away, or choose another directory with --state"

SCHEMA = """
    CREATE TABLE progress (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        rule TEXT NOT NULL,
        human TEXT NOT NULL,
        moves TEXT NOT NULL,
        counted INTEGER NOT NULL,
        box_first INTEGER NOT NULL, box_second INTEGER NOT NULL, box_drawn INTEGER NOT NULL,
        pair_first INTEGER NOT NULL, pair_second INTEGER NOT NULL, pair_drawn INTEGER NOT NULL,
        elapsed REAL
    );
    CREATE TABLE setting (name TEXT PRIMARY KEY, value NOT NULL, configured NOT NULL) WITHOUT ROWID;
    CREATE TABLE game (
        id INTEGER PRIMARY KEY,
        ended INTEGER,
        seconds REAL NOT NULL,
        rule TEXT NOT NULL,
        level TEXT NOT NULL,
        players INTEGER NOT NULL,
        human TEXT NOT NULL,
        moves TEXT NOT NULL,
        result TEXT NOT NULL
    );
"""
_TABLES = {"progress", "setting", "game"}
INSERT_GAME = "INSERT OR IGNORE INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
# An unchanged setting is not written: that would add a page to every commit.
_WRITE_SETTING = """
    INSERT OR IGNORE INTO setting VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET value = excluded.value, configured = excluded.configured
    WHERE (value, configured) IS NOT (excluded.value, excluded.configured)
"""


def state_directory(chosen: Path | str | None, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the directory of the box: the one chosen, or systemd's, or the one of the XDG rules.

    Raise `UserError` when there is no home directory to put it in.
    """
    try:
        if chosen is not None:
            return Path(chosen).expanduser()
        given = environ.get("STATE_DIRECTORY", "").split(":")[0]
        if given:
            return Path(given)
        state = environ.get("XDG_STATE_HOME", "")
        # The XDG specification: ignore a relative path.
        base = Path(state) if state.startswith("/") else Path("~/.local/state").expanduser()
    except RuntimeError as error:
        raise UserError("there is no home directory to keep games in: add --state DIR") from error
    return base / "tictactoe"


def lock(directory: Path) -> int:
    """Make the directory if need be and lock it; return the descriptor that holds the lock.

    The lock ends when the descriptor is closed or the process ends. Raise `InUse` while another box holds
    it, `Unusable` when the directory cannot be used.
    """
    with faults(directory / NAME):
        directory.mkdir(parents=True, exist_ok=True)
        handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(handle)
        remedy = "stop that one, or choose another directory with --state"
        raise InUse("in use by a box that is running", remedy) from error
    except OSError:
        pass  # a file system without locks
    return handle


def beside(path: Path) -> tuple[Path, Path, Path]:
    """Return the files that SQLite keeps beside a database: log, rollback journal, the log's index."""
    log, journal, index = (path.with_name(path.name + suffix) for suffix in ("-wal", "-journal", "-shm"))
    return log, journal, index


def present(path: Path) -> bool:
    """Return whether there is a database. Change nothing.

    Raise `Damaged` when it is plainly incomplete, `Unusable` when it cannot be read or is no file.
    """
    with faults(path):
        size, log, journal = [_size(file) for file in (path, *beside(path)[:2])]
        if not size:
            if log or journal:
                raise Damaged("the database is gone and its log is not")
            return False
        with path.open("rb") as file:
            header = file.read(100)
        # SQLite takes a file with other format versions for a read-only one.
        if not log and header[18:24] not in {bytes([1, 1, 0, 64, 32, 32]), bytes([2, 2, 0, 64, 32, 32])}:
            raise Damaged("its header is wrong")
        # SQLite fills a short page with zeros.
        if size % PAGE and not log:
            raise Damaged("its last page is cut short")
        return True


def _size(path: Path) -> int:
    """Return the size of a file, 0 when there is none. Raise `Unusable` when it is no regular file."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return 0
    if not stat.S_ISREG(found.st_mode):
        raise Unusable(f"{path.name} is no regular file", ELSEWHERE)
    return found.st_size


def connect(path: Path, how: str) -> sqlite3.Connection:
    """Return a connection by SQLite's URI parameters `how`. SQLite's errors are raised.

    Invalid UTF-8 is read as U+FFFD, so that it is refused where the value is.
    """
    uri = f"{path.absolute().as_uri()}?{how}"
    connection = sqlite3.connect(uri, uri=True, timeout=BUSY, isolation_level=None, check_same_thread=False)
    connection.text_factory = lambda data: data.decode(errors="replace")
    return connection


def open_read_only(path: Path) -> sqlite3.Connection:
    """Return a connection that writes nothing, makes no file and takes no lock. SQLite's errors are raised.

    It works on a disk that is full or read-only, and sees what is in the log. Nobody may write meanwhile.
    """
    # SQLite reads a log through an index; in this mode the index is in memory, not in a file.
    connection = connect(path, "mode=ro&" + ("vfs=unix-none" if _size(beside(path)[0]) else "immutable=1"))
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    return connection


def peek(path: Path) -> State | None:
    """Return the state in a database, without writing anything. Raise `Damaged` or `Unusable`."""
    if not present(path):
        return None
    with faults(path), contextlib.closing(open_read_only(path)) as connection:
        check(connection)
        return read(connection)


def check(connection: sqlite3.Connection) -> None:
    """Raise `Damaged` or `Unusable` unless the database is ours and of this version."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if (application, version) == (APPLICATION_ID, VERSION):
        return
    if {name for (name,) in connection.execute("SELECT name FROM sqlite_master")} == _TABLES:
        raise Damaged("a number in its header is wrong")
    if application != APPLICATION_ID:
        raise Unusable("another program's database", ELSEWHERE)
    known = f"its format is {version}, known is {VERSION}"
    raise Newer(f"written by a newer version of this program ({known})", "upgrade")


@contextlib.contextmanager
def creating(path: Path) -> Iterator[sqlite3.Connection]:
    """Make a database under another name, to be filled, then rename it. SQLite's errors are raised."""
    new = path.with_name(f"{path.name}.new")
    remove(new)  # left by a power cut
    with contextlib.closing(sqlite3.connect(new, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size = {PAGE}")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.executescript(f"{SCHEMA} PRAGMA user_version = {VERSION}; BEGIN;")
        yield connection
        connection.execute("COMMIT")
        connection.execute("PRAGMA journal_mode = WAL")
    sync_file(new)
    new.rename(path)
    sync_file(path.parent)


def remove(path: Path) -> None:
    """Remove a database. The log goes first: alone, it would be taken for the log of the next database."""
    for file in (*beside(path), path):
        file.unlink(missing_ok=True)


def sync_file(path: Path) -> None:
    """Make a file, or the names in a directory, outlive a power cut."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class Database:
    """An open database, the only one that writes. Any fault raises `Damaged` or `Unusable`.

    It may be handed from thread to thread; two never use it at once. After a fault call nothing but `close`.
    A new one is made where there is none. `found` is the state that it held when it was opened.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with faults(path):
            if not present(path):
                with creating(path):
                    pass
            os.close(os.open(path, os.O_RDWR | os.O_CLOEXEC))  # SQLite would read a read-only file
            self._inode = path.stat().st_ino
            self._connection = connect(path, "mode=rw&psow=0")
            try:
                run = self._connection.execute
                check(self._connection)
                run("PRAGMA journal_mode = WAL")
                run("PRAGMA synchronous = FULL")
                run(f"PRAGMA wal_autocheckpoint = {LOG_FRAMES}")
                run("BEGIN IMMEDIATE")  # fails while somebody else is writing
                run("ROLLBACK")
                self.found = read(self._connection)
            except BaseException:
                self.close()
                raise

    def write(self, state: State | None, games: Collection[Row]) -> None:
        """Commit the state and these games."""
        with faults(self.path):
            run = self._connection.execute
            run("BEGIN IMMEDIATE")
            write_state(self._connection, state)
            if games:
                self._connection.executemany(INSERT_GAME, games)
                run("DELETE FROM game WHERE id <= (SELECT max(id) FROM game) - ?", (MAX_GAMES,))
            run("COMMIT")
            if self.path.stat().st_ino != self._inode or not beside(self.path)[0].exists():
                raise Unusable("the database has been taken away")

    def newest(self, count: int) -> list[Row]:
        """Return the newest games."""
        with faults(self.path):
            query = "SELECT * FROM game ORDER BY id DESC LIMIT ?"
            return self._connection.execute(query, (count,)).fetchall()

    def close(self) -> None:
        """Close the files; nothing is written."""
        with contextlib.suppress(sqlite3.Error, MemoryError):
            self._connection.close()


def write_state(connection: sqlite3.Connection, state: State | None) -> None:
    """Replace the state and the settings, in the transaction that is open."""
    if state is not None:
        places = ", ".join("?" * 11)
        row = (*state.progress, state.elapsed)
        connection.execute(f"REPLACE INTO progress VALUES (1, {places})", row)  # noqa: S608  # no input
        connection.executemany(_WRITE_SETTING, state.settings)


def read(connection: sqlite3.Connection) -> State | None:
    """Return the state and the settings. Raise `ValueError` for invalid ones."""
    (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM game").fetchone()
    if not 0 <= last < LARGEST:
        raise ValueError("invalid number of a game")
    row = connection.execute("SELECT * FROM progress").fetchone()
    settings = connection.execute("SELECT name, value, configured FROM setting LIMIT 100").fetchall()
    if row is None:
        return None
    if not any(str(name).startswith(RECORD) for name, _, _ in settings):  # of an earlier version: count once
        query = "SELECT level, human, result FROM game WHERE players = 1 ORDER BY id"
        settings += count_records(connection.execute(query))
    state = State(row[1:-1], row[-1], tuple(settings))
    unpack_state(state, 0.0)
    return state
