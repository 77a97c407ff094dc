"""Keys and lines of the matrix in words, and what the walk says on the terminal as it goes. Pure."""

from collections.abc import Iterable, Sequence

from appliance.core.matrix import COLUMNS, KEYS, keys_of
from appliance.selftest.walk import Walk

_ROWS = ("top row", "middle row", "bottom row")
_COLUMNS = ("left", "middle", "right")


def listed(words: Iterable[object], last: str = "and") -> str:
    """Return words as a list in a sentence: "1", "1 and 2", "1, 2 and 3"."""
    *before, end = map(str, words)
    return f"{', '.join(before)} {last} {end}" if before else end


def named(keys: int, last: str = "and") -> str:
    """Return keys (bits, at least one) as people count them: "key 4", "keys 1 and 2"."""
    if keys == (1 << KEYS) - 1:
        return f"keys 1 to {KEYS}"
    numbers = [key + 1 for key in keys_of(keys)]
    return f"key{'s' * (len(numbers) > 1)} {listed(numbers, last)}"


def line(kind: str, index: int, pins: Sequence[int]) -> str:
    """Return a row or a column as people count it, with its pin: "row 2, BCM 27"."""
    return f"{kind} {index + 1}, BCM {pins[index]}"


def narrate(before: Walk, after: Walk) -> str:
    """Return what to say when one step has led from `before` to `after`: parts of lines, or nothing."""
    told = ""
    if len(after.readings) > len(before.readings):
        reading = after.readings[-1]
        right = reading.keys == 1 << after.keys[0]
        told += "ok" if right else f"answers as {named(reading.keys, 'or' if reading.doubtful else 'and')}"
    if len(after.found) > len(before.found):
        found = after.found[-1]
        if found.stays:
            told += ", and stays down"
        elif not before.letting_go:
            told += "no contact"
        told += f"\n{prompt(after)}"
    elif before.letting_go and not after.letting_go:
        told += f"; press key {after.keys[0] + 1} once more ... "
    return told


def prompt(walk: Walk) -> str:
    """Return the request to press the key that is asked for; nothing when the walk is over."""
    if walk.target is None:
        return ""
    row, column = divmod(walk.target, COLUMNS)
    return f"  press key {walk.target + 1} ({_ROWS[row]}, {_COLUMNS[column]}) ... "
