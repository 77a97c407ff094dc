"""What a check reports, and what is wrong with a keypad, from what was read of it.

Each fault of a hand-wired matrix shows in other keys: a bad button in its own key, a line whose wire is off
in its three (no contact), exchanged wires in keys that answer as others, joined lines in keys that answer as
several. A fault of a line is named only if it explains every key on that line and nothing else does.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations, product
from typing import NamedTuple

from appliance.core import pins
from appliance.core.scan import COLUMNS, KEYS, ROWS, accept, keys_of

OK, FAILED, OPEN = "ok", "failed", "not judged"

ALL = (1 << KEYS) - 1

Line = tuple[str, int]  # "row" or "column", and which, from 0
LINES: tuple[Line, ...] = tuple(product(("row", "column"), range(ROWS)))

# The kinds of fault: the words' keys of their names.
DEAD, STUCK, LOOSE, SWAPPED, JOINED = "no_contact", "stuck_keys", "loose", "swapped", "joined"


class Row(NamedTuple):
    """A line of the report: what was found, `OK`, `FAILED` or `OPEN`, and the remedy if there is one.

    A fault of the keypad also has its kind, its keys (bits) and its lines: the box's own display names them
    in its language.
    """

    what: str
    verdict: str
    remedy: str = ""
    fault: str = ""
    keys: int = 0
    lines: tuple[Line, ...] = ()


def listed(words: Iterable[object], last: str = "and") -> str:
    """Return words as a list in a sentence: "1", "1 and 2", "1, 2 and 3"."""
    *before, end = map(str, words)
    return f"{', '.join(before)} {last} {end}" if before else end


class Found(NamedTuple):
    """The presses of one key: the keys (bits) that each read as, and whether it never opened again.

    There is no reading if there was no contact. The last reading counts.
    """

    key: int
    readings: tuple[int, ...]
    stays: bool = False

    @property
    def good(self) -> bool:
        """Whether the key closed, alone and as itself, and opened again."""
        return not self.stays and self.readings[-1:] == (1 << self.key,)


class Matrix(NamedTuple):
    """The configured keypad: BCM numbers from the top and from the left, and the configuration file."""

    rows: Sequence[int] = pins.ROWS
    columns: Sequence[int] = pins.COLUMNS
    where: str = "the configuration"

    def pin(self, line: Line) -> tuple[int, int]:
        """Return a line's pin: its BCM number, and its position on the header."""
        kind, index = line
        bcm = (self.rows if kind == "row" else self.columns)[index]
        return bcm, pins.HEADER.index(bcm) + 1

    def named(self, lines: Iterable[Line]) -> str:
        """Return lines as people count them, each with its pin: "row 2 (BCM 27, pin 13)"."""
        return listed("{} {} (BCM {}, pin {})".format(*_counted(line), *self.pin(line)) for line in lines)


def _counted(line: Line) -> tuple[str, int]:
    return line[0], line[1] + 1


def single(keys: int) -> bool:
    """Return whether at most one key's bit is set."""
    return not keys & (keys - 1)


def named(keys: int) -> str:
    """Return keys (bits, at least one) as people count them: "key 4", "keys 1 and 2"."""
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


def at_rest(always: int, sometimes: int, matrix: Matrix) -> Iterator[Row]:
    """Yield what is wrong with the keys while nobody presses one.

    `always` are the keys (bits) that read as closed in every scan, `sometimes` those in any.
    """
    if not always | sometimes:
        yield Row("keys at rest: all open", OK)
    left = always
    for line in LINES[ROWS:]:
        keys = on_line(line)
        if keys & always == keys:
            left &= ~keys
            remedy = f"look for a short from its wire to ground or to a row, or for {named(keys)} stuck"
            yield Row(f"{matrix.named([line])}: held low", FAILED, remedy, STUCK, keys, (line,))
    if left:
        ghosts = " (one or more may be a ghost of the others)" if accept(left) is None else ""
        yield _stuck(f"{named(left)}: down, and nobody presses{ghosts}", left, matrix)
    if flicker := sometimes & ~always:
        lines = lines_of(flicker)
        remedy = f"look for a loose contact at {matrix.named(lines)}, and keep the wires short"
        what = f"{named(flicker)}: now down, now up, and nobody presses"
        yield Row(what, FAILED, remedy, LOOSE, flicker, lines)


def _stuck(what: str, keys: int, matrix: Matrix) -> Row:
    lines = lines_of(keys)
    remedy = f"free the button, or look for a bridge between {matrix.named(lines)}"
    return Row(what, FAILED, remedy, STUCK, keys, lines)


