"""A damaged database: read what can be read into a new one, and set the old one aside."""

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from appliance.storage.database import (
    INSERT_GAME,
    PAGE,
    beside,
    create,
    open_read_only,
    sync_file,
    write_rows,
)
from appliance.storage.faults import faults, is_damage
from appliance.storage.rows import Row, State, pack_game, repaired, valid_games

MAX_ASIDE = 3  # damaged databases that stay
LARGEST_IN_MEMORY = 16 << 20  # bytes of a file whose header is repaired in memory

# What the header of each of our databases says, by its offset: https://sqlite.org/fileformat.html
_HEADER = {
    28: b"\0\0\0\0",  # the size: as long as the file is
    0: b"SQLite format 3\0" + PAGE.to_bytes(2, "big") + bytes([1, 1, 0, 64, 32, 32]),
    44: b"\0\0\0\4",
    52: b"\0\0\0\0\0\0\0\1",
    64: b"\0\0\0\0",
}


def replace(path: Path, wall: float) -> tuple[str, str]:
    """Put a new database with what can be read in the place of a damaged one.

    Return the name of the old one now and what was recovered, in words. `wall` is the time in seconds since
    1970 UTC. Raise `Unusable` when nothing can be written; then nothing has changed. A power cut on the way
    loses nothing: `finish` goes on.
    """
    recovered = ""

    def fill(target: sqlite3.Connection) -> None:
        nonlocal recovered
        recover(path, target)
        (games,) = target.execute("SELECT count(*) FROM game").fetchone()
        (state,) = target.execute("SELECT count(*) FROM progress").fetchone()
        recovered = f"{games} games{' and the score' * state}"

    with faults(path):
        create(_salvaged(path), fill)
        aside = _set_aside(path, wall)
        _salvaged(path).rename(path)
        sync_file(path.parent)
    return aside, recovered


def finish(path: Path) -> None:
    """Complete a replacement that a power cut has interrupted. Raise `Unusable` when that cannot be done."""
    with faults(path):
        if os.path.lexists(_salvaged(path)):
            _set_aside(path, time.time())
            _salvaged(path).rename(path)
            sync_file(path.parent)


def _salvaged(path: Path) -> Path:
    return path.with_name(f"{path.name}.salvaged")


def recover(path: Path, target: sqlite3.Connection) -> None:
    """Copy what can be read of a damaged database. Raise `sqlite3.Error` for errors of the system alone."""
    if not path.exists():
        return  # a log whose database is gone
    for source_of in (open_read_only, _with_repaired_header):
        with contextlib.suppress(sqlite3.DatabaseError), contextlib.closing(source_of(path)) as source:
            source.execute("PRAGMA writable_schema = ON")  # read on where the schema or the size is wrong
            if _copy(source, target):
                return


def _with_repaired_header(path: Path) -> sqlite3.Connection:
    """Return a connection to a copy in memory that has the header of our databases, without the log."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.text_factory = lambda data: data.decode(errors="replace")
    if path.stat().st_size <= LARGEST_IN_MEMORY:
        data = bytearray(path.read_bytes())
        for offset, part in _HEADER.items():
            data[offset : offset + len(part)] = part
        connection.deserialize(bytes(data))
    return connection


def _copy(source: sqlite3.Connection, target: sqlite3.Connection) -> bool:
    """Copy what is valid, unless it is there already; return whether everything could be read."""
    damages: list[sqlite3.Error] = []
    progress = list(_rows(source, "SELECT * FROM progress", damages))
    settings = tuple(_rows(source, "SELECT name, value, configured FROM setting LIMIT 100", damages))
    kept = [repaired(State(tuple(row[1:-1]), row[-1], settings)) for row in progress[:1]]
    if target.execute("SELECT count(*) FROM progress").fetchone() == (0,):
        write_rows(target, kept[0] if kept else None)
    target.executemany(INSERT_GAME, map(pack_game, valid_games(readable_games(source, damages))))
    return not damages and None not in kept


def readable_games(source: sqlite3.Connection, damages: list[sqlite3.Error]) -> Iterator[Row]:
    """Yield the rows of the history in order, those behind a damaged page too; note what is damaged."""
    last, before = 0, len(damages)
    for row in _rows(source, "SELECT * FROM game ORDER BY id", damages):
        last = row[0]
        yield row
    if len(damages) > before:
        behind = f"SELECT * FROM game WHERE id > {int(last)} ORDER BY id DESC LIMIT 20000"  # noqa: S608  # a number
        yield from reversed(list(_rows(source, behind, damages)))


def _rows(source: sqlite3.Connection, query: str, damages: list[sqlite3.Error]) -> Iterator[Row]:
    """Yield rows until one is damaged, and note that."""
    try:
        yield from source.execute(query)
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        damages.append(error)


def remove_set_aside(path: Path, keep: int) -> None:
    """Remove the damaged databases that were set aside, all but the newest `keep`."""
    ends = ("-wal", "-shm", "-journal")
    found = [file for file in path.parent.glob(f"{path.name}.damaged-*") if not file.name.endswith(ends)]
    found.sort(key=lambda file: file.lstat().st_ctime_ns, reverse=True)
    for old in found[keep:]:
        for file in (*beside(old), old):
            file.unlink(missing_ok=True)


def _set_aside(path: Path, wall: float) -> str:
    """Rename a database and the files beside it, and remove the oldest set aside before; return the name.

    The log goes first: left behind alone, it would be taken for the log of the next database.
    """
    date = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(max(0.0, wall)))
    aside, count = path.with_name(f"{path.name}.damaged-{date}"), 1
    while any(os.path.lexists(file) for file in (aside, *beside(aside))):
        count += 1
        aside = path.with_name(f"{path.name}.damaged-{date}-{count}")
    for old, new in zip((*beside(path), path), (*beside(aside), aside), strict=True):
        if os.path.lexists(old):
            old.rename(new)
    remove_set_aside(path, keep=MAX_ASIDE)
    sync_file(path.parent)
    return aside.name
