"""The database: one SQLite file and its write-ahead log. A commit that has returned is durable.

The power may fail between any two writes, and halfway through one, so data that is safe must not be
overwritten by data that is not safe yet. A write-ahead log only appends: a commit adds the changed pages to
the log and syncs it (`synchronous=FULL`). Each page in the log carries a checksum of all before it, and the
log is read up to the last complete commit, so a cut leaves the state before the commit or the state after it.
When the log is full, SQLite copies it into the database, and syncs that before it reuses the log: after
a cut in between, it copies again. A commit costs one sync, where a rollback journal needs at
least two; every page is written twice. https://sqlite.org/wal.html, https://sqlite.org/walformat.html

A card that loses power may tear the whole sector it is writing, with what was safe in it before. So no commit
shares a sector with an earlier one: `psow=0` tells SQLite not to trust the disk there ("powersafe overwrite",
https://sqlite.org/psow.html), and it fills the rest of the last 4 KB with copies. For 100 games that writes
1.7 times as many 4 KB blocks. A new database is complete and synced under another name before it is renamed:
rename(2) is atomic, so there is never half a database.
"""

import contextlib
import os
import sqlite3
import stat
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from appliance.core.errors import UserError
from appliance.storage import days
from appliance.storage.faults import Damaged, InUse, Newer, Unusable, faults
from appliance.storage.files import sync
from appliance.storage.rows import INSERT_GAME, ROOTS, SCHEMA, TABLES, VERSION, Row, State, saved, write_state

NAME = "tictactoe.db"
APPLICATION_ID = 0x54545439  # "TTT9"
PAGE = 512  # bytes; a move changes one row
LOG_FRAMES = 512  # pages in the log before SQLite copies it into the database: about ten games
MAX_GAMES = 100_000  # kept: 6 MB; the oldest go first
WAIT = 0.2  # seconds to wait for a lock that another program holds
ELSEWHERE = "move it away, or choose another directory with --state"


def state_directory(chosen: Path | str | None, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the box's directory: the chosen one, else systemd's, else XDG's default.

    Raise `UserError` if that needs a home directory and there is none.
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
    """Create the directory if needed and lock it; return the descriptor that holds the lock.

    The lock ends when the descriptor is closed or the process ends. Raise `InUse` if another box holds it,
    `Unusable` if the directory cannot be used.
    """
    import fcntl  # noqa: PLC0415 - missing on some systems that simulate

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

    Raise `Damaged` if it is provably incomplete, `Unusable` if it cannot be read or is not a file.
    """
    with faults(path):
        size, log, journal = [_size(file) for file in (path, *beside(path)[:2])]
        if not size:
            if log or journal:
                raise Damaged("the database is gone and its log is not")
            return False
        with path.open("rb") as file:
            header = file.read(100)
        # SQLite treats a file with other format versions as read-only.
        if not log and header[18:24] not in {bytes([1, 1, 0, 64, 32, 32]), bytes([2, 2, 0, 64, 32, 32])}:
            raise Damaged("its header is wrong")
        # SQLite fills a short page with zeros.
        if size % PAGE and not log:
            raise Damaged("its last page is cut short")
        return True


def _size(path: Path) -> int:
    """Return the size of a file, 0 if there is none. Raise `Unusable` if it is not a regular file."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return 0
    if not stat.S_ISREG(found.st_mode):
        raise Unusable(f"{path.name} is not a regular file", ELSEWHERE)
    return found.st_size


def connect(path: Path, how: str) -> sqlite3.Connection:
    """Return a connection by SQLite's URI parameters `how`. SQLite's errors propagate.

    Invalid UTF-8 is read as U+FFFD, which the value's own check rejects.
    """
    uri = f"{path.absolute().as_uri()}?{how}"
    connection = sqlite3.connect(uri, uri=True, timeout=WAIT, isolation_level=None, check_same_thread=False)
    connection.text_factory = lambda data: data.decode(errors="replace")
    return connection


def open_read_only(path: Path) -> sqlite3.Connection:
    """Return a connection that writes nothing, creates no file and takes no lock. SQLite's errors propagate.

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
        return saved(connection)


def check(connection: sqlite3.Connection) -> None:
    """Raise `Damaged` or `Unusable` unless the database is ours, with the numbers and tables that we made.

    Call this before any other query. SQLite trusts the file: a wrong bit in a `CREATE TABLE` hides a table,
    and a view in its place may never end.
    """
    numbers = ("application_id", "user_version", "auto_vacuum")
    application, version, vacuum = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in numbers)
    intact, known = has_our_tables(connection), (application, version) == (APPLICATION_ID, VERSION)
    if intact and known and not vacuum:
        return
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    # A flipped bit may change one number or rename one table.
    if intact or known or names == set(ROOTS):
        raise Damaged("a number in its header is wrong" if intact else "its schema is wrong")
    if application != APPLICATION_ID:
        raise Unusable("another program's database", ELSEWHERE)
    formats = f"of this program (its format is {version}, known is {VERSION})"
    if version > VERSION:
        raise Newer(f"written by a newer version {formats}", "upgrade")
    raise Unusable(f"written by an older version {formats}", ELSEWHERE)


def has_our_tables(connection: sqlite3.Connection) -> bool:
    """Return whether a database has our tables in their places, and no more. SQLite's errors propagate."""
    return set(connection.execute("SELECT * FROM sqlite_master")) == TABLES


def create_tables(connection: sqlite3.Connection) -> None:
    """Give an empty database its numbers and tables. SQLite's errors propagate."""
    numbers = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION};"
    connection.executescript(f"PRAGMA page_size = {PAGE}; {numbers} {SCHEMA}")


