"""Two copies of the database, each complete in itself, since cards wear out block by block.

Each commit goes to one copy, then to the other, and is counted: the copy that has seen more commits counts.
Whatever becomes wrong in one of them, the other serves: at rest both are read and compared, and the worse one
is made anew. A power cut between the two commits leaves one copy behind: the same case. U-Boot keeps its
environment so, and littlefs its metadata. It does not help against a fault that hits both: a card alone
decides where it puts what is written.
"""

import contextlib
import os
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator
from heapq import merge
from operator import itemgetter
from pathlib import Path
from typing import Self

from appliance.storage.database import Database, check, creating, finish, lock, open_to_read, remove, size
from appliance.storage.days import Days, valid_visits
from appliance.storage.faults import Damaged, Full, Newer, Outdated, Unusable, faults
from appliance.storage.files import sync, unfinished
from appliance.storage.rows import Row, State, put, read_commits, read_state, unsealed, write_state

TRIES = 4  # to open a copy: most faults pass
MAX_BEHIND = 16  # commits that the other copy may lack while the box is busy
MAX_ROWS = 200_000  # rows of a table: damaged pages may lead back to earlier ones, for ever


def both(path: Path) -> tuple[Path, Path]:
    """Return the names of the two copies. People know both by the first."""
    return path, path.with_name(f"{path.stem}-2{path.suffix}")


class Copies:
    """The copies that are `good`, the one that counts first, and those that are `wrong`, with their faults.

    The directory is locked until they are closed. Raise `Unusable` if no copy can be opened, or if a person
    has to put something right. To `give_up` is to make both of what can be read if none can be opened. To be
    `alone` is to delete the other one, for want of room.
    """

    def __init__(self, path: Path, *, give_up: bool = False, alone: bool = False) -> None:
        self.path = path
        self.good: list[Database] = []
        self.wrong: dict[Path, Unusable] = {}
        self.checked = False  # and none has become wrong since
        self.doubtful = False  # the check has found no copy whole
        self.given_up: Unusable | None = None  # why none of the old ones is left
        self._lock = lock(path.parent)
        try:
            self._open_both(give_up)
            if alone:
                for one in self.good[1:]:
                    self._drop(one, Outdated("there is no room for it"))
                for file in self.wrong:
                    with faults(file):
                        remove(file)
        except BaseException:
            self.close()
            raise
        self.state, self.commits = self.good[0].state, self.good[0].commits

    def _open_both(self, give_up: bool) -> None:
        self._open()
        new = all(isinstance(fault, Outdated) for fault in self.wrong.values())
        if not self.good and (new or give_up):
            for file in both(self.path):
                rebuild(file, self.path, lambda: False)
            self.given_up = None if new else self.wrong[self.path]
            self._open()
        for fault in sorted(self.wrong.values(), key=lambda fault: isinstance(fault, Outdated)):
            if not self.good or (fault.remedy and not isinstance(fault, Full)):
                raise fault
        self.good.sort(key=lambda one: -one.commits)
        if self.good[-1].commits < self.good[0].commits:
            self._drop(self.good[-1], Outdated("its last changes are missing"))

    def _open(self) -> None:
        for file in both(self.path):
            for _ in range(TRIES):
                try:
                    finish(file)
                    self.good.append(Database(file))
                    self.wrong.pop(file, None)
                    break
                except Unusable as fault:
                    self.wrong[file] = fault

    def write(self, state: State | None, games: Collection[Row], visits: Iterable[tuple[int, int]]) -> None:
        """Commit to the copy that counts, or else to the other. Raise `Unusable` if none takes it."""
        # A copy that cannot be read now may have been ahead, and must not count when it comes back.
        self.commits += 1 if len(self.good) == 2 else 1 + MAX_BEHIND
        self.state = state or self.state
        for one in self.good:
            one.games.extend(games)
            one.visits.update(dict(visits))
        while self.good[0].commits < self.commits:
            self._commit(self.good[0])

    def follow(self, *, busy: bool) -> None:
        """Bring the other copy up to date; while the box is busy, only if it lacks much."""
        behind = self.commits - self.good[-1].commits
        if behind and not (busy and behind < MAX_BEHIND):
            self._commit(self.good[-1])

    def _commit(self, one: Database) -> None:
        try:
            one.commit(self.state, self.commits)
        except Unusable as fault:
            self._drop(one, fault)
            if not self.good:
                raise

    def _drop(self, one: Database, fault: Unusable) -> None:
        one.close()
        self.good.remove(one)
        self.wrong[one.path] = fault
        self.checked = False

    def check(self, busy: Callable[[], bool]) -> None:
        """Read all of the copies, and go on without the worse of two that differ.

        Raise `Unusable` if the box is `busy`, or if no copy is whole; the next time go on without one.
        """
        found: dict[Database, tuple[int, int]] = {}
        wrong: dict[Database, Unusable] = {}
        for one in self.good:
            try:
                found[one] = one.digest(busy)
            except Unusable as fault:
                if busy():
                    raise
                wrong[one] = fault
        before, self.doubtful = self.doubtful, not found
        if self.doubtful and not before:
            self.checked = True
            raise wrong[self.good[0]]
        if len(set(found.values())) == 2:
            wrong[min(self.good[::-1], key=found.__getitem__)] = Damaged("it differs from the other")
        if wrong and len(self.good) == 2:
            self._drop(*wrong.popitem())
        self.checked = True

    def renew(self, busy: Callable[[], bool]) -> Iterator[tuple[str, Unusable]]:
        """Make each wrong copy anew; yield its name and fault. Raise `Unusable` if that fails."""
        for file in list(self.wrong):
            rebuild(file, self.path, busy, None if self.doubtful else self.good[0].path)
            self.good.append(Database(file))
            self.checked = False
            yield file.name, self.wrong.pop(file)

    def close(self) -> None:
        """Close the files, and unlock the directory; nothing is written."""
        for one in self.good:
            one.close()
        os.close(self._lock)


