"""The store: the game in progress, the score, the settings, finished games and visits outlive the power.

A box is switched off at its plug, so there is no moment at the end in which to save: what the display shows
must be safe already. `keep`, called when a picture has been drawn, commits each change, and a commit that has
returned survives any end of the process or the power (`database.py` says why). That costs a sync of the card
for every move; `writer.py` keeps the player from waiting for a slow one.

A card also fills up, wears out or loses contact, and none of that may stop a game. So the disk is `Saving` or
`Waiting`: when a commit fails, play goes on from memory, and the store opens the database again every few
seconds until it can write what has been played since. Memory is then newer than the disk and replaces what is
there, unless the disk could not even be read at the start. In that case both sides hold games that the other
has not seen, and `FoundOnDisk` makes each commit merge them: scores add up, finished games are numbered as
they arrive, and the later choice of a setting wins. What was played while waiting is lost if the power fails
then. The display says so with the badge "unsaved". The badge "damaged" stays from the repair or replacement
of a damaged database until the next finished game is safe.
"""

import contextlib
import logging
import os
from collections import Counter, deque
from collections.abc import Callable, Iterable
from pathlib import Path

from appliance.core.errors import UserError
from appliance.core.problems import Problem
from appliance.core.session.events import Archive, Condition, CountVisit, Effect, Event, Save
from appliance.core.session.resume import Kept
from appliance.core.session.settings import Settings
from appliance.storage import repair, salvage
from appliance.storage.database import NAME, Database, lock, peek
from appliance.storage.days import day_of
from appliance.storage.faults import AGAIN, Damaged, Full, InUse, Newer, Unusable
from appliance.storage.rows import Played, Row, State, merged, pack_game, pack_state, unpack_state, wall_time

log = logging.getLogger("tictactoe")

RETRY = 5.0  # seconds between two tries to use a disk that fails
MAX_WAITING = 1000  # finished games that wait in memory for the disk; beyond that the oldest are lost
OPEN_TRIES = 4  # to open the database before playing from memory: most faults pass


# The states are plain classes: each `NamedTuple` costs the start of the box half a million instructions.


class Saving:
    """The disk is in use: each `keep` commits."""

    def __init__(self, database: Database, files: contextlib.ExitStack) -> None:
        self.database = database
        self.files = files  # closes the database, and then unlocks the directory


class Waiting:
    """The disk cannot be used because of `fault`. Play goes on from memory; try again at `retry_at`."""

    def __init__(self, fault: Exception, retry_at: float) -> None:
        self.fault = fault
        self.retry_at = retry_at  # on the clock `now`


class FoundOnDisk:
    """What the disk held when it was first read. The session goes on from it, unless it was read too `late`.

    Then play had begun without it, and each commit merges the two.
    """

    def __init__(self, state: State | None, *, late: bool) -> None:
        self.state = state
        self.late = late


