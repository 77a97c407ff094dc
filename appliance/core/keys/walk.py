"""The walk over the nine keys: ask a person to press each, and record what it reads as.

A scan is an int of nine bits as in `appliance.core.keys.scan`, ghosts included, not debounced. A scan that
stays the same for `STEADY_SECONDS` is a reading, so bouncing contacts, and bridged lines that are read one
after the other, each give one reading.
"""

from collections.abc import Iterator
from typing import NamedTuple

from appliance.core.keys.diagnosis import ALL, FAILED, Check, Matrix, Tried, after_walk, before_walk, single
from appliance.core.keys.scan import KEYS

REST_SECONDS = 0.3  # seconds for which the keys are watched at rest
STEADY_SECONDS = 0.02  # seconds: as long as contacts bounce; the shortest tap is several times longer


class Walk(NamedTuple):
    """A walk in progress. Times are in seconds of the caller's clock.

    First the keys are watched while nobody presses: `always` are those (bits) that read as closed in every
    scan, `sometimes` those in any. Then each key is asked for, twice if it answers as another: a finger may
    slip.

    - `limit`: the seconds for a press, and for its release
    - `until`: when the current step times out
    - `rest`: the keys that read as closed with nobody pressing. Two or more cause ghosts, so no reading can
      be trusted and the walk ends.
    - `key`: the key that is asked for, -1 before the first, 9 after the last
    - `pressed`: its press has been read, its release has not
    - `readings`: what its presses have read as so far
    """

    limit: float
    until: float
    always: int = ALL
    sometimes: int = 0
    rest: int = 0
    key: int = -1
    pressed: bool = False
    readings: tuple[int, ...] = ()
    found: tuple[Tried, ...] = ()
    raw: int = 0  # the last scan
    since: float = 0.0  # when it was first read

    @property
    def down(self) -> int:
        """The keys (bits) that are pressed, by the last scan."""
        return self.raw & ~self.rest

    @property
    def over(self) -> bool:
        """Whether the last key has been tried."""
        return self.key == KEYS


def start(limit: float, now: float) -> Walk:
    """Return a walk that starts at `now` with the keys at rest."""
    return Walk(limit, now + REST_SECONDS)


def advance(walk: Walk, raw: int, now: float) -> Walk:
    """Return the walk after the scan `raw`, taken at `now`. It must not be over."""
    if walk.key < 0:
        if now >= walk.until:
            return _ask_next(walk._replace(rest=walk.always), now)
        return walk._replace(always=walk.always & raw, sometimes=walk.sometimes | raw, raw=raw, since=now)
    if raw != walk.raw:
        walk = walk._replace(raw=raw, since=now)
    steady = now - walk.since >= STEADY_SECONDS
    if steady and not walk.down:
        walk = walk._replace(rest=raw)  # a stuck key may come off
    if now < walk.until and not (steady and bool(walk.down) is not walk.pressed):
        return walk
    if walk.pressed:
        return _released(walk, now)
    if steady and walk.down:  # contacts still bouncing at the limit are not a press
        return walk._replace(pressed=True, readings=(*walk.readings, walk.down), until=now + walk.limit)
    return _note(walk, Tried(walk.key, walk.readings), now)


def _released(walk: Walk, now: float) -> Walk:
    """Return the walk after its key was released, or was not in time: then it counts as stuck."""
    found = Tried(walk.key, walk.readings, stays=bool(walk.down))
    walk = walk._replace(rest=walk.rest | walk.down, pressed=False)
    if found.good or found.stays or len(walk.readings) == 2:
        return _note(walk, found, now)
    return walk._replace(until=now + walk.limit)


def _note(walk: Walk, found: Tried, now: float) -> Walk:
    return _ask_next(walk._replace(found=(*walk.found, found), readings=()), now)


def _ask_next(walk: Walk, now: float) -> Walk:
    """Ask for the next key that is not already down."""
    left = [key for key in range(walk.key + 1, KEYS) if not walk.rest >> key & 1]
    return walk._replace(key=left[0] if left and single(walk.rest) else KEYS, until=now + walk.limit)


def rows(walk: Walk, matrix: Matrix) -> Iterator[Check]:
    """Yield the checks for what the walk has found so far.

    If it was interrupted, its last keys without a press count as not tried: perhaps nobody was there.
    A fault that came or went meanwhile, such as a key that stays down or a loose contact, has its symptoms.
    """
    if walk.key < 0:
        return
    while not walk.over and walk.found and walk.found[-1].unpressed:
        walk = walk._replace(found=walk.found[:-1])
    found = [*before_walk(walk.always, walk.sometimes, matrix), *after_walk(walk.found, walk.rest, matrix)]
    steady = walk.always == walk.sometimes == walk.rest and not any(found.stays for found in walk.found)
    if steady and any(row.verdict == FAILED for row in found):
        from appliance.core.keys.causes import explained  # noqa: PLC0415 - only faults need it

        found = explained(found, walk.found, walk.rest, matrix)
    yield from found
