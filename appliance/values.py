"""The kinds of value in a YAML file: how each is read, described in a message, and written.

A kind reads the text as written: `on` is a word to `Word` and a truth value to `Boolean`. Numbers are decimal
or 0x hexadecimal, never octal or sexagesimal as YAML 1.1 reads `010` and `1:30`.
"""

import re
from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from appliance.yamlfile import Node, one_of, shown

T = TypeVar("T")

# Strings: a box without a configuration file never compiles them.
_INTEGER = "[-+]?(0|[1-9][0-9]{0,17})|0x[0-9a-fA-F]{1,16}"
_NUMBER = r"[-+]?([0-9]{1,18}(\.[0-9]{0,25})?|\.[0-9]{1,18})([eE][-+]?[0-9]{1,3})?"
_BOOLEANS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_NEEDS_NO_QUOTES = "[A-Za-z_/~][A-Za-z0-9_./~-]*(:[A-Za-z0-9_]+)?"


class Kind(ABC, Generic[T]):
    """The values that a key may have.

    `expected` completes the sentence "expected ...". `choices` are the words suggested for a near miss.
    """

    expected: str
    choices: tuple[str, ...] = ()

    @abstractmethod
    def accept(self, node: Node) -> T | None:
        """Return the node's value, or None when it is not of this kind."""

    @abstractmethod
    def write(self, value: T) -> str:
        """Return YAML that reads as `value`."""

    def read(self, node: Node) -> T:
        """Return the node's value. Raise `UserError` if it is not of this kind."""
        value = self.accept(node)
        if value is None:
            raise node.unexpected(self.expected, self.choices)
        return value


class Integer(Kind[int]):
    """A whole number from `low` to `high`, written in decimal or as 0x and hexadecimal digits."""

    def __init__(
        self, low: int, high: int, what: str = "a whole number", *, hexadecimal: bool = False
    ) -> None:
        self._low, self._high = low, high
        self._format = "0x{:02x}" if hexadecimal else "{}"
        self.expected = f"{what} from {self.write(low)} to {self.write(high)}"

    def accept(self, node: Node) -> int | None:
        """Return the number, or None."""
        value = _integer(node)
        return value if value is not None and self._low <= value <= self._high else None

    def write(self, value: int) -> str:
        """Return the number's text."""
        return self._format.format(value)


class IntegerChoice(Kind[int]):
    """One of a few whole numbers."""

    def __init__(self, *values: int) -> None:
        self._values = values
        self.expected = one_of([str(value) for value in values])

    def accept(self, node: Node) -> int | None:
        """Return the number, or None."""
        value = _integer(node)
        return value if value in self._values else None

    def write(self, value: int) -> str:
        """Return the number's text."""
        return str(value)


class Number(Kind[float]):
    """A number from `low` to `high`, whole or not; `what` names its unit.

    `zero` says what 0 means where 0 is allowed below `low`.
    """

    def __init__(self, low: float, high: float, what: str = "a number", zero: str = "") -> None:
        self._low, self._high, self._zero = low, high, bool(zero)
        self.expected = f"{what} from {self.write(low)} to {self.write(high)}"
        if zero:
            self.expected += f", or 0 for {zero}"

    def accept(self, node: Node) -> float | None:
        """Return the number, or None."""
        if node.plain is None or not re.fullmatch(_NUMBER, node.plain):
            return None
        value = float(node.plain) + 0.0  # -0.0 becomes 0.0
        allowed = self._low <= value <= self._high or (self._zero and value == 0)
        return value if allowed else None

    def write(self, value: float) -> str:
        """Return the number's shortest text."""
        return repr(float(value)).removesuffix(".0")


class Boolean(Kind[bool]):
    """Yes or no, in any spelling of YAML 1.1."""

    expected = "yes or no"
    choices = ("yes", "no", "true", "false")

    def accept(self, node: Node) -> bool | None:
        """Return the truth value, or None."""
        return _BOOLEANS.get(node.plain.lower()) if node.plain is not None else None

    def write(self, value: bool) -> str:
        """Return the word."""
        return "yes" if value else "no"


class Word(Kind[str]):
    """One of a few words, in quotes or without."""

    def __init__(self, *choices: str) -> None:
        self.choices = choices
        self.expected = one_of(choices)

    def accept(self, node: Node) -> str | None:
        """Return the word, or None."""
        return node.value if isinstance(node.value, str) and node.value in self.choices else None

    def write(self, value: str) -> str:
        """Return the word."""
        return value


class Text(Kind[str]):
    """Printable text on one line, at least one character, all of which `pattern` matches."""

    def __init__(self, what: str, pattern: str = ".+", choices: tuple[str, ...] = ()) -> None:
        self.expected = what
        self.choices = choices
        self._pattern = pattern

    def accept(self, node: Node) -> str | None:
        """Return the text, or None."""
        text = node.value
        if isinstance(text, str) and text.isprintable() and re.fullmatch(self._pattern, text):
            return text
        return None

    def write(self, value: str) -> str:
        """Return the text, quoted if it could be read as something else."""
        if re.fullmatch(_NEEDS_NO_QUOTES, value):
            return value
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'


class OrNone(Kind[T | None]):
    """A value of another kind, or the word `none`."""

    def __init__(self, kind: Kind[T]) -> None:
        self._kind = kind
        self.expected = f"{kind.expected}, or none"
        self.choices = (*kind.choices, "none")

    def accept(self, node: Node) -> T | None:
        """Return the value; None for `none` too."""
        return None if node.value == "none" else self._kind.accept(node)

    def read(self, node: Node) -> T | None:
        """Return the value, None for `none`. Raise `UserError` for anything else."""
        return None if node.value == "none" else super().read(node)

    def write(self, value: T | None) -> str:
        """Return the value's text."""
        return "none" if value is None else self._kind.write(value)


class Several(Kind[tuple[T, ...]]):
    """A list of exactly `count` values of another kind."""

    def __init__(self, count: int, kind: Kind[T]) -> None:
        self._count, self._kind = count, kind
        self.expected = f"a list of {count}, each {kind.expected}"

    def accept(self, node: Node) -> tuple[T, ...]:
        """Return the values. Raise `UserError` naming the invalid item."""
        return tuple(self._kind.read(item) for item in node.items(self._count))

    def write(self, value: tuple[T, ...]) -> str:
        """Return the list on one line."""
        return f"[{', '.join(self._kind.write(item) for item in value)}]"


def _integer(node: Node) -> int | None:
    text = node.plain or ""
    if re.fullmatch("0[0-9]+", text):
        raise node.error(f"expected a whole number without a leading 0, found {shown(text)}")
    return int(text, 16 if "x" in text else 10) if re.fullmatch(_INTEGER, text) else None
