"""Debian packages: what a .deb says of itself, and which of two versions is newer.

The format is that of deb(5): an `ar` archive with a compressed tar of the control files in it. Versions
compare as deb-version(7) says.
"""

import io
import itertools
import lzma
import re
import tarfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from appliance.errors import UserError
from appliance.yamlfile import printable

MAX_BYTES = 32 * 1024 * 1024

_RELATION = re.compile(r"([a-z0-9][a-z0-9+.-]*)(?::[a-z0-9-]+)?\s*(?:\((<<|<=|=|>=|>>)\s*([^)\s]+)\s*\))?")
_ARRIVED = {"<<": (-1,), "<=": (-1, 0), "=": (0,), ">=": (0, 1), ">>": (1,)}


@dataclass(frozen=True, slots=True)
class Relation:
    """One package asked for: its name, and the version it must have (operator and version; "" for any)."""

    name: str
    operator: str = ""
    version: str = ""

    def met_by(self, version: str) -> bool:
        """Return whether this version of the package will do."""
        return not self.operator or compare(version, self.version) in _ARRIVED[self.operator]

    def __str__(self) -> str:
        """Return it as Debian writes it."""
        return f"{self.name} ({self.operator} {self.version})" if self.operator else self.name


@dataclass(frozen=True, slots=True)
class Deb:
    """A package file. Of each tuple in `depends` one is needed; `provides` are other names of it."""

    path: Path
    content: bytes
    name: str
    version: str
    architecture: str
    depends: tuple[tuple[Relation, ...], ...]
    provides: tuple[str, ...]


def read_deb(path: Path) -> Deb:
    """Return the package in a file. Raise `UserError` when it is none, or none for Raspberry Pi OS."""
    shown = printable(str(path))
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UserError(f"{shown}: larger than {MAX_BYTES // 1024**2} MB; is it the right file?")
        content = path.read_bytes()
    except OSError as error:
        raise UserError(f"{shown}: cannot be read: {error.strerror}") from error
    try:
        fields = _control(content)
        name, version, architecture = (fields[key] for key in ("package", "version", "architecture"))
    except (ValueError, KeyError, EOFError, OSError, tarfile.TarError, lzma.LZMAError, zlib.error) as error:
        raise UserError(f"{shown}: not a Debian package (.deb), or one that was cut short") from error
    except NotImplementedError as error:
        told = f"its control files are packed as {error}, which Raspberry Pi OS's packages never are"
        raise UserError(f"{shown}: a package for another system: {told}") from error
    wanted = ", ".join(filter(None, (fields.get("pre-depends"), fields.get("depends"))))
    depends = tuple(tuple(_relations(group, "|")) for group in wanted.split(",") if group.strip())
    provides = tuple(relation.name for relation in _relations(fields.get("provides", ""), ","))
    return Deb(path, content, name, version, architecture, depends, provides)


def compare(left: str, right: str) -> int:
    """Return -1, 0 or 1: whether a version is older than another, the same, or newer."""
    for one, other in zip(_parts(left), _parts(right), strict=True):
        for a, b in itertools.zip_longest(_chunks(one), _chunks(other), fillvalue=("", 0)):
            keys = [[_weight(char) for char in text] + [0] for text in (a[0], b[0])]
            if keys[0] != keys[1]:
                return -1 if keys[0] < keys[1] else 1
            if a[1] != b[1]:
                return -1 if a[1] < b[1] else 1
    return 0


def _parts(version: str) -> tuple[str, str, str]:
    epoch, colon, rest = version.rpartition(":")
    upstream, dash, revision = rest.rpartition("-")
    return (epoch if colon else "0"), (upstream if dash else rest), (revision if dash else "0")


def _chunks(text: str) -> Iterator[tuple[str, int]]:
    for match in re.finditer(r"([^0-9]*)([0-9]*)", text):
        if match[0]:
            yield match[1], int(match[2] or 0)


def _weight(char: str) -> int:
    """Return the order of one character: ~ before the end of a text, letters before everything else."""
    if char == "~":
        return -1
    return ord(char) if char.isalpha() else ord(char) + 256


def _control(content: bytes) -> Mapping[str, str]:
    for name, data in _members(content):
        if name.startswith("control.tar"):
            if name.endswith(".zst"):  # Ubuntu's packages; Debian's dpkg does not write it
                raise NotImplementedError("zstd")
            with tarfile.open(fileobj=io.BytesIO(data), mode="r:*") as archive:
                for member in archive:
                    stream = archive.extractfile(member) if member.name.strip("./") == "control" else None
                    if stream:
                        return _fields(stream.read().decode("utf-8", "replace"))
    raise ValueError("no control file")


def _members(content: bytes) -> Iterator[tuple[str, bytes]]:
    if not content.startswith(b"!<arch>\n"):
        raise ValueError("no ar archive")
    at = 8
    while header := content[at : at + 60]:
        size = int(header[48:58])
        data = content[at + 60 : at + 60 + size]
        if len(data) < size:
            raise ValueError("cut short")
        yield header[:16].decode("ascii", "replace").rstrip().rstrip("/"), data
        at += 60 + size + size % 2


def _fields(text: str) -> Mapping[str, str]:
    unfolded = re.sub(r"\n[ \t]+", " ", text)
    pairs = (line.partition(":") for line in unfolded.splitlines() if ":" in line)
    return {key.lower(): value.strip() for key, _, value in pairs if value.strip()}


def _relations(text: str, separator: str) -> Iterator[Relation]:
    for part in text.split(separator):
        match = _RELATION.match(part.strip())
        if match:
            yield Relation(match[1], match[2] or "", match[3] or "")
