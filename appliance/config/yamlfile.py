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

from appliance.config.unset import empty_sections
from appliance.core.errors import FileError, UserError, printable

MAX_BYTES = 64 * 1024
MAX_DEPTH = 16
MAX_NODES = 5000  # without it, 64 KiB of "1,1,1,..." would take half a second to reject

_DOCUMENTS = {b"{\\rtf": "rich text (RTF)", b"<": "a web page (HTML)", b"PK\3\4": "a Word document"}
_WINDOWS = (b"\xff\xfe", b"\xfe\xff")  # the byte order marks of UTF-16, as old Windows editors save it

# Characters that YAML 1.1 forbids. A byte order mark is allowed only at the start, where decoding removes it.
# Not compiled here: that takes a Pi Zero a while, and a box without a configuration file never needs it.
_FORBIDDEN = "[^\\t\\n\\r -~\\x85\\xa0-\\ud7ff\\ue000-\\ufefe\\uff00-\\ufffd\\U00010000-\\U0010ffff]"


class YamlNode(NamedTuple):
    """One value in a file.

    `path` is the key path from the top, list items counted from 1: `steps[3].hold.key`; "" at the top.
    `line` counts from 1; after a key, a list, a mapping and nothing have the key's. `value` is the text of a
    scalar, the entries of a mapping, or the items of a list; a key with nothing after its colon has the plain
    text "".
    """

    file: str
    line: int
    path: str
    value: "str | Mapping[str, YamlNode] | tuple[YamlNode, ...]"
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

    @property
    def written(self) -> str:
        """The value as YAML in one line."""
        if isinstance(self.value, Mapping):
            return f"{{{', '.join(f'{key}: {node.written}' for key, node in self.value.items())}}}"
        if isinstance(self.value, tuple):
            return f"[{', '.join(node.written for node in self.value)}]"
        return f'"{self.value}"' if self.quoted else self.value

    def error(self, sentence: str, remedy: str = "") -> UserError:
        """Return an error: file, line, key path, `sentence`, and a remedy that is not in the sentence."""
        return FileError(self.place, self.path, sentence, "", remedy)

    def unexpected(self, expected: str, remedy: str = "") -> UserError:
        """Return the error for a value that is not `expected`."""
        sentence, quotes = f"expected {expected}", " in quotes" if self.quoted else ""
        full, brief = f"{sentence}, found {self.found}{quotes}", remedy or sentence.partition(" (")[0]
        return FileError(self.place, self.path, full, self.found, remedy, brief)

    def no_mapping(self, keys: Collection[str], remedy: str = "") -> UserError:
        """Return the error for a value in the place of a mapping with keys out of `keys`."""
        first = self
        if isinstance(self.value, tuple) and self.value and isinstance(self.value[0].value, Mapping):
            first, remedy = self.value[0], "write the keys without dashes or brackets"
        return self._replace(line=first.line).unexpected(f"{one_of(keys)} with a colon and a value", remedy)

    def unknown(self, key: str, keys: Collection[str]) -> UserError:
        """Return the error for this value's key, which is not one of `keys`."""
        return self.error(f"unknown key, expected {one_of(keys)}", suggestion(key, keys))

    def mapping(self, keys: Collection[str], required: Collection[str] = ()) -> "Mapping[str, YamlNode]":
        """Return the entries of a mapping with keys out of `keys`; no value counts as an empty mapping.

        Raise `UserError` for anything else, an unknown key, or a missing key of `required`.
        """
        value: Mapping[str, YamlNode] | object = {} if self.empty else self.value
        if not isinstance(value, Mapping):
            raise self.no_mapping(keys)
        for key, node in value.items():
            if key not in keys:
                raise node.unknown(key, keys)
        for key in required:
            if key not in value:
                raise self.error(f'the key "{key}" is missing')
        return value

    def entry(self, keys: Collection[str]) -> "tuple[str, YamlNode]":
        """Return the key and value of a mapping with exactly one entry, its key out of `keys`."""
        entries = self.mapping(keys)
        if len(entries) != 1:
            raise self.error(f"expected exactly one entry, found {len(entries)}")
        return next(iter(entries.items()))

    def items(self, count: int | None = None) -> "tuple[YamlNode, ...]":
        """Return the items of a list; unless `count` is None, it must have exactly that many."""
        expected = "a list" if count is None else f"a list of {count}"
        if not isinstance(self.value, tuple) or count not in (None, len(self.value)):
            raise self.unexpected(expected)
        return self.value

    @property
    def found(self) -> str:
        """The value as a message quotes it: words in quotes, anything else as written."""
        if self.empty:
            return "nothing"
        number = re.fullmatch("[-+.]?[0-9][0-9A-Fa-fx.+-]*", self.plain or "")  # if not a valid one
        if number or not isinstance(self.value, str):
            return quoted(self.written)
        return f'"{quoted(self.value)}"'


def read_yaml(path: Path) -> YamlNode:
    """Return the tree of the YAML file at `path`.

    Raise `UserError` if it cannot be read, or is not a single document of plain YAML in UTF-8.
    """
    return parse_yaml(read_text(path), printable(str(path)))


