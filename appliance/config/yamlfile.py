"""YAML with positions: a file becomes a tree whose nodes know their file, line and key path.

A scalar stays text, since `on` is a word in `power: on` and a boolean in `attract: on`: the key's kind, from
`values`, converts it. Tags, anchors and aliases are rejected, so a small file cannot grow into a large tree.
"""

import re
import stat
from collections.abc import Collection, Iterator, Mapping
from itertools import count, takewhile
from pathlib import Path
from typing import Any, NamedTuple

from appliance.core.errors import UserError, printable

MAX_BYTES = 64 * 1024
MAX_DEPTH = 16
MAX_NODES = 5000  # without it, 64 KiB of "1,1,1,..." would take half a second to reject

# Characters that YAML 1.1 forbids. A byte order mark is allowed only at the start, where decoding removes it.
# Not compiled here: that takes a Pi Zero a while, and a box without a configuration file never needs it.
_FORBIDDEN = "[^\\t\\n\\r -~\\x85\\xa0-\\ud7ff\\ue000-\\ufefe\\uff00-\\ufffd\\U00010000-\\U0010ffff]"


class Node(NamedTuple):
    """One value in a file.

    `path` is the key path from the top, list items counted from 1: `steps[3].hold.key`; "" at the top.
    `line` counts from 1; for a mapping's value it is the key's. `value` is the text of a scalar, the entries
    of a mapping, or the items of a list; a key with nothing after its colon has the plain text "".
    """

    file: str
    line: int
    path: str
    value: "str | Mapping[str, Node] | tuple[Node, ...]"
    quoted: bool = False

    @property
    def place(self) -> str:
        """File and line as messages name them: `box.yaml:7`."""
        return f"{self.file}:{self.line}"

    @property
    def empty(self) -> bool:
        """Whether the file has no value here."""
        return self.value == "" and not self.quoted

    @property
    def plain(self) -> str | None:
        """The text of a scalar written without quotes; None for anything else."""
        return self.value if isinstance(self.value, str) and not self.quoted else None

    def error(self, sentence: str) -> UserError:
        """Return an error: file, line, key path, then `sentence`."""
        return UserError(": ".join(part for part in (self.place, self.path, sentence) if part))

    def unexpected(self, expected: str, choices: Collection[str] = ()) -> UserError:
        """Return the error for a value that is not `expected`; it suggests the nearest of `choices`."""
        hint = _suggestion(self.value, choices) if isinstance(self.value, str) else ""
        return self.error(f"expected {expected}, found {self._found()}{hint}")

    def mapping(self, keys: Collection[str], required: Collection[str] = ()) -> "Mapping[str, Node]":
        """Return the entries of a mapping with keys out of `keys`; no value counts as an empty mapping.

        Raise `UserError` for anything else, an unknown key, or a missing key of `required`.
        """
        value: Mapping[str, Node] | object = {} if self.empty else self.value
        if not isinstance(value, Mapping):
            raise self.unexpected('a mapping ("key: value")')
        for key, node in value.items():
            if key not in keys:
                hint = " (put a blank after the colon)" if ":" in key else _suggestion(key, keys)
                raise node.error(f"unknown key, expected {one_of(keys)}{hint}")
        for key in required:
            if key not in value:
                raise self.error(f'the key "{key}" is missing')
        return value

    def entry(self, keys: Collection[str]) -> "tuple[str, Node]":
        """Return the key and value of a mapping with exactly one entry, its key out of `keys`."""
        entries = self.mapping(keys)
        if len(entries) != 1:
            raise self.error(f"expected exactly one entry, found {len(entries)}")
        return next(iter(entries.items()))

    def items(self, count: int | None = None) -> "tuple[Node, ...]":
        """Return the items of a list; unless `count` is None, it must have exactly that many."""
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
            return shown(self.value)  # a number, if not a valid one: no quotes
        return f'"{shown(self.value)}"' + (" in quotes" if self.quoted else "")


