"""The person at a board under the device test, who does what it asks for, on the board's own clock."""

import io
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from appliance.config.schema import Config
from appliance.core.keys.scan import keys_of
from appliance.devicetest.rig import DEVICES, BoardRig, Usage

CHECKS = tuple(range(1, 9))  # those about the keys
THINKS = 0.4  # seconds from a request to the first press
DOWN, TURN = 0.07, 0.002  # seconds of a tap, and between two edges of chattering contacts


class Finger(NamedTuple):
    """How presses make contact. `chatter` is in seconds; `answers`: key -> the keys (bits) that close."""

    chatter: float = 0.005
    rebound: bool = False  # each contact closes once more, 42 ms after a first one of 22 ms
    answers: Mapping = MappingProxyType({})
    stuck: int = 0


STEADY = Finger()


class PersonRig(BoardRig):
    """A stand-in for a board, and the person. Time passes while the rig waits.

    A subclass has `now` and `usage`, `elapse`, which lets so many seconds pass, and `close_keys`.
    """

    def __init__(self, finger=STEADY, access="gpio rw", oversleeps=0.0, devices=DEVICES):
        super().__init__(Config(), "box.yaml", devices)
        self.out = io.StringIO()
        self.sleeps = 0
        self._finger, self._access, self._oversleeps = finger, access, oversleeps
        self._plan = []  # (when, the keys that are pressed from then on)
        self._doing = ()
        self._press(0)

    def access(self, _chip):
        return self._access

    def wait(self, seconds):
        self.sleeps += 1
        self._pass(self.now() + seconds + (self._oversleeps if seconds >= 0.02 else 0.0), lambda: False)

    def block(self, keypad, seconds):
        self.sleeps += 1
        return self._pass(self.now() + seconds, lambda: keypad.wait(0))

    def show(self, _scene):
        return False

    def flash(self, _frame):
        return False

    def ask(self, request):
        super().ask(request)
        if (request.word, request.keys) != self._doing:
            self._doing = (request.word, request.keys)
            self._press(0)
            self._plan = list(self._planned(request, self.now() + THINKS))

    def _pass(self, end, over):
        """Let time pass, with the presses that are due, until it ends or is over; return whether it is."""
        while not over():
            due = [self._plan.pop(0)] if self._plan and self._plan[0][0] <= end else []
            until = due[0][0] if due else end
            self.elapse(max(0.0, until - self.now()))
            if not due:
                return over()
            self._press(due[0][1])
        return True

    def _press(self, keys):
        closed = self._finger.stuck
        for key in keys_of(keys):
            closed |= self._finger.answers.get(key, 1 << key)
        self.close_keys(closed)

    def _planned(self, request, at):
        """Yield what the person's fingers do."""
        if request.word == "hold_these":
            yield at, request.keys
        elif request.word == "press_this":
            yield from self._taps([keys_of(request.keys)[0]] * 10, at, 0.2)
        elif request.word == "tap_fast":
            apart = 0.25 if self._finger.rebound else 0.15
            yield from self._taps([number * 4 % 9 for number in range(130)], at, apart)
        elif request.word == "press_any":
            yield from self._taps([4], at, 1.0)

    def _taps(self, keys, at, apart):
        for number, key in enumerate(keys):
            began = at + number * apart + number % 10 * 0.002  # at any time between two polls
            if self._finger.rebound:
                yield began, 1 << key
                yield began + 0.022, 0
                began += 0.064
            for moment, closed in ((began, 1), (began + DOWN, 0)):
                turns = 2 * int(self._finger.chatter / TURN / 2)
                for turn in range(turns):
                    yield moment + turn * TURN, (closed ^ turn & 1) << key
                yield moment + turns * TURN, closed << key


def used(calls, rig):
    """Return what a process has used that made so many calls."""
    return Usage(calls * 5e-6, rig.sleeps)
