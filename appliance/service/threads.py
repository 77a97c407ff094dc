"""The box's own threads: one polls the keypad, one searches for moves. Each proves that it is alive.

The watchdog is fed only while both move.
"""

import logging
import math
import random
import threading
from collections.abc import Callable
from queue import SimpleQueue

from appliance.core.keys.key_events import KeyEvent, Stuck
from appliance.core.keys.scan import KEYS
from appliance.core.problems import Problem
from appliance.core.session.events import Answer, Condition, Judge, Judged, Think
from appliance.devices.keypad import PARKED, Keypad
from engine import RULES, SOLVED, Belief, Limit, Table, review, search
from engine.levels import KEPT, NODES

log = logging.getLogger("tictactoe")

REPLY = 5.0  # seconds for an idle thread to react to a nudge


class WatchedThread(threading.Thread):
    """A daemon thread that counts its moves, so that another thread can tell whether it hangs.

    The thread itself calls `moved`; its watcher, another thread, calls `trouble`.
    """

    ASK = math.inf  # seconds without a move after which an idle thread is nudged

    def __init__(self, name: str) -> None:
        super().__init__(name=name, daemon=True)
        self._move: tuple[int, float | None] = 0, REPLY  # the count so far, and the bound of the next one
        self._known: tuple[int, float | None] | None = None  # this and the rest: used only by the watcher
        self._known_at = 0.0  # when it first saw that move, or nudged the thread
        self._nudged = False

    def moved(self, bound: float | None) -> None:
        """Note a move. The next one follows within `bound` seconds; None while the thread waits for work."""
        self._move = self._move[0] + 1, bound  # one assignment: the watcher may read at any time

    def nudge(self) -> None:
        """Make an idle thread move once."""

    def trouble(self, now: float) -> str:
        """Return "" while the thread moves within its bound, else a sentence. Call it every few seconds.

        `now` is in seconds of a monotonic clock. Only the times between calls count: a process that was
        stopped for a while, with all its threads, is not in trouble.
        """
        if self.ident is None:
            return ""
        if not self.is_alive():
            return f"the thread {self.name} has ended"
        move = self._move
        if move != self._known:
            self._known, self._known_at, self._nudged = move, now, False
            return ""
        still = now - self._known_at
        bound = REPLY if self._nudged else move[1]
        if bound is not None:
            return f"the thread {self.name} has not moved for {still:.0f} s" if still > bound else ""
        if still > self.ASK:
            self._known_at, self._nudged = now, True
            self.nudge()
        return ""


class Scanner(WatchedThread):
    """Polls a keypad and puts its events, stamped with `now`; sleeps while the keypad is parked.

    A failing pin does not end it: the fault is logged once, shown as the badge "keys", retried after 0.25 s
    and then ever more slowly, up to every 5 s, and logged again when it is over. After `GIVE_UP` the thread
    is in `trouble`, so that systemd restarts the service: only a new process finds a chip that came back
    under another number, or that the service's own /dev lacks.
    """

    BACKOFF = (0.25, 5.0)  # seconds
    GIVE_UP = 120.0  # seconds: some thirty retries
    BOUND = 5.0  # seconds that a poll may take
    ASK = 20.0  # a nudge while parked is one wake-up

    def __init__(
        self, keypad: Keypad, now: Callable[[], float], put: Callable[[KeyEvent | Condition], object]
    ) -> None:
        super().__init__("keypad")
        self.problem: Problem | None = None  # why no key is read; None while all is well
        self._keypad = keypad
        self._now = now
        self._put = put
        self._stopped = threading.Event()
        self._backoff = 0.0  # seconds; 0 while all is well
        self._failing_since = math.inf

    def run(self) -> None:
        """Poll until stopped."""
        delay = 0.0
        while not self._stopped.wait(delay):
            delay = self.step()
            self.moved(delay + self.BOUND)

    def step(self) -> float:
        """Poll once, and sleep if the keypad has parked; return the seconds until the next poll is due."""
        try:
            events, delay = self._keypad.poll(self._now())
            if delay == PARKED:
                self.moved(None)
                # A nudge costs one wake-up and one read of the columns.
                while not (self._keypad.wait() or self._stopped.is_set() or self._keypad.missed()):
                    self.moved(None)
                delay = 0.0
        except Exception as error:  # noqa: BLE001 - each backend has its own errors, and none may end the thread
            first, longest = self.BACKOFF
            if not self._backoff:
                self._failing_since = self._now()
                self.problem = Problem("keys", "silent", reason=f"{type(error).__name__}: {error}")
                log.warning("%s; trying again", self.problem)
                self._put(Condition(self._failing_since, "keys", on=True))
            self._backoff = min(self._backoff * 2, longest) or first
            return self._backoff
        if self._backoff:
            self._backoff, self._failing_since, self.problem = 0.0, math.inf, None
            log.info("the keys answer again")
            self._put(Condition(self._now(), "keys", on=False))
        for event in events:
            if isinstance(event, Stuck):
                keys = ", ".join(str(key + 1) for key in event.keys) or "none"
                log.warning("stuck keys, counted from 1: %s", keys)
            self._put(event)
        return delay

    def trouble(self, now: float) -> str:
        """Return a sentence if the thread hangs, or has failed to read the keys for too long; else ""."""
        failing = now - self._failing_since
        if failing > self.GIVE_UP:
            return f"{self.problem or 'the keys do not answer'}, and have not for {failing:.0f} s"
        return super().trouble(now)

    def nudge(self) -> None:
        """Wake the thread while the keypad is parked."""
        self._keypad.wake()

    def stop(self) -> None:
        """Stop the thread, and wait until it has ended. May be called twice, or without `start`."""
        self._stopped.set()
        self._keypad.wake()
        if self.is_alive() and self is not threading.current_thread():
            self.join()


