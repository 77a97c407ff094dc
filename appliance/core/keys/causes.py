"""The causes of a keypad's symptoms, as rows of a report."""

from collections.abc import Iterable, Iterator
from itertools import chain, pairwise

from appliance.core.english import listed, number_word
from appliance.core.keys.diagnosis import (
    FAILED,
    GROUNDED,
    JOINED,
    LINES,
    SWAPPED,
    UNCLEAR,
    Check,
    Matrix,
    Tried,
    dead_key,
    lines_of,
    named,
    on_line,
    stuck_keys,
    wire_off,
)
from appliance.core.keys.model import GROUND, RIGHT, Cause, causes, rings, union
from appliance.core.keys.scan import KEYS, ROWS, keys_of

ALTERNATIVES = 4  # in a row; more would help nobody


def explained(rows: list[Check], walked: Iterable[Tried], rest: int, matrix: Matrix) -> list[Check]:
    """Return the rows; with what explains all readings, if that is known, in place of the symptoms.

    `rest` are the stuck keys (bits). The rows are returned unchanged unless every other key was tried, and if
    none made contact.
    """
    readings = {found.key: sum(found.readings[-1:]) for found in walked}
    last = max((key for key, reading in readings.items() if reading), default=-1)
    if last < 0 or len(readings) + rest.bit_count() != KEYS:
        return rows
    known = causes(readings, rest)
    if all(reading in {0, 1 << key} for key, reading in readings.items()):
        # No key shows a swap. Perhaps nobody was there any more after the last reading: then there is none.
        in_place = [cause for cause in known if cause.wiring == RIGHT]
        perhaps_left = all(reading for key, reading in readings.items() if key <= last)
        known = in_place if perhaps_left else in_place or known
    if not 0 < len(known) <= ALTERNATIVES:
        return rows
    each = [list(_rows(cause, matrix)) for cause in known]
    shared = [row for row in each[0] if all(row in others for others in each)]
    left = [[row for row in others if row not in shared] for others in each]
    return [*(row for row in rows if row.verdict != FAILED), *shared, *([_either(left)] if any(left) else [])]


def _either(alternatives: list[list[Check]]) -> Check:
    """Return a row of alternatives."""
    rows = list(chain(*alternatives))
    what = "; or ".join(listed(row.what for row in each) for each in alternatives)
    remedy = "the readings do not show which: check each, and test again"
    lines = tuple(line for line in LINES if any(line in row.lines for row in rows))
    return Check(f"either {what}", FAILED, remedy, UNCLEAR, union(row.keys for row in rows), lines)


def _rows(cause: Cause, matrix: Matrix) -> Iterator[Check]:
    if cause.wiring != RIGHT:
        yield _swapped(cause, matrix)
    for pins in cause.joined:
        yield _joined(cause, pins, matrix)
    for pin in RIGHT:
        if cause.off >> pin & 1:
            yield wire_off(LINES[pin], on_line(LINES[cause.wiring.index(pin)]), matrix)
    for key in keys_of(cause.dead):
        yield dead_key(key, matrix)


def _swapped(cause: Cause, matrix: Matrix) -> Check:
    moved = [[LINES[pin] for pin in ring] for ring in rings(cause.wiring)]
    wired = [matrix.pin(LINES[pin])[0] for pin in cause.wiring]
    settings = ("rows", wired[:ROWS], matrix.rows), ("columns", wired[ROWS:], matrix.columns)
    change = listed(f'"{name}: {now}"' for name, now, before in settings if now != list(before))
    change = f"set {change} under keypad: in {matrix.where}"
    lines = tuple(chain(*moved))
    keys = union(map(on_line, lines))
    if any(len(ring) > 2 for ring in moved):  # as on a panel that is mounted turned: name what is easy first
        steps = ((pin, place) for ring in moved for pin, place in pairwise([*ring, ring[0]]))
        names_of = (f"from {matrix.named([pin])} to {matrix.named([place])}" for pin, place in steps)
        remedy = f"{change}, or move the wires: {listed(names_of)}"
        return Check(f"{number_word(len(lines))} wires are swapped", FAILED, remedy, SWAPPED, keys, lines)
    names = ", and of ".join(map(matrix.named, moved))
    remedy = "swap these two wires" if len(moved) == 1 else "swap the two wires of each pair"
    return Check(f"the wires of {names} are swapped", FAILED, f"{remedy}, or {change}", SWAPPED, keys, lines)


def _joined(cause: Cause, pins: int, matrix: Matrix) -> Check:
    lines = tuple(LINES[pin] for pin in RIGHT if pins >> pin & 1)
    names, keys = matrix.named(lines), union(map(on_line, lines))
    if pins & GROUND:
        what = f"{names} {'is' if len(lines) == 1 else 'are'} shorted to ground"
        remedy = f"look for a short from {names} to ground"
        return Check(what, FAILED, remedy, GROUNDED, keys, lines)
    on = {line for line, pin in zip(LINES, cause.wiring, strict=True) if pins & ~cause.off & 1 << pin}
    stuck = sum(1 << key for key in range(KEYS) if on.issuperset(lines_of(1 << key)))
    if stuck and len({kind for kind, _ in lines}) == 2:
        return stuck_keys(f"{named(stuck)}: down with nobody pressing", stuck, lines, matrix)
    remedy = f"look for a bridge between {names}" + (f", or for {named(stuck)} stuck" if stuck else "")
    return Check(f"{names} are bridged", FAILED, remedy, JOINED, keys, lines)
