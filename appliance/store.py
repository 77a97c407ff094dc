"""The keeper: the game in progress, the score, the settings and the finished games outlive the power.

What is shown has been written: `save` returns when the state is in the file, where the end of the process
does not reach it. What has been shown is durable before the next press counts: `sync`, after the picture has
been drawn, returns when a power cut does not reach it either.

While the disk is full, read-only or failing, play goes on in memory; the store tries again by itself, and
then writes what it has. Two conditions tell the display: "unsaved" while nothing is kept, and "damaged" from
when the file was found damaged until the next game has been finished and kept.
"""

import logging
from collections import deque
from collections.abc import Callable
from pathlib import Path

from appliance.core.effects import Save
from appliance.core.events import Condition, Event
from appliance.core.match import Finished
from appliance.core.resume import Kept
from appliance.core.settings import Settings
from appliance.errors import UserError
from appliance.storage.database import Database
from appliance.storage.place import Damaged, Locked, Unwritable
from appliance.storage.records import Played, Row, State, pack_game, pack_state, unpack_state, wall_time
from appliance.storage.vault import Vault

log = logging.getLogger("tictactoe")

FIRST_RETRY = 1.0  # seconds after a fault; twice as long after each further one
LAST_RETRY = 60.0
MOST_GAMES = 1000  # finished games that wait in memory for the disk; beyond that the oldest are lost


class Store:
    """The `Keeper` that keeps, in `directory`. One thread at a time uses it; once made it raises nothing.

    `put` is called by `service` only, so it may name a loop that is built later. `now` reads the daemon's
    clock, `wall` the wall clock in seconds since 1970 UTC, which may be wrong. `configured` are the settings
    as the configuration has them. Raise `UserError` when the directory holds something that is not ours, or
    is in use by another box, or nothing can be kept there. A disk that is full or fails is no error.
    """

    def __init__(
        self,
        directory: Path,
        put: Callable[[Event], None],
        now: Callable[[], float],
        wall: Callable[[], float],
        configured: Settings,
    ) -> None:
        self._put, self._now, self._wall, self._configured = put, now, wall, configured
        self._vault = Vault(directory, wall, lambda: self._tell("damaged", on=True))
        self._kept: Kept | None = None
        self._state: State | None = None  # the state to keep
        self._written: State | None = None  # the state in the file
        self._dirty = False  # something has been written that `sync` has not made durable
        self._counted = False  # the match of the last save
        self._held = False  # a save that counts a game waits for that game
        self._number = 0  # of the last finished game
        self._games: deque[Row] = deque(maxlen=MOST_GAMES)  # finished, and not known to be durable
        self._told: set[str] = set()
        self._news: list[Condition] = []
        self._delay = FIRST_RETRY
        self._retry_at: float | None = None
        try:
            self._begin()
        except BaseException:
            self.cut()
            raise

    def load(self) -> Kept | None:
        """Return what was kept when the store was opened, None when that was nothing."""
        return self._kept

    def save(self, state: Save) -> None:
        """Keep the state of the box.

        The save that counts a game is written together with that game, which `archive` brings next: no cut
        comes between the two, so no game is counted twice or never.
        """
        if self._held:
            self._flush()
        self._held = state.match.counted and not self._counted
        self._counted = state.match.counted
        self._state = pack_state(state, self._configured, self._now())
        if not self._held and not self._state.same_as(self._written):
            self._flush()

    def archive(self, game: Finished) -> None:
        """Keep a finished game."""
        self._number += 1
        self._games.append(pack_game(Played(self._number, wall_time(self._wall()), game)))
        self._flush()

    def sync(self) -> None:
        """Make what has been saved outlive a power cut. To be called when the picture has been drawn."""
        if self._held:
            self._flush()
        database = self._vault.database
        if database is None:
            return
        try:
            if self._dirty:
                database.sync()
                if self._games:
                    self._tell("damaged", on=False)
                self._durable()
            if database.log_is_full:
                database.checkpoint()
        except (Damaged, Unwritable) as error:
            self._fault(error)

    def due(self) -> float | None:
        """Return when `service` wants to be called next, None for never."""
        return self._news[0].at if self._news else self._retry_at

    def service(self, now: float) -> None:
        """Do what is due: try again to write, tell what has happened."""
        if self._retry_at is not None and now >= self._retry_at:
            self._retry()
        news, self._news = self._news, []
        for condition in news:
            self._put(condition)

    def close(self) -> None:
        """Keep what is not kept yet, if that can be done now, and let the files go."""
        self.sync()
        if self._retry_at is not None:
            self._retry()
        self.cut()

    def cut(self) -> None:
        """Let the files go as they are, as the end of the power does."""
        self._vault.close()

    def _begin(self) -> None:
        try:
            self._vault.open(self._take_up)
        except Locked as error:
            raise UserError(f"{self._vault.path}: is locked by another program: end that program") from error
        except (Damaged, Unwritable) as error:
            self._trouble(error)
            self._vault.look(self._take_up)

    def _take_up(self, state: State | None, number: int) -> None:
        if state is not None:
            self._kept = unpack_state(state.progress, state.elapsed, state.settings, self._now())
            self._counted = self._kept.match.counted
        self._written, self._number = state, number

    def _flush(self) -> None:
        """Write the state, and the games that may not be in the file yet."""
        self._held = False
        if self._vault.database is not None and self._state is not None:
            try:
                self._write(self._vault.database, self._state)
            except (Damaged, Unwritable) as error:
                self._fault(error)

    def _write(self, database: Database, state: State) -> None:
        changed = self._written is None or state.settings != self._written.settings
        database.write(state, self._games, with_settings=changed)
        self._written, self._dirty = state, True

    def _durable(self) -> None:
        self._dirty = False
        self._games.clear()

    def _fault(self, error: Exception) -> None:
        """Go on after a fault: at once, if it looks like damage that can be mended; otherwise in memory."""
        self._vault.drop()
        wrong = self._recover() if isinstance(error, Damaged) else error
        if wrong is not None:
            self._trouble(wrong)

    def _recover(self) -> Exception | None:
        """Open the file anew, or a new one, and write all that is known; return what stands in the way."""
        try:
            self._vault.open()
            try:
                self._rewrite()
            except Damaged as error:
                self._vault.replace(str(error))
                self._rewrite()
        except (Damaged, Unwritable, UserError) as error:
            return error
        return None

    def _rewrite(self) -> None:
        self._written = None
        if self._vault.database is not None and self._state is not None:
            self._write(self._vault.database, self._state)
            self._vault.database.sync()
            self._durable()

    def _trouble(self, error: Exception) -> None:
        """Go on in memory, and try again later."""
        self._vault.close()
        if self._retry_at is None:
            log.error("%s cannot be written (%s): going on in memory", self._vault.path, error)
        self._tell("unsaved", on=True)
        self._retry_at = self._now() + self._delay
        self._delay = min(2 * self._delay, LAST_RETRY)

    def _retry(self) -> None:
        wrong = self._recover()
        if wrong is not None:
            self._trouble(wrong)
            return
        log.info("%s can be written again", self._vault.path)
        self._tell("unsaved", on=False)
        self._retry_at, self._delay = None, FIRST_RETRY

    def _tell(self, condition: str, *, on: bool) -> None:
        if on is not (condition in self._told):
            self._told ^= {condition}
            self._news.append(Condition(self._now(), condition, on))
