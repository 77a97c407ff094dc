"""The store: the game in progress, the score, the settings and the finished games outlive the power.

`save` and `archive` only note what is to be kept. `sync`, called when the picture has been drawn, commits it:
what it has committed is not lost any more, however the process or the power ends.

While the disk is full, read-only or failing, play goes on from memory; the store retries by itself, and then
writes what has been played since. Two conditions are shown: "unsaved" while nothing can be written, and
"damaged" from when a damaged database was set aside until the next finished game has been kept.
"""

import logging
import os
from collections import deque
from collections.abc import Callable
from pathlib import Path

from appliance.core.effects import Save
from appliance.core.events import Condition, Event
from appliance.core.match import Finished
from appliance.core.resume import Kept
from appliance.core.settings import Settings
from appliance.errors import UserError
from appliance.storage import salvage
from appliance.storage.database import NAME, Database, Found, peek
from appliance.storage.directory import take
from appliance.storage.faults import Damaged, InUse, Unusable
from appliance.storage.rows import Played, Row, State, merged, pack_game, pack_state, unpack_state, wall_time

log = logging.getLogger("tictactoe")

FIRST_RETRY = 1.0  # seconds after a fault; twice as long after each further one
LAST_RETRY = 60.0
MAX_WAITING = 1000  # finished games that wait in memory for the disk; beyond that the oldest are lost
TRIES = 4  # to open the database before playing from memory: most faults pass


