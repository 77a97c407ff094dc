"""The engine at work: where the search runs, so that no press is ever made to wait for it."""

import random
import threading
from collections.abc import Callable
from queue import SimpleQueue

from appliance.core.effects import Think
from appliance.core.events import Answer
from engine import LEVELS


def answer(request: Think, rng: random.Random, stop: Callable[[], bool] | None, now: float) -> Answer:
    """Return the engine's move for a request."""
    return Answer(now, request.job, LEVELS[request.level].choose(request.match.game, rng, stop))


class Thinker(threading.Thread):
    """A thread that answers one request after another. A newer request ends the search for an older one."""

    def __init__(self, put: Callable[[Answer], None], now: Callable[[], float], rng: random.Random) -> None:
        super().__init__(name="engine", daemon=True)
        self._put = put
        self._now = now
        self._rng = rng
        self._newest = 0
        self._requests: SimpleQueue[Think | None] = SimpleQueue()

    def ask(self, request: Think) -> None:
        """Ask for a move; the answer is put when it is there."""
        self._newest = request.job
        self._requests.put(request)

    def stop(self) -> None:
        """End the thread, and the search that it is at."""
        self._newest = -1
        self._requests.put(None)

    def run(self) -> None:
        """Answer requests until stopped."""
        while (request := self._requests.get()) is not None:
            job = request.job
            if job == self._newest:
                self._put(answer(request, self._rng, lambda job=job: job != self._newest, self._now()))  # type: ignore[misc]
