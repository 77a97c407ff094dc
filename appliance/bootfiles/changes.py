"""Changes to files, made together: all of them, or, when one fails, none.

A file is written beside the old one, flushed and renamed over it. FAT promises nothing if the power is cut in
a rename, which is why a prepared card keeps copies too; and it has no permissions to be kept.
"""

import contextlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from appliance.errors import UserError
from appliance.yamlfile import printable

BESIDE = ".tictactoe-new"  # a file that is being written, or was when the power was cut


@dataclass(frozen=True, slots=True)
class Change:
    """A file, by its path relative to the partition, and its content before and after; None is no file."""

    name: str
    before: bytes | None
    after: bytes | None


def space_needed(changes: Iterable[Change], block: int) -> int:
    """Return how many bytes must be free: whole blocks, and the old and the new file coexist for a moment."""
    return sum((len(change.after) // block + 2) * block for change in changes if change.after is not None)


def apply(root: Path, changes: Sequence[Change]) -> None:
    """Make the changes in this order. Raise `UserError` when one fails, with those before it undone."""
    done: list[Change] = []
    try:
        for change in changes:
            done.append(change)
            _put(root, change.name, change.after)
    except BaseException as error:
        lost = [change.name for change in reversed(done) if not _undone(root, change)]
        if not isinstance(error, OSError):
            raise
        where = printable(str(root / done[-1].name))
        told = f"and these could not be put back: {', '.join(lost)}" if lost else "the card is as it was"
        raise UserError(f"{where}: cannot be written: {error.strerror}; {told}") from error


def _undone(root: Path, change: Change) -> bool:
    try:
        _put(root, change.name, change.before)
    except OSError:
        return False
    return True


def _put(root: Path, name: str, content: bytes | None) -> None:
    path = root / name
    if content is None:
        path.unlink(missing_ok=True)
        if path.parent != root:
            with contextlib.suppress(OSError):  # a folder that is not empty stays
                path.parent.rmdir()
    elif not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(exist_ok=True)
        beside = path.with_name(path.name + BESIDE)
        try:
            with beside.open("wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    descriptor = os.open(path.parent if path.parent.exists() else root, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # not every file system can flush a folder's entries
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