class Store:
    """The `Keeper` that keeps, in `directory`. One thread at a time uses it; once made it raises nothing.

    `put` is called by `tell` only, so it may name a loop that is built later. `now` reads the daemon's clock,
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
        self.problem = (
            ""  # a sentence for a person: why nothing is saved, or what was damaged; "" when all is well
        )
        self.slow = False  # a commit takes long: the writer's own reason for "unsaved"
        self._put, self._now, self._wall, self._configured = put, now, wall, configured
        self._lock: int | None = None
        self._database: Database | None = None
        self._kept: Kept | None = None
        self._starting = True
        self._read = False  # what the disk held when the box was started has been read
        self._earlier: State | None = None  # what the disk held, read only after play had begun
        self._played = False  # a move has been made
        self._state: State | None = None  # to be kept
        self._written: State | None = None  # as it is on the disk
        self._number = 0  # of the last finished game
        self._games: deque[Row] = deque(maxlen=MAX_WAITING)  # finished, and not on the disk
        self._tried = 0  # games up to this number may be on the disk, although their commit failed
        self._damaged = False
        self._told: frozenset[str] = frozenset()
        self._delay = FIRST_RETRY
        self._retry_at: float | None = None
        try:
            self._begin()
        except BaseException:
            self.cut()
            raise

    def _begin(self) -> None:
        fault = self._open()
        if isinstance(fault, InUse):
            raise UserError(f"{self.path.parent}: is {fault}: {fault.remedy}") from fault
        if fault is not None:
            self._play_from_memory(fault)
            try:
                self._take_up(peek(self.path))
            except (Damaged, Unusable) as error:
                log.debug("%s cannot be read either: %s", self.path, error)
        self._starting = False

    def load(self) -> Kept | None:
        """Return what the disk held when the box was started, None when that was nothing."""
        return self._kept

    def save(self, state: Save) -> None:
        """Note the state of the box."""
        self._played = self._played or bool(state.match.moves)
        self._state = pack_state(state, self._configured, self._now())

    def archive(self, game: Finished) -> None:
        """Note a finished game."""
        self._number += 1
        self._games.append(pack_game(Played(self._number, wall_time(self._wall()), game)))

    def sync(self) -> None:
        """Commit what has been noted: state and games in one transaction."""
        if self._database is None:
            return
        fault: Exception | None = None
        try:
            self._write(self._database)
        except Unusable as error:
            fault = error
        except Damaged:
            fault = self._open()
        if fault is not None:
            self._play_from_memory(fault)

    def trouble(self, _now: float) -> str:
        """Return "": there is no thread that could hang."""
        return ""

    def due(self) -> float | None:
        """Return when `service` wants to be called next, None for never."""
        return self._now() if self._conditions != self._told else self._retry_at

    def service(self, now: float) -> None:
        """Do what is due: try again to write, tell what has changed."""
        self.tell(now)
        self.retry(now)
        self.tell(now)

    def retry(self, now: float) -> None:
        """Try again to write, if that is due."""
        if self._retry_at is None or now < self._retry_at:
            return
        fault = self._open()
        if fault is None:
            log.info("%s can be written again", self.path)
            self._retry_at, self._delay = None, FIRST_RETRY
            if not self._damaged:
                self.problem = ""
        else:
            self._play_from_memory(fault)

    def tell(self, now: float) -> None:
        """Put the conditions that have changed."""
        conditions = self._conditions
        for name in sorted(conditions ^ self._told):
            self._put(Condition(now, name, name in conditions))
        self._told = conditions

    @property
    def _conditions(self) -> frozenset[str]:
        unsaved = self.slow or self._retry_at is not None
        return frozenset({"unsaved"} if unsaved else ()) | frozenset({"damaged"} if self._damaged else ())

    def close(self) -> None:
        """Keep what is not kept yet, if that can be done now, and let the files go."""
        self.sync()
        if self._retry_at is not None:
            self.retry(self._retry_at)
        self.cut()

    def cut(self) -> None:
        """Let the files go as they are."""
        self._drop()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _open(self) -> Exception | None:
        """Open the database and write what has been noted; return what stands in the way.

        What is read wrongly once may be read rightly the next time. Only what was damaged twice is replaced.
        """
        fault: Damaged | Unusable | None = None
        damages = 0
        for _ in range(TRIES):
            self._drop()
            try:
                if self._lock is None:
                    self._lock = take(self.path.parent)
                salvage.finish(self.path)
                if damages == 2:
                    self._replace(fault)
                self._database = Database(self.path)
                self._take_up(self._database.found)
                self._write(self._database)
            except (Damaged, Unusable) as error:
                fault = error
                damages += isinstance(error, Damaged)
            else:
                return None
        self._drop()
        return fault

    def _replace(self, why: Exception | None) -> None:
        aside, recovered = salvage.replace(self.path, self._wall())
        self.problem = (
            f"{self.path} is damaged ({why}): set aside as {aside}, recovered {recovered}; "
            "if that happens again, replace the card"
        )
        log.error("%s", self.problem)
        self._damaged = True

    def _take_up(self, found: Found) -> None:
        """Go on from what the disk holds: at the start, or after a fault, or late, when play has begun."""
        if not self._read and found.state is not None:
            if self._starting:
                self._kept = unpack_state(found.state, self._now())
            else:
                self._earlier = found.state
        self._read = True
        self._written = found.state
        database, tried = self._database, self._tried
        if database is not None:
            games = [game for game in self._games if game[0] > tried or not database.holds(game)]
            if games and games[0][0] <= found.last:
                games = [(number, *game[1:]) for number, game in enumerate(games, found.last + 1)]
            self._games = deque(games, MAX_WAITING)
            self._tried = 0
        self._number = self._games[-1][0] if self._games else found.last

    def _write(self, database: Database) -> None:
        """Commit what has been noted, if it is not on the disk already."""
        state = self._state
        if state is not None and self._earlier is not None:
            state = merged(self._earlier, state, played=self._played)
        if state is not None and state.same_as(self._written):
            state = None
        if state is None and not self._games:
            return
        self._tried = self._number
        known = () if self._written is None else self._written.settings
        database.write(state, self._games, with_settings=state is not None and state.settings != known)
        self._written = state or self._written
        if self._games:
            self._games.clear()
            if self._damaged:
                self._damaged, self.problem = False, ""

    def _play_from_memory(self, fault: Exception) -> None:
        """Go on without the disk, and try again later."""
        self.cut()
        remedy = f": {fault.remedy}" if isinstance(fault, Unusable) and fault.remedy else ""
        self.problem = f"{self.path} cannot be used ({fault}), playing from memory{remedy}"
        if self._retry_at is None:
            log.error("%s", self.problem)
        self._retry_at = self._now() + self._delay
        self._delay = min(2 * self._delay, LAST_RETRY)

    def _drop(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None
