"""YAML with positions: a file becomes a tree whose nodes know their file, line and key path.

The tree is made from the parser's events and keeps each scalar as it was written, so that `power: on` can
mean the word and `attract: on` the truth value: what a scalar means is decided by its reader, in `values`.
Tags, anchors and aliases are refused; nothing here can grow a small file into a large tree.
"""

import re
import stat
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from appliance.errors import UserError
from appliance.records import dataclass

MAX_BYTES = 256 * 1024
MAX_DEPTH = 16

# What may not stand in YAML 1.1 text; a byte order mark only at the very start, where it is already gone.
# A string, compiled when it is needed: that takes a Pi Zero a while.
_FORBIDDEN = "[^\\t\\n\\r -~\\x85\\xa0-\\ud7ff\\ue000-\\ufefe\\uff00-\\ufffd\\U00010000-\\U0010ffff]"


@dataclass(frozen=True, slots=True)
class Node:
    """One value in a file.

    `path` is the key path from the top, items of a list counted from 1: `steps[3].hold.key`; "" at the top.
    `line` counts from 1, and is the key's where there is one. `value` is the text of a scalar, the entries
    of a mapping, or the items of a list; a key with nothing after its colon has the plain text "".
    """

    file: str
    line: int
    path: str
    value: "str | Mapping[str, Node] | tuple[Node, ...]"
    quoted: bool = False

    @property
    def place(self) -> str:
        """Where the node is, for a person: `box.yaml:7`."""
        return f"{self.file}:{self.line}"

    @property
    def empty(self) -> bool:
        """Whether nothing is written here."""
        return self.value == "" and not self.quoted

    @property
    def plain(self) -> str | None:
        """The text of a scalar written without quotes; None for anything else."""
        return self.value if isinstance(self.value, str) and not self.quoted else None

    def error(self, sentence: str) -> UserError:
        """Return an error that names the file, the line and the key path, and then says `sentence`."""
        return UserError(": ".join(part for part in (self.place, self.path, sentence) if part))

    def unexpected(self, expected: str, choices: Collection[str] = ()) -> UserError:
        """Return the error for a value that is not `expected`; a near miss among `choices` is suggested."""
        hint = _suggestion(self.value, choices) if isinstance(self.value, str) else ""
        return self.error(f"expected {expected}, found {self._found()}{hint}")

    def mapping(self, keys: Collection[str], required: Collection[str] = ()) -> "Mapping[str, Node]":
        """Return the entries of a mapping whose keys are all among `keys`; nothing at all is an empty one.

        Raise `UserError` for anything else, for an unknown key, and when one of `required` is missing.
        """
        value: Mapping[str, Node] | object = {} if self.empty else self.value
        if not isinstance(value, Mapping):
            raise self.unexpected('a mapping ("key: value")')
        for key, node in value.items():
            if key not in keys:
                hint = _suggestion(key, keys)
                raise node.error(f"unknown key, expected {one_of(keys)}{hint}")
        for key in required:
            if key not in value:
                raise self.error(f'the key "{key}" is missing')
        return value

    def entry(self, keys: Collection[str]) -> "tuple[str, Node]":
        """Return the key and the value of a mapping that has exactly one entry, its key one of `keys`."""
        entries = self.mapping(keys)
        if len(entries) != 1:
            raise self.error(f"expected exactly one entry, found {len(entries)}")
        return next(iter(entries.items()))

    def items(self, count: int | None = None) -> "tuple[Node, ...]":
        """Return the items of a list, which must be `count` of them unless that is None."""
        expected = "a list" if count is None else f"a list of {count}"
        if not isinstance(self.value, tuple):
            raise self.unexpected(expected)
        if count not in (None, len(self.value)):
            raise self.error(f"expected {expected}, found {len(self.value)}")
        return self.value

    def _found(self) -> str:
        if isinstance(self.value, Mapping):
            return "a mapping"
        if isinstance(self.value, tuple):
            return "a list"
        if self.empty:
            return "nothing"
        if not self.quoted and re.fullmatch("[-+.]?[0-9][0-9A-Fa-fx.+-]*", self.value):
            return shown(self.value)  # a number, though not the expected one
        return f'"{shown(self.value)}"' + (" in quotes" if self.quoted else "")


