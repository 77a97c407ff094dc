"""What the checks need of the machine beside its pins and its bus: files, commands, load, the card."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

BLOCK = 4096  # bytes of a write to the card: the store's page
INSTALLED = Path("/var/lib/tictactoe")  # the service's StateDirectory=


def folder(configured: str | None) -> Path:
    """Return a folder on the file system that games are saved on; without one, the current folder."""
    given = configured or os.environ.get("STATE_DIRECTORY", "").partition(":")[0]
    chosen = Path(given).expanduser() if given else INSTALLED
    return chosen if chosen.is_dir() else Path()


class Machine:
    """This machine. `folder` is on the file system that games are saved on."""

    def __init__(self, folder: Path, root: Path = Path("/")) -> None:
        self.folder = folder
        self.root = root

    def text(self, path: str) -> str:
        """Return a small file's content without its last line feed, "" if it cannot be read."""
        try:
            return (self.root / path).read_text(errors="replace").rstrip("\n")
        except OSError:
            return ""

    def texts(self, pattern: str) -> dict[str, str]:
        """Return the content of the files that match a pattern, by path."""
        paths = sorted(str(path.relative_to(self.root)) for path in self.root.glob(pattern))
        return {path: self.text(path) for path in paths}

    def run(self, *words: str) -> str:
        """Return a command's output, "" if it is missing or fails."""
        try:
            done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=True)  # noqa: S603
        except (OSError, subprocess.SubprocessError):
            return ""
        return done.stdout.rstrip("\n")

    @contextmanager
    def busy(self) -> Iterator[int]:
        """Keep every core busy inside the block; yield their number."""
        cores = len(os.sched_getaffinity(0))
        loop = (sys.executable, "-I", "-S", "-c", "while True: pass")
        children = [subprocess.Popen(loop) for _ in range(cores)]  # noqa: S603
        try:
            yield cores
        finally:
            for child in children:
                child.kill()
                child.wait()

    def sync(self) -> float:
        """Write a block to the card, and return the seconds until it was there. Raise `OSError`."""
        start = time.perf_counter()
        # Without a name: root writes here, and the folder's owner could put a link in the place of any name.
        handle = os.open(self.folder, os.O_TMPFILE | os.O_WRONLY, 0o600)
        try:
            os.write(handle, os.urandom(BLOCK))
            os.fsync(handle)
        finally:
            os.close(handle)
        return time.perf_counter() - start

    @property
    def boot(self) -> str:
        """The number of this start of the machine."""
        return self.text("proc/sys/kernel/random/boot_id")

    @property
    def root_rights(self) -> bool:
        """Whether this process may stop a service."""
        return os.geteuid() == 0

    def holder(self, path: str) -> str:
        """Return the name of the process that has this file open, "" if none is seen: only root sees all."""
        for link in self.root.glob("proc/[0-9]*/fd/*"):
            try:
                if str(link.readlink()) == path:
                    return self.text(f"{link.parents[1].relative_to(self.root)}/comm")
            except OSError:
                continue
        return ""
