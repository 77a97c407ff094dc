"""The kinds of value in a YAML file: how each is read, described in a message, and written.

A kind reads the text as written: `on` is a word to `word` and a truth value to `BOOLEAN`. Numbers are decimal
or 0x hexadecimal, never octal or sexagesimal as YAML 1.1 reads `010` and `1:30`.
"""

import re
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from appliance.config.yamlfile import Node, one_of, shown

T = TypeVar("T")

# Strings: a box without a configuration file never compiles them.
_INTEGER = "[-+]?(0|[1-9][0-9]{0,17})|0x[0-9a-fA-F]{1,16}"
_NUMBER = r"[-+]?([0-9]{1,18}(\.[0-9]{0,25})?|\.[0-9]{1,18})([eE][-+]?[0-9]{1,3})?"
_BOOLEANS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_NEEDS_NO_QUOTES = "[A-Za-z_/~][A-Za-z0-9_./~-]*(:[A-Za-z0-9_]+)?"


class Kind(NamedTuple, Generic[T]):
    """The values that a key may have.

    `expected` completes the sentence "expected ...". `accept` returns a node's value and raises `ValueError`
    if it is not of this kind; `write` returns YAML that reads as a value. `choices` are suggested for a near
    miss.
    """

    expected: str
    accept: Callable[[Node], T]
    write: Callable[[T], str] = str
    choices: tuple[str, ...] = ()

    def read(self, node: Node) -> T:
        """Return the node's value. Raise `UserError` if it is not of this kind."""
        try:
            return self.accept(node)
        except ValueError:
            raise node.unexpected(self.expected, self.choices) from None


def integer(low: int, high: int, what: str = "a whole number", *, hexadecimal: bool = False) -> Kind[int]:
    """Return the kind of whole numbers from `low` to `high`, in decimal or as 0x and hexadecimal digits."""
    write = "0x{:02x}".format if hexadecimal else str

    def accept(node: Node) -> int:
        value = _integer(node)
        if low <= value <= high:
            return value
        raise ValueError

    return Kind(f"{what} from {write(low)} to {write(high)}", accept, write)


def integer_choice(*values: int) -> Kind[int]:
    """Return the kind of a few whole numbers."""

    def accept(node: Node) -> int:
        return values[values.index(_integer(node))]

    return Kind(one_of([str(value) for value in values]), accept)


def number(low: float, high: float, what: str = "a number", zero: str = "") -> Kind[float]:
    """Return the kind of numbers from `low` to `high`, whole or not; `what` names their unit.

    `zero` says what 0 means where 0 is allowed below `low`.
    """
    also = f", or 0 for {zero}" if zero else ""

    def accept(node: Node) -> float:
        value = float(_matched(node.plain, _NUMBER)) + 0.0  # -0.0 becomes 0.0
        if low <= value <= high or (zero and value == 0):
            return value
        raise ValueError

    def write(value: float) -> str:
        return repr(float(value)).removesuffix(".0")

    return Kind(f"{what} from {write(low)} to {write(high)}{also}", accept, write)


def word(*choices: str) -> Kind[str]:
    """Return the kind of a few words, in quotes or without."""

    def accept(node: Node) -> str:
        return choices[choices.index(node.value)]

    return Kind(one_of(choices), accept, choices=choices)


def text(what: str, pattern: str = ".+", choices: tuple[str, ...] = ()) -> Kind[str]:
    """Return the kind of printable text on one line, at least one character, that matches `pattern`."""

    def accept(node: Node) -> str:
        found = _matched(node.value, pattern)
        if found.isprintable():
            return found
        raise ValueError

    def write(value: str) -> str:
        if re.fullmatch(_NEEDS_NO_QUOTES, value):
            return value
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'

    return Kind(what, accept, write, choices)


def or_none(kind: Kind[T]) -> Kind[T | None]:
    """Return the kind of another kind's values and the word `none`."""
    return Kind(
        f"{kind.expected}, or none",
        lambda node: None if node.value == "none" else kind.accept(node),
        lambda value: "none" if value is None else kind.write(value),
        (*kind.choices, "none"),
    )


def several(count: int, kind: Kind[T]) -> Kind[tuple[T, ...]]:
    """Return the kind of lists of exactly `count` values of another kind; an error names the invalid item."""
    return Kind(
        f"a list of {count}, each {kind.expected}",
        lambda node: tuple(kind.read(item) for item in node.items(count)),
        lambda value: f"[{', '.join(kind.write(item) for item in value)}]",
    )


def _boolean(node: Node) -> bool:
    try:
        return _BOOLEANS[(node.plain or "").lower()]
    except KeyError:
        raise ValueError from None


BOOLEAN = Kind("yes or no", _boolean, lambda value: "yes" if value else "no", ("yes", "no", "true", "false"))
"""Yes or no, in any spelling of YAML 1.1."""


def _integer(node: Node) -> int:
    text = node.plain or ""
    if re.fullmatch("0[0-9]+", text):
        raise node.error(f"expected a whole number without a leading 0, found {shown(text)}")
    return int(_matched(text, _INTEGER), 16 if "x" in text else 10)


def _matched(text: object, pattern: str) -> str:
    """Return a text that matches all of a pattern. Raise `ValueError` for anything else."""
    if isinstance(text, str) and re.fullmatch(pattern, text):
        return text
    raise ValueError