def read(path: Path) -> Node:
    """Return the tree of the YAML file at `path`.

    Raise `UserError` when it cannot be read, or is not one document of UTF-8 text in plain YAML.
    """
    file = printable(str(path))
    try:
        # Opening a named pipe would block, and opening a device may do something.
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            raise UserError(f"{file}: is {_kind_of_file(mode)}; name a regular file")
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise UserError(f"{file}: cannot be read: {error.strerror}") from error
    if len(data) > MAX_BYTES:
        raise UserError(
            f"{file}: expected at most {MAX_BYTES // 1024} KiB, found more; is it the right file?"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = f"0x{data[error.start]:02x}"
        told = f"expected UTF-8 text, found the byte {byte}; save the file as UTF-8"
        raise UserError(f"{file}:{line}: {told}") from error
    return parse(text, file)


def _kind_of_file(mode: int) -> str:
    kinds = {stat.S_IFDIR: "a directory", stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket"}
    return kinds.get(stat.S_IFMT(mode), "a device")


def parse(text: str, file: str) -> Node:
    """Return the tree of a YAML text; `file` is what its errors call it. Raise `UserError` as `read` does."""
    forbidden = re.search(_FORBIDDEN, text)
    if forbidden:
        line = text.count("\n", 0, forbidden.start()) + 1
        raise UserError(f"{file}:{line}: expected text, found the character U+{ord(forbidden[0]):04X}")
    if all(not line or line.startswith("#") for line in (part.strip(" ") for part in text.splitlines())):
        return Node(file, 1, "", "")  # as the file is installed: comments alone
    import yaml  # noqa: PLC0415  # costs a Pi Zero a noticeable part of its start

    # The parser in C is 20 times as fast, and not part of every build of PyYAML.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    events = yaml.parse(text, Loader=loader)
    try:
        return _Builder(yaml, events, file).document()
    except yaml.MarkedYAMLError as error:
        raise _syntax_error(text, file, error) from error
    except (ValueError, OverflowError) as error:  # only from the parser in Python, converting an escape
        raise UserError(f"{file}: not valid YAML: an escape (\\x, \\u, \\U) names no character") from error


def printable(text: str) -> str:
    """Return `text` with everything that would not show on one line escaped."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def shown(text: str) -> str:
    """Return `text` as a message quotes it: printable, and not longer than a line can bear."""
    return printable(text if len(text) <= 40 else text[:37] + "...")


def one_of(choices: Collection[str]) -> str:
    """Return the choices as a message lists them."""
    return ("one of " if len(choices) > 1 else "") + ", ".join(choices)


def _suggestion(text: str, choices: Collection[str]) -> str:
    import difflib  # noqa: PLC0415  # needed on the way to an error only

    near = difflib.get_close_matches(text[:40].lower(), choices, n=1)
    return f' (did you mean "{near[0]}"?)' if near else ""


def _syntax_error(text: str, file: str, error: Any) -> UserError:
    lines = text.splitlines() or [""]
    line = min(error.problem_mark.line, len(lines) - 1)
    if "\t" in lines[line][: len(lines[line]) - len(lines[line].lstrip())]:
        return UserError(f"{file}:{line + 1}: indented with a tab, and YAML wants spaces")
    return UserError(
        f"{file}:{line + 1}: not valid YAML: {printable(str(error.problem))}"
        " (look here and just above for a colon, quote, bracket or indentation that is wrong)"
    )


class _Builder:
    """Makes the tree from the parser's events, one at a time."""

    def __init__(self, yaml: Any, events: Iterator[Any], file: str) -> None:
        self._yaml = yaml
        self._events = events
        self._file = file

    def document(self) -> Node:
        """Return the only document's tree; nothing but comments is an empty scalar."""
        yaml = self._yaml
        tree = Node(self._file, 1, "", "")
        documents = 0
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise self._at(event, "").error("expected one document, found a second after ---")
                tree = self._node(next(self._events), "", None, 0)
        return tree

    def _node(self, event: Any, path: str, line: int | None, depth: int) -> Node:
        yaml = self._yaml
        at = self._at(event, path, line)
        if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
            raise at.error("anchors (&name) and aliases (*name) are not used here; write the value out")
        if event.tag is not None:
            raise at.error(f"tags ({shown(event.tag)}) are not used here; write the value alone")
        if depth > MAX_DEPTH:
            raise UserError(f"{at.place}: nested more than {MAX_DEPTH} deep")
        if isinstance(event, yaml.ScalarEvent):
            return Node(at.file, at.line, path, event.value, quoted=bool(event.style))
        if isinstance(event, yaml.SequenceStartEvent):
            return Node(at.file, at.line, path, tuple(self._items(path, depth)))
        return Node(at.file, at.line, path, dict(self._entries(path, depth)))

    def _items(self, path: str, depth: int) -> Iterator[Node]:
        number = 0
        while not isinstance(event := next(self._events), self._yaml.SequenceEndEvent):
            number += 1
            yield self._node(event, f"{path}[{number}]", None, depth + 1)

    def _entries(self, path: str, depth: int) -> Iterator[tuple[str, Node]]:
        lines: dict[str, int] = {}
        while not isinstance(event := next(self._events), self._yaml.MappingEndEvent):
            key = self._node(event, path, None, depth + 1)
            if not isinstance(key.value, str):
                raise key.unexpected("a key")
            below = f"{path}.{shown(key.value)}" if path else shown(key.value)
            node = self._node(next(self._events), below, key.line, depth + 1)
            if key.value in lines:
                raise node.error(f"given a second time, after line {lines[key.value]}")
            lines[key.value] = key.line
            yield key.value, node

    def _at(self, event: Any, path: str, line: int | None = None) -> Node:
        return Node(self._file, event.start_mark.line + 1 if line is None else line, path, "")
