"""What a check reports, and what is wrong with a keypad, from what was read of it. Pure.

Each fault of a hand-wired matrix shows in other keys: a bad button in its own key, a line whose wire is off
in its three (no contact), exchanged wires in keys that answer as others, joined lines in keys that answer as
several. A fault of a line is named only if it explains every key on that line and nothing else does.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations, product
from typing import NamedTuple

from appliance.core.pins import HEADER
from appliance.core.scan import COLUMNS, KEYS, ROWS, accept, keys_of

OK, FAILED, OPEN = "ok", "failed", "not judged"

_ALL = (1 << KEYS) - 1
_FREE = "free the button, or look for a bridge between its contacts"


class Row(NamedTuple):
    """A line of the report: what was found, `OK`, `FAILED` or `OPEN`, and the remedy if there is one."""

    what: str
    verdict: str
    remedy: str = ""


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

    rows: Sequence[int]
    columns: Sequence[int]
    where: str

    def pin(self, kind: str, index: int) -> str:
        """Return a line's pin: "BCM 27, pin 13"; the second number is the position on the header."""
        bcm = (self.rows if kind == "row" else self.columns)[index]
        return f"BCM {bcm}, pin {HEADER.index(bcm) + 1}"

    def line(self, kind: str, index: int) -> str:
        """Return a line as people count it, with its pin: "row 2 (BCM 27, pin 13)"."""
        return f"{kind} {index + 1} ({self.pin(kind, index)})"


def single(keys: int) -> bool:
    """Return whether at most one key's bit is set."""
    return not keys & (keys - 1)


def named(keys: int) -> str:
    """Return keys (bits, at least one) as people count them: "key 4", "keys 1 and 2"."""
    if keys == _ALL:
        return f"keys 1 to {KEYS}"
    return f"key{'' if single(keys) else 's'} {listed(key + 1 for key in keys_of(keys))}"


def on_line(kind: str, index: int) -> int:
    """Return the keys (bits) of a row or a column."""
    return 0b111 << index * COLUMNS if kind == "row" else 0b001001001 << index


def at_rest(always: int, sometimes: int, matrix: Matrix) -> Iterator[Row]:
    """Yield what is wrong with the keys while nobody presses one.

    `always` are the keys (bits) that read as closed in every scan, `sometimes` those in any.
    """
    if not always | sometimes:
        yield Row("keys at rest: all open", OK)
    left = always
    for column in range(COLUMNS):
        keys = on_line("column", column)
        if keys & always == keys:
            left &= ~keys
            remedy = f"look for a short from its wire to ground or to a row, or for {named(keys)} stuck"
            yield Row(f"{matrix.line('column', column)}: held low", FAILED, remedy)
    if left:
        ghosts = " (one or more may be a ghost of the others)" if accept(left) is None else ""
        yield Row(f"{named(left)}: down, and nobody presses{ghosts}", FAILED, _FREE)
    if flicker := sometimes & ~always:
        remedy = "look for a loose contact, and keep the wires short"
        yield Row(f"{named(flicker)}: now down, now up, and nobody presses", FAILED, remedy)


def after_walk(walked: Sequence[Found], rest: int, matrix: Matrix) -> Iterator[Row]:
    """Yield what the walk has shown: the good keys, then each fault. `rest` are the stuck keys (bits)."""
    faulty = [found for found in walked if not found.good]
    if good := sum(1 << found.key for found in walked if found.good):
        yield Row(f"{named(good)}: each answers alone, as itself", OK)
    yield from _dead(sum(1 << found.key for found in faulty if not found.readings), matrix)
    if stays := sum(1 << found.key for found in faulty if found.stays):
        yield Row(f"{named(stays)}: down, and not up again", FAILED, _FREE)
    readings = {found.key: found.readings[-1] for found in walked if found.readings}
    yield from _exchanged({key: keys for key, keys in readings.items() if single(keys)}, matrix)
    yield from _several(readings, rest, matrix)
    if untried := _ALL & ~rest & ~sum(1 << found.key for found in walked):
        remedy = "" if single(rest) else "free the stuck keys first: they make ghosts"
        yield Row(f"{named(untried)}: not tried", OPEN, remedy)


def _dead(keys: int, matrix: Matrix) -> Iterator[Row]:
    if keys == _ALL:
        remedy = f"check the keypad's plug, and rows and columns under keypad: in {matrix.where}"
        yield Row("no key makes contact", FAILED, remedy)
        return
    left = keys
    for kind, index in product(("row", "column"), range(ROWS)):
        line = on_line(kind, index)
        if keys & line == line:
            left &= ~line
            remedy = f"check the wire from {matrix.pin(kind, index)}, to {kind} {index + 1}"
            yield Row(f"{matrix.line(kind, index)}: no contact ({named(line)})", FAILED, remedy)
    for key in keys_of(left):
        row, column = divmod(key, COLUMNS)
        remedy = f"check the button and its joints to row {row + 1} and column {column + 1}"
        yield Row(f"key {key + 1}: no contact", FAILED, remedy)


def _exchanged(singles: Mapping[int, int], matrix: Matrix) -> Iterator[Row]:
    """Yield the keys that answer as others. `singles`: what each key read as that answered alone."""
    answers = {key: keys_of(keys)[0] for key, keys in singles.items()}
    wrong = {key: answer for key, answer in answers.items() if key != answer}
    if not wrong:
        return
    wirings = list(_wirings(answers, matrix))
    if len(wirings) != 1:
        for key, answer in wrong.items():
            remedy = f"follow the wires of keys {key + 1} and {answer + 1}"
            yield Row(f"key {key + 1} answers as {answer + 1}", FAILED, remedy)
        return
    lines = zip(("rows", "columns"), wirings[0], (matrix.rows, matrix.columns), strict=True)
    change = listed(f'"{name}: {list(now)}"' for name, now, before in lines if now != tuple(before))
    what = listed(f"{key + 1} as {answer + 1}" for key, answer in wrong.items())
    remedy = f"the wires are exchanged: put them right, or set {change} under keypad: in {matrix.where}"
    yield Row(f"key {what.replace(' as', ' answers as', 1)}", FAILED, remedy)


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
    groups: dict[tuple[str, ...], int] = {}
    for key, keys in readings.items():
        if not single(keys):
            lines = [
                [matrix.line(kind, index) for index in range(ROWS) if keys & on_line(kind, index)]
                for kind in ("row", "column")
            ]
            joined = tuple(line for kind in lines if len(kind) > 1 for line in kind)
            groups[joined] = groups.get(joined, 0) | 1 << key
    for joined, keys in groups.items():
        answers = listed(f"{key + 1} as {named(readings[key])}" for key in keys_of(keys))
        remedy = f"look for a bridge between {listed(joined)}, or between the contacts of {named(keys)}"
        if all(line.startswith("row") for line in joined):
            remedy += "; or for a short from a row's wire to ground"  # pulls its columns down in every scan
        remedy = "free the stuck key first: it makes ghosts" if rest else remedy
        yield Row(f"key {answers.replace(' as', ' answers as', 1)}", FAILED, remedy)
