"""The thread that polls the keypad."""

import logging
import threading
from collections.abc import Callable

from appliance.core.events import KeyEvent, Stuck
from appliance.devices.keypad import PARKED, Keypad
from appliance.devices.watched import WatchedThread

log = logging.getLogger("tictactoe")


class Scanner(WatchedThread):
    """Polls a keypad and puts its events, stamped with `now`; sleeps while the keypad is parked.

    A failing pin does not end it: the fault is logged once, retried after 0.25 s and then ever more slowly,
    up to every 5 s, and logged again when it is over.
    """

    BACKOFF = (0.25, 5.0)  # seconds
    BOUND = 5.0  # seconds that a poll may take
    ASK = 20.0  # a nudge while parked is one wake-up

    def __init__(self, keypad: Keypad, now: Callable[[], float], put: Callable[[KeyEvent], object]) -> None:
        super().__init__("keypad")
        self._keypad = keypad
        self._now = now
        self._put = put
        self._stopped = threading.Event()
        self._backoff = 0.0  # seconds; 0 while all is well

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
                self._sleep()
                delay = 0.0
        except Exception as error:  # noqa: BLE001 - each backend has its own errors, and none may end the thread
            first, longest = self.BACKOFF
            if not self._backoff:
                log.warning("the keys do not answer (%s: %s); trying again", type(error).__name__, error)
            self._backoff = min(self._backoff * 2, longest) or first
            return self._backoff
        if self._backoff:
            self._backoff = 0.0
            log.info("the keys answer again")
        for event in events:
            if isinstance(event, Stuck):
                keys = ", ".join(str(key + 1) for key in event.keys) or "none"
                log.warning("stuck keys, counted from 1: %s", keys)
            self._put(event)
        return delay

    def nudge(self) -> None:
        """Wake the thread while the keypad is parked."""
        self._keypad.wake()

    def stop(self) -> None:
        """End the thread, and wait until it has ended. May be called again, and when it was never started."""
        self._stopped.set()
        self._keypad.wake()
        if self.is_alive() and self is not threading.current_thread():
            self.join()

    def _sleep(self) -> None:
        """Sleep while parked. A nudge without an edge costs one wake-up, and not a second of polling."""
        self.moved(None)
        while not self._keypad.wait() and not self._stopped.is_set():
            self.moved(None)
