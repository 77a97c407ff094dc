"""Parking: while nobody touches a key, the kernel watches the columns, and nothing of ours runs.

All rows are low then, so that any key that closes pulls a column down. That edge ends the parking, and the
keys are looked at as ever: nothing is concluded from the edge but that it is time to look. The kernel's own
driver for key matrices rests in the same way.
"""

import contextlib
import logging
import math
from collections.abc import Callable
from typing import Protocol

log = logging.getLogger("tictactoe")

# Seconds without a touched key before it parks. To park and to end that costs as much as some ten looks, so a
# contact that never comes to rest must not make it park more often than this.
QUIET = 1.0
AGAIN = 60.0  # seconds until it is tried again where it could not be done
PARKED = math.inf  # seconds until the next look while parked: there is none before an edge


class Edges(Protocol):
    """What watches the columns: see `appliance.devices.edges.KernelEdges`."""

    def arm(self) -> None:
        """Take the columns, pull them up, and watch them."""

    def wait(self) -> None:
        """Sleep until one has fallen, or until `wake`."""

    def wake(self) -> None:
        """Let `wait` return."""

    def disarm(self) -> None:
        """Give the columns back."""

    def close(self) -> None:
        """Disarm for good."""


class Parking:
    """Decides when to park, and hands the columns over and back.

    `edges` is None where nothing can watch the columns: then it never parks. `claim` makes the columns
    gpiozero's inputs with a pull-up again. All but `wait` and `wake` belongs under the keypad's lock.
    """

    def __init__(self, edges: Edges | None, claim: Callable[[], None]) -> None:
        self.parked = False
        self._edges = edges
        self._claim = claim
        self._due = -math.inf  # when to park, in seconds of the keypad's clock
        self._told = False

    def touch(self, now: float) -> None:
        """Take note that at `now` (seconds) the keys were not at rest."""
        self._due = max(self._due, now + QUIET)

    def begin(self, now: float) -> bool:
        """Park if the keys have been at rest for long enough at `now`; return whether it has parked.

        Where the columns cannot be watched, they are gpiozero's again, and it is tried again later. Raises
        what `claim` raises.
        """
        if self._edges is None or now < self._due:
            return False
        try:
            self._edges.arm()
        except Exception as error:  # noqa: BLE001 - the kernel's errors, and lgpio's own
            self._due = now + AGAIN
            if not self._told:
                self._told = True
                log.info("the keys are polled all the time: no edges (%s: %s)", type(error).__name__, error)
            self._edges.disarm()
            self._claim()
            return False
        self.parked = True
        return True

    def end(self) -> bool:
        """Make the columns gpiozero's again if it has parked; return whether it had.

        Raises what `claim` raises; it is not parked then either.
        """
        if not self.parked or self._edges is None:
            return False
        self.parked = False
        self._edges.disarm()
        self._claim()
        return True

    def wait(self) -> None:
        """Sleep while it is parked, until an edge or `wake`."""
        if self._edges is not None:
            self._edges.wait()

    def wake(self) -> None:
        """Let `wait` return: the one that is under way, or the next. Any thread may call this."""
        if self._edges is not None:
            self._edges.wake()

    def close(self) -> None:
        """Give the columns back for good; never raises."""
        self.parked = False
        if self._edges is not None:
            with contextlib.suppress(Exception):  # the pins must be let go whatever happens
                self._edges.close()