def read(path: Path) -> Node:
    """Return the tree of the YAML file at `path`.

    Raise `UserError` if it cannot be read, or is not a single document of plain YAML in UTF-8.
    """
    file = printable(str(path))
    try:
        # Opening a named pipe would block, and opening a device may have side effects.
        if not stat.S_ISREG(path.stat().st_mode):
            raise UserError(f"{file}: is not a regular file")
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        reason = f"cannot be read: {error.strerror}"
        raise UserError(f"{file}: {reason}; check its name and who may read it") from error
    if len(data) > MAX_BYTES:
        raise UserError(
            f"{file}: expected at most {MAX_BYTES // 1024} KiB, found more; is it the right file?"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = f"0x{data[error.start]:02x}"
        sentence = f"expected UTF-8 text, found the byte {byte}; save the file as UTF-8"
        raise UserError(f"{file}:{line}: {sentence}") from error
    return parse(text, file)


def parse(text: str, file: str) -> Node:
    """Return the tree of a YAML text; `file` is its name in errors. Raise `UserError` as `read` does."""
    forbidden = re.search(_FORBIDDEN, text)
    if forbidden:
        line = text.count("\n", 0, forbidden.start()) + 1
        raise UserError(f"{file}:{line}: expected text, found the character U+{ord(forbidden[0]):04X}")
    numbered = enumerate(text.splitlines(), 1)
    lines = {line: number for number, line in numbered if not re.match(" *(#|$)", line)}
    if all(re.fullmatch("[a-z]+:", line) for line in lines):  # the file as installed: no key is set
        sections = {line[:-1]: Node(file, number, line[:-1], "") for line, number in lines.items()}
        return Node(file, 1, "", sections or "")
    import yaml  # noqa: PLC0415 - slow to import on a Pi Zero

    # PyYAML's parser in C is 20 times as fast, but not every build has it.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _tree(yaml, yaml.parse(text, Loader=loader), file)
    except yaml.MarkedYAMLError as error:
        raise _syntax_error(text, file, error) from error
    except (ValueError, OverflowError) as error:  # only the parser in Python raises these, for an escape
        raise UserError(f"{file}: not valid YAML: an escape (\\x, \\u, \\U) names no character") from error


def shown(text: str) -> str:
    """Return `text` for quoting in a message: printable, at most 40 characters before escaping."""
    return printable(text if len(text) <= 40 else text[:37] + "...")


def one_of(choices: Collection[str]) -> str:
    """Return the choices as an error lists them: "one of a, b"."""
    return ("one of " if len(choices) > 1 else "") + ", ".join(choices)


def _suggestion(text: str, choices: Collection[str]) -> str:
    import difflib  # noqa: PLC0415 - only errors need it

    near = difflib.get_close_matches(text[:40].lower(), choices, n=1)
    return f' (did you mean "{near[0]}"?)' if near else ""


def _syntax_error(text: str, file: str, error: Any) -> UserError:
    lines = text.splitlines() or [""]
    line = min(error.problem_mark.line, len(lines) - 1)
    if "\t" in lines[line][: len(lines[line]) - len(lines[line].lstrip())]:
        return UserError(f"{file}:{line + 1}: indented with a tab, use spaces")
    return UserError(
        f"{file}:{line + 1}: not valid YAML: {error.problem}"
        " (check this line and those just above: colons, quotes, brackets, indentation)"
    )


def _tree(yaml: Any, events: Iterator[Any], file: str) -> Node:
    """Return the tree of PyYAML's events. Raise `UserError` for tags, anchors and the like."""
    numbers = count(1)

    def node(event: Any, path: str = "", line: int = 0, depth: int = 0) -> Node:
        here = Node(file, line or event.start_mark.line + 1, path, "")
        if next(numbers) > MAX_NODES:
            raise here.error(f"more than {MAX_NODES} keys and values; is it the right file?")
        if event.anchor:
            raise here.error("anchors (&name) and aliases (*name) are not supported; write the value out")
        if event.tag:
            raise here.error(f"tags ({shown(event.tag)}) are not supported; write the value alone")
        if depth > MAX_DEPTH:
            raise here.error(f"nested more than {MAX_DEPTH} levels deep")
        if isinstance(event, yaml.ScalarEvent):
            return here._replace(value=event.value, quoted=bool(event.style))
        inside = takewhile(lambda event: not isinstance(event, yaml.CollectionEndEvent), events)
        if isinstance(event, yaml.SequenceStartEvent):
            items = (node(item, f"{path}[{place}]", 0, depth + 1) for place, item in enumerate(inside, 1))
            return here._replace(value=tuple(items))
        entries: dict[str, Node] = {}
        for key in inside:
            name = node(key, path, 0, depth + 1)
            if not isinstance(name.value, str):
                raise name.unexpected("a key")
            below = f"{path}.{shown(name.value)}" if path else shown(name.value)
            entry = node(next(events), below, name.line, depth + 1)
            if name.value in entries:
                raise entry.error(f"duplicate key: line {entries[name.value].line} has it too")
            entries[name.value] = entry
        return here._replace(value=entries)

    documents = [node(next(events)) for event in events if isinstance(event, yaml.DocumentStartEvent)]
    if len(documents) > 1:
        raise documents[1].error("expected one document, found a second after ---")
    return documents[0] if documents else Node(file, 1, "", "")
