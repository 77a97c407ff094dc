"""The boot partition as it was found: which files are there, under names that FAT writes in any case."""

import errno
import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from appliance.bootfiles.table import Release, table
from appliance.errors import UserError
from appliance.yamlfile import printable

FOLDERS = ("overlays", "tictactoe")  # looked into, besides the partition's top

_FIRMWARE = ("bootcode.bin", "start*.elf", "kernel*.img", "bcm27*.dtb", "bcm28*.dtb")
_MOVED = (
    b"has moved to /boot/firmware"  # what Raspberry Pi OS writes into the files it leaves behind in /boot
)


@dataclass(frozen=True, slots=True)
class Card:
    """The files of a boot partition. `names` maps each relative path, in lower case, to how it is written."""

    root: Path
    names: Mapping[str, str]

    def __contains__(self, name: object) -> bool:
        """Whether there is such a file, in whatever case its name is written."""
        return str(name).lower() in self.names

    @property
    def running(self) -> bool:
        """Whether this is the boot partition of the very system that we run on."""
        return self.root.resolve() == Path("/boot/firmware")

    def path(self, name: str) -> Path:
        """Return where this file is, or where it would be."""
        return self.root / self.names.get(name.lower(), name)

    def matching(self, pattern: str) -> list[str]:
        """Return the names, in lower case, that a pattern fits; a `*` does not reach into a folder."""
        depth = pattern.count("/")
        return [
            name for name in self.names if name.count("/") == depth and fnmatchcase(name, pattern.lower())
        ]

    def read(self, name: str) -> bytes | None:
        """Return a file's content, None when there is none. Raise `UserError` when it cannot be read."""
        path = self.path(name)
        try:
            return path.read_bytes() if name in self else None
        except OSError as error:
            raise UserError(f"{printable(str(path))}: cannot be read: {error.strerror}") from error

    def text(self, name: str) -> str | None:
        """Return a file's content as text from which the same bytes can be made again; None as `read`."""
        data = self.read(name)
        if data is None:
            return None
        if b"\0" in data:
            told = "holds bytes that are no text; save it as UTF-8, or write the card anew"
            raise UserError(f"{printable(str(self.path(name)))}: {told}")
        return data.decode("utf-8", "surrogateescape")

    def release(self) -> Release | None:
        """Return the release of Raspberry Pi OS by the date in issue.txt; None if that does not tell."""
        date = self.date()
        known = sorted(table().releases.values(), key=lambda release: release.since, reverse=True)
        return next((release for release in known if date and release.since <= date), None)

    def date(self) -> str:
        """Return the date of the image as issue.txt has it, year-month-day; "" when it has none."""
        date = re.search(rb"\b20[0-9]{2}-[0-9]{2}-[0-9]{2}\b", self.read("issue.txt") or b"")
        return date[0].decode() if date else ""


def read_card(root: Path) -> Card:
    """Return the boot partition mounted at `root`. Raise `UserError` when it is none, or cannot be read."""
    shown = printable(str(root))
    try:
        names = _names(root)
    except NotADirectoryError as error:
        raise UserError(f"{shown}: not a directory; give the one where the card is mounted") from error
    except OSError as error:
        missing = error.errno == errno.ENOENT
        told = "there is no such directory" if missing else f"cannot be read: {error.strerror}"
        raise UserError(
            f"{shown}: {told}; give the one where the card's boot partition is mounted"
        ) from error
    card = Card(root, names)
    if _MOVED in (card.read("config.txt") or b""):
        raise UserError(f"{shown}: the boot partition of this system is mounted at /boot/firmware; give that")
    if "files.toml" in card and "first-boot.sh" in card:
        told = "where this program keeps what it puts on a card"
        raise UserError(f'{shown}: not a boot partition, but {told}; give the partition called "bootfs"')
    firmware = any(card.matching(pattern) for pattern in _FIRMWARE)
    if not (firmware or ("config.txt" in card and "cmdline.txt" in card)):
        told = "has neither config.txt and cmdline.txt nor a Raspberry Pi's firmware"
        raise UserError(f'{shown}: not a boot partition: it {told}; give the partition called "bootfs"')
    return card


def check_writable(card: Card, names: list[str], needed: int) -> None:
    """Return when these files can be replaced and `needed` bytes fit. Raise `UserError` otherwise."""
    shown = printable(str(card.root))
    space = os.statvfs(card.root)
    if space.f_flag & os.ST_RDONLY:
        raise UserError(f"{shown}: mounted read-only; mount it for writing (a switch on the card's adapter?)")
    if not os.access(card.root, os.W_OK | os.X_OK):
        raise UserError(f"{shown}: you may not write there; run this with sudo")
    for name in names:
        path = card.path(name)
        mode = path.lstat().st_mode
        if not stat.S_ISREG(mode):
            raise UserError(f"{printable(str(path))}: not a plain file, so it is left alone")
        if not mode & stat.S_IWUSR:
            raise UserError(f"{printable(str(path))}: marked read-only; take that off first (chmod u+w)")
    free = space.f_bavail * space.f_frsize
    if space.f_blocks and needed > free:  # some file systems do not tell; then writing does
        told = f"{_kilobytes(needed)} kB are needed and {_kilobytes(free)} kB are free"
        raise UserError(f"{shown}: the card is full: {told}; nothing was changed")


def _kilobytes(size: int) -> int:
    return -(-size // 1000)


def _names(root: Path) -> dict[str, str]:
    names = {}
    for folder in ("", *FOLDERS):
        top = root / folder if folder else root
        if folder and not top.is_dir():
            continue
        for entry in os.scandir(top):
            if not entry.is_dir():
                name = f"{folder}/{entry.name}" if folder else entry.name
                names[name.lower()] = name
    return names
