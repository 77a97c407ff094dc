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
