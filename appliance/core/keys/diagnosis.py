"""Diagnose a keypad from its readings; the rows of a report.

Each fault of a hand-wired matrix has its own pattern. A bad button affects its own key; a line whose wire is
off, its three keys (no contact). Swapped wires make keys answer as others, bridged lines make a key answer as
several. A fault of a line is named only if it explains every key on that line and nothing else does.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations, product
from typing import NamedTuple

from appliance.core.english import listed
from appliance.core.keys import pins
from appliance.core.keys.scan import COLUMNS, KEYS, ROWS, accept, keys_of

OK, FAILED, OPEN = "ok", "failed", "not judged"

ALL = (1 << KEYS) - 1

Line = tuple[str, int]  # "row" or "column", and its number from 0
LINES: tuple[Line, ...] = tuple(product(("row", "column"), range(ROWS)))

# The kinds of fault, by the keys of their names in the words.
DEAD, STUCK, LOOSE, SWAPPED, JOINED = "no_contact", "stuck_keys", "loose", "swapped", "joined"


class Check(NamedTuple):
    """A line of the report: what was found, `OK`, `FAILED` or `OPEN`, and the remedy if there is one.

    A fault of the keypad also has its kind, its keys (bits) and its lines, which the box's own display names
    in the box's language.
    """

    what: str
    verdict: str
    remedy: str = ""
    fault: str = ""
    keys: int = 0
    lines: tuple[Line, ...] = ()


class Found(NamedTuple):
    """The presses of one key: the keys (bits) that each read as, and whether the key stayed down.

    Without contact there is no reading. The last reading counts.
    """

    key: int
    readings: tuple[int, ...]
    stays: bool = False

    @property
    def good(self) -> bool:
        """Whether the key closed, alone and as itself, and opened again."""
        return not self.stays and self.readings[-1:] == (1 << self.key,)


class Matrix(NamedTuple):
    """The configured keypad: BCM numbers from the top and from the left, and the configuration's name."""

    rows: Sequence[int] = pins.ROWS
    columns: Sequence[int] = pins.COLUMNS
    where: str = "the configuration"

    def pin(self, line: Line) -> tuple[int, int]:
        """Return a line's pin: its BCM number and its number on the header."""
        kind, index = line
        bcm = (self.rows if kind == "row" else self.columns)[index]
        return bcm, pins.HEADER.index(bcm) + 1

    def named(self, lines: Iterable[Line]) -> str:
        """Name lines, counted from 1, each with its pin: "row 2 (BCM 27, pin 13)"."""
        return listed("{} {} (BCM {}, pin {})".format(*_counted(line), *self.pin(line)) for line in lines)


def _counted(line: Line) -> tuple[str, int]:
    return line[0], line[1] + 1


def single(keys: int) -> bool:
    """Return whether at most one key's bit is set."""
    return not keys & (keys - 1)


def named(keys: int) -> str:
    """Name keys (bits, at least one), counted from 1: "key 4", "keys 1 and 2"."""
    if keys == ALL:
        return f"keys 1 to {KEYS}"
    return f"key{'' if single(keys) else 's'} {listed(key + 1 for key in keys_of(keys))}"


def on_line(line: Line) -> int:
    """Return the keys (bits) of a row or a column."""
    kind, index = line
    return 0b111 << index * COLUMNS if kind == "row" else 0b001001001 << index


def lines_of(keys: int) -> tuple[Line, ...]:
    """Return the rows and the columns of these keys (bits)."""
    return tuple(line for line in LINES if keys & on_line(line))


def at_rest(always: int, sometimes: int, matrix: Matrix) -> Iterator[Check]:
    """Yield what is wrong with the keys while nobody presses any.

    `always` are the keys (bits) that read as closed in every scan, `sometimes` those in any.
    """
    if not always | sometimes:
        yield Check("keys at rest: all open", OK)
    left = always
    for line in LINES[ROWS:]:
        keys = on_line(line)
        if keys & always == keys:
            left &= ~keys
            remedy = f"look for a short from its wire to ground or to a row, or for {named(keys)} stuck"
            yield Check(f"{matrix.named([line])}: held low", FAILED, remedy, STUCK, keys, (line,))
    if left:
        ghosts = " (some may be ghosts of the others)" if accept(left) is None else ""
        yield _stuck(f"{named(left)}: down with nobody pressing{ghosts}", left, matrix)
    if flicker := sometimes & ~always:
        lines = lines_of(flicker)
        remedy = f"look for a loose contact at {matrix.named(lines)}, and keep the wires short"
        what = f"{named(flicker)}: flickering with nobody pressing"
        yield Check(what, FAILED, remedy, LOOSE, flicker, lines)


def _stuck(what: str, keys: int, matrix: Matrix) -> Check:
    lines = lines_of(keys)
    remedy = f"free the button, or look for a bridge between {matrix.named(lines)}"
    return Check(what, FAILED, remedy, STUCK, keys, lines)


