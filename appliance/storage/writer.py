"""The thread that waits for the card, so that the game need not.

When the picture has been drawn, the main thread hands over what to keep and waits for the commit, up to
`MAX_WAIT`. While a slower card commits, the game goes on under the badge "unsaved".
"""

import logging
import threading
from collections.abc import Iterable

from appliance.core.problems import Problem
from appliance.core.session.events import Archive, CountVisit, Keepsake, Saved
from appliance.storage.store import MAX_WAITING, Store

log = logging.getLogger("tictactoe")

MAX_WAIT = 1.0  # seconds: well below systemd's TimeoutStopSec= and half the watchdog


class Writer:
    """A `Store` on a thread of its own. Only one thread uses the writer.

    The thread starts with the first `keep`.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._changed = threading.Condition()  # guards what follows, and `report` of the store
        self._waiting: list[Keepsake] = []
        self._requests = self._done = 0  # calls of `keep` so far, and those whose effects are committed
        self._closing = self._ended = False
        self._thread: threading.Thread | None = None
        store.busy = lambda: self._closing or self._done != self._requests

    @property
    def problem(self) -> Problem | None:
        """Why nothing is saved, or what was damaged; None if all is well."""
        store = self._store
        return store.problem or (Problem("store", "slow", str(store.path)) if store.slow else None)

    def keep(self, effects: Iterable[Keepsake]) -> None:
        """Hand over what to keep, and wait for its commit unless the card is known to be slow."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="store", daemon=True)
            self._thread.start()
        with self._changed:
            waiting = [*self._waiting, *effects]
            states = [one for one in waiting if isinstance(one, Saved)]
            games = [one for one in waiting if isinstance(one, Archive)]
            visits = [one for one in waiting if isinstance(one, CountVisit)]
            self._waiting = [*states[-1:], *games[-MAX_WAITING:], *visits[-MAX_WAITING:]]
            self._requests += 1
            self._changed.notify_all()
            wait = 0.0 if self._store.slow else MAX_WAIT
            if not self._changed.wait_for(lambda: self._done == self._requests or self._ended, wait):
                self._store.slow = True
                self._store.report()

    def trouble(self, _now: float) -> str:
        """Return "" while the thread lives, however slow the card; otherwise a sentence for the journal."""
        return "the store's thread has ended" if self._ended and not self._closing else ""

    def close(self) -> None:
        """Commit what is left and close the files, but wait no longer than `MAX_WAIT`."""
        if self._thread is None:
            self._store.close()
            return
        with self._changed:
            self._closing = True
            self._changed.notify_all()
            if not self._changed.wait_for(lambda: self._ended, MAX_WAIT):
                log.error("%s: the card is too slow: the last marks may be lost", self._store.path)

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
            self._store.report()
            due = self._store.due
            wait = None if due is None else max(0.0, due - self._store.now())
            self._changed.wait_for(self._store.busy, wait)
            effects, requests, self._waiting = self._waiting, self._requests, []
        self._store.commit(effects)
        with self._changed:
            self._done = requests
            self._store.slow = self._store.slow and self._requests != requests
            self._store.report()
            self._changed.notify_all()
        self._store.tend()
