"""Faults of a database: it cannot be used now, or, as far as SQLite can tell, its content is invalid.

That may be a mistake: SQLite calls some blocks that cannot be read damaged content.
"""

import contextlib
import errno
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from appliance.core.errors import printable

# Primary result codes of SQLite that blame the file's content; "no such table" is an `SQLITE_ERROR`.
_DAMAGE = frozenset(
    {
        sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CONSTRAINT,
        sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_SCHEMA,
    }
)  # fmt: skip

AGAIN = "if that happens again, replace the card"
LEAVE_ON = "leave the box on for twenty minutes: it goes on with what can be read"
INDEX = 32_768  # bytes: the size of the index that SQLite keeps of its log


class Unusable(Exception):  # noqa: N818  # a state of the file, as in "FileNotFound"
    """The file cannot be read or written now. `remedy` is what a person may do; "" if only waiting helps."""

    def __init__(self, reason: str, remedy: str = "") -> None:
        super().__init__(reason)
        self.remedy = remedy


class Damaged(Unusable):
    """The file was read, and its content is invalid."""


class Outdated(Damaged):
    """The copy is missing, or lacks the last changes, as after a power cut between two commits."""


class Newer(Unusable):
    """The file was written by a later version of this program."""


class Full(Unusable):
    """There is no room on the card or disk."""

    def __init__(self) -> None:
        super().__init__("the card or disk is full", "free some space, or use another card")


class InUse(Unusable):
    """Another box has locked the directory."""


@contextlib.contextmanager
def faults(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and of the system about `path` into `Damaged` and `Unusable`."""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise  # a bug of ours
    except sqlite3.Error as error:
        reason = printable(str(error))  # it may quote from the file, which may be forged
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF in _DAMAGE:
            raise Damaged(reason) from error
        if _is_full(error, path):
            raise Full from error
        raise Unusable(reason, _remedy(path, None)) from error
    except (ValueError, OverflowError) as error:
        raise Damaged(printable(str(error))) from error
    except MemoryError as error:
        raise Unusable("out of memory") from error
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise Full from error
        raise Unusable(error.strerror or str(error), _remedy(path, error.errno)) from error


def _is_full(error: sqlite3.Error, path: Path) -> bool:
    """Return whether an error of SQLite means that the disk is full.

    SQLite says so of a write that fails; where it maps its log's index it only says "disk I/O error".
    """
    if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_IOERR:
        return error.sqlite_errorcode == sqlite3.SQLITE_FULL
    with contextlib.suppress(OSError):
        disk = os.statvfs(path.parent)
        return disk.f_bavail * disk.f_frsize < INDEX or disk.f_favail == 0 < disk.f_files
    return False


def _remedy(path: Path, number: int | None) -> str:
    """Return what a person may do about an error of the system, "" if nothing."""
    if number in {errno.ENOTDIR, errno.EEXIST}:
        return "move away what is in the way, or choose another directory with --state"
    there = path if os.path.exists(path) else path.parent  # noqa: PTH110  # Path.exists may raise
    with contextlib.suppress(OSError):
        if number == errno.EROFS or os.statvfs(there).f_flag & os.ST_RDONLY:
            return "the disk is read-only: check the card"
    directory, user = path.parent, os.geteuid()
    if not os.path.exists(directory):  # noqa: PTH110  # as above
        return "choose another directory with --state"
    files = [str(directory), *(f"{path}{end}" for end in ("", "-wal", "-shm"))]
    if all(os.access(file, os.W_OK, effective_ids=True) for file in files if os.path.lexists(file)):
        return ""
    if directory.stat().st_uid not in {0, user}:
        return "try again with sudo"  # the service's, which could not go on without it
    return f"run: sudo chown -R {user}:{os.getegid()} {directory}"
