"""The place of the database: what lies there, whose it is, making a new one, setting a damaged one aside."""

import contextlib
import os
import sqlite3
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from appliance.errors import UserError

NAME = "tictactoe.db"
APPLICATION_ID = 0x54545439  # "TTT9"
PAGE = 512  # bytes; a move changes one row

_MAGIC = b"SQLite format 3\0"
_REMEDY = "or choose another directory with --state"

# Each script leads from the version that is its index to the next; `user_version` says which one a file has.
MIGRATIONS: tuple[str, ...] = (
    """
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
    """,
)

# SQLite's primary result codes for what is not the file's own fault.
_OUTSIDE = frozenset(
    {
        sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_PERM, sqlite3.SQLITE_NOLFS,
    }
)  # fmt: skip


class Damaged(Exception):  # noqa: N818  # a state of the file, as in "FileNotFound"
    """The file is ours, or nobody's, and does not hold what it should."""


class Unwritable(Exception):  # noqa: N818  # as above
    """The disk is full, read-only, gone or failing; trying again later may help."""


class Locked(Unwritable):
    """Another program has locked the file."""


@contextlib.contextmanager
def faults() -> Iterator[None]:
    """Turn the errors of SQLite and of the system into `Damaged` and `Unwritable`."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
        kind = Locked if code == sqlite3.SQLITE_BUSY else Unwritable if code in _OUTSIDE else Damaged
        raise kind(str(error)) from error
    except ValueError as error:
        raise Damaged(str(error)) from error
    except OSError as error:
        raise Unwritable(error.strerror or str(error)) from error


def beside(path: Path) -> tuple[Path, Path, Path]:
    """Return the files that SQLite keeps beside a database: log, rollback journal, the log's index."""
    log, journal, index = (path.with_name(path.name + suffix) for suffix in ("-wal", "-journal", "-shm"))
    return log, journal, index


def inspect(path: Path) -> bool:
    """Return whether there is a database of ours at `path`; nothing is changed by looking.

    Raise `UserError` when something is there that is not ours, that may not be read or that is newer than
    this program, `Damaged` when it is no complete database, `Unwritable` when it cannot be read.
    """
    log, journal, index = beside(path)
    there = [file for file in (path, log, journal, index) if _is_file(file)]
    header = _header(path) if path in there else b""
    if not header:
        if log in there or journal in there:
            raise Damaged("the database is gone and its log is not")
        return False
    if header[:16] != _MAGIC or len(header) < 100:
        raise Damaged("it does not begin as a database does")
    if int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        raise UserError(f"{path}: is another program's database: move it away, {_REMEDY}")
    refuse_newer(path, int.from_bytes(header[60:64], "big"))
    # SQLite would fill the rest of such a page with zeros. A log, if there is one, has the whole page.
    if path.stat().st_size % PAGE and not (log in there and log.stat().st_size):
        raise Damaged("its last page is cut short")
    return True


def refuse_newer(path: Path, version: int) -> None:
    """Raise `UserError` when a database of this version is newer than this program."""
    if version > len(MIGRATIONS):
        raise UserError(
            f"{path}: was written by a newer version of this program (its format is {version}, "
            f"the newest known here {len(MIGRATIONS)}): upgrade, {_REMEDY}"
        )


def create(path: Path) -> None:
    """Make an empty database in one step: under another name, then renamed."""
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)  # ours by its name: one whose making a power cut ended
    try:
        with contextlib.closing(sqlite3.connect(new, isolation_level=None)) as connection:
            connection.execute(f"PRAGMA page_size = {PAGE}")
            connection.execute("PRAGMA journal_mode = OFF")
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            migrate(connection, new)
        sync_file(new)
        new.rename(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
    sync_file(path.parent)


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Bring the database to this program's version, in one transaction, and into the file itself."""
    version = version_of(connection)
    refuse_newer(path, version)
    if version < len(MIGRATIONS):
        script = "".join(MIGRATIONS[version:])
        connection.executescript(
            f"BEGIN IMMEDIATE; {script} PRAGMA user_version = {len(MIGRATIONS)}; COMMIT;"
        )
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()


def version_of(connection: sqlite3.Connection) -> int:
    """Return the version of the schema."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def set_aside(path: Path, wall: float) -> Path:
    """Move a damaged database out of the way, under a name with the date; return that name.

    The log goes first: left behind alone, it would be taken for the log of the next database.
    Raise `Unwritable` when it cannot be moved.
    """
    date = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(max(0.0, wall)))
    aside, count = path.with_name(f"{path.name}.damaged-{date}"), 1
    with faults():
        while any(os.path.lexists(file) for file in (aside, *beside(aside))):
            count += 1
            aside = path.with_name(f"{path.name}.damaged-{date}-{count}")
        for old, new in zip((*beside(path), path), (*beside(aside), aside), strict=True):
            if os.path.lexists(old):
                old.rename(new)
        sync_file(path.parent)
    return aside


def sync_file(path: Path) -> None:
    """Make a file, or the names in a directory, outlive a power cut."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _is_file(path: Path) -> bool:
    """Return whether there is a file. Raise `UserError` when there is something else."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return False
    except OSError as error:
        raise UserError(f"{path}: cannot be looked at: {error.strerror}: see to that, {_REMEDY}") from error
    if not stat.S_ISREG(mode):
        kinds = {stat.S_IFDIR: "directory", stat.S_IFSOCK: "socket", stat.S_IFLNK: "symbolic link"}
        kind = kinds.get(stat.S_IFMT(mode), "device")
        raise UserError(f"{path}: is a {kind} where the games are to be kept: move it away, {_REMEDY}")
    return True


def _header(path: Path) -> bytes:
    """Return the first 100 bytes of a file, fewer when it is shorter."""
    try:
        with path.open("rb") as file:
            return file.read(100)
    except PermissionError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}: see to that, {_REMEDY}") from error
    except OSError as error:
        raise Unwritable(error.strerror or str(error)) from error
