"""The store: the game in progress, the score, the settings, finished games and visits outlive the power.

A box is switched off at its plug, so there is no moment at the end in which to save: what the display shows
must be safe already. `keep`, called when a picture has been drawn, commits each change, and a commit that has
returned survives any end of the process or the power (`database.py` says why). That costs a sync of the card
for every move; `writer.py` keeps the player from waiting for a slow one.

A card also fills up, wears out or loses contact, and none of that may stop a game. So the store has `Copies`
or is `Waiting`: when neither copy takes a commit, play goes on from memory, and the store opens them again
every few seconds until it can write what has been played since. Memory is then newer than the disk and
replaces what is there, unless the disk could not even be read at the start. In that case both sides hold
games that the other has not seen, and each commit merges them: scores add up, finished games are numbered as
they arrive, and the later choice of a setting wins. What was played while waiting is lost if the power fails
then. The display says so with the badge "unsaved". The badge "damaged" stays from the replacement of a
damaged copy until the next finished game is safe.
"""

import contextlib
import logging
from collections import Counter, deque
from collections.abc import Callable, Iterable
from math import inf
from pathlib import Path

from appliance.core.errors import UserError
from appliance.core.problems import Problem
from appliance.core.session.events import Archive, Condition, CountVisit, Event, Keepsake, Saved
from appliance.core.session.resume import Kept
from appliance.core.session.settings import Settings
from appliance.storage.copies import TRIES, Copies, CopyReader
from appliance.storage.database import NAME
from appliance.storage.days import day_of
from appliance.storage.faults import AGAIN, LEAVE_ON, Damaged, Full, InUse, Newer, Outdated, Unusable
from appliance.storage.rows import (
    BACK,
    Played,
    Row,
    State,
    merged,
    pack_game,
    pack_state,
    unpack_state,
    wall_time,
)  # fmt: skip

log = logging.getLogger("tictactoe")

RETRY = 5.0  # seconds between two tries to use a disk that fails
MAX_WAITING = 1000  # finished games that wait in memory for the disk; beyond that the oldest are lost
PATIENCE = 900.0  # seconds for which neither copy must be usable before one is made of what can be read
REST, DAY = 10.0, 86_400.0  # seconds from the start to a check of the copies, and from one to the next


