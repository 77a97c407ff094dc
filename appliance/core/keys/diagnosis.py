"""The symptoms of a keypad, as rows of a report: each key or line that did not read as it should.

A symptom may blame a good part: with a row's wire and a column's swapped, four good buttons make no contact.
So a report has symptoms only where `appliance.core.keys.model` has no explanation.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from appliance.core.english import listed
from appliance.core.keys import pins
from appliance.core.keys.scan import COLUMNS, KEYS, ROWS, accept, keys_of

OK, FAILED, OPEN = "ok", "failed", "not judged"

ALL = (1 << KEYS) - 1

Line = tuple[str, int]  # "row" or "column", and its number from 0
LINES: tuple[Line, ...] = tuple(product(("row", "column"), range(ROWS)))

# The kinds of fault. Each value is the key of its name in `core.words`.
DEAD, STUCK, LOOSE, SWAPPED, JOINED = "no_contact", "stuck_keys", "loose", "swapped", "joined"
GROUNDED, UNCLEAR = "grounded", "unclear"
SUPPLY = f"3.3 V (header pins {listed(pin for pin, name in enumerate(pins.HEADER, 1) if name == '3V3')})"


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


class Tried(NamedTuple):
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

    @property
    def unpressed(self) -> bool:
        """Whether it had no press, or no second one after it had answered as another."""
        return not self.good and not self.stays and len(self.readings) < 2


class Matrix(NamedTuple):
    """The configured keypad: BCM numbers from the top and from the left, and the configuration's name."""

    rows: Sequence[int] = pins.ROW_PINS
    columns: Sequence[int] = pins.COLUMN_PINS
    where: str = "the configuration"

    def pin(self, line: Line) -> tuple[int, int]:
        """Return a line's pin: its BCM number and its number on the header."""
        kind, index = line
        bcm = (self.rows if kind == "row" else self.columns)[index]
        return bcm, pins.HEADER.index(bcm) + 1

    def named(self, lines: Iterable[Line]) -> str:
        """Name lines, counted from 1, each with its pin: "row 2 (BCM 27, pin 13)"."""
        pins = ((kind, index + 1, *self.pin((kind, index))) for kind, index in lines)
        return listed("{} {} (BCM {}, pin {})".format(*pin) for pin in pins)


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


def before_walk(always: int, sometimes: int, matrix: Matrix) -> Iterator[Check]:
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
        yield stuck_keys(f"{named(left)}: down with nobody pressing{ghosts}", left, lines_of(left), matrix)
    if flicker := sometimes & ~always:
        lines = lines_of(flicker)
        remedy = f"look for a loose contact at {matrix.named(lines)}, and keep the wires short"
        what = f"{named(flicker)}: flickering with nobody pressing"
        yield Check(what, FAILED, remedy, LOOSE, flicker, lines)


def stuck_keys(what: str, keys: int, lines: tuple[Line, ...], matrix: Matrix) -> Check:
    """Return the row of keys that are down; `lines` are the pins that they join."""
    remedy = f"free the button, or look for a bridge between {matrix.named(lines)}"
    return Check(what, FAILED, remedy, STUCK, keys, lines)


def after_walk(walked: Sequence[Tried], rest: int, matrix: Matrix) -> Iterator[Check]:
    """Yield what the walk found: the good keys, then the symptoms. `rest` are the stuck keys (bits)."""
    faulty = [found for found in walked if not found.good]
    if good := sum(1 << found.key for found in walked if found.good):
        yield Check(f"{named(good)}: read correctly", OK)
    yield from _dead(sum(1 << found.key for found in faulty if not found.readings), matrix)
    if stays := sum(1 << found.key for found in faulty if found.stays):
        yield stuck_keys(f"{named(stays)}: stayed down", stays, lines_of(stays), matrix)
    for found in faulty:
        if found.readings and found.readings[-1] != 1 << found.key:
            yield _other(found.key, found.readings[-1], rest, matrix)
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
            yield wire_off(line, along, matrix)
    for key in keys_of(left):
        yield dead_key(key, matrix)


def wire_off(line: Line, keys: int, matrix: Matrix) -> Check:
    """Return the row of a line without contact; `keys` (bits) are those on it."""
    name = matrix.named([line])
    what = f"{name}: no contact ({named(keys)})"
    remedy = f"check the wire to {name}: it is off, or at {SUPPLY}"  # both read the same
    return Check(what, FAILED, remedy, DEAD, keys, (line,))


def dead_key(key: int, matrix: Matrix) -> Check:
    """Return the row of a key without contact."""
    lines = lines_of(1 << key)
    remedy = f"check the button and its joints to {matrix.named(lines)}"
    return Check(f"key {key + 1}: no contact", FAILED, remedy, DEAD, 1 << key, lines)


def _other(key: int, answer: int, rest: int, matrix: Matrix) -> Check:
    """Return the row of a key that answers as another, or as several (bits)."""
    what, keys = f"key {key + 1} answers as {named(answer)}", answer | 1 << key
    if single(answer):
        lines = lines_of(keys)
        remedy = f"trace the wires of {named(keys)}: {matrix.named(lines)}"
        return Check(what, FAILED, remedy, SWAPPED, keys, lines)
    kinds = (LINES[:ROWS], LINES[ROWS:])
    touched = [[line for line in kind if answer & on_line(line)] for kind in kinds]
    joined = tuple(line for kind in touched if len(kind) > 1 for line in kind)
    remedy = f"look for a bridge between {matrix.named(joined)}, or between the contacts of {named(keys)}"
    if rest:
        remedy = "free the stuck key first: it causes ghosts"
    elif not touched[1][1:]:
        remedy += "; or for a short from a row's wire to ground"  # pulls its columns down in every scan
    return Check(what, FAILED, remedy, JOINED, 1 << key, joined)
