"""A damaged database: copy what can be read into a new one, and set the old one aside.

The first 100 bytes of an SQLite file are its header, and one wrong bit there can hide every page behind it.
But all that matters in it is known in advance: each of our databases has the same page size, encoding and
versions, and the number of pages follows from the size of the file. So what is read is a copy with a header
made from what is known. Its fields: https://sqlite.org/fileformat.html#the_database_header
"""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from appliance.storage.database import (
    APPLICATION_ID,
    INSERT_GAME,
    PAGE,
    VERSION,
    beside,
    creating,
    open_read_only,
    peek,
    present,
    remove,
    sync_file,
    write_state,
)
from appliance.storage.faults import Damaged, faults, is_damage, printable
from appliance.storage.rows import Row, repaired, unpack_game

MAX_ASIDE = 3  # damaged databases that stay
_HEADER = 100  # bytes
_PIECE = 1 << 20  # bytes that are copied at a time


def replace(path: Path) -> str:
    """Put a new database with what can be read in the place of a damaged one; return that in words.

    Raise `Unusable` when nothing can be written; then nothing has changed. A power cut on the way loses
    nothing: `finish` goes on.
    """
    with faults(path), creating(_salvaged(path)) as target:
        _recover(path, target)
        (games,) = target.execute("SELECT count(*) FROM game").fetchone()
        (state,) = target.execute("SELECT count(*) FROM progress").fetchone()
    recovered = f"{games} games{' and the score' * state}"
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
        sync_file(path.parent)
        return aside


def forget(path: Path) -> None:
    """Durably remove a database, its damaged predecessors and a copy. `OSError` is raised."""
    for file in (*_set_aside_before(path), _copy(path), _salvaged(path), path):
        remove(file)
    sync_file(path.parent)


def _salvaged(path: Path) -> Path:
    return path.with_name(f"{path.name}.salvaged")


def _copy(path: Path) -> Path:
    return path.with_name(f"{path.name}.rebuilt")


def _is_whole(path: Path) -> bool:
    """Return whether a database is there and sound. Raise `Unusable` if it cannot be read."""
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
    sync_file(path.parent)
    return aside.name


def _recover(path: Path, target: sqlite3.Connection) -> None:
    """Copy what can be read of a damaged database. Errors of the system are raised."""
    if not path.exists():
        return  # a log whose database is gone
    damages: list[str] = []
    with _rebuilt(path) as copy, contextlib.closing(open_read_only(copy)) as source:
        source.execute("PRAGMA writable_schema = ON")  # read on where the schema or the size is wrong
        progress = next(_rows(source, "SELECT * FROM progress", damages), None)
        settings = tuple(_rows(source, "SELECT name, value, configured FROM setting LIMIT 100", damages))
        if progress is not None:
            write_state(target, repaired(progress[1:-1], settings))
        for row in readable_games(source, damages):
            with contextlib.suppress(ValueError):
                unpack_game(row)
                target.execute(INSERT_GAME, row)


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


def readable_games(source: sqlite3.Connection, damages: list[str]) -> Iterator[Row]:
    """Yield the rows of the history in order, those behind a damaged page too; note what is damaged."""
    last, before = 0, len(damages)
    for row in _rows(source, "SELECT * FROM game ORDER BY id", damages):
        last = row[0]
        yield row
    if len(damages) > before:
        behind = f"SELECT * FROM game WHERE id > {int(last)} ORDER BY id DESC LIMIT 20000"  # noqa: S608  # a number
        yield from reversed(list(_rows(source, behind, damages)))


def _rows(source: sqlite3.Connection, query: str, damages: list[str]) -> Iterator[Row]:
    """Yield rows until one is damaged, and note that."""
    try:
        yield from source.execute(query)
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        damages.append(printable(error))
