"""The store: the game in progress, the score, the settings and the finished games outlive the power.

`keep`, called when the picture has been drawn, commits; what is committed survives any end of the process or
the power.

While the disk is full, read-only or failing, play goes on from memory; the store retries by itself, and then
writes what has been played since. Two conditions are shown: "unsaved" while nothing can be written, and
"damaged" from when a damaged database was set aside until the next finished game has been kept.
"""

import logging
import os
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path

from appliance.core.errors import UserError
from appliance.core.events import Archive, Condition, Effect, Event, Save
from appliance.core.resume import Kept
from appliance.core.settings import Settings
from appliance.storage import salvage
from appliance.storage.database import NAME, Database, lock, peek
from appliance.storage.faults import Damaged, InUse, Newer, Unusable
from appliance.storage.rows import Played, Row, State, merged, pack_game, pack_state, unpack_state, wall_time

log = logging.getLogger("tictactoe")

RETRY = 5.0  # seconds between two tries to use a disk that fails
MAX_WAITING = 1000  # finished games that wait in memory for the disk; beyond that the oldest are lost
TRIES = 4  # to open the database before playing from memory: most faults pass


class Store:
    """What is kept in `directory`. One thread at a time uses it; after construction it raises nothing.

    Only `report` calls `put`, so it may name a loop that is built later. `now` reads the daemon's clock,
    `wall` the wall clock in seconds since 1970 UTC, which may be wrong. `configured` are the settings as the
    configuration has them. Raise `UserError` when another box uses the directory; nothing else is an error.
    """

    def __init__(
        self,
        directory: Path,
        put: Callable[[Event], None],
        now: Callable[[], float],
        wall: Callable[[], float],
        configured: Settings,
    ) -> None:
        self.path = directory / NAME
        self.problem = ""  # why nothing is saved, or what was damaged, as a sentence for a person
        self.slow = False  # a commit takes long: set by the writer
        self.retry_at: float | None = None  # on the clock `now`; None while the disk can be used
        self.now = now
        self._put, self._wall, self._configured = put, wall, configured
        self._lock: int | None = None
        self._database: Database | None = None
        self._read = False  # what was kept before this start has been read
        self._earlier: State | None = None  # that, unless the session goes on from it
        self._played = False  # a move has been made
        self._state: State | None = None  # to be kept
        self._written: State | None = None  # as it is on the disk
        self._games: deque[Row] = deque(maxlen=MAX_WAITING)  # finished, and not on the disk
        self._damaged = False
        self._reported: set[str] = set()
        fault = self._open()
        self.newer = isinstance(fault, Newer)  # a later version has been here: nothing will be saved
        if isinstance(fault, InUse):
            raise UserError(f"{directory}: is {fault}: {fault.remedy}") from fault
        if fault is not None:
            self._play_from_memory(fault)
            try:
                self._take_up(peek(self.path))
            except (Damaged, Unusable) as error:
                log.debug("%s cannot be read either: %s", self.path, error)
        self._kept, self._earlier = self._earlier, None

    def load(self) -> Kept | None:
        """Return what was kept when the box was started, None when that was nothing."""
        return None if self._kept is None else unpack_state(self._kept, self.now())

    def keep(self, effects: Iterable[Effect]) -> None:
        """Commit state and games among `effects` in one transaction; after a fault, retry when it is due."""
        for effect in effects:
            if isinstance(effect, Save):
                self._played = self._played or bool(effect.match.moves)
                self._state = pack_state(effect, self._configured, self.now())
            elif isinstance(effect, Archive):
                self._games.append(pack_game(Played(None, wall_time(self._wall()), effect.game)))
        if self._database is not None:
            try:
                self._write(self._database)
            except (Damaged, Unusable):
                self._reopen()
        elif self.retry_at is not None and self.now() >= self.retry_at:
            self._reopen()

    def report(self) -> None:
        """Put the conditions that have changed."""
        unsaved = self.slow or self.retry_at is not None
        for name, on in ("damaged", self._damaged), ("unsaved", unsaved):
            if on != (name in self._reported):
                self._put(Condition(self.now(), name, on))
                self._reported ^= {name}

    def trouble(self, _now: float) -> str:
        """Return "": there is no thread that could hang."""
        return ""

    def close(self) -> None:
        """Commit what is left if that can be done now, and close the files."""
        if self.retry_at is not None:
            self.retry_at = self.now()
        self.keep(())
        self.cut()

    def cut(self) -> None:
        """Close the files without committing."""
        if self._database is not None:
            self._database.close()
            self._database = None
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _reopen(self) -> None:
        fault = self._open()
        if fault is not None:
            self._play_from_memory(fault)
        elif self.retry_at is not None:
            log.info("%s can be written again", self.path)
            self.retry_at = None
            if not self._damaged:
                self.problem = ""

    def _open(self) -> Exception | None:
        """Open the database and commit what has been noted; return what prevents that.

        A wrong read may be right the next time, so only what was read as damaged twice is replaced.
        """
        fault: Damaged | Unusable | None = None
        damages = 0
        for _ in range(TRIES):
            self.cut()
            try:
                self._lock = lock(self.path.parent)
                salvage.finish(self.path)
                if damages == 2:
                    self.problem = f"{self.path} is damaged ({fault}): {salvage.replace(self.path)}"
                    log.error("%s", self.problem)
                    self._damaged = True
                self._database = Database(self.path)
                self._take_up(self._database.found)
                if self._games:
                    # A commit that failed may be on the disk nevertheless.
                    there = [game[1:] for game in self._database.newest(len(self._games))]
                    waiting = (game for game in self._games if game[1:] not in there)
                    self._games = deque(waiting, MAX_WAITING)
                self._write(self._database)
            except (Damaged, Unusable) as error:
                fault = error
                damages += isinstance(error, Damaged)
            else:
                return None
        self.cut()
        return fault

    def _take_up(self, found: State | None) -> None:
        """Go on from what the disk holds: at the start, or after a fault, or late, when play has begun."""
        if not self._read:
            self._read, self._earlier = True, found
        self._written = found

    def _write(self, database: Database) -> None:
        """Commit what has been noted, if it is not on the disk already."""
        state = self._state
        if state is not None and self._earlier is not None:
            state = merged(self._earlier, state, played=self._played)
        if state is not None and state.same_as(self._written):
            state = None
        if state is None and not self._games:
            return
        database.write(state, self._games)
        self._written = state or self._written
        if self._games:
            self._games.clear()
            if self._damaged:
                self._damaged, self.problem = False, ""

    def _play_from_memory(self, fault: Exception) -> None:
        """Go on without the disk, and retry later."""
        remedy = f": {fault.remedy}" if isinstance(fault, Unusable) and fault.remedy else ""
        self.problem = f"{self.path} cannot be used ({fault}), playing from memory{remedy}"
        if self.retry_at is None:
            log.error("%s", self.problem)
        self.retry_at = self.now() + RETRY
