"""Files for a person with the card in another computer, beside status.txt: replaced whole, or not at all.

FAT has no journal. So the new file is complete and synced under another name before it is renamed. Linux
frees the sectors of a replaced file once nobody has it open. So the old file stays open until the rename is
on the disk: otherwise a power cut could leave two files that claim the same sectors.
"""

import contextlib
import errno
import os
from collections.abc import Mapping

from appliance.slots.box import Box
from appliance.storage import files
from appliance.storage.owner import read_as_owner

FREE_BYTES = 1 << 20  # bytes of the boot partition that stay free
REPORT = "device-report.txt"  # of a test of the board, in the service's folder and on the boot partition
MAX_REPORT = 65_536  # bytes


def publish(box: Box, contents: Mapping[str, bytes]) -> None:
    """Write the files whose content changes. Raise `OSError` if one cannot be written: it then stays."""
    paths = {box.boot / name: data for name, data in contents.items()}
    left = [path for path in map(files.unfinished, paths) if path.exists()]  # by a power cut
    changed = {path: data for path, data in paths.items() if files.differs(path, data)}
    if not left and not changed:
        return
    with box.writable():
        for path in left:
            with path.open("rb"):
                files.remove(path)
        for path, data in changed.items():
            disk = os.statvfs(box.boot)
            if disk.f_bavail * disk.f_frsize < len(data) + FREE_BYTES:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            with path.open("rb") if path.exists() else contextlib.nullcontext():
                files.replace(path, data)
                files.sync(path.parent)


def publish_report(box: Box) -> None:
    """Copy the report of a board, if any, onto the boot partition. Raise `OSError` if that fails."""
    try:
        text = read_as_owner(box.data / "tictactoe" / REPORT, MAX_REPORT)
    except (FileNotFoundError, IsADirectoryError):
        return
    if text:
        publish(box, {REPORT: text})
