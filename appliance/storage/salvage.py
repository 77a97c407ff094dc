"""A damaged database: copy what can be read into a new one, and set the old one aside.

The first 100 bytes of an SQLite file are its header, and one wrong bit there can hide every page behind it.
But all that matters in it is known in advance: each of our databases has the same page size, encoding and
versions, and the number of pages follows from the size of the file. So what is read is a copy with a header
made from what is known. Its fields: https://sqlite.org/fileformat.html#the_database_header

The new database takes the place of the old one and its log, and no single rename exchanges three files. So
the new one is completed and synced under a name of its own first, and that name is the decision: while it is
there, each start sets aside what is left of the old one and then renames the new one into its place. A cut
before it leaves the damaged database as it was; a cut after it only leaves renames to be done. Meanwhile the
card holds three databases, and the last few damaged ones stay, in case somebody can recover more.
"""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from appliance.core.english import counted
from appliance.storage import days
from appliance.storage.database import (
    APPLICATION_ID,
    PAGE,
    beside,
    creating,
    open_read_only,
    peek,
    present,
    remove,
)
from appliance.storage.faults import Damaged, faults, is_damage
from appliance.storage.files import sync
from appliance.storage.rows import INSERT_GAME, VERSION, Row, read_state, repaired, unpack_game, write_state

MAX_ASIDE = 3  # damaged databases that stay
_HEADER = 100  # bytes
# The names of the columns in the file may be damaged.
_GAMES = "WITH kept(id, b, c, d, e, f, g, h, i, j) AS (SELECT * FROM game) SELECT * FROM kept"
_PIECE = 1 << 20  # bytes that are copied at a time


def replace(path: Path) -> str:
    """Replace a damaged database by a new one with all that can be read; return what was done, in words.

    Raise `Unusable` if nothing can be written; then nothing has changed. A power cut loses nothing: `finish`
    completes the replacement.
    """
    with faults(path), creating(_salvaged(path)) as target:
        _recover(path, target)
        (games,) = target.execute("SELECT count(*) FROM game").fetchone()
        (state,) = target.execute("SELECT count(*) FROM progress").fetchone()
    recovered = f"{counted(games, 'game')}{' and the score' * state}"
    remedy = "if that happens again, replace the card"
    return f"set aside as {finish(path)}, recovered {recovered}; {remedy}"


def finish(path: Path) -> str:
    """Complete a replacement if one is in progress; return the old database's new name. Raise `Unusable`."""
    with faults(path):
        if not os.path.lexists(_salvaged(path)):
            return ""
        if not _is_whole(_salvaged(path)):  # not made by `replace`, which renames it when it is complete
            remove(_salvaged(path))
            return ""
        aside = _set_aside(path)
        _salvaged(path).rename(path)
        sync(path.parent)
        return aside


def forget(path: Path) -> None:
    """Durably remove a database, its damaged predecessors and a copy. Raise `OSError`."""
    for file in (*_set_aside_before(path), _copy(path), _salvaged(path), path):
        remove(file)
    sync(path.parent)


def _salvaged(path: Path) -> Path:
    return path.with_name(f"{path.name}.salvaged")


def _copy(path: Path) -> Path:
    return path.with_name(f"{path.name}.rebuilt")


def _is_whole(path: Path) -> bool:
    """Return whether a database exists and is sound. Raise `Unusable` if it cannot be read."""
    try:
        peek(path)
        return present(path)
    except Damaged:
        return False


def _set_aside_before(path: Path) -> list[Path]:
    """Return the damaged databases that were set aside, the newest first."""
    ends = ("-wal", "-shm", "-journal")
    found = [file for file in path.parent.glob(f"{path.name}.damaged-*") if not file.name.endswith(ends)]
    return sorted(found, key=lambda file: file.lstat().st_ctime_ns, reverse=True)


def _set_aside(path: Path) -> str:
    """Rename a database and the files beside it, the log first; keep the newest; return the new name."""
    aside = path.with_name(f"{path.name}.damaged-{os.urandom(4).hex()}")
    for old, new in zip((*beside(path), path), (*beside(aside), aside), strict=True):
        if os.path.lexists(old):
            old.rename(new)
    for file in _set_aside_before(path)[MAX_ASIDE:]:
        remove(file)
    sync(path.parent)
    return aside.name


