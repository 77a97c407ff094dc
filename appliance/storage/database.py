"""The database: one SQLite file and its write-ahead log. A commit that has returned is durable.

WAL mode with `synchronous=FULL`: a commit appends to the log and syncs it, with one fdatasync(2). SQLite
copies the log into the database by itself: https://sqlite.org/walformat.html
"""

import contextlib
import os
import sqlite3
import stat
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from appliance.storage.faults import Damaged, Unusable, faults
from appliance.storage.rows import LARGEST, Row, State, unpack_state

NAME = "tictactoe.db"
APPLICATION_ID = 0x54545439  # "TTT9"
VERSION = 1  # a later one must change the schema, too: that tells it from a flipped bit
PAGE = 512  # bytes; a move changes one row
LOG_FRAMES = 128  # pages in the log before SQLite copies it into the database: about ten games
MAX_GAMES = 100_000  # kept: 6 MB. The oldest go first.
BUSY = 0.2  # seconds to wait for a lock that another program holds

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
INSERT_GAME = "INSERT OR IGNORE INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"


class Found(NamedTuple):
    """What a database holds: the state (None before the first) and the number of the last finished game."""

    state: State | None
    last: int


def beside(path: Path) -> tuple[Path, Path, Path]:
    """Return the files that SQLite keeps beside a database: log, rollback journal, the log's index."""
    log, journal, index = (path.with_name(path.name + suffix) for suffix in ("-wal", "-journal", "-shm"))
    return log, journal, index


def present(path: Path) -> bool:
    """Return whether there is a database, as far as its first bytes tell; nothing is changed by looking.

    Raise `Damaged` when it is no complete database, `Unusable` when it cannot be read or is no file.
    """
    with faults(path):
        log, journal, index = beside(path)
        sizes = {file: _size(file) for file in (path, log, journal, index)}
        if not sizes[path]:
            if sizes[log] or sizes[journal]:
                raise Damaged("the database is gone and its log is not")
            return False
        with path.open("rb") as file:
            header = file.read(100)
        # SQLite would take other format numbers for a read-only file, and fill a short page with zeros.
        if header[:18] + header[20:24] != _HEADER or len(header) < 100 or not {*header[18:20]} <= {1, 2}:
            raise Damaged("its header is wrong")
        if sizes[path] % PAGE and not sizes[log]:
            raise Damaged("its last page is cut short")
        numbers = (int.from_bytes(header[at : at + 4], "big") for at in (68, 60))
        if (*numbers,) != (APPLICATION_ID, VERSION):
            with contextlib.closing(open_read_only(path)) as connection:
                check(connection)
        return True


_HEADER = b"SQLite format 3\0" + PAGE.to_bytes(2, "big") + bytes([0, 64, 32, 32])


def _size(path: Path) -> int:
    """Return the size of a file, 0 when there is none. Raise `Unusable` when it is no regular file."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return 0
    if not stat.S_ISREG(found.st_mode):
        kinds = {stat.S_IFDIR: "directory", stat.S_IFSOCK: "socket", stat.S_IFLNK: "symbolic link"}
        kind = kinds.get(stat.S_IFMT(found.st_mode), "device")
        raise Unusable(f"{path.name}: is a {kind}", "move it away, or choose another directory with --state")
    return found.st_size


def open_read_only(path: Path) -> sqlite3.Connection:
    """Return a connection that writes nothing, makes no file and takes no lock. SQLite's errors are raised.

    It works on a disk that is full or read-only, and sees what is in the log. Nobody may write meanwhile.
    """
    # A log is read through an index. In this mode SQLite keeps it in memory and not in a file beside the log.
    how = "vfs=unix-none" if _size(beside(path)[0]) else "immutable=1"
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&{how}", uri=True, isolation_level=None)
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.text_factory = lambda data: data.decode(errors="replace")
    return connection


def peek(path: Path) -> Found:
    """Return what a database holds, where nothing can be written. Raise `Damaged` or `Unusable`."""
    if not present(path):
        return Found(None, 0)
    with faults(path), contextlib.closing(open_read_only(path)) as connection:
        check(connection)
        return read(connection)


def check(connection: sqlite3.Connection) -> None:
    """Raise `Damaged` or `Unusable` unless the database is ours and of this version."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if (application, version) == (APPLICATION_ID, VERSION):
        return
    tables = connection.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL ORDER BY name").fetchall()
    if sorted(" ".join(sql.split()) for (sql,) in tables) == _TABLES:
        raise Damaged("a number in its header is wrong")
    if application != APPLICATION_ID:
        raise Unusable("another program's database", "move it away, or choose another directory with --state")
    if version > VERSION:
        raise Unusable(
            f"written by a newer version of this program (its format is {version}, known is {VERSION})",
            "upgrade",
        )
    raise Damaged("its tables are gone")


