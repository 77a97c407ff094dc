"""What can be wrong with the database, in two kinds, because the remedy differs.

`Unusable`: it cannot be read or written now; read it again later, and never replace it.
`Damaged`: it was read, and does not hold what it should.
"""

import contextlib
import errno
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

# Primary result codes of SQLite that are not the fault of what the file holds.
_OUTSIDE = frozenset(
    {
        sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_NOLFS, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_AUTH,
    }
)  # fmt: skip


class Damaged(Exception):  # noqa: N818  # a state of the file, as in "FileNotFound"
    """The file was read and does not hold what it should."""


class Unusable(Exception):  # noqa: N818  # as above
    """The file cannot be read or written now. `remedy` is what a person may do; "" if only waiting helps."""

    def __init__(self, reason: str, remedy: str = "") -> None:
        super().__init__(reason)
        self.remedy = remedy


class InUse(Unusable):
    """Another box has locked the directory."""


@contextlib.contextmanager
def faults(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and of the system about `path` into `Damaged` and `Unusable`."""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise  # a mistake of ours, and nothing about the file
    except sqlite3.Error as error:
        # What SQLite quotes comes from the file, which anybody may have written.
        text = "".join(letter if letter.isprintable() else "?" for letter in str(error))
        if is_damage(error):
            raise Damaged(text) from error
        raise Unusable(text, _remedy(path, _ERRNO.get(error.sqlite_errorcode & 0xFF))) from error
    except (ValueError, OverflowError) as error:
        raise Damaged(str(error)) from error
    except MemoryError as error:
        raise Unusable("out of memory") from error
    except OSError as error:
        raise Unusable(error.strerror or str(error), _remedy(path, error.errno)) from error


def is_damage(error: sqlite3.Error) -> bool:
    """Return whether an error is the fault of what the file holds."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF not in _OUTSIDE


_ERRNO = {
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_READONLY: errno.EACCES,
    sqlite3.SQLITE_CANTOPEN: errno.EACCES,
    sqlite3.SQLITE_PERM: errno.EACCES,
}


def _remedy(path: Path, number: int | None) -> str:
    """Return what a person may do about an error of the system, "" if nothing."""
    if number in {errno.ENOTDIR, errno.EEXIST}:
        return "move away what is in the way, or choose another directory with --state"
    if number == errno.ENOSPC:
        return "free some space on the disk"
    there = path if os.path.exists(path) else path.parent  # noqa: PTH110  # False where nobody may look, too
    with contextlib.suppress(OSError):
        if number == errno.EROFS or os.statvfs(there).f_flag & os.ST_RDONLY:
            return "the disk is read-only: check the card"
    if number in {errno.EACCES, errno.EPERM} and not os.access(there, os.W_OK, effective_ids=True):
        return f"run: sudo chown -R {os.geteuid()}:{os.getegid()} {path.parent}"
    return ""
