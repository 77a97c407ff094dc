"""Files for a person with the card in another computer, beside status.txt: replaced whole, or not at all.

FAT has no journal. So the new file is complete and synced under another name before it is renamed. Linux
frees the sectors of a replaced file once nobody has it open. So the old file stays open until the rename is
on the disk: otherwise a power cut could leave two files that claim the same sectors.
"""

import contextlib
import errno
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from appliance.slots.box import Box
from appliance.storage import files

SPARE = 1 << 20  # bytes of the boot partition that stay free
REPORT = "device-report.txt"  # of the device test, in the service's folder and on the boot partition
MAX_REPORT = 65_536  # bytes


@contextlib.contextmanager
def as_owner(folder: Path) -> Iterator[None]:
    """Drop root's rights to those of a folder's owner inside the block.

    What the owner puts there, such as a link, then leads root nowhere that the owner cannot go; and any file
    that SQLite makes there is the owner's.
    """
    owner, group = folder.stat(), os.getegid()
    if os.geteuid():
        yield
        return
    os.setegid(owner.st_gid)
    os.seteuid(owner.st_uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(group)


def publish(box: Box, contents: Mapping[str, bytes]) -> None:
    """Write the files whose content changes. Raise `OSError` if one cannot be written: it then stays."""
    paths = {box.boot / name: data for name, data in contents.items()}
    left = [path for path in map(files.unfinished, paths) if path.exists()]  # by a power cut
    changed = {path: data for path, data in paths.items() if files.differs(path, data)}
    if not left and not changed:
        return
    with box.writable():
        for path in left:
            with _kept_open(path):
                files.remove(path)
        for path, data in changed.items():
            disk = os.statvfs(box.boot)
            if disk.f_bavail * disk.f_frsize < len(data) + SPARE:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            with _kept_open(path):
                files.replace(path, data)
                files.sync(path.parent)


@contextlib.contextmanager
def _kept_open(path: Path) -> Iterator[None]:
    """Keep a file, if there is one, open until its name is durably gone."""
    with contextlib.ExitStack() as held:
        with contextlib.suppress(FileNotFoundError):
            held.enter_context(path.open("rb"))
        yield


def publish_report(box: Box) -> None:
    """Copy the device test's report, if there is one, onto the boot partition. Raise `OSError` if that fails.

    The service may put anything in its place: a link leads no further than the service's own rights, a pipe
    does not block, and what is too long is cut.
    """
    folder = box.data / "tictactoe"
    try:
        with as_owner(folder), open(folder / REPORT, "rb", buffering=0, opener=_without_waiting) as file:
            text = file.read(MAX_REPORT)
    except (FileNotFoundError, IsADirectoryError):
        return
    if text:
        publish(box, {REPORT: text})


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)
