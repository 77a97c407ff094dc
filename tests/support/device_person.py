"""The person at a board under the hardware test, who does what it asks for, on the board's own clock."""

import io
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple
from unittest.mock import patch

from appliance.boardtest.rig import DEVICES, Rig, Usage
from appliance.config.schema import Config
from appliance.core.keys.scan import keys_of
from appliance.simulator import person

KEYS = tuple(range(5, 13))  # the checks about them
TURN = 0.002  # seconds between two edges of chattering contacts


class Finger(NamedTuple):
    """How presses make contact. `chatter` is in seconds; `answers`: key -> the keys (bits) that close."""

    chatter: float = 0.005
    rebound: bool = False  # each contact closes once more, 42 ms after a first one of 22 ms
    answers: Mapping = MappingProxyType({})
    stuck: int = 0


STEADY = Finger()


class PersonRig(person.SimulatedRig):
    """The kernel's own pins on a stand-in for the chip, without a display; and the person.

    A subclass has `now` and `usage`, `elapse`, which lets so many seconds pass, and `close_contacts`.
    """

    def __init__(self, finger=STEADY, access="gpio rw", oversleeps=0.0, devices=DEVICES):
        super().__init__(Config(), "box.yaml", None)
        self.devices = devices
        self.out = io.StringIO()
        self._finger, self._access, self._oversleeps = finger, access, oversleeps
        self.close_keys(0)

    chip, open_factory, open_traced = Rig.chip, Rig.open_factory, Rig.open_traced

    def access(self, _chip):
        return self._access

    def wait(self, seconds):
        super().wait(seconds + (self._oversleeps if seconds >= 0.02 else 0.0))

    def show(self, _scene):
        return False

    def flash(self, _frame):
        return False

    def close_keys(self, keys):
        closed = self._finger.stuck
        for key in keys_of(keys):
            closed |= self._finger.answers.get(key, 1 << key)
        self.close_contacts(closed)

    def planned(self, prompt, at):
        taps = {"tap_fast": (130, 0.25)} if self._finger.rebound else {}
        with patch.dict(person.TAPS, taps):
            return list(super().planned(prompt, at))

    def tapped(self, key, at):
        if self._finger.rebound:
            yield at, 1 << key
            yield at + 0.022, 0
            at += 0.064
        for moment, closed in ((at, 1), (at + person.CLOSED_SECONDS, 0)):
            turns = 2 * int(self._finger.chatter / TURN / 2)
            for turn in range(turns):
                yield moment + turn * TURN, (closed ^ turn & 1) << key
            yield moment + turns * TURN, closed << key


def used(calls, rig):
    """Return what a process has used that made so many calls."""
    return Usage(calls * 5e-6, rig.sleeps)
