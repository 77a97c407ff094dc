"""Threads that prove they are alive: the watchdog is fed only while all of them move."""

import math
import threading

REPLY = 5.0  # seconds for an idle thread to react to a nudge


class WatchedThread(threading.Thread):
    """A daemon thread that counts its moves, so that another thread can tell whether it hangs.

    `moved` belongs to the thread itself, `trouble` to the one that watches it.
    """

    ASK = math.inf  # seconds without a move after which an idle thread is nudged

    def __init__(self, name: str) -> None:
        super().__init__(name=name, daemon=True)
        self._moves = 0
        self._bound: float | None = REPLY
        self._seen = -1  # the moves that the watcher saw last, and when it first saw them
        self._seen_at = 0.0

    def moved(self, bound: float | None) -> None:
        """Note a move. The next one follows within `bound` seconds; None while the thread waits for work."""
        self._moves += 1  # first: a bound without the move that it belongs to would look like a late thread
        self._bound = bound

    def nudge(self) -> None:
        """Make an idle thread move once."""

    def trouble(self, now: float) -> str:
        """Return "" while the thread moves within its bound, else a sentence. To be called every few seconds.

        `now` is in seconds of a monotonic clock. Only the times between calls count: a process that was
        stopped for a while, all threads alike, is not in trouble.
        """
        if self.ident is None:
            return ""
        if not self.is_alive():
            return f"the thread {self.name} has ended"
        bound = self._bound  # before the moves: `moved` sets it after them
        if self._moves != self._seen:
            self._seen, self._seen_at = self._moves, now
            return ""
        still = now - self._seen_at
        if bound is not None:
            return f"the thread {self.name} has not moved for {still:.0f} s" if still > bound else ""
        if still > self.ASK:
            self._seen_at, self._bound = now, REPLY  # before the nudge, which ends it
            self.nudge()
        return ""