_TABLES = sorted(" ".join(part.split()) for part in SCHEMA.split(";") if part.strip())


def create(path: Path, fill: Callable[[sqlite3.Connection], None] = lambda _connection: None) -> None:
    """Make a database in one step: under another name, filled, then renamed. SQLite's errors are raised."""
    new = path.with_name(f"{path.name}.new")
    for file in (new, *beside(new)):
        file.unlink(missing_ok=True)  # left by a making that a power cut ended
    with contextlib.closing(sqlite3.connect(new, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size = {PAGE}")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.executescript(f"{SCHEMA} PRAGMA user_version = {VERSION}; BEGIN;")
        fill(connection)
        connection.execute("COMMIT")
        connection.execute("PRAGMA journal_mode = WAL")
    sync_file(new)
    new.rename(path)
    sync_file(path.parent)


def sync_file(path: Path) -> None:
    """Make a file, or the names in a directory, outlive a power cut."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class Database:
    """An open database, the only one that writes. Any fault raises `Damaged` or `Unusable`.

    It may be handed from thread to thread; two never use it at once. After a fault nothing but `close` may be
    called. A new one is made where there is none. `found` is what it held when it was opened.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with faults(path):
            if not present(path):
                create(path)
            os.close(
                os.open(path, os.O_RDWR | os.O_CLOEXEC)
            )  # SQLite would open a read-only file for reading
            self._inode = path.stat().st_ino
            self._connection = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode=rw",
                uri=True,
                timeout=BUSY,
                isolation_level=None,
                check_same_thread=False,
            )
        try:
            with faults(path):
                self._prepare()
                self.found = read(self._connection)
        except BaseException:
            self.close()
            raise

    def _prepare(self) -> None:
        run = self._connection.execute
        check(self._connection)
        (mode,) = run("PRAGMA journal_mode = WAL").fetchone()
        if mode != "wal":
            raise Unusable("this file system cannot hold a write-ahead log")
        run("PRAGMA synchronous = FULL")
        run(f"PRAGMA wal_autocheckpoint = {LOG_FRAMES}")
        run("BEGIN IMMEDIATE")  # nobody else is writing
        run("ROLLBACK")

    def write(self, state: State | None, games: Iterable[Row], *, with_settings: bool) -> None:
        """Commit the state and these games. A game that is there already stays as it is."""
        with faults(self.path):
            run = self._connection.execute
            run("BEGIN IMMEDIATE")
            write_rows(
                self._connection, state if with_settings or state is None else state._replace(settings=())
            )
            for game in games:
                run(INSERT_GAME, game)
                oldest = "SELECT id FROM game WHERE id <= ? ORDER BY id LIMIT 10"
                run(f"DELETE FROM game WHERE id IN ({oldest})", (game[0] - MAX_GAMES,))  # noqa: S608  # no input
            run("COMMIT")
            log = beside(self.path)[0]
            if self.path.stat().st_ino != self._inode or not log.exists():
                raise Unusable("the database has been taken away")

    def holds(self, game: Row) -> bool:
        """Return whether this very game is in the history."""
        with faults(self.path):
            found: Row | None = self._connection.execute(
                "SELECT * FROM game WHERE id = ?", game[:1]
            ).fetchone()
            return found == game

    def erase(self) -> None:
        """Forget everything, in one transaction."""
        with faults(self.path):
            script = "DELETE FROM progress; DELETE FROM setting; DELETE FROM game;"
            self._connection.executescript(f"BEGIN IMMEDIATE; {script} COMMIT; VACUUM;")

    def close(self) -> None:
        """Let the files go. What has been written stays; nothing else is."""
        with contextlib.suppress(sqlite3.Error, MemoryError):
            self._connection.close()


def write_rows(connection: sqlite3.Connection, state: State | None) -> None:
    """Replace the state and the settings, in the transaction that is open."""
    if state is not None:
        places = ", ".join("?" * 11)
        connection.execute(
            f"REPLACE INTO progress VALUES (1, {places})",  # noqa: S608  # no input
            (*state.progress, state.elapsed),
        )
        connection.executemany("REPLACE INTO setting VALUES (?, ?, ?)", state.settings)


def read(connection: sqlite3.Connection) -> Found:
    """Return what a database holds. Raise `ValueError` when that cannot be."""
    (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM game").fetchone()
    state = read_state(connection)
    if state is not None:
        unpack_state(state, 0.0)
    if not 0 <= last < LARGEST:
        raise ValueError("invalid number of a game")
    return Found(state, last)


def read_state(connection: sqlite3.Connection) -> State | None:
    """Return the state and the settings as they are stored."""
    row = connection.execute("SELECT * FROM progress").fetchone()
    if row is None:
        return None
    settings = connection.execute("SELECT name, value, configured FROM setting LIMIT 100").fetchall()
    return State(tuple(row[1:-1]), row[-1], tuple(settings))
