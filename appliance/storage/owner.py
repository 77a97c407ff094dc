"""Work in another user's folder with that user's rights: root must not trust what is there."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def as_owner(folder: Path) -> Iterator[None]:
    """Drop root's rights to those of a folder's owner inside the block; else no-op.

    Then a link there leads root nowhere that its owner cannot go, and the owner owns what SQLite creates.
    """
    if os.geteuid() or not folder.exists() or not folder.stat().st_uid:
        yield
        return
    owner, group, groups = folder.stat(), os.getegid(), os.getgroups()
    try:
        os.setgroups([])  # root's own group may read what nobody else may
        os.setegid(owner.st_gid)
        os.seteuid(owner.st_uid)
        yield
    finally:
        os.seteuid(0)
        os.setegid(group)
        os.setgroups(groups)


def read_as_owner(path: Path, limit: int) -> bytes:
    """Return at most `limit` bytes of a file, read with its folder's owner's rights. Raise `OSError`."""
    with as_owner(path.parent):
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # a pipe is empty
    with os.fdopen(handle, "rb", buffering=0) as file:
        return file.read(limit) or b""