def answer(
    request: Think | Judge,
    rng: random.Random,
    stop: Callable[[], bool] | None,
    now: float,
    table: Table | None = None,
) -> Answer | Judged:
    """Return the engine's reply to a request: a move, or a judgement of the moves.

    `table` is kept over a game, and cleared when one begins.
    """
    match = request.match
    if isinstance(request, Think):
        if table is not None and len(match.moves) < 2:
            table.clear()
        level = request.level
        if isinstance(level, Belief):
            level = RULES[match.rule].adaptive(match.believed(level).strength(match.rule))
        return Answer(now, request.job, level.choose(match.game, rng, stop, table))
    if match.over:
        return Judged(now, request.job, remarks=review(SOLVED[match.rule](), match.moves, stop=stop))
    found = search(match.game, Limit(nodes=NODES), every=True, stop=stop).moves
    return Judged(now, request.job, tuple(found[cell].value if cell in found else "" for cell in range(KEYS)))


class Thinker(WatchedThread):
    """Answers requests one at a time. A newer request cancels the search for an older one."""

    BOUND = 10.0  # seconds between two moves of this thread in a search; a Pi Zero needs 1.5

    def __init__(
        self, put: Callable[[Answer | Judged], None], now: Callable[[], float], rng: random.Random
    ) -> None:
        super().__init__("engine")
        self._put = put
        self._now = now
        self._rng = rng
        self._newest = 0
        self._table = Table(KEPT)
        self._requests: SimpleQueue[Think | Judge | None] = SimpleQueue()

    def ask(self, request: Think | Judge) -> None:
        """Request a move or a judgement; the reply is put later."""
        self._newest = request.job
        self._requests.put(request)

    def stop(self) -> None:
        """Stop the thread, and cancel its search."""
        self._newest = -1
        self._requests.put(None)

    def run(self) -> None:
        """Answer requests until stopped."""
        self.moved(None)
        while (request := self._requests.get()) is not None:
            if request.job == self._newest:
                self._put(self._answer(request))
            self.moved(None)

    def _answer(self, request: Think | Judge) -> Answer | Judged:
        def superseded() -> bool:
            self.moved(self.BOUND)
            return request.job != self._newest

        now = self._now()
        self.moved(self.BOUND)
        try:
            return answer(request, self._rng, superseded, now, self._table)
        except Exception:  # a dead thread would leave the box thinking forever
            if isinstance(request, Judge):
                log.exception("the engine failed to judge a game")
                return Judged(now, request.job)
            log.exception("the engine failed; playing a random move")
            return Answer(now, request.job, self._rng.choice(list(request.match.game.moves())))
