"""The two slots of a card: what slot.json says of one, which is in force, and lasting changes to files.

A slot is a folder of the boot partition, a or b, with all that starts one version of the box. config.txt
names the one in force, in the line `os_prefix=a/`.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from appliance.core.errors import UserError

SLOT_JSON = "slot.json"
MAX_JSON = 64 * 1024  # bytes of a slot.json
PRODUCT = "tictactoe-box"  # what this box is: image/assemble writes this into slot.json,
ARCHITECTURE = "arm64"  # and this
NEEDED = {"cmdline.txt", "initramfs8", "kernel8.img", "root.erofs"}  # no slot starts without these

_MAX_LINE = 4096  # characters
_NAME = re.compile(r"[a-z0-9]([a-z0-9._+-]{0,62}[a-z0-9])?")  # flat; in lower case, for FAT ignores case
_VERSION = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6}){0,3}([~+-][0-9A-Za-z.~+-]{1,40})?")
_PREFIX = re.compile(rb"^os_prefix=([abAB])/[ \t]*\r?$", re.MULTILINE)  # FAT ignores case


class File(NamedTuple):
    """What a file of a slot has to be."""

    size: int
    sha256: str


class Slot(NamedTuple):
    """What slot.json says: a version, the machines that it starts on, and all other files of the slot."""

    version: str
    machines: tuple[str, ...]  # as in /proc/device-tree/compatible
    files: Mapping[str, File]


class ForeignError(ValueError):
    """A slot.json for another product or architecture, which the message names."""


_Key = tuple[tuple[tuple[int, ...], int], ...]


def order(version: str) -> tuple[_Key, _Key]:
    """Return a key that sorts versions as Debian does: 1.0~rc1, 1.0, 1.0-1, 1.0+b1, 1.0.1."""
    upstream, _, revision = version.rpartition("-") if "-" in version else (version, "", "")
    return _key(upstream), _key(revision)


def _key(text: str) -> _Key:
    """Return the sort key of one part of a version, of its letters and numbers in turn."""
    end = ((0,), 0)
    parts = [
        ((*map(_weight, other), 0), int(number or 0)) for other, number in re.findall(r"(\D*)(\d*)", text)
    ]
    return (*(parts[:-1] or [end]), end)  # the last match is empty; no number counts as 0


def _weight(character: str) -> int:
    """Return the rank of a character: ~ before the end of the part (0), then letters, then all others."""
    return -1 if character == "~" else ord(character) + (0 if character.isalpha() else 256)


def parse(text: bytes) -> Slot:
    """Return what a slot.json says.

    Raise `ForeignError` for another product or architecture, and `ValueError` for one that is invalid or of
    another format.
    """
    try:
        content = json.loads(text)
        product, architecture = content["product"], content["architecture"]
        if not (_NAME.fullmatch(product) and _NAME.fullmatch(architecture)):
            raise ValueError(f"not a {SLOT_JSON}")
        if product != PRODUCT:
            raise ForeignError(f"is for another product, {product}, and this is a {PRODUCT}")
        if architecture != ARCHITECTURE:
            raise ForeignError(f"is for {architecture} machines, and this box is made for {ARCHITECTURE}")
        files = {name: File(**file) for name, file in content["files"].items()}
        slot = Slot(content["version"], tuple(map(str, content["machines"])), files)
        valid = content["format"] == 1 and _VERSION.fullmatch(slot.version) and files.keys() >= NEEDED
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"not a {SLOT_JSON}") from error
    if not valid or SLOT_JSON in files or not all(map(_NAME.fullmatch, files)):
        raise ValueError(f"not a {SLOT_JSON} of format 1")
    return slot


def installed(boot: Path, letter: str) -> Slot | None:
    """Return what is in a slot; None for an incomplete one, since its slot.json is written last."""
    try:
        with (boot / letter / SLOT_JSON).open("rb") as file:
            return parse(file.read(MAX_JSON))
    except (OSError, ValueError):
        return None


def faults(boot: Path, letter: str) -> list[str]:
    """Return what is wrong with a slot, a sentence each: files that are missing or damaged."""
    slot = installed(boot, letter)
    if slot is None:
        return [f"{letter}/{SLOT_JSON}: is missing or invalid"]
    found = []
    for name, file in slot.files.items():
        try:
            with (boot / letter / name).open("rb") as opened:
                digest = hashlib.file_digest(opened, "sha256").hexdigest()
        except OSError as error:
            found.append(f"{letter}/{name}: cannot be read: {error.strerror}")
            continue
        if digest != file.sha256:
            found.append(f"{letter}/{name}: is damaged")
    return found


def in_force(boot: Path) -> str:
    """Return the letter of the slot in force. Raise `UserError` if config.txt does not name one."""
    try:
        found = letters((boot / "config.txt").read_bytes())
    except OSError as error:
        raise UserError(f"config.txt: cannot be read: {error.strerror}") from error
    if not found:
        raise UserError("config.txt: expected a line os_prefix=a/ or os_prefix=b/")
    return found[-1]  # as everywhere in config.txt, a later line overrides


def letters(text: bytes) -> list[str]:
    """Return the slot that each os_prefix line of a config.txt names."""
    return [line[1].decode().lower() for line in _PREFIX.finditer(text)]


def renamed(text: bytes, letter: str) -> bytes:
    """Return a config.txt in which each os_prefix line names this slot."""
    return _PREFIX.sub(lambda line: line[0].replace(line[1] + b"/", letter.encode() + b"/"), text)


def flip(boot: Path, letter: str) -> None:
    """Put another slot in force from the next start on: change one byte of each line, in place.

    Replacing the file would change several sectors of the FAT and the folder, and not atomically.
    """
    with (boot / "config.txt").open("r+b", buffering=0) as file:
        for line in _PREFIX.finditer(file.read()):
            file.seek(line.start(1))
            file.write(letter.encode())
        os.fsync(file.fileno())


def first_line(path: Path) -> str:
    """Return the first line of a small file, "" if it cannot be read."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.readline(_MAX_LINE).removesuffix("\n").strip("\0 ")
    except OSError:
        return ""


def store(path: Path, chunks: Iterable[bytes]) -> None:
    """Write a file and sync its content; `sync` its folder to make its name durable too."""
    with path.open("wb") as file:
        file.writelines(chunks)
        file.flush()
        os.fsync(file.fileno())


def replace(path: Path, text: str) -> None:
    """Replace a file as a whole: a power cut leaves the old one or the new one."""
    beside = path.with_name(path.name + ".new")
    store(beside, [text.encode()])
    beside.replace(path)
    sync(path.parent)


def remove(path: Path) -> None:
    """Durably remove a file, or a folder with its contents, if it exists."""
    if path.is_dir() and not path.is_symlink():
        for below in list(path.iterdir()):
            remove(below)
        path.rmdir()
    elif os.path.lexists(path):
        path.unlink()
    else:
        return
    sync(path.parent)


def sync(folder: Path) -> None:
    """Sync the names in a folder to the card."""
    file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
