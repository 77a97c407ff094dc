"""A box started from the card image: its card's two partitions, and the system around them."""

import errno
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from appliance.config.reading import read_config
from appliance.config.schema import Config
from appliance.service import health
from appliance.slots import trial
from appliance.storage import files


def run_command(*words: str) -> str:
    """Run a command and return its output. Raise `OSError` if it fails."""
    done = subprocess.run(words, capture_output=True, text=True, errors="replace", check=False)  # noqa: S603
    if done.returncode:
        raise OSError(errno.EIO, done.stderr.partition("\n")[0].rstrip("."))
    return done.stdout


class Box(NamedTuple):
    """The card's two partitions, and how to reach the system around them."""

    boot: Path
    data: Path
    run: Callable[..., str] = run_command
    sleep: Callable[[float], object] = time.sleep
    tree: Path = Path("/proc/device-tree")
    runtime: Path = health.DIRECTORY

    @property
    def letter(self) -> str:
        """The letter of the running slot. Raise `UserError` if neither firmware nor config.txt names it."""
        return trial.running(self.boot, self.tree)

    @property
    def model(self) -> str:
        """This machine's name."""
        return files.first_line(self.tree / "model") or "machine without a name"

    def display(self) -> Config:
        """Return the valid part of the configuration."""
        return read_config([self.boot / "tictactoe.yaml"]).config

    @contextmanager
    def writable(self) -> Iterator[None]:
        """Mount the boot partition read-write inside the block. Raise `OSError` if that fails."""
        self.run("mount", "-o", "remount,rw", str(self.boot))
        try:
            yield
        finally:
            with suppress(OSError):  # what was written stays written
                self.run("mount", "-o", "remount,ro", str(self.boot))