def after_walk(walked: Sequence[Found], rest: int, matrix: Matrix) -> Iterator[Check]:
    """Yield what the walk found: the good keys, then each fault. `rest` are the stuck keys (bits)."""
    faulty = [found for found in walked if not found.good]
    if good := sum(1 << found.key for found in walked if found.good):
        yield Check(f"{named(good)}: read correctly", OK)
    yield from _dead(sum(1 << found.key for found in faulty if not found.readings), matrix)
    if stays := sum(1 << found.key for found in faulty if found.stays):
        yield _stuck(f"{named(stays)}: stayed down", stays, matrix)
    readings = {found.key: found.readings[-1] for found in walked if found.readings}
    yield from _swapped({key: keys for key, keys in readings.items() if single(keys)}, matrix)
    yield from _several(readings, rest, matrix)
    if untried := ALL & ~rest & ~sum(1 << found.key for found in walked):
        remedy = "" if single(rest) else "free the stuck keys first: they cause ghosts"
        yield Check(f"{named(untried)}: not tried", OPEN, remedy)


def _dead(keys: int, matrix: Matrix) -> Iterator[Check]:
    if keys == ALL:
        remedy = f"check the keypad's plug, and rows and columns under keypad: in {matrix.where}"
        yield Check("no key makes contact", FAILED, remedy, DEAD, keys, LINES)
        return
    left = keys
    for line in LINES:
        along = on_line(line)
        if keys & along == along:
            left &= ~along
            name = matrix.named([line])
            remedy = f"check the wire to {name}"
            yield Check(f"{name}: no contact ({named(along)})", FAILED, remedy, DEAD, along, (line,))
    for key in keys_of(left):
        lines = lines_of(1 << key)
        remedy = f"check the button and its joints to {matrix.named(lines)}"
        yield Check(f"key {key + 1}: no contact", FAILED, remedy, DEAD, 1 << key, lines)


def _swapped(singles: Mapping[int, int], matrix: Matrix) -> Iterator[Check]:
    """Yield the keys that answer as others. `singles`: for each key that read as one key, that key's bit."""
    answers = {key: keys_of(keys)[0] for key, keys in singles.items()}
    wrong = {key: answer for key, answer in answers.items() if key != answer}
    if not wrong:
        return
    wirings = list(_wirings(answers, matrix))
    if len(wirings) != 1:
        for key, answer in wrong.items():
            keys = 1 << key | 1 << answer
            lines = lines_of(keys)
            remedy = f"trace the wires of {named(keys)}: {matrix.named(lines)}"
            yield Check(f"key {key + 1} answers as {answer + 1}", FAILED, remedy, SWAPPED, keys, lines)
        return
    pairs = zip(("rows", "columns"), wirings[0], (matrix.rows, matrix.columns), strict=True)
    change = listed(f'"{name}: {list(now)}"' for name, now, before in pairs if now != tuple(before))
    wired = (pin for kind in wirings[0] for pin in kind)
    lines = tuple(line for line, pin in zip(LINES, wired, strict=True) if pin != matrix.pin(line)[0])
    what = listed(f"key {key + 1} answers as {answer + 1}" for key, answer in wrong.items())
    remedy = f"the wires of {matrix.named(lines)} are swapped: correct them, "
    remedy += f"or set {change} under keypad: in {matrix.where}"
    keys = sum(1 << key for key in wrong)
    yield Check(what, FAILED, remedy, SWAPPED, keys, lines)


def _wirings(answers: Mapping[int, int], matrix: Matrix) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield the rows' and columns' real pins for each wiring that gives these answers.

    Try all 72: rows and columns, each in any order, on the pins of their own kind or of the other.
    """
    for down, right, crossed in product(permutations(range(3)), permutations(range(3)), (False, True)):
        row, column = (COLUMNS, 1) if not crossed else (1, COLUMNS)
        places = {key: down[key // COLUMNS] * row + right[key % COLUMNS] * column for key in answers}
        if places == answers:
            rows, columns = (matrix.columns, matrix.rows) if crossed else (matrix.rows, matrix.columns)
            yield tuple(rows[i] for i in down), tuple(columns[i] for i in right)


def _several(readings: Mapping[int, int], rest: int, matrix: Matrix) -> Iterator[Check]:
    """Yield the keys that read as several, in one row of the report where they connect the same lines."""
    groups: dict[tuple[Line, ...], int] = {}
    for key, keys in readings.items():
        if not single(keys):
            kinds = (LINES[:ROWS], LINES[ROWS:])
            touched = [[line for line in kind if keys & on_line(line)] for kind in kinds]
            joined = tuple(line for kind in touched if len(kind) > 1 for line in kind)
            groups[joined] = groups.get(joined, 0) | 1 << key
    for joined, keys in groups.items():
        what = listed(f"key {key + 1} answers as {named(readings[key])}" for key in keys_of(keys))
        remedy = f"look for a bridge between {matrix.named(joined)}, or between the contacts of {named(keys)}"
        if all(kind == "row" for kind, _ in joined):
            remedy += "; or for a short from a row's wire to ground"  # pulls its columns down in every scan
        remedy = "free the stuck key first: it causes ghosts" if rest else remedy
        yield Check(what, FAILED, remedy, JOINED, keys, joined)
