"""The nine-key walk: one key after the other is asked for, and what is read is noted. Pure.

A scan is an int of nine bits, as in `appliance.core.matrix`: ghosts included, not debounced. What reads the
same for `STEADY` seconds is taken for what is closed. So contacts that chatter, and lines that are joined but
read one after the other, each give one reading.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

from appliance.core.matrix import COLUMNS, KEYS, ROWS
from appliance.core.scene import BoardScene, Tile

STEADY = 0.02  # seconds: as long as contacts chatter; the shortest tap is several times that
TRIES = 3  # for one key: a finger may slip

_ROW = (1 << COLUMNS) - 1


class Reading(NamedTuple):
    """The keys that a press read as (bits). Doubtful: it was one of these, and stuck keys hide which."""

    keys: int
    doubtful: bool = False


class Found(NamedTuple):
    """What became of one key: each press's reading, none for no contact; and whether it never opened again.

    The last reading counts. The one before was asked about again, because it was not the key's own.
    """

    key: int
    readings: tuple[Reading, ...]
    stays: bool = False

    @property
    def well(self) -> bool:
        """Whether the key closed, alone and as itself, and opened again."""
        return not self.stays and self.readings[-1:] == (Reading(1 << self.key),)


@dataclass(frozen=True, slots=True)
class Walk:
    """How far the walk is. Times are in seconds of the caller's clock.

    `keys` are still to come, the first of them is asked for now. `rest` are the keys that read as closed
    though nobody presses them (bits); `letting_go` says that a press was read and its end is awaited.
    """

    rest: int
    limit: float  # for a press to come, and for it to end
    keys: tuple[int, ...]
    since: float
    raw: int
    raw_since: float
    letting_go: bool = False
    readings: tuple[Reading, ...] = ()
    found: tuple[Found, ...] = ()

    @property
    def target(self) -> int | None:
        """The key that is asked for; None when the walk is over."""
        return self.keys[0] if self.keys else None


def begin(rest: int, limit: float, now: float) -> Walk:
    """Return the beginning of a walk over all keys but those in `rest`, `limit` seconds for each."""
    return Walk(rest, limit, _without(range(KEYS), rest), now, rest, now)


def step(walk: Walk, raw: int, now: float) -> Walk:
    """Take the scan `raw`, made at `now`, and return what the walk has come to. `now` never goes back."""
    if not walk.keys:
        return walk
    if raw != walk.raw:
        walk = replace(walk, raw=raw, raw_since=now)
    steady = now - walk.raw_since >= STEADY
    if steady and not raw & ~walk.rest:
        walk = replace(walk, rest=raw)  # a stuck key may come off
    late = now - walk.since >= walk.limit
    if walk.letting_go:
        if steady and raw == walk.rest:
            return _let_go(walk, now)
        return _next(walk, now, stays=True) if late else walk
    if steady and raw & ~walk.rest:
        readings = (*walk.readings, interpret(raw, walk.rest))
        return replace(walk, readings=readings, letting_go=True, since=now)
    return _next(walk, now) if late else walk


def interpret(raw: int, rest: int) -> Reading:
    """Return what was pressed when `raw` is read while the keys in `rest` are closed for good.

    If one more key explains the scan, ghosts included, it was that key; if several do, one of them. Otherwise
    something joins lines that no key joins, and all that is new is the reading.
    """
    fits = sum(1 << key for key in _without(range(KEYS), rest) if reads_as(rest | 1 << key) == raw)
    return Reading(fits, doubtful=bool(fits & (fits - 1))) if fits else Reading(raw & ~rest)


def reads_as(closed: int) -> int:
    """Return the scan of a matrix without diodes with these keys closed: rows that share a column are one."""
    rows = [closed >> row * COLUMNS & _ROW for row in range(ROWS)]
    for _ in range(ROWS - 1):  # through one row to the next, and through that one to the last
        rows = [_joined(row, rows) for row in rows]
    return sum(row << index * COLUMNS for index, row in enumerate(rows))


def _joined(row: int, rows: list[int]) -> int:
    together = row
    for other in rows:
        if other & row:
            together |= other
    return together


def _without(keys: range | tuple[int, ...], rest: int) -> tuple[int, ...]:
    return tuple(key for key in keys if not rest >> key & 1)


def _let_go(walk: Walk, now: float) -> Walk:
    """Go on to the next key, or ask for the same one again: a wrong reading must come twice."""
    *before, last = walk.readings
    if last.keys == 1 << walk.keys[0] or last in before[-1:] or len(walk.readings) == TRIES:
        return _next(walk, now)
    return replace(walk, letting_go=False, since=now)


def _next(walk: Walk, now: float, *, stays: bool = False) -> Walk:
    rest = walk.raw if stays else walk.rest
    return replace(
        walk,
        rest=rest,
        keys=_without(walk.keys[1:], rest),
        since=now,
        letting_go=False,
        readings=(),
        found=(*walk.found, Found(walk.keys[0], walk.readings, stays)),
    )


def scene(walk: Walk) -> BoardScene:
    """Return what the display shows: the cell to press lit with its number, the others ticked or crossed."""
    tiles = [Tile("stuck" if walk.rest >> key & 1 else "") for key in range(KEYS)]
    for found in walk.found:
        tiles[found.key] = Tile("yes" if found.well else "no")
    if walk.keys:
        key = walk.keys[0]
        tiles[key] = Tile(f"={key + 1}", inverse=not walk.letting_go)
    return BoardScene(tuple(tiles), headline=f"{KEYS - len(walk.keys)}/{KEYS}")
