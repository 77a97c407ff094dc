"""The engine at work: where the search runs, so that no press is ever made to wait for it."""

import logging
import random
import threading
from collections.abc import Callable
from queue import SimpleQueue

from appliance.core.effects import Think
from appliance.core.events import Answer
from engine import LEVELS

log = logging.getLogger("tictactoe")


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
            if request.job == self._newest:
                self._put(self._answer(request))

    def _answer(self, request: Think) -> Answer:
        now = self._now()
        try:
            return answer(request, self._rng, lambda: request.job != self._newest, now)
        except Exception:  # a thread that died would leave the box thinking for ever
            log.exception("the engine failed, and plays any move instead")
            return Answer(now, request.job, self._rng.choice(list(request.match.game.moves())))
