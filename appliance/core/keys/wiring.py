"""Find the faults of a keypad that explain all readings of a walk.

`appliance.core.keys.diagnosis` judges each symptom by itself and may blame good parts: swapping a row's wire
with a column's makes four good buttons look dead, since each then joins two rows or two columns. So this
module simulates each fault, and each pair of faults. Several may explain the readings. If a row of the report
is false under one of them, it may blame a good part: then the report lists the explanations instead.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, combinations
from typing import NamedTuple

from appliance.core.english import listed
from appliance.core.keys.diagnosis import (
    DEAD,
    FAILED,
    JOINED,
    LINES,
    LOOSE,
    STUCK,
    SWAPPED,
    Check,
    Found,
    Line,
    Matrix,
    named,
    on_line,
)
from appliance.core.keys.scan import COLUMNS, KEYS, ROWS, keys_of

OFF, BRIDGE, GROUNDED = "off", "bridge", "grounded"  # of wires; diagnosis has the other kinds


class Fault(NamedTuple):
    """A fault of a button, or of wires, which are named by the pins they are on."""

    kind: str
    lines: tuple[Line, ...] = ()  # of swapped wires: each belongs where the next one is
    key: int = 0  # the button's bit


FAULTS = (
    *(Fault(SWAPPED, pair) for pair in combinations(LINES, 2)),
    *(Fault(OFF, (line,)) for line in LINES),
    *(Fault(BRIDGE, pair) for pair in combinations(LINES, 2)),
    *(Fault(GROUNDED, (line,)) for line in LINES),
    *(Fault(kind, (), 1 << key) for kind in (DEAD, STUCK) for key in range(KEYS)),
)

# What can be connected, a bit each: the six pins, the six lines of the matrix, and ground.
_PIN = {line: 1 << number for number, line in enumerate(LINES)}
_LINE = {line: 1 << number + len(LINES) for number, line in enumerate(LINES)}
_GROUND = 1 << 2 * len(LINES)


def explained(rows: list[Check], walked: Iterable[Found], rest: int, matrix: Matrix) -> list[Check]:
    """Return the rows; if a failed one may blame a good part, with explanations in place of the failed ones.

    `rest` are the stuck keys (bits). The rows are returned unchanged unless every other key was tried and
    released, and one or two faults explain all readings.
    """
    readings = {found.key: sum(found.readings[-1:]) for found in walked if not found.stays}
    failed = [row for row in rows if row.verdict == FAILED]
    if not failed or len(readings) + rest.bit_count() != KEYS or any(row.fault == LOOSE for row in failed):
        return rows
    causes = _explanations(readings, rest)
    if all(_is_true(row, cause) for row in failed for cause in causes):
        return rows
    return [*(row for row in rows if row.verdict != FAILED), *_rows(causes, matrix)]


def _explanations(readings: Mapping[int, int], rest: int) -> list[tuple[Fault, ...]]:
    """Return every fault that explains the readings (key -> bits); if none does, every pair that does."""
    for count in (1, 2):
        fitting = (faults for faults in combinations(FAULTS, count) if _fits(faults, readings, rest))
        if found := list(dict.fromkeys(map(_merged, fitting))):
            return found
    return []


def _fits(faults: Iterable[Fault], readings: Mapping[int, int], rest: int) -> bool:
    joints, contacts = _network(faults)
    return _scan(joints) == rest and all(
        _scan([*joints, contacts[key]]) & ~rest == reading for key, reading in readings.items()
    )


def _network(faults: Iterable[Fault]) -> tuple[list[int], list[int]]:
    """Return what is connected while nobody presses, and what each key connects."""
    leads = _leads(faults)
    contacts = [_LINE[LINES[key // COLUMNS]] | _LINE[LINES[ROWS + key % COLUMNS]] for key in range(KEYS)]
    joints, off = [], set()
    for kind, lines, keys in faults:
        pins = sum(_PIN[line] for line in lines)
        if kind == OFF:
            off.add(lines[0])
        elif kind in {BRIDGE, GROUNDED}:
            joints.append(pins | (_GROUND if kind == GROUNDED else 0))
        for key in keys_of(keys):
            joints += [contacts[key]] * (kind == STUCK)
            contacts[key] *= kind == STUCK
    return [*joints, *(_PIN[pin] | _LINE[leads[pin]] for pin in LINES if pin not in off)], contacts


def _leads(faults: Iterable[Fault]) -> dict[Line, Line]:
    """Return where the wire on each pin leads."""
    leads = {line: line for line in LINES}
    for kind, lines, _ in faults:
        if kind == SWAPPED:
            one, other = lines
            leads[one], leads[other] = leads[other], leads[one]
    return leads


def _scan(joints: list[int]) -> int:
    """Return what a scan reads: the columns that each row pulls down through any connections."""
    raw = 0
    for row in range(ROWS):
        low, before = 1 << row | _GROUND, 0
        while low != before:
            before = low
            for joint in joints:
                if joint & low:
                    low |= joint
        raw |= (low >> ROWS & (1 << COLUMNS) - 1) << row * COLUMNS
    return raw


def _merged(faults: tuple[Fault, ...]) -> tuple[Fault, ...]:
    """Merge swaps that share a wire into one ring, since several pairs of swaps have the same result."""
    leads, rings = _leads(faults), []
    left = [line for line in LINES if leads[line] != line]
    while left:
        ring = [left[0]]
        while (line := leads[ring[-1]]) != ring[0]:
            ring.append(line)
        left = [line for line in left if line not in ring]
        rings.append(Fault(SWAPPED, tuple(ring)))
    return (*rings, *(fault for fault in faults if fault.kind != SWAPPED))


def _is_true(row: Check, cause: tuple[Fault, ...]) -> bool:
    """Return whether one of these faults is in a wire or a button that the row blames."""
    button = row.fault == DEAD and len(row.lines) == 2  # its lines only say where its joints are
    return any(
        fault.key & row.keys if fault.key else not button and set(fault.lines) & set(row.lines)
        for fault in cause
    )


def _rows(causes: list[tuple[Fault, ...]], matrix: Matrix) -> Iterator[Check]:
    """Yield the faults that all explanations share, then one row of alternatives."""
    shared = set(causes[0]).intersection(*causes)
    yield from (_row(fault, matrix) for fault in causes[0] if fault in shared)
    rest = [[_row(fault, matrix) for fault in cause if fault not in shared] for cause in causes]
    if any(rest):
        lines = tuple(line for line in LINES if any(line in row.lines for row in chain(*rest)))
        keys = 0
        for row in chain(*rest):
            keys |= row.keys
        what = "; or ".join(listed(row.what for row in rows) for rows in rest)
        remedy = "the readings do not show which: check each, and test again"
        yield Check(f"either {what}", FAILED, remedy, rest[0][0].fault, keys, lines)


def _row(fault: Fault, matrix: Matrix) -> Check:
    names, keys = matrix.named(fault.lines) if fault.lines else "", fault.key
    for line in fault.lines:
        keys |= on_line(line)
    if fault.kind == SWAPPED:
        pins = [matrix.named([line]) for line in fault.lines]
        moves = zip(pins, pins[1:] + pins[:1], strict=True)
        remedy = "move the wires: " + listed(f"from {pin} to {place}" for pin, place in moves)
        remedy = "swap these two wires" if len(pins) == 2 else remedy
        return Check(f"the wires of {names} are swapped", FAILED, remedy, SWAPPED, keys, fault.lines)
    if fault.kind == OFF:
        return Check(f"{names}: no contact", FAILED, f"check the wire to {names}", DEAD, keys, fault.lines)
    if fault.kind == BRIDGE:
        remedy = f"look for a bridge between {names}"
        return Check(f"{names} are bridged", FAILED, remedy, JOINED, keys, fault.lines)
    if fault.kind == GROUNDED:
        remedy = f"look for a short from the wire of {names} to ground"
        return Check(f"{names} is shorted to ground", FAILED, remedy, JOINED, keys, fault.lines)
    what = f"{named(keys)} {'is stuck' if fault.kind == STUCK else 'makes no contact'}"
    return Check(what, FAILED, "check the button and its joints", fault.kind, keys)