@contextlib.contextmanager
def creating(path: Path) -> Iterator[sqlite3.Connection]:
    """Make a database under another name, to be filled, then rename it. SQLite's errors propagate."""
    new = path.with_name(f"{path.name}.new")
    remove_database(new)  # left by a power cut
    try:
        with contextlib.closing(sqlite3.connect(new, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous = OFF")
            create_tables(connection)
            connection.execute("BEGIN")
            yield connection
            connection.execute("COMMIT")
            connection.execute("PRAGMA journal_mode = WAL")
        sync(new)
        new.rename(path)
    finally:
        remove_database(new)  # it may be what has filled the disk
    sync(path.parent)


def remove_database(path: Path) -> None:
    """Remove a database. The log goes first: alone, it would be taken for the log of the next database."""
    for file in (*beside(path), path):
        file.unlink(missing_ok=True)


class Database:
    """An open database, the only one that writes. Any fault raises `Damaged` or `Unusable`.

    Any thread may use it, one at a time. After a fault, call only `close`. A missing database is created.
    `kept` is the state that it holds.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with faults(path):
            if not present(path):
                with creating(path):
                    pass
            os.close(os.open(path, os.O_RDWR | os.O_CLOEXEC))  # SQLite would accept a read-only file
            self._inode = path.stat().st_ino
            self._connection = connect(path, "mode=rw&psow=0")
            try:
                run = self._connection.execute
                check(self._connection)
                run("PRAGMA journal_mode = WAL")
                run("PRAGMA synchronous = FULL")
                run(f"PRAGMA wal_autocheckpoint = {LOG_FRAMES}")
                run("BEGIN IMMEDIATE")  # fails while another program is writing
                run("ROLLBACK")
                self.kept = saved(self._connection)
            except BaseException:
                self.close()
                raise

    def write(
        self, state: State | None, games: Collection[Row], visits: Collection[tuple[int, int]] = ()
    ) -> None:
        """Commit the state and these games, and add the visits of these days."""
        if state is None or state.same_as(self.kept):
            state = self.kept
        with faults(self.path):
            run = self._connection.execute
            run("BEGIN IMMEDIATE")
            write_state(self._connection, state, self.kept)
            if games:
                self._connection.executemany(INSERT_GAME, games)
                run("DELETE FROM game WHERE id <= (SELECT max(id) FROM game) - ?", (MAX_GAMES,))
            self._connection.executemany(days.ADD, visits)
            run("COMMIT")
            if self.path.stat().st_ino != self._inode or not beside(self.path)[0].exists():
                raise Unusable("the database was moved or deleted")
        self.kept = state

    def newest(self, count: int) -> list[Row]:
        """Return the newest games."""
        with faults(self.path):
            query = "SELECT * FROM game ORDER BY id DESC LIMIT ?"
            return self._connection.execute(query, (count,)).fetchall()

    def close(self) -> None:
        """Close the files; nothing is written."""
        with contextlib.suppress(sqlite3.Error, MemoryError):
            self._connection.close()
