"""The thread that searches for moves, so that no press waits for the engine."""

import logging
import random
from collections.abc import Callable
from queue import SimpleQueue

from appliance.core.events import Answer, Think
from appliance.devices.watched import WatchedThread
from engine import LEVELS

log = logging.getLogger("tictactoe")


def answer(request: Think, rng: random.Random, stop: Callable[[], bool] | None, now: float) -> Answer:
    """Return the engine's move for a request."""
    return Answer(now, request.job, LEVELS[request.level].choose(request.match.game, rng, stop))


class Thinker(WatchedThread):
    """Answers one request after another. A newer request ends the search for an older one."""

    BOUND = 10.0  # seconds between two signs of life of a search; a Pi Zero needs 1.3

    def __init__(self, put: Callable[[Answer], None], now: Callable[[], float], rng: random.Random) -> None:
        super().__init__("engine")
        self._put = put
        self._now = now
        self._rng = rng
        self._newest = 0
        self._requests: SimpleQueue[Think | None] = SimpleQueue()

    def ask(self, request: Think) -> None:
        """Request a move; the answer is put when it is there."""
        self._newest = request.job
        self._requests.put(request)

    def stop(self) -> None:
        """End the thread, and the search that is under way."""
        self._newest = -1
        self._requests.put(None)

    def run(self) -> None:
        """Answer requests until stopped."""
        self.moved(None)
        while (request := self._requests.get()) is not None:
            if request.job == self._newest:
                self._put(self._answer(request))
            self.moved(None)

    def _answer(self, request: Think) -> Answer:
        def superseded() -> bool:
            self.moved(self.BOUND)
            return request.job != self._newest

        now = self._now()
        self.moved(self.BOUND)
        try:
            return answer(request, self._rng, superseded, now)
        except Exception:  # a thread that died would leave the box thinking for ever
            log.exception("the engine failed, and plays any move instead")
            return Answer(now, request.job, self._rng.choice(list(request.match.game.moves())))
