"""What the checks need of the machine beside its pins and its bus: files, commands, load."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Machine:
    """This machine."""

    def __init__(self, root: Path = Path("/")) -> None:
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
