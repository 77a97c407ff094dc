"""Make a source distribution reproducible.

setuptools dates the files of a wheel by SOURCE_DATE_EPOCH, but not those of a source distribution.
"""

import gzip
import io
import tarfile
from pathlib import Path


def normalise(path: Path, epoch: int) -> None:
    """Pack a .tar.gz again: sorted, owned by nobody, with one date and plain modes."""
    packed = io.BytesIO()
    with (
        tarfile.open(path) as old,
        gzip.GzipFile("", "wb", fileobj=packed, mtime=epoch) as stream,
        tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as new,
    ):
        for member in sorted(old.getmembers(), key=lambda member: member.name):
            plain = tarfile.TarInfo(member.name)
            plain.type, plain.linkname, plain.size = member.type, member.linkname, member.size
            plain.mtime, plain.mode = epoch, 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            new.addfile(plain, old.extractfile(member) if member.isfile() else None)
    path.write_bytes(packed.getvalue())