def read_text(path: Path, errors: str = "strict") -> str:
    """Return the text of a file; `errors` is as for `bytes.decode`. Raise `UserError` as `read_yaml` does."""
    file = printable(str(path))
    try:
        # Opening a named pipe would block, and opening a device may have side effects.
        if not stat.S_ISREG(path.stat().st_mode):
            raise FileError(file, "", "is not a regular file")
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        reason = f"cannot be read: {error.strerror}"
        raise FileError(file, "", f"{reason}; check its name and who may read it") from error
    if len(data) > MAX_BYTES:
        sentence = f"expected at most {MAX_BYTES // 1024} KiB, found more; is it the right file?"
        raise FileError(file, "", sentence)
    for beginning, what in _DOCUMENTS.items():
        if data.startswith(beginning):
            sentence = f"expected plain text, found {what}"
            raise FileError(file, "", sentence, what, "save it as plain text")
    try:
        return data.decode("utf-16" if data[:2] in _WINDOWS else "utf-8-sig", errors)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = f"0x{data[error.start]:02x}"
        sentence = f"expected UTF-8 text, found the byte {byte}"
        raise FileError(f"{file}:{line}", "", sentence, byte, "save the file as UTF-8") from error


def parse_yaml(text: str, file: str) -> YamlNode:
    """Return the tree of a YAML text; `file` is its name in errors. Raise `UserError` as `read_yaml` does."""
    if forbidden := re.search(_FORBIDDEN, text):
        line = text.count("\n", 0, forbidden.start()) + 1
        sentence = f"expected text, found the character U+{ord(forbidden[0]):04X}"
        raise FileError(f"{file}:{line}", "", sentence)
    if (unset := empty_sections(text)) is not None:  # as the file is installed
        sections = {name: YamlNode(file, line, quoted(name), "") for name, line in unset.items()}
        return YamlNode(file, 1, "", sections or "")
    import yaml  # noqa: PLC0415 - slow to import on a Pi Zero

    # PyYAML's parser in C is 20 times as fast, but not every build has it.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _tree(yaml, yaml.parse(text, Loader=loader), file)
    except yaml.MarkedYAMLError as error:
        from appliance.config.slips import invalid_line  # noqa: PLC0415 - only errors need it

        lines = text.splitlines() or [""]
        place, remedy = invalid_line(lines, error)
        raise invalid(file, place, lines[place], remedy) from error
    except (ValueError, OverflowError) as error:  # only the parser in Python raises these, for an escape
        raise FileError(file, "", "not valid YAML: an escape (\\x, \\u, \\U) names no character") from error


def invalid(file: str, place: int, line: str, remedy: str) -> UserError:
    """Return the error for a line that is not YAML; `place` counts from 0."""
    wrong = f'"{quoted(line.strip())}"'
    return FileError(f"{file}:{place + 1}", "", f"not valid YAML: {wrong}", wrong, remedy)


def quoted(text: str) -> str:
    """Return `text` for quoting in a message: printable, at most 40 characters before escaping."""
    return printable(text if len(text) <= 40 else text[:37] + "...")


def one_of(choices: Collection[str]) -> str:
    """Return the choices as an error lists them: "one of a, b"."""
    return ("one of " if len(choices) > 1 else "") + ", ".join(choices)


def suggestion(text: str, choices: Collection[str], near: float = 0.6) -> str:
    """Return a remedy that names the nearest of these choices, "" if none is as `near` (1 is equal).

    Other digits are no misspelling: an SSD1327 is not an SSD1306.
    """
    import difflib  # noqa: PLC0415 - only errors need it

    alike = [one for one in choices if sorted(filter(str.isdigit, one)) == sorted(filter(str.isdigit, text))]
    found = difflib.get_close_matches(text[:40].lower(), alike, 1, near)
    return f'did you mean "{found[0]}"?' if found else ""


def _tree(yaml: Any, events: Iterator[Any], file: str) -> YamlNode:
    """Return the tree of PyYAML's events. Raise `UserError` for tags, anchors and the like."""
    numbers = count(1)

    def node(event: Any, path: str = "", line: int = 0, depth: int = 0) -> YamlNode:
        here = YamlNode(file, line or event.start_mark.line + 1, path, "")
        if next(numbers) > MAX_NODES:
            raise here.error(f"more than {MAX_NODES} keys and values; is it the right file?")
        if event.anchor:
            raise here.error("anchors (&name) and aliases (*name) are not supported; write the value out")
        if event.tag:
            raise here.error(f"tags ({quoted(event.tag)}) are not supported; write the value alone")
        if depth > MAX_DEPTH:
            raise here.error(f"nested more than {MAX_DEPTH} levels deep")
        if isinstance(event, yaml.ScalarEvent):
            line = event.start_mark.line + 1 if event.value or event.style else here.line
            return here._replace(line=line, value=event.value, quoted=bool(event.style))
        inside = takewhile(lambda event: not isinstance(event, yaml.CollectionEndEvent), events)
        if isinstance(event, yaml.SequenceStartEvent):
            items = (node(item, f"{path}[{place}]", 0, depth + 1) for place, item in enumerate(inside, 1))
            return here._replace(value=tuple(items))
        entries: dict[str, YamlNode] = {}
        for key in inside:
            name = node(key, path, 0, depth + 1)
            if not isinstance(name.value, str):
                raise name.unexpected("a key")
            below = f"{path}.{quoted(name.value)}" if path else quoted(name.value)
            entry = node(next(events), below, name.line, depth + 1)
            if name.value in entries:
                sentence = f"duplicate key: line {entries[name.value].line} has it too"
                section = isinstance(entry.value, Mapping)
                remedy = "move what is below it there" if section else "keep one of them"
                raise FileError(entry.place, below, sentence, entry.found, remedy, f"{sentence}; {remedy}")
            entries[name.value] = entry
        return here._replace(value=entries)

    documents = [node(next(events)) for event in events if isinstance(event, yaml.DocumentStartEvent)]
    if len(documents) > 1:
        raise documents[1].error("expected one document, found a second after ---")
    return documents[0] if documents else YamlNode(file, 1, "", "")