def rebuild(file: Path, path: Path, busy: Callable[[], bool], only: Path | None = None) -> None:
    """Make a copy anew from a whole one, or from all that can be read of both.

    Raise `Unusable`, also if the box is `busy`; then nothing has changed.
    """
    hopeless = contextlib.nullcontext() if only else contextlib.suppress(Damaged)  # nothing can be read
    with faults(file), creating(file) as target, hopeless, CopyReader(path, only) as old:
        write_state(target, old.commits, old.state())
        put(target, "day", old.visits().items())
        put(target, "game", _unless(busy, old.games()))
        for fault in old.wrong.values() if only else ():
            raise fault


def _unless(busy: Callable[[], bool], rows: Iterable[Row]) -> Iterator[Row]:
    for number, row in enumerate(rows):
        if number % 256 == 0 and busy():
            raise Unusable("the box is busy")
        yield row


def forget(path: Path) -> None:
    """Durably remove both copies. Raise `OSError`."""
    for file in both(path):
        remove(unfinished(file))
        remove(file)
    sync(path.parent)


class CopyReader:
    """The copies that can be opened, or the `only` one; the one that has seen more commits first. Close it.

    `wrong` has the first fault of each copy, also of those in `copies`, which are open. Raise it if there are
    copies and none can be opened, or if one is of a newer version.
    """

    def __init__(self, path: Path, only: Path | None = None) -> None:
        self.wrong: dict[Path, Unusable] = {}
        found: list[tuple[int, Path, sqlite3.Connection]] = []
        with contextlib.ExitStack() as files:
            for file in [only] if only else both(path):
                with self._noting(file):
                    if size(file):
                        connection = files.enter_context(contextlib.closing(open_to_read(file)))
                        check(connection)
                        commits = 0
                        with self._noting(file):
                            commits = read_commits(connection.execute)
                        found.append((commits, file, connection))
            for fault in self.wrong.values():
                if isinstance(fault, Newer) or not found:
                    raise fault
            self._files = files.pop_all()
        found.sort(key=lambda one: -one[0])
        self.commits = found[0][0] if found else 0
        self.copies = {file: connection for _, file, connection in found}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._files.close()

    @property
    def whole(self) -> bool:
        """Whether one of the copies had no fault so far."""
        return bool(self.copies.keys() - self.wrong.keys())

    def state(self) -> State | None:
        """Return the state, None if there is none that can be read."""
        for file, connection in self.copies.items():
            with self._noting(file):
                return read_state(connection.execute)
        return None

    def visits(self) -> Days:
        """Return the visits on each day."""
        found: dict[int, int] = {}
        for file in self.copies:
            rows = self._rows(file, f"SELECT * FROM day LIMIT {MAX_ROWS}")  # noqa: S608  # no input
            for day, visits in valid_visits(rows):
                found[day] = max(visits, found.get(day, 0))
        return found

    def games(self) -> Iterator[Row]:
        """Yield the rows of the history in order: each that one of the copies has."""
        last = 0
        for row in merge(*map(self._games, self.copies), key=itemgetter(0)):
            if row[0] > last:
                last = row[0]
                yield row

    def _games(self, file: Path) -> Iterator[Row]:
        """Yield the games of one copy from both ends, as far as each can be read."""
        query, last = f"SELECT * FROM game WHERE id > {{}} ORDER BY id {{}} LIMIT {MAX_ROWS}", -1 << 63  # noqa: S608
        for row in self._rows(file, query.format(last, "")):
            last = row[0]
            yield row
        if file in self.wrong:
            yield from [*self._rows(file, query.format(last, "DESC"))][::-1]

    def _rows(self, file: Path, query: str) -> Iterator[Row]:
        with self._noting(file):
            for row in self.copies[file].execute(query):
                with self._noting(file):
                    yield unsealed(row)

    @contextlib.contextmanager
    def _noting(self, file: Path) -> Iterator[None]:
        """Note a fault of a copy, and go on."""
        try:
            with faults(file):
                yield
        except Unusable as fault:
            self.wrong.setdefault(file, fault)
