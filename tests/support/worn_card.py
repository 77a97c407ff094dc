"""A worn card under this process: chosen blocks of chosen files cannot be read, for ever or for a while.

It stands for an SD card behind the kernel's page cache, as a program sees both; `worn_card.c` is preloaded.

- A read that touches a page with a dead block fails with EIO; the pages before it are read (mm/filemap.c).
- A write of a part of the block fails, too: the kernel must read the rest first (`__block_write_begin` in
  fs/buffer.c). A write of the whole block succeeds. What the card does then is in no standard, so it varies:
  it `HEALS`, since the card writes to another place; it `STAYS` dead; or it `HIDES`: the kernel's cache
  answers until it is forgotten, and a file that grows gets the dead block of one that has been removed.
- A dead block belongs to an inode: it goes along when the file is renamed, and is gone with the file.
- Time is virtual: `card().now`.

`tests/kernel/test_worn_card.py` asks a real kernel. Not modelled: kernels that read several pages as one, and
lose them together; writes that fail at fsync; reads through mmap (SQLite's index of the log, which it makes
anew); dead blocks in the file system's own data; which of the free blocks a file system takes.
"""

import contextlib
import ctypes
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
BLOCK, FOR_EVER = 4096, float("inf")  # bytes: a page of the kernel's; seconds
HEALS, STAYS, HIDES = (1, 0, 0), (0, 0, 0), (0, 1, 1)  # heals, caches, reuses
MOST, DEAD, CACHED = 4096, 1, 4  # as in worn_card.c


class Block(ctypes.Structure):
    _fields_ = (
        ("device", ctypes.c_uint64), ("inode", ctypes.c_uint64), ("first", ctypes.c_int64),
        ("last", ctypes.c_int64), ("until", ctypes.c_double), ("state", ctypes.c_int64),
    )  # fmt: skip


class Card(ctypes.Structure):
    """The card under this process and its children. `now` is the time in seconds."""

    _fields_ = (
        ("now", ctypes.c_double), ("heals", ctypes.c_int32), ("caches", ctypes.c_int32),
        ("reuses", ctypes.c_int32), ("count", ctypes.c_int32), ("blocks", Block * MOST),
    )  # fmt: skip

    def renew(self, kind=STAYS):
        """Make it a sound card, at second 0, that will do so with dead blocks."""
        self.heals, self.caches, self.reuses = kind
        self.now, self.count = 0.0, 0

    def harm(self, file, first, last, seconds=FOR_EVER):
        """Make the bytes from `first` up to `last` of a file unreadable."""
        found = file.stat()
        block = Block(found.st_dev, found.st_ino, first, last, self.now + seconds, DEAD)
        self.blocks[self.count] = block
        self.count += 1

    def forget_cache(self):
        """Let the kernel forget what it has read and written, as a restart does."""
        for block in self.blocks[: self.count]:
            block.state &= ~CACHED


SOUND = Card()


def card():
    """Return the card under this process: a sound one unless `on_a_worn_card` has started it."""
    with contextlib.suppress(ValueError):
        return ctypes.POINTER(Card).in_dll(ctypes.CDLL(None), "worn_card").contents
    return SOUND


def on_a_worn_card(*command, **more):
    """Run a Python program on a worn card; return what `subprocess.run` does."""
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "worn_card.so"
        gcc = ("gcc", "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", library)
        subprocess.run([*gcc, HERE / "worn_card.c", "-ldl"], check=True)
        paths = os.pathsep.join([str(HERE.parents[1]), str(HERE)])
        environment = {**os.environ, "LD_PRELOAD": str(library), "PYTHONPATH": paths}
        return subprocess.run([sys.executable, *command], env=environment, check=True, **more)