def after_walk(walked: Sequence[Found], rest: int, matrix: Matrix) -> Iterator[Row]:
    """Yield what the walk has shown: the good keys, then each fault. `rest` are the stuck keys (bits)."""
    faulty = [found for found in walked if not found.good]
    if good := sum(1 << found.key for found in walked if found.good):
        yield Row(f"{named(good)}: each answers alone, as itself", OK)
    yield from _dead(sum(1 << found.key for found in faulty if not found.readings), matrix)
    if stays := sum(1 << found.key for found in faulty if found.stays):
        yield _stuck(f"{named(stays)}: down, and not up again", stays, matrix)
    readings = {found.key: found.readings[-1] for found in walked if found.readings}
    yield from _exchanged({key: keys for key, keys in readings.items() if single(keys)}, matrix)
    yield from _several(readings, rest, matrix)
    if untried := ALL & ~rest & ~sum(1 << found.key for found in walked):
        remedy = "" if single(rest) else "free the stuck keys first: they make ghosts"
        yield Row(f"{named(untried)}: not tried", OPEN, remedy)


def _dead(keys: int, matrix: Matrix) -> Iterator[Row]:
    if keys == ALL:
        remedy = f"check the keypad's plug, and rows and columns under keypad: in {matrix.where}"
        yield Row("no key makes contact", FAILED, remedy, DEAD, keys, LINES)
        return
    left = keys
    for line in LINES:
        along = on_line(line)
        if keys & along == along:
            left &= ~along
            name = matrix.named([line])
            remedy = f"check the wire to {name}"
            yield Row(f"{name}: no contact ({named(along)})", FAILED, remedy, DEAD, along, (line,))
    for key in keys_of(left):
        lines = lines_of(1 << key)
        remedy = f"check the button and its joints to {matrix.named(lines)}"
        yield Row(f"key {key + 1}: no contact", FAILED, remedy, DEAD, 1 << key, lines)


def _exchanged(singles: Mapping[int, int], matrix: Matrix) -> Iterator[Row]:
    """Yield the keys that answer as others. `singles`: what each key read as that answered alone."""
    answers = {key: keys_of(keys)[0] for key, keys in singles.items()}
    wrong = {key: answer for key, answer in answers.items() if key != answer}
    if not wrong:
        return
    wirings = list(_wirings(answers, matrix))
    if len(wirings) != 1:
        for key, answer in wrong.items():
            keys = 1 << key | 1 << answer
            lines = lines_of(keys)
            remedy = f"follow the wires of {named(keys)}: {matrix.named(lines)}"
            yield Row(f"key {key + 1} answers as {answer + 1}", FAILED, remedy, SWAPPED, keys, lines)
        return
    pairs = zip(("rows", "columns"), wirings[0], (matrix.rows, matrix.columns), strict=True)
    change = listed(f'"{name}: {list(now)}"' for name, now, before in pairs if now != tuple(before))
    wired = (pin for kind in wirings[0] for pin in kind)
    lines = tuple(line for line, pin in zip(LINES, wired, strict=True) if pin != matrix.pin(line)[0])
    what = listed(f"{key + 1} as {answer + 1}" for key, answer in wrong.items())
    remedy = f"the wires of {matrix.named(lines)} are exchanged: put them right, "
    remedy += f"or set {change} under keypad: in {matrix.where}"
    keys = sum(1 << key for key in wrong)
    yield Row(f"key {what.replace(' as', ' answers as', 1)}", FAILED, remedy, SWAPPED, keys, lines)


def _wirings(answers: Mapping[int, int], matrix: Matrix) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield the rows and columns that the pins really are, for each wiring that gives these answers.

    All 72 are tried: rows and columns, each in any order, on the pins of their own kind or of the other.
    """
    for down, right, crossed in product(permutations(range(3)), permutations(range(3)), (False, True)):
        row, column = (COLUMNS, 1) if not crossed else (1, COLUMNS)
        places = {key: down[key // COLUMNS] * row + right[key % COLUMNS] * column for key in answers}
        if places == answers:
            rows, columns = (matrix.columns, matrix.rows) if crossed else (matrix.rows, matrix.columns)
            yield tuple(rows[i] for i in down), tuple(columns[i] for i in right)


def _several(readings: Mapping[int, int], rest: int, matrix: Matrix) -> Iterator[Row]:
    """Yield the single presses that read as several keys, together where they connect the same lines."""
    groups: dict[tuple[Line, ...], int] = {}
    for key, keys in readings.items():
        if not single(keys):
            kinds = (LINES[:ROWS], LINES[ROWS:])
            touched = [[line for line in kind if keys & on_line(line)] for kind in kinds]
            joined = tuple(line for kind in touched if len(kind) > 1 for line in kind)
            groups[joined] = groups.get(joined, 0) | 1 << key
    for joined, keys in groups.items():
        answers = listed(f"{key + 1} as {named(readings[key])}" for key in keys_of(keys))
        remedy = f"look for a bridge between {matrix.named(joined)}, or between the contacts of {named(keys)}"
        if all(kind == "row" for kind, _ in joined):
            remedy += "; or for a short from a row's wire to ground"  # pulls its columns down in every scan
        remedy = "free the stuck key first: it makes ghosts" if rest else remedy
        what = f"key {answers.replace(' as', ' answers as', 1)}"
        yield Row(what, FAILED, remedy, JOINED, keys, joined)
