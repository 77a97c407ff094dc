"""slot.json: a slot's version, its files, and the machines that it starts on."""

import json
import re
from collections.abc import Mapping
from typing import NamedTuple

SLOT_JSON = "slot.json"
MAX_JSON = 64 * 1024  # bytes of a slot.json
PRODUCT = "tictactoe-box"  # image/assemble writes it into slot.json
NEEDED = {"cmdline.txt", "root.erofs"}  # no slot starts without these, nor without its kernel and initramfs:
KERNELS = {"arm64": {"kernel8.img", "initramfs8"}, "armel": {"kernel.img", "initramfs"}}

_NAME = re.compile(r"[a-z0-9]([a-z0-9._+-]{0,62}[a-z0-9])?")  # no folders; lower case, since FAT ignores case
_VERSION = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6}){0,3}([~+-][0-9A-Za-z.~+-]{1,40})?")


class File(NamedTuple):
    """A file of a slot, as it must be."""

    size: int
    sha256: str


class Slot(NamedTuple):
    """The content of slot.json: an architecture, a version, its machines, and the slot's other files."""

    architecture: str  # Debian's name
    version: str
    machines: tuple[str, ...]  # as in /proc/device-tree/compatible
    files: Mapping[str, File]


class ForeignError(ValueError):
    """A slot.json for another product, which the message names."""


_Key = tuple[tuple[tuple[int, ...], int], ...]


def order(version: str) -> tuple[_Key, _Key]:
    """Return a key that sorts versions like Debian: 1.0~rc1, 1.0, 1.0-1, 1.0+b1, 1.0.1."""
    upstream, _, revision = version.rpartition("-") if "-" in version else (version, "", "")
    return _key(upstream), _key(revision)


def _key(text: str) -> _Key:
    """Return the sort key of one part of a version: its non-digits and numbers alternately."""
    end = ((0,), 0)
    parts = [
        ((*map(_weight, other), 0), int(number or 0)) for other, number in re.findall(r"(\D*)(\d*)", text)
    ]
    return (*(parts[:-1] or [end]), end)  # the last match is empty; no number counts as 0


def _weight(character: str) -> int:
    """Return a character's rank: ~ sorts before the end of the part (0), then letters, then all others."""
    return -1 if character == "~" else ord(character) + (0 if character.isalpha() else 256)


def parse_manifest(text: bytes) -> Slot:
    """Parse a slot.json.

    Raise `ForeignError` if it is for another product, `ValueError` if it is invalid or has another format.
    """
    try:
        content = json.loads(text)
        product, architecture = content["product"], content["architecture"]
        if not (_NAME.fullmatch(product) and _NAME.fullmatch(architecture)):
            raise ValueError(f"not a {SLOT_JSON}")
        if product != PRODUCT:
            raise ForeignError(f"is for another product, {product}; this is a {PRODUCT}")
        files = {name: File(**file) for name, file in content["files"].items()}
        machines, numbers = content["machines"], [content["format"], *(file.size for file in files.values())]
        texts = [*machines, *(file.sha256 for file in files.values())]
        # In Python 9000.0 equals 9000, and true equals 1; but nobody can read 9000.0 bytes of a file.
        typed = [{*map(type, each)} for each in ([machines], numbers, texts)] == [{list}, {int}, {str}]
        slot = Slot(architecture, content["version"], tuple(machines), files)
        needed = NEEDED | KERNELS.get(architecture, set())
        valid = typed and numbers[0] == 1 and _VERSION.fullmatch(slot.version) and files.keys() >= needed
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"not a {SLOT_JSON}") from error
    if not valid or SLOT_JSON in files or not all(map(_NAME.fullmatch, files)):
        raise ValueError(f"not a {SLOT_JSON} of format 1")
    return slot
