"""The signals that end the program: one thread waits for them, so that none is missed or noticed late.

The kernel gives a signal to any thread that does not block it, and Python runs a handler only when the main
thread next executes bytecode: one that is blocked on a queue may not notice until it wakes.
"""

import os
import signal
import threading
from collections.abc import Callable
from typing import Self

ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Signals(threading.Thread):
    """Calls `handler` with the number of each ending signal, on a thread of its own.

    Until a handler is set, a signal ends the process at once, with status 0. Use it as a context manager,
    before any other thread is started: threads inherit the signal mask. The signals stay blocked afterwards,
    so one that arrives while the process ends changes nothing. Signals ignored at the start (nohup) stay so.
    """

    def __init__(self) -> None:
        super().__init__(name="signals", daemon=True)
        self.handler: Callable[[int], object] = lambda _number: os._exit(0)
        self._waited = {number for number in ENDING if signal.getsignal(number) is not signal.SIG_IGN}
        self._open = True

    def __enter__(self) -> Self:
        """Block the signals in this thread and those that it starts, and begin to wait for them."""
        signal.pthread_sigmask(signal.SIG_BLOCK, self._waited)
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        """End the thread."""
        self._open = False
        if self.is_alive():
            signal.pthread_kill(self.ident or 0, signal.SIGTERM)
            self.join()

    def run(self) -> None:
        """Wait for signals until closed."""
        while True:
            number = signal.sigwait(self._waited)
            if not self._open:
                return
            self.handler(number)
