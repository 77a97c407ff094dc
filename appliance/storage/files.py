"""Durable changes to files."""

import os
from collections.abc import Iterable
from pathlib import Path

_MAX_LINE = 4096  # characters


def first_line(path: Path) -> str:
    """Return the first line of a small file, "" if it cannot be read."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.readline(_MAX_LINE).removesuffix("\n").strip("\0 ")
    except OSError:
        return ""


def differs(path: Path, content: bytes) -> bool:
    """Return whether a file is missing or has another content; one of another size is not read."""
    return not path.exists() or path.stat().st_size != len(content) or path.read_bytes() != content


def store(path: Path, chunks: Iterable[bytes]) -> None:
    """Write a file and sync its content; call `sync` on its folder to make its name durable too."""
    with path.open("wb") as file:
        file.writelines(chunks)
        file.flush()
        os.fsync(file.fileno())


def replace(path: Path, content: bytes) -> None:
    """Replace a file atomically: a power cut or a failed write leaves the old one or the new one.

    Call `sync` on its folder to make the new one durable.
    """
    beside = unfinished(path)
    try:
        store(beside, [content])
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def unfinished(path: Path) -> Path:
    """Return the name of a file until it is complete."""
    return path.with_name(path.name + ".tictactoe-new")


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


def sync(path: Path) -> None:
    """Sync a file, or the names in a folder, to the disk."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