class Store:
    """What is kept in `directory`. One thread at a time uses it; after construction it raises nothing.

    Only `report` calls `put`, so the loop behind it may be built later. `now` reads the daemon's clock,
    `wall` the wall clock in seconds since 1970 UTC, None if unknown. `configured` are the settings as the
    configuration has them. Raise `UserError` if another box uses the directory; nothing else is an error.
    """

    def __init__(
        self,
        directory: Path,
        put: Callable[[Event], None],
        now: Callable[[], float],
        wall: Callable[[], float | None],
        configured: Settings,
    ) -> None:
        self.path = directory / NAME
        self.slow = False  # a commit takes long: set by the writer
        self.now = now
        self._put, self._wall, self._configured = put, wall, configured
        self._found: FoundOnDisk | None = None  # until the disk could be read
        self._played = False  # a move has been made
        self._state: State | None = None  # to be kept
        self._games: deque[Row] = deque(maxlen=MAX_WAITING)  # finished, and not on the disk
        self._visits: Counter[int] = Counter()  # by day, not on the disk
        self._visit = 0  # `Played.visit` of the next game
        self._damage: Problem | None = None  # what was repaired, until a finished game has been kept
        self._reported: set[str] = set()
        self._disk: Saving | Waiting | None = None  # once it is closed
        disk = self._open(late=False)
        if isinstance(disk, Waiting) and isinstance(disk.fault, InUse):
            raise UserError(f"{directory}: is {disk.fault}: {disk.fault.remedy}") from disk.fault
        self._enter(disk)
        if self._found is None:
            try:
                self._found = FoundOnDisk(peek(self.path), late=False)
            except (Damaged, Unusable) as error:
                log.debug("%s cannot be read either: %s", self.path, error)

    @property
    def retry_at(self) -> float | None:
        """When to use the disk again, on the clock `now`; None while it can be used."""
        return disk.retry_at if isinstance(disk := self._disk, Waiting) else None

    @property
    def newer(self) -> bool:
        """Whether a later version of this program wrote the database, so that nothing is saved."""
        return isinstance(disk := self._disk, Waiting) and isinstance(disk.fault, Newer)

    @property
    def problem(self) -> Problem | None:
        """Why nothing is saved, or what was damaged; None if all is well."""
        disk = self._disk  # once: the writer's thread may change it meanwhile
        if not isinstance(disk, Waiting):
            return self._damage
        fault = disk.fault
        remedy = fault.remedy if isinstance(fault, Unusable) else ""
        return Problem("store", "unusable", str(self.path), str(fault), remedy)

    def load(self) -> Kept | None:
        """Return what was saved before the box started, None if that was nothing."""
        if self._found is None or self._found.late or self._found.state is None:
            return None
        return unpack_state(self._found.state, self.now())

    def keep(self, effects: Iterable[Effect]) -> None:
        """Commit what is to be kept of `effects` in one transaction; after a fault, retry when it is due."""
        for effect in effects:
            if isinstance(effect, Save):
                self._played = self._played or bool(effect.match.moves)
                self._state = pack_state(effect, self._configured, self.now())
            elif isinstance(effect, Archive):
                played = Played(None, wall_time(self._wall()), effect.game, self._visit)
                self._games.append(pack_game(played))
                self._visit = 2 if self._visit else 0
            elif isinstance(effect, CountVisit):
                self._visits[day_of(wall_time(self._wall()))] += 1
                self._visit = 1
        if isinstance(self._disk, Saving):
            finished = bool(self._games)
            try:
                self._write(self._disk.database)
            except (Damaged, Unusable):
                self._disk.files.close()
                self._enter(self._open())
            else:
                self._damage = None if finished else self._damage
        elif self._disk is not None and self.now() >= self._disk.retry_at:
            self._enter(self._open())

    def report(self) -> None:
        """Put the conditions that have changed."""
        unsaved = self.slow or self.retry_at is not None
        for name, on in ("damaged", bool(self._damage)), ("unsaved", unsaved):
            if on != (name in self._reported):
                self._put(Condition(self.now(), name, on))
                self._reported ^= {name}

    def trouble(self, _now: float) -> str:
        """Return "": there is no thread that could hang."""
        return ""

    def close(self) -> None:
        """Commit what is left if that can be done now, and close the files."""
        if isinstance(self._disk, Waiting):
            self._enter(Waiting(self._disk.fault, self.now()))
        self.keep(())
        self.cut()

    def cut(self) -> None:
        """Close the files without committing."""
        if isinstance(self._disk, Saving):
            self._disk.files.close()
        self._enter(None)

    def _enter(self, disk: Saving | Waiting | None) -> None:
        """Change the state: nothing else does."""
        before, self._disk = self._disk, disk
        if isinstance(disk, Waiting) and not isinstance(before, Waiting):
            log.error("%s", self.problem)
        elif isinstance(disk, Saving) and isinstance(before, Waiting):
            log.info("%s can be written again", self.path)

    def _open(self, *, late: bool = True) -> Saving | Waiting:
        """Try to open the database and to commit what has been noted; return the state to enter.

        A misread may not repeat: repair only a database that was read as damaged twice, and replace only one
        that is still damaged then. Do either only if all of it can be read: what cannot be read now may come
        back. On a full disk, remove databases that were set aside, oldest first.
        """
        faults: list[Damaged | Unusable] = []
        mended = 0  # how much damage had been read at the last repair
        while len(faults) < OPEN_TRIES:
            damages = [fault for fault in faults if isinstance(fault, Damaged)]
            try:
                with contextlib.ExitStack() as files:
                    files.callback(os.close, lock(self.path.parent))
                    salvage.finish(self.path)
                    if len(damages) > max(1, mended):  # something is to be rewritten or replaced
                        salvage.read_all(self.path)
                    if len(damages) == 2 and mended < 2:
                        repair.rewrite_schema(self.path)
                        peek(self.path)
                        self._note(damages[1], repair.DONE)
                    elif len(damages) == 3 and mended < 3:
                        self._note(damages[2], salvage.replace(self.path))
                    mended = len(damages)
                    database = Database(self.path)
                    files.callback(database.close)
                    self._found = self._found or FoundOnDisk(database.kept, late=late)
                    if self._games:
                        # A commit that failed may be on the disk nevertheless.
                        there = [game[1:] for game in database.newest(len(self._games))]
                        waiting = (game for game in self._games if game[1:] not in there)
                        self._games = deque(waiting, MAX_WAITING)
                    self._write(database)
                    return Saving(database, files.pop_all())
            except (Damaged, Unusable) as fault:
                if not (isinstance(fault, Full) and salvage.make_room(self.path)):
                    faults.append(fault)
        return Waiting(faults[-1], self.now() + RETRY)

    def _note(self, fault: Damaged, done: str) -> None:
        """Report damage, and what was done about it."""
        done += f"; {AGAIN}"
        before, self._damage = self._damage, Problem("store", "damaged", str(self.path), str(fault), done)
        if self._damage != before:
            log.error("%s", self._damage)

    def _write(self, database: Database) -> None:
        """Commit what has been noted, if it is not on the disk already."""
        state, found = self._state, self._found
        if state is not None and found is not None and found.late and found.state is not None:
            state = merged(found.state, state, played=self._played)
        if self._games or self._visits or not (state is None or state.same_as(database.kept)):
            database.write(state, self._games, self._visits.items())
        self._visits.clear()  # a commit that failed may be on the disk: then its visits count twice
        self._games.clear()
