"""The open database, written so that nothing is lost and little is written.

It is in WAL mode with `synchronous=NORMAL`: a transaction is one append to the write-ahead log. That outlives
the process at once, and nothing waits for the card. `sync` then makes the log outlive a power cut with a
single fdatasync(2) on a descriptor of our own. SQLite takes its locks on the database and on the log's index,
never on the log, so closing this descriptor drops none of them. What SQLite itself syncs (the header of a log
that begins anew, and both files around a checkpoint) keeps the order that recovery relies on:
https://sqlite.org/walformat.html

The log is laid out once at its full length and then written over again and again: a file that grows costs a
journalling file system three blocks more at each sync.
"""

import contextlib
import os
import sqlite3
from collections.abc import Iterable
from pathlib import Path

from appliance.storage.place import (
    MIGRATIONS,
    PAGE,
    beside,
    create,
    faults,
    inspect,
    migrate,
    refuse_newer,
    sync_file,
    version_of,
)
from appliance.storage.records import Row, State

LOG_FRAMES = 128  # pages in the log before it is copied into the database: about ten games
LOG_BYTES = 32 + (LOG_FRAMES + 16) * (PAGE + 24)  # with room for the last transactions
BUSY = 0.2  # seconds to wait for a lock that another program holds
CHECKED = 8 << 20  # bytes; a larger database is not checked at each start. It holds over 100,000 games.


class Database:
    """An open database, the only one that writes. Any fault raises `Damaged` or `Unwritable`.

    It may be handed from thread to thread; two never use it at once. After a fault nothing but `close` may be
    called. A new one is made where there is none. Raise `UserError` as `inspect` does.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._log_path = beside(path)[0]
        self._log: int | None = None  # a descriptor of the write-ahead log
        self._frames = LOG_FRAMES  # since the last checkpoint; unknown in a log that is found
        found = inspect(path)
        with faults():
            if not found:
                create(path)
            self._file = path.stat().st_ino
            # One thread opens it, where what is wrong can be told to a person, and another may use it then.
            self._connection = sqlite3.connect(
                path, timeout=BUSY, isolation_level=None, check_same_thread=False
            )
        try:
            with faults():
                self._prepare()
        except BaseException:
            self.close()
            raise

    def _prepare(self) -> None:
        run = self._connection.execute
        (mode,) = run("PRAGMA journal_mode = WAL").fetchone()
        if mode != "wal":
            raise OSError(None, "this file system cannot hold a write-ahead log")
        run("PRAGMA synchronous = NORMAL")
        run("PRAGMA wal_autocheckpoint = 0")
        if self.path.stat().st_size <= CHECKED:
            (result,) = run("PRAGMA quick_check(1)").fetchone()
            if result != "ok":
                raise ValueError(result.splitlines()[-1])
        migrate(self._connection, self.path)
        if self._log_path.stat().st_size:
            # A process that was killed may have shown what is in the log and not yet on the card.
            self.sync()

    def read(self) -> tuple[State | None, int]:
        """Return the state that was kept, None for none, and the number of the last finished game."""
        with faults():
            return _read(self._connection)

    def write(self, state: State, games: Iterable[Row], *, with_settings: bool) -> None:
        """Keep the state and these games in one transaction. A game that is there already stays as it is."""
        with faults():
            run = self._connection.execute
            run("BEGIN IMMEDIATE")
            run(
                "REPLACE INTO progress VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*state.progress, state.elapsed),
            )
            if with_settings:
                self._connection.executemany("REPLACE INTO setting VALUES (?, ?, ?)", state.settings)
            for game in games:
                run("INSERT OR IGNORE INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", game)
                self._frames += 1
            run("COMMIT")
            self._frames += 1

    def sync(self) -> None:
        """Make what has been written outlive a power cut. Raise `Unwritable` also when the files are gone."""
        with faults():
            log = self._open_log()
            if os.fstat(log).st_nlink == 0 or self.path.stat().st_ino != self._file:
                raise OSError(None, "the database has been taken away")
            os.fdatasync(log)

    def _open_log(self) -> int:
        if self._log is None:
            self._log = os.open(self._log_path, os.O_RDWR | os.O_CLOEXEC)
            sync_file(self.path.parent)
        return self._log

    def erase(self) -> None:
        """Forget everything, in one transaction that outlives a power cut."""
        with faults():
            script = "DELETE FROM progress; DELETE FROM setting; DELETE FROM game;"
            self._connection.executescript(f"BEGIN IMMEDIATE; {script} COMMIT;")
        self.sync()

    @property
    def log_is_full(self) -> bool:
        """Whether it is time for `checkpoint`. It is so at first, too."""
        return self._frames >= LOG_FRAMES

    def checkpoint(self) -> None:
        """Copy the log into the database and let it begin anew."""
        with faults():
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            # The first transaction of a log that begins anew waits for the card: let it be none with a mark.
            self._connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
            self._frames = 0
            _lay_out(self._open_log())

    def close(self) -> None:
        """Let the files go. What has been written stays; nothing else is."""
        with contextlib.suppress(sqlite3.Error):
            self._connection.close()
        if self._log is not None:
            os.close(self._log)
            self._log = None


def open_for_reading(path: Path) -> sqlite3.Connection | None:
    """Return a connection that changes nothing, None when nothing has been kept yet.

    It works while the box is playing, on a disk that is full or read-only, and for a user who may not write.
    Raise as `inspect` does, and `Unwritable` also when the database cannot be opened.
    """
    if not inspect(path):
        return None
    log = beside(path)[0]
    with faults():
        # A log is read through its index. Where there is none, SQLite must not make one.
        how = "mode=ro" if log.exists() and log.stat().st_size else "mode=ro&immutable=1"
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True, isolation_level=None)
    try:
        with faults():
            refuse_newer(path, version_of(connection))
    except BaseException:
        connection.close()
        raise
    return connection


def peek(path: Path) -> tuple[State | None, int]:
    """Return what `Database.read` returns, where nothing can be written. Raise as `open_for_reading` does."""
    connection = open_for_reading(path)
    if connection is None:
        return None, 0
    with contextlib.closing(connection), faults():
        return _read(connection)


def _read(connection: sqlite3.Connection) -> tuple[State | None, int]:
    (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM game").fetchone()
    row = connection.execute("SELECT * FROM progress").fetchone()
    if row is None:
        return None, last
    settings = connection.execute("SELECT name, value, configured FROM setting").fetchall()
    return State(tuple(row[1:-1]), row[-1], tuple(settings)), last


def _lay_out(log: int) -> None:
    """Give the log its full length. A disk without room for that may still have room for the next move."""
    length = os.fstat(log).st_size
    if length < LOG_BYTES:
        with contextlib.suppress(OSError):
            os.pwrite(log, bytes(LOG_BYTES - length), length)
