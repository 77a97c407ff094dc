"""A database: one SQLite file and its write-ahead log. A commit that has returned is durable.

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
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from appliance.core.errors import UserError, printable
from appliance.storage import rows
from appliance.storage.faults import Damaged, InUse, Newer, Outdated, Unusable, faults
from appliance.storage.files import sync, unfinished
from appliance.storage.rows import Row, State, unsealed

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


def size(path: Path) -> int:
    """Return the size of a file, 0 if there is none. Raise `OSError`, `Unusable` if it is no regular file."""
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


def open_to_read(path: Path) -> sqlite3.Connection:
    """Return a connection that writes nothing; the box may be playing. SQLite's errors propagate."""
    log = size(beside(path)[0])
    if log:  # the box may be playing: let SQLite take its locks
        with contextlib.ExitStack() as files:
            connection = files.enter_context(contextlib.closing(connect(path, "mode=ro")))
            with contextlib.suppress(sqlite3.OperationalError):  # there is no index and none can be created
                connection.execute("PRAGMA user_version")
                files.pop_all()
                return connection
    # Take no lock and create no file, so that this works on a disk that is full or read-only. SQLite reads a
    # log through an index; in this mode the index is in memory, not in a file.
    connection = connect(path, "mode=ro&" + ("vfs=unix-none" if log else "immutable=1"))
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    return connection


def check(connection: sqlite3.Connection) -> None:
    """Raise `Unusable` unless the database is ours, with the numbers and tables that we made.

    Call this before any other query. SQLite trusts the file: a wrong bit in a `CREATE TABLE` hides a table,
    and a view in its place may never end.
    """
    numbers = ("application_id", "user_version", "auto_vacuum")
    application, version, vacuum = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in numbers)
    found = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    intact = set(found) == {("table", name, name, sql) for name, sql in rows.TABLES.items()}
    known = (application, version) == (APPLICATION_ID, rows.VERSION)
    if intact and known and not vacuum:
        return
    # A flipped bit may change one number or rename one table; of some files nothing is left.
    if intact or known or not found or {name for _, name, _, _ in found} == rows.TABLES.keys():
        raise Damaged("a number in its header is wrong" if intact else "its schema is wrong")
    if application != APPLICATION_ID:
        raise Unusable("another program's database", ELSEWHERE)
    formats = f"of this program (its format is {version}, known is {rows.VERSION})"
    if version > rows.VERSION:
        raise Newer(f"written by a newer version {formats}", "upgrade")
    raise Unusable(f"written by an older version {formats}", ELSEWHERE)


