"""The thread that waits for the card, so that the game need not.

When the picture has been drawn, the main thread hands over what to keep and waits for the commit, up to
`MAX_WAIT`. While a slower card commits, the game goes on under the badge "unsaved".
"""

import logging
import threading
from collections.abc import Callable

from appliance.core.events import Save
from appliance.core.match import Finished
from appliance.storage.store import MAX_WAITING, Store

log = logging.getLogger("tictactoe")

MAX_WAIT = 1.0  # seconds: well below systemd's TimeoutStopSec= and half the watchdog


class Writer:
    """A `Store` on a thread of its own. Only one thread uses the writer.

    The thread starts with the first `sync`. `now` reads the daemon's clock.
    """

    def __init__(self, store: Store, now: Callable[[], float], max_wait: float = MAX_WAIT) -> None:
        self._store, self._now, self._max_wait = store, now, max_wait
        self._noted: list[Save | Finished] = []  # since the last `sync`; the other thread never sees it
        self._changed = threading.Condition()  # guards what follows, and `tell` of the store
        self._handed: list[Save | Finished] = []
        self._requests = self._done = 0  # hand-overs so far, and those that have been committed
        self._closing = self._ended = False
        self._thread: threading.Thread | None = None

    @property
    def problem(self) -> str:
        """Why nothing is saved, or what was damaged, as a sentence for a person; "" when all is well."""
        return self._store.problem or (f"{self._store.path}: the card is slow" if self._store.slow else "")

    def save(self, state: Save) -> None:
        """Note the state of the box."""
        self._noted.append(state)

    def archive(self, game: Finished) -> None:
        """Note a finished game."""
        self._noted.append(game)

    def sync(self) -> None:
        """Hand over what has been noted, and wait for its commit unless the card is known to be slow."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="store", daemon=True)
            self._thread.start()
        with self._changed:
            self._hand_over()
            wait = 0.0 if self._store.slow else self._max_wait
            if not self._changed.wait_for(lambda: self._done == self._requests or self._ended, wait):
                self._store.slow = True
                self._store.tell(self._now())

    def due(self) -> None:
        """Return None: the thread retries by itself."""

    def service(self, now: float) -> None:
        """Do nothing."""

    def trouble(self, _now: float) -> str:
        """Return "" while the thread lives, however slow the card; otherwise a sentence for the journal."""
        return "the store's thread has ended" if self._ended and not self._closing else ""

    def close(self) -> None:
        """Commit what is left and close the files, but wait no longer than `MAX_WAIT`."""
        if self._thread is None:
            self._store.close()
            return
        with self._changed:
            self._hand_over()
            self._closing = True  # after the request: the thread reads it without the lock
            if not self._changed.wait_for(lambda: self._ended, self._max_wait):
                log.error("%s: the card is too slow: the last marks may be lost", self._store.path)

    def _hand_over(self) -> None:
        waiting = self._handed + self._noted
        states = [one for one in waiting if isinstance(one, Save)]
        games = [one for one in waiting if isinstance(one, Finished)]
        self._handed = [*states[-1:], *games[-MAX_WAITING:]]
        self._noted.clear()
        self._requests += 1
        self._changed.notify_all()

    def _run(self) -> None:
        try:
            while not (self._closing and self._done == self._requests):
                self._turn()
            self._store.close()
        finally:
            with self._changed:
                self._ended = True
                self._changed.notify_all()

    def _turn(self) -> None:
        """Wait for something to do, and do it."""
        with self._changed:
            due = self._store.due()
            wait = None if due is None else max(0.0, due - self._now())
            self._changed.wait_for(lambda: self._done != self._requests, wait)
            handed, requests, self._handed = self._handed, self._requests, []
        for one in handed:
            if isinstance(one, Save):
                self._store.save(one)
            else:
                self._store.archive(one)
        self._store.sync()
        self._store.retry(self._now())
        with self._changed:
            self._done = requests
            self._store.slow = self._store.slow and self._requests != requests
            self._store.tell(self._now())
            self._changed.notify_all()
