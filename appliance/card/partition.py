"""A mounted boot partition: its files, and changes to them. As on FAT, the case of a name is ignored."""

import errno
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from appliance.config.yamlfile import printable
from appliance.core.errors import UserError

FOLDERS = ("", "overlays", "tictactoe")  # the top, and the folders that matter; only old cards have the last
MAX_TEXT = 256 * 1024  # bytes of a text file on the card

_FIRMWARE = ("bootcode.bin", "start*.elf", "kernel*.img", "bcm27*.dtb", "bcm28*.dtb")
_MOVED = "has moved to /boot/firmware"  # what bookworm writes into the files that it leaves in /boot


class Change(NamedTuple):
    """One file to write; `content` None deletes it. `name` is relative to the partition."""

    name: str
    content: bytes | None


class Card(NamedTuple):
    """The files of a boot partition.

    `names` maps each path in lower case to how it is written. `planned` contents hide those on the card.
    """

    root: Path
    names: Mapping[str, str]
    planned: Mapping[str, bytes] = {}

    def has(self, name: str) -> bool:
        """Return whether there is such a file."""
        return name.lower() in self.names

    @property
    def running(self) -> bool:
        """Whether the system that this program runs on was started from here."""
        return self.root.resolve() == Path("/boot/firmware")

    def path(self, name: str) -> Path:
        """Return where this file is, or where it would be."""
        return self.root / self.names.get(name.lower(), name)

    def error(self, name: str, sentence: str) -> UserError:
        """Return an error about a file; about the whole card for the name ""."""
        return UserError(f"{printable(str(self.path(name) if name else self.root))}: {sentence}")

    def read(self, name: str) -> bytes | None:
        """Return a file's content, None if there is none. Raise `UserError` if it cannot be read."""
        if name.lower() in self.planned:
            return self.planned[name.lower()]
        if not self.has(name):
            return None
        try:
            with self.path(name).open("rb") as stream:
                data = stream.read(MAX_TEXT + 1)
        except OSError as error:
            raise self.error(name, f"cannot be read: {error.strerror}") from error
        if len(data) > MAX_TEXT:
            size = MAX_TEXT // 1024
            raise self.error(name, f"larger than {size} KiB, so it is not what its name says; move it away")
        return data

    def text(self, name: str) -> str:
        """Return a file as text, "" if there is none; `encode` gives the bytes back. Raise as `read` does."""
        data = self.read(name) or b""
        if b"\0" in data:
            raise self.error(name, "not a text file; save it as UTF-8, or re-flash the card")
        return data.decode("utf-8", "surrogateescape")

    def after(self, changes: Sequence[Change]) -> "Card":
        """Return the card as these changes will leave it, without making them; none of them deletes."""
        names = {change.name.lower(): change.name for change in changes}
        planned = {change.name.lower(): change.content or b"" for change in changes}
        return Card(self.root, {**self.names, **names}, planned)


def encode(text: str) -> bytes:
    """Return the bytes that `Card.text` decoded."""
    return text.encode("utf-8", "surrogateescape")


def lines_of(text: str) -> list[str]:
    """Return the lines with their ends. Only a line feed ends a line, as for the firmware."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def newline_of(text: str) -> str:
    r"""Return the line end of the text's first line: "\r\n" or "\n"."""
    return "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"


def read_card(root: Path) -> Card:
    """Return the boot partition mounted at `root`. Raise `UserError` if it is none, or cannot be read."""
    try:
        card = Card(root, _names(root))
    except OSError as error:
        what = f"cannot be read: {error.strerror}"
        remedy = "give the directory where the card's boot partition is mounted"
        raise UserError(f"{printable(str(root))}: {what}; {remedy}") from error
    firmware = any(fnmatchcase(name, pattern) for name in card.names for pattern in _FIRMWARE)
    if not firmware and not (card.has("config.txt") and card.has("cmdline.txt")):
        what = "neither config.txt and cmdline.txt nor a Raspberry Pi's firmware is there"
        raise card.error("", f'not a boot partition: {what}; give the partition called "bootfs"')
    if _MOVED in card.text("config.txt"):
        raise card.error("", "the boot partition of this system is mounted at /boot/firmware; give that")
    return card


def write(card: Card, changes: Iterable[Change]) -> None:
    """Make the changes in order. Raise `UserError` at the first that fails; retrying is safe."""
    for change in changes:
        path = card.path(change.name)
        try:
            _write(path, change.content)
            if change.content is None and path.parent != card.root and not any(path.parent.iterdir()):
                path.parent.rmdir()
        except OSError as error:
            remedy = "run this again, or with --remove"
            if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
                remedy = "run this with sudo, or mount it for writing (a card has a lock)"
            raise card.error(change.name, f"cannot be written: {error.strerror}; {remedy}") from error


def _write(path: Path, content: bytes | None) -> None:
    """Replace a file atomically: a write that fails leaves the old one."""
    if content is None:
        path.unlink(missing_ok=True)
        return
    beside = path.with_name(path.name + ".tictactoe-new")
    try:
        with beside.open("wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _names(root: Path) -> dict[str, str]:
    names = {}
    for folder in FOLDERS:
        top = root / folder
        if folder and not top.is_dir():
            continue
        for entry in os.scandir(top):
            if entry.is_file():
                name = f"{folder}/{entry.name}" if folder else entry.name
                names[name.lower()] = name
    return names