@contextlib.contextmanager
def creating(path: Path) -> Iterator[sqlite3.Connection]:
    """Make a database under another name, to be filled, then rename it. SQLite's errors propagate."""
    new = unfinished(path)
    remove(new)  # left by a power cut
    numbers = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {rows.VERSION};"
    try:
        with contextlib.closing(sqlite3.connect(new, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous = OFF")
            connection.executescript(f"PRAGMA page_size = {PAGE}; {numbers} {rows.SCHEMA}")
            connection.execute("BEGIN")
            yield connection
            connection.execute("COMMIT")
            connection.execute("PRAGMA journal_mode = WAL")
        sync(new)
        replace(path, new)
    finally:
        remove(new)  # it may be what has filled the disk


def replace(path: Path, new: Path) -> None:
    """Give a complete database its name, and remove one that has it. Raise `OSError`.

    A power cut in between leaves only the new one, under the name `unfinished`.
    """
    remove(path)
    sync(path.parent)
    new.rename(path)
    sync(path.parent)


def finish(path: Path) -> None:
    """Complete a replacement that a power cut interrupted, if the new database is whole."""
    new = unfinished(path)
    with contextlib.suppress(Unusable), faults(path):
        if not os.path.lexists(path) and size(new):
            with contextlib.closing(Database(new)) as found:
                found.digest(lambda: False)
            replace(path, new)


def remove(path: Path) -> None:
    """Remove a database, and what is beside it."""
    for file in (path, *beside(path)):
        file.unlink(missing_ok=True)


class Database:
    """An open database, the only one that writes. Any fault raises `Unusable`; then call only `close`.

    Any thread may use it, one at a time. `state` is what it holds, `commits` how many commits it has seen,
    `last` its newest game's number. `games` and `visits`, by day, are to be added by the next commit.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.games: list[Row] = []
        self.visits: Counter[int] = Counter()
        with faults(path), contextlib.ExitStack() as files:
            if not size(path):
                raise Outdated("it is missing")
            # SQLite would accept a read-only file. To close this one before SQLite does would drop its locks.
            self._file = os.open(path, os.O_RDWR | os.O_CLOEXEC)
            files.callback(os.close, self._file)
            self._connection = files.enter_context(contextlib.closing(connect(path, "mode=rw&psow=0")))
            run = self._connection.execute
            check(self._connection)
            run("PRAGMA journal_mode = WAL")
            run("PRAGMA synchronous = FULL")
            run(f"PRAGMA wal_autocheckpoint = {LOG_FRAMES}")
            run("BEGIN IMMEDIATE")  # fails while another program is writing
            run("ROLLBACK")
            self.state, self.commits = rows.read_state(run), rows.read_commits(run)
            (self.last,) = run("SELECT coalesce(max(id), 0) FROM game").fetchone()
            self._files = files.pop_all()

    def commit(self, state: State | None, commits: int) -> None:
        """Commit the state, `games` and `visits` as the commit of this number."""
        with faults(self.path):
            run = self._connection.execute
            run("BEGIN IMMEDIATE")
            rows.write_state(self._connection, commits, state, self.state)
            last = self.last
            for number, *game in self.games:
                if number == rows.BACK:
                    if [tuple(game)] == [newest[1:] for newest in self.newest(1)]:  # else it has gone already
                        last -= run("DELETE FROM game WHERE id = ?", (last,)).rowcount
                else:
                    last += 1
                    rows.put(self._connection, "game", [(last, *game)])
            run("DELETE FROM game WHERE id <= ?", (last - MAX_GAMES,))
            known: dict[int, int] = dict(map(unsealed, run("SELECT * FROM day"))) if self.visits else {}
            rows.put(
                self._connection, "day", [(day, known.get(day, 0) + n) for day, n in self.visits.items()]
            )
            run("COMMIT")
            if self.path.stat().st_ino != os.fstat(self._file).st_ino or not beside(self.path)[0].exists():
                raise Unusable("the database was moved or deleted")
        self.state, self.commits, self.last = state, commits, last
        self.games.clear()
        self.visits.clear()

    def newest(self, count: int) -> list[Row]:
        """Return the newest games, without those that are to be added."""
        with faults(self.path):
            query = "SELECT * FROM game ORDER BY id DESC LIMIT ?"
            return [unsealed(row) for row in self._connection.execute(query, (count,))]

    def digest(self, busy: Callable[[], bool]) -> tuple[int, int]:
        """Read all of it from the disk; return how much it holds, and a sum that is equal for equal content.

        Raise `Unusable` if anything is wrong, or as soon as the box is `busy`.
        """
        run, amount, total = self._connection.execute, 0, 0
        self._connection.set_progress_handler(busy, 10_000)
        try:
            with faults(self.path):
                run("PRAGMA shrink_memory")  # empties its cache; the next line, the kernel's
                os.posix_fadvise(self._file, 0, 0, os.POSIX_FADV_DONTNEED)
                if (found := run("PRAGMA quick_check(1)").fetchone()) != ("ok",):
                    raise Damaged(printable(str(found[0])))
                for table in rows.TABLES.keys() - {"copy"}:
                    for row in run(f"SELECT * FROM {table}"):  # noqa: S608  # no input
                        unsealed(row)
                        amount += row[1] if table == "day" else table == "game"
                        total += row[-1]
                run("PRAGMA shrink_memory")  # the first Pis have little
        finally:
            self._connection.set_progress_handler(None, 0)
        return amount, total

    def close(self) -> None:
        """Close the files; nothing is written."""
        with contextlib.suppress(sqlite3.Error, MemoryError):
            self._files.close()