class Waiting:  # a plain class: a `NamedTuple` costs the start of the box half a million instructions
    """The disk cannot be used because of `fault`. Play goes on from memory; try again at `retry_at`."""

    def __init__(self, fault: Unusable, since: float, retry_at: float) -> None:
        self.fault = fault
        self.since = since  # on the clock `now`, as the next
        self.retry_at = retry_at


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
        self._read = False  # what the disk holds
        self._loaded: State | None = None  # the session goes on from it
        self._late: State | None = None  # play had begun when it was read: each commit merges the two
        self._played = False  # a move has been made
        self._state: State | None = None  # to be kept
        self._games: deque[Row] = deque(maxlen=MAX_WAITING)  # finished, and not on the disk
        self._newest: Row | None = None  # finished since the start, and not taken back
        self._visits: Counter[int] = Counter()  # by day, not on the disk
        self._visit = 0  # `Played.visit` of the next game
        self._damage: Problem | None = None  # what was repaired, until a finished game has been kept
        self._reported: set[str] = set()
        self._disk: Copies | Waiting | None = None  # once it is closed
        self.busy: Callable[[], bool] = lambda: False  # there is more to keep: set by the writer
        self._check_at = 0.0  # on the clock `now`: when to check the copies
        disk = self._open()
        if isinstance(disk, Waiting) and isinstance(disk.fault, InUse):
            raise UserError(f"{directory}: is {disk.fault}: {disk.fault.remedy}") from disk.fault
        self._enter(disk)
        if not self._read:
            try:
                with CopyReader(self.path) as reading:
                    self._loaded, self._read = reading.state(), reading.whole
            except Unusable as error:
                log.debug("%s cannot be read either: %s", self.path, error)

    @property
    def retry_at(self) -> float | None:
        """When to use the disk again, on the clock `now`; None while it can be used."""
        return disk.retry_at if isinstance(disk := self._disk, Waiting) else None

    @property
    def due(self) -> float | None:
        """When `keep` has something to do without effects, on the clock `now`; None once it is closed."""
        return self._check_at if isinstance(self._disk, Copies) else self.retry_at

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
        remedy = LEAVE_ON if isinstance(disk.fault, Damaged) else disk.fault.remedy
        return Problem("store", "unusable", str(self.path), str(disk.fault), remedy)

    def load(self) -> Kept | None:
        """Return what was saved before the box started, None if that was nothing."""
        return unpack_state(self._loaded, self.now()) if self._loaded else None

    def keep(self, effects: Iterable[Keepsake]) -> None:
        """Commit what is to be kept of `effects`, and do what is due."""
        self.commit(effects)
        self.tend()

    def commit(self, effects: Iterable[Keepsake]) -> None:
        """Commit what is to be kept of `effects` in one transaction; after a fault, retry when it is due.

        Then it is safe in one copy; `tend` brings it to the other.
        """
        for effect in effects:
            if isinstance(effect, Saved):
                self._played = self._played or bool(effect.match.moves)
                self._state = pack_state(effect, self._configured, self.now())
            elif isinstance(effect, Archive):
                row = pack_game(Played(None, wall_time(self._wall()), effect.game, self._visit))
                if effect.back:
                    self._take_back(row)
                else:
                    self._games.append(row)
                    self._visit, self._newest = 2 if self._visit else 0, row
            elif isinstance(effect, CountVisit):
                self._visits[day_of(wall_time(self._wall()))] += 1
                self._visit = 1
        if isinstance(self._disk, Copies):
            finished = bool(self._games)
            try:
                self._write(self._disk)
            except Unusable:
                self._disk.close()
                self._enter(self._open())
            else:
                self._damage = None if finished else self._damage
        elif self._disk is not None and self.now() >= self._disk.retry_at:
            self._enter(self._open())

    def _take_back(self, row: Row) -> None:
        """Note that the newest game goes, if it is known and has the moves of `row`."""
        newest, self._newest = self._newest, None
        with contextlib.suppress(Unusable, ValueError):
            if newest is None and isinstance(self._disk, Copies):
                (newest,) = self._disk.good[0].newest(1)
        if newest and newest[7] == row[7]:
            self._games.append((BACK, *newest[1:]))

    def tend(self) -> None:
        """Bring the other copy up to date; at rest, check both, and make a wrong one anew."""
        if not isinstance(copies := self._disk, Copies):
            return
        try:
            copies.follow(busy=self.busy())
            if not copies.checked:
                self._check_at = min(self._check_at, self.now() + REST)
            if self.now() >= self._check_at and not self.busy():
                self._check(copies)
        except Unusable as fault:
            log.debug("%s: %s", self.path, fault)
            if not copies.good:
                copies.close()
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
            self._enter(Waiting(self._disk.fault, self.now(), self.now()))
        self.busy, self._check_at = (lambda: False), inf
        self.keep(())
        self.cut()

    def cut(self) -> None:
        """Close the files without committing."""
        if isinstance(self._disk, Copies):
            self._disk.close()
        self._enter(None)

    def _enter(self, disk: Copies | Waiting | None) -> None:
        """Change the state: nothing else does."""
        before, self._disk = self._disk, disk
        if isinstance(disk, Waiting) and not isinstance(before, Waiting):
            log.error("%s", self.problem)
        elif isinstance(disk, Copies) and isinstance(before, Waiting):
            log.info("%s can be written again", self.path)

    def _open(self) -> Copies | Waiting:
        """Try to open the copies and to commit what has been noted; return the state to enter.

        What cannot be read now may come back: give copies up only if none could be used for `PATIENCE`.
        """
        now, fault = self.now(), Unusable("")
        since = self._disk.since if isinstance(self._disk, Waiting) else now
        for _ in range(TRIES):
            try:
                with contextlib.ExitStack() as files:
                    alone = isinstance(fault, Full)
                    copies = Copies(self.path, give_up=now >= since + PATIENCE, alone=alone)
                    files.callback(copies.close)
                    if copies.given_up:
                        self._note(copies.given_up, "both copies were made anew from what could be read")
                    if not self._read and self._disk is None:
                        self._loaded = copies.state
                    elif not self._read:
                        self._late = copies.state
                    self._read = True
                    if self._games:
                        # A commit that failed may be on the disk nevertheless.
                        there = [game[1:] for game in copies.good[0].newest(len(self._games))]
                        waiting = (game for game in self._games if game[0] == BACK or game[1:] not in there)
                        self._games = deque(waiting, MAX_WAITING)
                    self._write(copies)
                    self._check_at = now + REST
                    files.pop_all()
                    return copies
            except Unusable as error:
                fault = error
        # A fault with a remedy waits for a person.
        return Waiting(fault, now if fault.remedy else since, now + RETRY)

    def _check(self, copies: Copies) -> None:
        """Check the copies, and make a wrong one anew. Raise `Unusable` if that must wait."""
        self._check_at = self.now() + REST
        try:
            copies.check(self.busy)
            for name, reason in copies.renew(self.busy):
                if not isinstance(reason, Outdated):
                    self._note(reason, f"{name} was made anew")
        except Unusable:
            if not self.busy():
                self._check_at = self.now() + PATIENCE  # each try may write much
            raise
        if copies.checked:  # and none has been made anew
            self._check_at = self.now() + DAY

    def _note(self, fault: Unusable, done: str) -> None:
        """Report damage, and what was done about it."""
        done += f"; {AGAIN}"
        before, self._damage = self._damage, Problem("store", "damaged", str(self.path), str(fault), done)
        if self._damage != before:
            log.error("%s", self._damage)

    def _write(self, copies: Copies) -> None:
        """Commit what has been noted, if it is not on the disk already."""
        state = self._state
        if state is not None and self._late is not None:
            state = merged(self._late, state, played=self._played)
        if self._games or self._visits or not (state is None or state.same_as(copies.state)):
            copies.write(state, self._games, self._visits.items())
        self._visits.clear()  # a commit that failed may be on the disk: then its visits count twice
        self._games.clear()
