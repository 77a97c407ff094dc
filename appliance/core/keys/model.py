"""A model of the keypad: which faults explain all readings of a walk.

What a key reads as depends on the two pins that it joins, and on what else is joined. So a stuck key is the
same as a bridge between the pins of its wires, and it makes no difference which two bridges join three pins.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import combinations, permutations
from operator import or_
from typing import NamedTuple

from appliance.core.keys.scan import COLUMNS, KEYS, ROWS, keys_of

Wiring = tuple[int, ...]  # the pin of each wire; rows, then columns

RIGHT: Wiring = tuple(range(ROWS + COLUMNS))
GROUND = 1 << len(RIGHT)  # in a set of pins
MOST_FAULTS = 3  # more would explain nearly everything


class Cause(NamedTuple):
    """Faults that together explain the readings. Sets of pins and of keys are bits.

    - `wiring`: the pin that each wire is on
    - `joined`: the sets of pins that are connected, perhaps with ground
    - `off`: the pins without contact to their wires
    - `dead`: the keys without contact
    """

    wiring: Wiring = RIGHT
    joined: tuple[int, ...] = ()
    off: int = 0
    dead: int = 0


FAULTS = (
    *(Cause(joined=(1 << one | 1 << other,)) for one, other in combinations(RIGHT, 2)),
    *(Cause(joined=(1 << pin | GROUND,)) for pin in RIGHT),
    *(Cause(off=1 << pin) for pin in RIGHT),
    *(Cause(dead=1 << key) for key in range(KEYS)),
)


def causes(readings: Mapping[int, int], rest: int) -> list[Cause]:
    """Return the causes with the fewest faults, at most `MOST_FAULTS`; a swap of two wires is one.

    `rest` are the keys (bits) that read as closed with nobody pressing. `readings` has every other key, and
    what it read as (bits) when pressed.
    """
    possible = [
        fault
        for fault in FAULTS
        if not _scan(fault.joined) & ~rest and not any(readings.get(key, 1) for key in keys_of(fault.dead))
    ]
    wirings: list[list[Wiring]] = [[] for _ in range(MOST_FAULTS + 1)]
    for wiring in permutations(RIGHT):
        wirings[_misplaced(wiring)].append(wiring)
    for count in range(1, MOST_FAULTS + 1):
        found = {
            cause
            for swaps in range(count + 1)
            for faults in combinations(possible, count - swaps)
            for cause in _fitting(_together(faults), wirings[swaps], readings, rest)
        }
        if found:
            return sorted(found)
    return []


def _misplaced(wiring: Wiring) -> int:
    """Return how many faults a wiring is: two misplaced wires are one.

    Two are all six of a plug turned round, or rows for columns.
    """
    wires = sum(pin != place for pin, place in zip(wiring, RIGHT, strict=True))
    whole = wires == len(RIGHT) and len({pin < ROWS for pin in wiring[:ROWS]}) == 1
    return 2 if whole else (wires + 1) // 2


def rings(wiring: Wiring) -> list[list[int]]:
    """Return the pins of misplaced wires, in rings: the wire on each pin belongs on the next."""
    found: list[list[int]] = []
    for pin in RIGHT:
        if wiring[pin] != pin and not any(pin in ring for ring in found):
            ring = [pin]
            while (place := wiring.index(ring[-1])) != pin:
                ring.append(place)
            found.append(ring)
    return found


def union(sets: Iterable[int]) -> int:
    """Return the bits that any of these have."""
    return reduce(or_, sets, 0)


def _together(faults: Sequence[Cause]) -> Cause:
    """Return several faults, none of them swaps, as one cause."""
    joined = [pins for fault in faults for pins in fault.joined]
    connected = sorted({_reached(pins, joined) for pins in joined})
    off, dead = union(fault.off for fault in faults), union(fault.dead for fault in faults)
    return Cause(RIGHT, tuple(connected), off, dead)


def _fitting(
    cause: Cause, wirings: Iterable[Wiring], readings: Mapping[int, int], rest: int
) -> Iterator[Cause]:
    """Yield the cause with each of the wirings by which it explains the readings."""
    if _scan(cause.joined) != rest:
        return
    alive = [(key, reading) for key, reading in readings.items() if not cause.dead >> key & 1]
    read: dict[int, int] = {}  # by the pins that are joined
    for wiring in wirings:
        for key, reading in alive:
            pins = (1 << wiring[key // COLUMNS] | 1 << wiring[ROWS + key % COLUMNS]) & ~cause.off
            if pins not in read:
                read[pins] = _scan((*cause.joined, pins)) & ~rest
            if read[pins] != reading:
                break
        else:
            # A row's wire on a column's pin reads one key: off is the same as that key without contact.
            astray = (pin for wire, pin in enumerate(wiring) if (pin < ROWS) != (wire < ROWS))
            if not any(cause.off >> pin & 1 for pin in astray):
                yield cause._replace(wiring=wiring)


def _scan(joined: Sequence[int]) -> int:
    """Return what a scan reads: the columns that each row pulls down through what is joined."""
    low = (_reached(1 << row | GROUND, joined) >> ROWS & (1 << COLUMNS) - 1 for row in range(ROWS))
    return sum(columns << row * COLUMNS for row, columns in enumerate(low))


def _reached(pins: int, joined: Sequence[int]) -> int:
    before = 0
    while pins != before:
        before = pins
        for others in joined:
            if others & pins:
                pins |= others
    return pins
