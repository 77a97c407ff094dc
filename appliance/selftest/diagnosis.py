"""What is wrong with a keypad, from what was read of it. Pure.

The faults that a hand-wired matrix has are told apart by which keys show them: a key by itself, a line whose
wire is off (its three keys are dead), a line held low, two lines joined, and lines on each other's pins.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product

from appliance.core.matrix import COLUMNS, KEYS, ROWS, accept, keys_of
from appliance.selftest.report import Row, Verdict
from appliance.selftest.walk import Reading, Walk
from appliance.selftest.wording import line, listed, named

_ALL = (1 << KEYS) - 1
_ROW = (1 << COLUMNS) - 1
_COLUMN = 0b001001001


@dataclass(frozen=True, slots=True)
class Matrix:
    """How the keypad is configured (BCM numbers, from the top, from the left), and in which file."""

    rows: Sequence[int]
    columns: Sequence[int]
    where: str


def at_rest(always: int, sometimes: int, matrix: Matrix) -> Iterator[Row]:
    """Yield what is wrong with the keys while nobody presses any.

    `always` are the keys that read as closed in every scan, `sometimes` those that did in any (bits).
    """
    if not always | sometimes:
        yield Row("keys at rest: all open", Verdict.OK)
    left = always
    for column in range(COLUMNS):
        keys = _COLUMN << column
        if keys & always == keys:
            left &= ~keys
            what = f"{line('column', column, matrix.columns)}: held low"
            remedy = f"look for a short from its wire to ground or to a row, or for {named(keys)} stuck"
            yield Row(what, Verdict.FAILED, remedy)
    if left:
        ghosts = " (one or more may be a ghost of the others)" if accept(left) is None else ""
        what = f"{named(left)}: down, and nobody presses{ghosts}"
        yield Row(what, Verdict.FAILED, "free the button, or look for a bridge between its contacts")
    if sometimes & ~always:
        what = f"{named(sometimes & ~always)}: now down, now up, and nobody presses"
        yield Row(what, Verdict.FAILED, "look for a loose contact, and keep the wires short")


def after_walk(walk: Walk, matrix: Matrix) -> Iterator[Row]:
    """Yield what the walk has shown: first the keys that are well, then each fault under its own name."""
    well = sum(1 << found.key for found in walk.found if found.well)
    if well:
        yield Row(f"{named(well)}: each answers alone, as itself", Verdict.OK)
    faulty = [found for found in walk.found if not found.well]
    yield from _dead(sum(1 << found.key for found in faulty if not found.readings), matrix)
    stays = sum(1 << found.key for found in faulty if found.stays)
    if stays:
        what = f"{named(stays)}: down, and not up again"
        yield Row(what, Verdict.FAILED, "free the button, or look for a bridge between its contacts")
    last = {found.key: found.readings[-1] for found in walk.found if found.readings}
    yield from _misplaced({key: read.keys for key, read in last.items() if _single(read.keys)}, matrix)
    yield from _doubtful({key: read for key, read in last.items() if read.doubtful})
    several = {key: read.keys for key, read in last.items() if not (read.doubtful or _single(read.keys))}
    yield from _joined(several, sum(1 << key for key in last), matrix)
    unseen = _ALL & ~walk.rest & ~sum(1 << found.key for found in walk.found)
    if unseen:
        yield Row(f"{named(unseen)}: not tried", Verdict.OPEN)


def _single(keys: int) -> bool:
    return not keys & (keys - 1)


def _dead(keys: int, matrix: Matrix) -> Iterator[Row]:
    if keys == _ALL:
        remedy = f"check the keypad's plug, and rows and columns under keypad: in {matrix.where}"
        yield Row("no key makes contact", Verdict.FAILED, remedy)
        return
    left = keys
    lines = [("row", row, _ROW << row * COLUMNS, matrix.rows) for row in range(ROWS)]
    lines += [("column", column, _COLUMN << column, matrix.columns) for column in range(COLUMNS)]
    for kind, index, mask, pins in lines:
        if keys & mask == mask:
            left &= ~mask
            what = f"{line(kind, index, pins)}: no contact ({named(mask)})"
            yield Row(what, Verdict.FAILED, f"check the wire from BCM {pins[index]} to {kind} {index + 1}")
    for key in keys_of(left):
        remedy = "check the button and its two joints"
        yield Row(f"key {key + 1}: no contact", Verdict.FAILED, remedy)


def _doubtful(readings: Mapping[int, Reading]) -> Iterator[Row]:
    for key, (keys, _) in readings.items():
        if keys >> key & 1:
            what = f"key {key + 1}: answers as {named(keys, 'or')}"
            yield Row(what, Verdict.OPEN, "free the stuck keys first: they make ghosts")
        else:
            what = f"key {key + 1} answers as {named(keys, 'or')}"
            yield Row(what, Verdict.FAILED, "free the stuck keys first, then look at the wires")


def _misplaced(singles: Mapping[int, int], matrix: Matrix) -> Iterator[Row]:
    """Yield the keys that answer as others. `singles` holds what each key read as that answered alone."""
    answers = {key: keys_of(keys)[0] for key, keys in singles.items()}
    wrong = [(key, answer) for key, answer in answers.items() if key != answer]
    if not wrong:
        return
    wirings = list(_wirings(answers, matrix))
    if len(wirings) != 1:
        for key, answer in wrong:
            what = f"key {key + 1} answers as {answer + 1}"
            yield Row(what, Verdict.FAILED, f"follow the wires of keys {key + 1} and {answer + 1}")
        return
    rows, columns = wirings[0]
    lines = [("rows", rows, matrix.rows), ("columns", columns, matrix.columns)]
    change = listed(f'"{name}: {list(now)}"' for name, now, before in lines if list(now) != list(before))
    told = listed((f"{key + 1} as {answer + 1}" for key, answer in wrong), "and")
    remedy = f"the wires are exchanged: put them right, or set {change} under keypad: in {matrix.where}"
    yield Row(f"key {told.replace(' as', ' answers as', 1)}", Verdict.FAILED, remedy)


def _wirings(answers: Mapping[int, int], matrix: Matrix) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield the rows and columns that the pins must really be, if each key is to answer as it did.

    All 72 ways to connect three rows and three columns are tried: each group in any order on the pins of its
    own kind, or of the other.
    """
    for first, second in product(permutations(range(ROWS)), permutations(range(COLUMNS))):
        straight = {key: first[key // COLUMNS] * COLUMNS + second[key % COLUMNS] for key in answers}
        if straight == answers:
            yield tuple(matrix.rows[i] for i in first), tuple(matrix.columns[i] for i in second)
        crossed = {key: second[key % COLUMNS] * COLUMNS + first[key // COLUMNS] for key in answers}
        if crossed == answers:
            yield tuple(matrix.columns[i] for i in first), tuple(matrix.rows[i] for i in second)


def _joined(several: Mapping[int, int], answered: int, matrix: Matrix) -> Iterator[Row]:
    """Yield which lines are joined, or which keys, when single presses read as several keys.

    `several` holds what each such key read as, `answered` the keys that read as anything (bits).
    """
    alike: defaultdict[tuple[str, tuple[int, ...]], int] = defaultdict(int)
    for key, keys in several.items():
        alike[_shape(key, keys)] |= 1 << key
    left = sum(1 << key for key in several)
    for (kind, lines), members in alike.items():
        found = _lines(kind, lines, members, answered, matrix)
        if found:
            left &= ~members
            yield found
    for key in keys_of(left):
        what = f"key {key + 1} answers as {named(several[key])}"
        remedy = f"look for a bridge between the contacts of {named(several[key] | 1 << key)}"
        yield Row(what, Verdict.FAILED, remedy)


def _shape(key: int, keys: int) -> tuple[str, tuple[int, ...]]:
    """Return which rows, or which columns, seem joined when this key reads as these; "" for neither."""
    places = [divmod(each, COLUMNS) for each in keys_of(keys | 1 << key)]
    rows, columns = {row for row, _ in places}, {column for _, column in places}
    if len(rows) == 1:
        return "column", tuple(sorted(columns))
    if len(columns) == 1:
        return "row", tuple(sorted(rows))
    return "", ()


def _lines(kind: str, lines: Sequence[int], members: int, answered: int, matrix: Matrix) -> Row | None:
    """Return the row of the table for joined lines, if all keys on them, and at least two, show it."""
    if _single(members) or not kind:
        return None
    pins = matrix.rows if kind == "row" else matrix.columns
    mask = sum((_ROW << index * COLUMNS) if kind == "row" else (_COLUMN << index) for index in lines)
    if members == mask & answered:
        what = f"{listed(line(kind, index, pins) for index in lines)} are joined ({named(members)})"
        return Row(what, Verdict.FAILED, "look for a bridge between their wires")
    # A row at ground pulls a column down whichever row is scanned: its keys read as whole columns.
    for row in range(ROWS):
        if kind == "row" and len(lines) == ROWS and members == _ROW << row * COLUMNS & answered:
            what = f"{line('row', row, pins)}: held low ({named(members)} each answer as a whole column)"
            return Row(what, Verdict.FAILED, "look for a short from its wire to ground")
    return None
