"""A damaged database: copy what can be read into a new one, and set the old one aside.

Header and schema can be trusted here, since `repair.py` comes first. The new database takes the place of the
old one and its log, and no single rename exchanges three files. So the new one is completed and synced under
a name of its own first, and that name is the decision: while it is there, each start sets aside what is left
of the old one and then renames the new one into its place. A cut before it leaves the damaged database as it
was; a cut after it only leaves renames to be done. Meanwhile the card holds both, and the last few damaged
ones stay while there is room, in case somebody can recover more.
"""

import contextlib
import os
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from appliance.core.english import counted
from appliance.storage import days
from appliance.storage.database import beside, creating, open_read_only, peek, present, remove_database
from appliance.storage.faults import Damaged, faults, is_damage
from appliance.storage.files import sync
from appliance.storage.rows import INSERT_GAME, Row, read_state, repaired, unpack_game, write_state

MAX_ASIDE = 3  # damaged databases that stay
NEAR, MISSES = 64, 700  # numbers that are looked for one by one; then so many steps reach 200,000


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
    return f"set aside as {finish(path)}, recovered {recovered}"


def read_all(path: Path) -> None:
    """Read a database and its log to the end. Raise `Unusable` if a block cannot be read.

    SQLite may call such a block damaged content.
    """
    with faults(path):
        for file in filter(os.path.lexists, (path, beside(path)[0])):
            with file.open("rb") as content:
                while content.read(1 << 16):
                    pass


def finish(path: Path) -> str:
    """Complete a replacement if one is in progress; return the old database's new name. Raise `Unusable`."""
    with faults(path):
        if not os.path.lexists(_salvaged(path)):
            return ""
        if not _is_whole(_salvaged(path)):  # not made by `replace`, which renames it when it is complete
            remove_database(_salvaged(path))
            return ""
        aside = _set_aside(path)
        _salvaged(path).rename(path)
        sync(path.parent)
        return aside


def make_room(path: Path) -> bool:
    """Remove the oldest of the databases that were set aside; return whether there was one to remove."""
    with contextlib.suppress(OSError):
        for oldest in _set_aside_before(path)[-1:]:
            remove_database(oldest)
            return True
    return False


def forget(path: Path) -> None:
    """Durably remove a database, its damaged predecessors and its successor. Raise `OSError`."""
    for file in (*_set_aside_before(path), _salvaged(path), path):
        remove_database(file)
    sync(path.parent)


def _salvaged(path: Path) -> Path:
    return path.with_name(f"{path.name}.salvaged")


def _is_whole(path: Path) -> bool:
    """Return whether a database exists and is sound. Raise `Unusable` if it cannot be read."""
    try:
        peek(path)
        return present(path)
    except Damaged:
        return False


def _set_aside_before(path: Path) -> list[Path]:
    """Return the damaged databases that were set aside, the newest first; some consist of a log alone."""
    files = sorted(path.parent.glob(f"{path.name}.damaged-*"), key=lambda file: -file.lstat().st_ctime_ns)
    return list(dict.fromkeys(file.with_name(re.sub("-(wal|journal|shm)$", "", file.name)) for file in files))


def _set_aside(path: Path) -> str:
    """Rename a database and the files beside it, the log first; keep the newest; return the new name."""
    aside = path.with_name(f"{path.name}.damaged-{os.urandom(4).hex()}")
    for old, new in zip((*beside(path), path), (*beside(aside), aside), strict=True):
        if os.path.lexists(old):
            old.rename(new)
    for file in _set_aside_before(path)[MAX_ASIDE:]:
        remove_database(file)
    sync(path.parent)
    return aside.name


def _recover(path: Path, target: sqlite3.Connection) -> None:
    """Copy what can be read of a damaged database. System errors propagate."""
    if not path.exists() or not path.stat().st_size:
        return  # there is only a log
    damages: list[str] = []
    with contextlib.closing(open_read_only(path)) as source:
        state = read_state(lambda query: _rows(source, query, damages))
        write_state(target, state and repaired(state))
        for row in readable_games(source, damages):
            with contextlib.suppress(ValueError):
                unpack_game(row)
                target.execute(INSERT_GAME, row)
        # By day: a damaged page may lead back to an earlier one, and the days be read twice.
        visits = dict(days.valid_visits(_rows(source, days.VISITS, damages)))
        target.executemany(days.ADD, visits.items())


def readable_games(source: sqlite3.Connection, damages: list[str]) -> Iterator[Row]:
    """Yield the rows of the history in order, all but those in damaged pages; note the damage.

    After a row that cannot be read, the next is looked for by its number: one by one, then in growing steps,
    since one damaged page may hide thousands.
    """
    last, misses = -1 << 63, 0
    while misses < MISSES:
        misses += 1
        for limit in (-1, 1):  # none; then the row that the cursor held when its next page was damaged
            noted = len(damages)
            # ">" would look for `last` itself, in its damaged page.
            query = f"SELECT * FROM game WHERE id >= {last + 1} ORDER BY id LIMIT {limit}"  # noqa: S608
            for row in _rows(source, query, damages):
                if row[0] <= last:  # pages that lead back to earlier ones, perhaps for ever
                    damages.append("its games are out of order")
                    break
                last, misses = row[0], 0
                yield row
            if limit < 0 and len(damages) == noted:
                return
        if misses:
            last = max(last, 0) + max(misses - NEAR, 1)


def _rows(source: sqlite3.Connection, query: str, damages: list[str]) -> Iterator[Row]:
    """Yield rows until one is damaged, and note that."""
    try:
        yield from source.execute(query)
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        damages.append(str(error))
