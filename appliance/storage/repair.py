"""A damaged header or schema: rewrite the pages that are the same in every database.

Header and schema tell SQLite where all else is, so one wrong bit in them can hide every game. Nothing in them
changes but counters, which SQLite sets anew, and the list of free pages, which is dropped: those pages are
not used again. So both are taken from a new database in memory.

They are appended to the write-ahead log as one more commit. SQLite prefers a page in the log to the same page
in the database, which stays as it is until SQLite copies the log as usual. A power cut leaves the log with
this commit or without it, and five pages fit on a nearly full card. The format of the log:
https://sqlite.org/fileformat.html#the_write_ahead_log
"""

import contextlib
import os
import sqlite3
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from appliance.storage.database import PAGE, beside, create_tables
from appliance.storage.faults import faults
from appliance.storage.files import sync
from appliance.storage.rows import ROOTS

DONE = "its header and schema were rewritten"
_HEADER, _HEAD = 32, 24  # bytes: at the start of a log, and before each page in it
_START = struct.pack(">3I", 0x377F0682, 3_007_000, PAGE)  # of a log whose sums are of little-endian words


def rewrite_schema(path: Path) -> None:
    """Rewrite header and schema of a database, and change nothing else.

    Do nothing if there is not even a page. Nobody may have it open. Raise `Unusable` if it cannot be written.
    """
    with faults(path):
        size = path.stat().st_size if path.exists() else 0
        if size < PAGE:
            return
        log = beside(path)[0]
        log.touch()
        with log.open("r+b") as file:
            header = file.read(_HEADER).ljust(_HEADER, b"\0")
            if header[:12] != _START or header[24:] != _sums(header[:24]):  # SQLite would not read it either
                header = _START + bytes(4) + os.urandom(8)
                header += _sums(header)
                file.seek(0)
                file.write(header)
            end, pages, sums = _last_commit(file, header, size // PAGE)
            file.seek(end)
            known = _known_pages(pages)
            for number, page in known.items():
                place = struct.pack(">2I", number, pages * (number == max(known)))  # the last one commits
                sums = _sums(place + page, sums)
                file.write(place + header[16:24] + sums + page)
        sync(log)
        sync(path.parent)


def _last_commit(file: BinaryIO, header: bytes, pages: int) -> tuple[int, int, bytes]:
    """Return the end of a log's last commit, the size of the database then, and the sums there.

    Without one, return the end of the header, and `pages`.
    """
    sums = header[24:]
    found = _HEADER, pages, sums
    while len(frame := file.read(_HEAD + PAGE)) == _HEAD + PAGE:
        sums = _sums(frame[:8] + frame[_HEAD:], sums)
        if frame[8:_HEAD] != header[16:24] + sums:
            break
        if size := int.from_bytes(frame[4:8]):
            found = file.tell(), size, sums
    return found


def _sums(data: bytes, before: bytes = bytes(8)) -> bytes:
    """Return the two sums of a log, continued over `data`."""
    first, second = struct.unpack(">2I", before)
    for one, other in struct.iter_unpack("<2I", data):
        first = first + one + second & 0xFFFFFFFF
        second = second + other + first & 0xFFFFFFFF
    return struct.pack(">2I", first, second)


def _known_pages(pages: int) -> Mapping[int, bytes]:
    """Return header and schema of a database with this many pages: the number of a page -> its content."""
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        create_tables(connection)
        data = bytearray(connection.serialize())
    data[18:20] = bytes([2, 2])  # a database with a write-ahead log
    data[28:32] = pages.to_bytes(4)
    numbers = {*range(1, len(data) // PAGE + 1)} - {*ROOTS.values()}
    return {number: bytes(data[PAGE * (number - 1) : PAGE * number]) for number in sorted(numbers)}
