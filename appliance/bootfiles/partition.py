"""A mounted boot partition: its files, and changes to them. File names are case-insensitive, as on FAT."""

import errno
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from appliance.core.errors import UserError
from appliance.storage.files import replace

MAX_TEXT = 256 * 1024  # bytes of a text file on the card

_MOVED = "has moved to /boot/firmware"  # in the files that bookworm leaves in /boot


class Change(NamedTuple):
    """A file to write, or to delete if `content` is None. `name` is relative to the partition."""

    name: str
    content: bytes | None


class Card(NamedTuple):
    """The files of a boot partition. `names` maps each path in lower case to its actual spelling."""

    root: Path
    names: Mapping[str, str]

    def has(self, name: str) -> bool:
        """Return whether the card has this file."""
        return name.lower() in self.names

    @property
    def running(self) -> bool:
        """Whether the running system started from this partition."""
        return self.root.resolve() == Path("/boot/firmware")

    def path(self, name: str) -> Path:
        """Return the path of this file, which need not exist."""
        return self.root / self.names.get(name.lower(), name)

    def error(self, name: str, sentence: str) -> UserError:
        """Return an error about a file, or about the whole card for the name ""."""
        return UserError(f"{self.path(name) if name else self.root}: {sentence}")

    def read(self, name: str) -> bytes | None:
        """Return a file's content, None if it is missing. Raise `UserError` if it cannot be read."""
        if not self.has(name):
            return None
        try:
            with self.path(name).open("rb") as stream:
                data = stream.read(MAX_TEXT + 1)
        except OSError as error:
            reason = f"cannot be read: {error.strerror}"
            raise self.error(name, f"{reason}; run this with sudo, or re-flash the card") from error
        if len(data) > MAX_TEXT:
            size = MAX_TEXT // 1024
            raise self.error(name, f"larger than {size} KiB, so it cannot be a boot file; move it away")
        return data

    def text(self, name: str) -> str:
        """Return a file as text, "" if it is missing; `encode` restores the bytes. Raise as `read` does."""
        data = self.read(name) or b""
        if b"\0" in data:
            raise self.error(name, "not a text file; save it as UTF-8, or re-flash the card")
        return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """Return the bytes that `Card.text` decoded."""
    return text.encode("utf-8", "surrogateescape")


def read_card(root: Path) -> Card:
    """Return the boot partition mounted at `root`. Raise `UserError` if it is not one, or is unreadable."""
    try:
        card = Card(root, _names(root))
    except OSError as error:
        what = f"cannot be read: {error.strerror}"
        remedy = "give the directory where the card's boot partition is mounted"
        if isinstance(error, PermissionError):
            remedy = "run this with sudo"
        raise UserError(f"{root}: {what}; {remedy}") from error
    if not card.has("config.txt") and not card.has("cmdline.txt"):
        what = "it has neither config.txt nor cmdline.txt"
        raise card.error("", f'not a boot partition: {what}; give the partition called "bootfs"')
    if _MOVED in card.text("config.txt"):
        raise card.error("", "this system's boot partition is mounted at /boot/firmware; give that directory")
    return card


def write_changes(card: Card, changes: Iterable[Change]) -> None:
    """Make the changes in order. Raise `UserError` at the first failure; retrying is safe."""
    for change in changes:
        path = card.path(change.name)
        try:
            if change.content is None:
                path.unlink(missing_ok=True)
            else:
                replace(path, change.content)
        except OSError as error:
            remedy = "run this again, or with --remove"
            if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
                remedy = "run this with sudo, or mount it for writing (check the card's lock switch)"
            raise card.error(change.name, f"cannot be written: {error.strerror}; {remedy}") from error


def _names(root: Path) -> dict[str, str]:
    paths = [path for path in (*root.iterdir(), *(root / "overlays").glob("*")) if path.is_file()]
    names = [path.relative_to(root).as_posix() for path in paths]
    return {name.lower(): name for name in names}