def _recover(path: Path, target: sqlite3.Connection) -> None:
    """Copy what can be read of a damaged database. System errors propagate."""
    if not path.exists():
        return  # a log whose database is gone
    damages: list[str] = []
    with _rebuilt(path) as copy, contextlib.closing(open_read_only(copy)) as source:
        read_on(source, damages)
        state = read_state(lambda query: _rows(source, query, damages))
        write_state(target, state and repaired(state))
        for row in readable_games(source, damages):
            with contextlib.suppress(ValueError):
                unpack_game(row)
                target.execute(INSERT_GAME, row)
        for visits in days.valid_visits(_rows(source, "SELECT * FROM visit", damages)):
            target.execute(days.ADD, visits)


@contextlib.contextmanager
def _rebuilt(path: Path) -> Iterator[Path]:
    """Copy a database and its log, and replace the header of the copy."""
    copy = _copy(path)
    remove(copy)  # left by a power cut
    try:
        for old, new in ((path, copy), (beside(path)[0], beside(copy)[0])):
            if old.exists():
                with old.open("rb") as source, new.open("wb") as target:
                    target.writelines(iter(partial(source.read, _PIECE), b""))  # it may be larger than memory
        with copy.open("r+b") as file:
            found = file.read(_HEADER)
            if len(found) == _HEADER:
                file.seek(0)
                file.write(_header(found, copy.stat().st_size // PAGE))
        yield copy
    finally:
        remove(copy)


def _header(found: bytes, pages: int) -> bytes:
    """Return the header of our database with this many pages; `found` is its damaged one."""
    changes, cookie, library = found[24:28], found[40:44], found[96:100]
    return b"".join(
        (
            b"SQLite format 3\0",
            PAGE.to_bytes(2),
            bytes([2, 2, 0, 64, 32, 32]),  # WAL; no reserved bytes; the fixed payload fractions
            changes,
            pages.to_bytes(4),
            bytes(8),  # no free pages: nothing is written into the copy
            cookie,
            (4).to_bytes(4),  # the schema's format
            bytes(8),
            (1).to_bytes(4),  # UTF-8
            VERSION.to_bytes(4),
            bytes(4),
            APPLICATION_ID.to_bytes(4),
            bytes(20),
            changes,  # the number of pages is valid for these
            library,
        )
    )


def read_on(source: sqlite3.Connection, damages: list[str]) -> None:
    """Let the connection read on despite a wrong schema or size, and read version 1 through its views.

    Version 2 needs none: it only lacks the tables that came later.
    """
    source.execute("PRAGMA writable_schema = ON")
    tables = "(VALUES ('progress'), ('record'), ('game')), pragma_table_info(column1)"
    names = "'helped', 'coached', 'won'"
    if list(_rows(source, f"SELECT 1 FROM {tables} WHERE name IN ({names})", damages)):  # noqa: S608  # no input
        return
    from appliance.storage import older  # noqa: PLC0415 - needed once in the life of a card

    coached = list(_rows(source, older.COACHED, damages))
    with _noting(damages):
        older.show(source, 1, str(len(coached)))  # the view of the game must not read damaged settings


def readable_games(source: sqlite3.Connection, damages: list[str]) -> Iterator[Row]:
    """Yield the rows of the history in order, including those after a damaged page; note the damage."""
    last, before = 0, len(damages)
    for row in _rows(source, f"{_GAMES} ORDER BY id", damages):
        last = row[0]
        yield row
    if len(damages) > before:
        behind = f"{_GAMES} WHERE id > {int(last)} ORDER BY id DESC LIMIT 20000"
        yield from reversed(list(_rows(source, behind, damages)))


def _rows(source: sqlite3.Connection, query: str, damages: list[str]) -> Iterator[Row]:
    """Yield rows until one is damaged, and note that."""
    with _noting(damages):
        yield from source.execute(query)


@contextlib.contextmanager
def _noting(damages: list[str]) -> Iterator[None]:
    """Note an error that blames the file, and go on."""
    try:
        yield
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # the latter: the name of a column
        if isinstance(error, sqlite3.DatabaseError) and not is_damage(error):
            raise
        damages.append(str(error))
