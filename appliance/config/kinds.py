"""The kinds of value in a YAML file: how each is read, described in a message, and written.

A kind reads the text as written: `on` is a word to `choice` and a boolean to `BOOLEAN`. YAML 1.1 reads `010`
as octal and `1:30` as sexagesimal; both surprise people, so here neither is a number.
"""

import re
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from appliance.config.yamlfile import YamlNode, one_of
from appliance.core.errors import UserError

T = TypeVar("T")

_BOOLEANS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_NEEDS_NO_QUOTES = "[A-Za-z_/~][A-Za-z0-9_./~-]*(:[A-Za-z0-9_]+)?"


class Kind(NamedTuple, Generic[T]):
    """The values that a key may have.

    `expected` completes the sentence "expected ...". `accept` returns a node's value, or raises `ValueError`
    if it is not of this kind; `write` is its inverse and returns YAML. An error suggests the nearest of
    `choices`.
    """

    expected: str
    accept: Callable[[YamlNode], T]
    write: Callable[[T], str] = str
    choices: tuple[str, ...] = ()

    def read(self, node: YamlNode) -> T:
        """Return the node's value. Raise `UserError` if it is not of this kind."""
        try:
            return self.accept(node)
        except (ValueError, UserError) as error:
            from appliance.config.advice import remedy  # noqa: PLC0415 - only errors need it

            if not (meant := remedy(node, self.accept, self.choices, self.expected)) and isinstance(
                error, UserError
            ):
                raise  # it names the invalid item
            raise node.unexpected(self.expected, meant) from None


def integer(low: int, high: int, what: str = "a whole number", *, hexadecimal: bool = False) -> Kind[int]:
    """Return the kind of whole numbers from `low` to `high`, in decimal or as 0x and hexadecimal digits."""
    write = "0x{:02x}".format if hexadecimal else str

    def accept(node: YamlNode) -> int:
        value = int(node.plain or "", 0)  # a leading 0 is a ValueError
        if low <= value <= high:
            return value
        raise ValueError

    return Kind(f"{what} from {write(low)} to {write(high)}", accept, write)


def number(low: float, high: float, what: str = "a number", zero: str = "") -> Kind[float]:
    """Return the kind of numbers from `low` to `high`, whole or not; `what` names their unit.

    If `zero` is given, 0 is allowed below `low` too, and `zero` says what it means.
    """
    also = f", or 0 for {zero}" if zero else ""

    def accept(node: YamlNode) -> float:
        value = float(node.plain or "") + 0.0  # -0.0 becomes 0.0
        if low <= value <= high or (zero and value == 0):
            return value
        raise ValueError

    def write(value: float) -> str:
        return repr(float(value)).removesuffix(".0")

    return Kind(f"{what} from {write(low)} to {write(high)}{also}", accept, write)


def choice(*values: T) -> Kind[T]:
    """Return the kind of exactly these words or whole numbers."""
    names = tuple(map(str, values))
    words = names if isinstance(values[0], str) else ()  # another number is not a misspelling

    def accept(node: YamlNode) -> T:
        return values[names.index(node.value)]

    return Kind(one_of(names), accept, choices=words)


def text(what: str, pattern: str = ".+", choices: tuple[str, ...] = ()) -> Kind[str]:
    """Return the kind of text on one line that is printable, not empty, and matches `pattern`."""

    def accept(node: YamlNode) -> str:
        found = node.value
        if isinstance(found, str) and found.isprintable() and re.fullmatch(pattern, found):
            return found
        raise ValueError

    def write(value: str) -> str:
        if re.fullmatch(_NEEDS_NO_QUOTES, value):
            return value
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'

    return Kind(what, accept, write, choices)


def or_none(kind: Kind[T]) -> Kind[T | None]:
    """Return a kind that also accepts the word `none`, as None."""
    return Kind(
        f"{kind.expected}, or none",
        lambda node: None if node.value == "none" else kind.accept(node),
        lambda value: "none" if value is None else kind.write(value),
        (*kind.choices, "none"),
    )


def several(count: int, kind: Kind[T]) -> Kind[tuple[T, ...]]:
    """Return the kind of lists of exactly `count` values of another kind; an error names an invalid item."""

    def accept(node: YamlNode) -> tuple[T, ...]:
        if isinstance(node.value, tuple) and len(node.value) == count:
            return tuple(kind.read(item) for item in node.value)
        raise ValueError

    return Kind(
        f"a list of {count} in brackets, each {kind.expected}",
        accept,
        lambda value: f"[{', '.join(kind.write(item) for item in value)}]",
    )


def _boolean(node: YamlNode) -> bool:
    if (value := _BOOLEANS.get((node.plain or "").lower())) is None:
        raise ValueError
    return value


BOOLEAN = Kind("yes or no", _boolean, lambda value: "yes" if value else "no", ("yes", "no", "true", "false"))
"""Yes or no, also written on or off, true or false, in capitals or not."""
