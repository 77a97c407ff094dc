"""The walk over the nine keys: a person presses each as it is asked for, and what it reads as is noted.

A scan is an int of nine bits as in `appliance.core.scan`, ghosts included, not debounced. A scan that stays
the same for `STEADY` seconds is a reading; so contacts that bounce, and joined lines that are read one after
the other, each give one reading.
"""

from collections.abc import Iterator
from typing import NamedTuple

from appliance.core.diagnosis import ALL, Found, Matrix, Row, after_walk, at_rest, single
from appliance.core.scan import KEYS
from appliance.core.scene import Tile
from appliance.core.wiring import explained

SAMPLE = 0.3  # seconds that the keys at rest are watched
STEADY = 0.02  # seconds: as long as contacts bounce; the shortest tap is several times that


class Walk(NamedTuple):
    """A walk under way. Times are in seconds of the caller's clock.

    First the keys are watched while nobody presses: `always` are those (bits) that read as closed in every
    scan, `sometimes` those in any. Then each key is asked for, and once more if it answers as another: a
    finger may slip.

    - `limit`: the seconds for a press, and for its release; 0 leaves the presses out
    - `until`: when the time for what is under way ends
    - `rest`: the keys that read as closed with nobody pressing. Two or more of them make ghosts of others, so
      that no reading can be trusted: then the walk ends.
    - `key`: the key that is asked for, -1 before the first, 9 after the last
    - `pressed`: its press has been read, and its release is awaited
    - `readings`: what its presses so far read as
    """

    limit: float
    until: float
    always: int = ALL
    sometimes: int = 0
    rest: int = 0
    key: int = -1
    pressed: bool = False
    readings: tuple[int, ...] = ()
    found: tuple[Found, ...] = ()
    raw: int = 0  # the last scan
    since: float = 0.0  # when it was first read

    @property
    def down(self) -> int:
        """The keys (bits) that somebody presses, as far as the last scan tells."""
        return self.raw & ~self.rest

    @property
    def over(self) -> bool:
        """Whether the last key has been tried."""
        return self.key == KEYS


def begin(limit: float, now: float) -> Walk:
    """Return a walk that begins at `now` with the keys at rest."""
    return Walk(limit, now + SAMPLE)


def advance(walk: Walk, raw: int, now: float) -> Walk:
    """Return the walk after the scan `raw`, taken at `now`."""
    if walk.over:
        return walk
    if walk.key < 0:
        if now >= walk.until:
            return _ask_next(walk._replace(rest=walk.always), now)
        return walk._replace(always=walk.always & raw, sometimes=walk.sometimes | raw, raw=raw, since=now)
    if raw != walk.raw:
        walk = walk._replace(raw=raw, since=now)
    steady = now - walk.since >= STEADY
    if steady and not walk.down:
        walk = walk._replace(rest=raw)  # a stuck key may come off
    if now < walk.until and not (steady and bool(walk.down) is not walk.pressed):
        return walk
    if walk.pressed:
        return _released(walk, now)
    if steady and walk.down:  # contacts that still bounce at the limit are no press
        return walk._replace(pressed=True, readings=(*walk.readings, walk.down), until=now + walk.limit)
    return _note(walk, Found(walk.key, walk.readings), now)


def _released(walk: Walk, now: float) -> Walk:
    """Return the walk after the release of its key, or without it: then it stays down."""
    found = Found(walk.key, walk.readings, stays=bool(walk.down))
    walk = walk._replace(rest=walk.rest | walk.down, pressed=False)
    if found.good or found.stays or len(walk.readings) == 2:
        return _note(walk, found, now)
    return walk._replace(until=now + walk.limit)


def _note(walk: Walk, found: Found, now: float) -> Walk:
    return _ask_next(walk._replace(found=(*walk.found, found), readings=()), now)


def _ask_next(walk: Walk, now: float) -> Walk:
    """Ask for the next key that is not down already."""
    left = [key for key in range(walk.key + 1, KEYS) if not walk.rest >> key & 1]
    able = walk.limit and single(walk.rest)
    return walk._replace(key=left[0] if left and able else KEYS, until=now + walk.limit)


def rows(walk: Walk, matrix: Matrix) -> Iterator[Row]:
    """Yield what the walk has found so far."""
    if walk.key >= 0:
        found = [*at_rest(walk.always, walk.sometimes, matrix)]
        if walk.limit:
            found += after_walk(walk.found, walk.rest, matrix)
            found = explained(found, walk.found, walk.rest, matrix)
        yield from found


def tiles(walk: Walk, *, turned: bool = False) -> tuple[Tile, ...]:
    """Return the nine cells: ticked or crossed, stuck, asked for; those whose keys are pressed are lit.

    `turned` is for a box that stands upside down: its first cell is that of the last key.
    """
    cells = [Tile("stuck" if walk.rest >> key & 1 else "") for key in range(KEYS)]
    for found in walk.found:
        cells[found.key] = Tile("yes" if found.good else "no")
    if 0 <= walk.key < KEYS:
        cells[walk.key] = Tile(f"={KEYS - walk.key if turned else walk.key + 1}", last=True)
    lit = tuple(cell._replace(inverse=bool(walk.down >> key & 1)) for key, cell in enumerate(cells))
    return lit[::-1] if turned else lit
