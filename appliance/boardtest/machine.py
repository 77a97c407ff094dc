"""The machine: its header's chip, files, commands, load; and the facts about it for the report.

No fact is a name, an address or a host.
"""

import getpass
import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from appliance import __version__
from appliance.bootfiles.configtxt import parse_settings
from appliance.config.schema import CHIPS, Config

LIBRARIES = ("gpiozero", "luma.oled", "luma.core", "pillow", "smbus2", "lgpio")
# The lines of config.txt that concern the box. Others are the person's, and none of our business.
OURS = frozenset({
    "dtparam", "dtoverlay", "gpio", "include", "core_freq", "core_freq_fixed", "core_freq_min",
    "initial_turbo", "os_prefix", "kernel", "upstream_kernel", "arm_64bit", "disable_splash", "boot_delay",
})  # fmt: skip
PARTITIONS = ("boot/firmware", "boot")


class ChipLine(NamedTuple):
    """A line of the chip, and who holds it: "" for nobody."""

    number: int
    holder: str
    output: bool


class HeaderChip(NamedTuple):
    """The header's chip, or the first chip if none has a known label, and the lines asked for.

    `ours`: the game's service, or another copy of this program, holds one of them.
    """

    number: int
    label: str
    lines: tuple[ChipLine, ...] = ()
    ours: bool = False


class Edge(NamedTuple):
    """An edge: seconds of the monotonic clock, and its number among the line's edges."""

    at: float
    rising: bool
    number: int


class Machine:
    """This machine."""

    def __init__(self, root: Path = Path("/")) -> None:
        self.root = root

    def content(self, path: str) -> bytes:
        """Return a small file's content, nothing if it cannot be read."""
        try:
            return (self.root / path).read_bytes()
        except OSError:
            return b""

    def text(self, path: str) -> str:
        """Return that as text, without what ends it."""
        return self.content(path).decode(errors="replace").strip("\0\n")

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

    @property
    def serial(self) -> str:
        """The last four digits of the board's serial number, "none" if it has none."""
        return self.text("proc/device-tree/serial-number")[-4:] or "none"


def facts(config: Config, today: str, machine: Machine) -> Iterator[tuple[str, str]]:
    """Yield the facts, by name. What cannot be read is "unknown"."""
    yield "program", __version__
    yield "date", today
    yield "model", machine.text("proc/device-tree/model") or "unknown"
    revision = machine.content("proc/device-tree/system/linux,revision")
    yield "revision", revision.hex().lstrip("0") or "unknown"
    yield "kernel", f"{platform.release()} {platform.machine()}"
    name = re.search(r'^PRETTY_NAME="?([^"\n]*)', machine.text("etc/os-release"), re.MULTILINE)
    yield "os", name[1] if name else "unknown"
    yield "python", platform.python_version()
    yield "libraries", " ".join(f"{name} {_version(name)}" for name in LIBRARIES)
    yield "config.txt", "; ".join(_config_lines(machine)) or "none of ours"
    display = config.display
    driver = display.driver if display.driver in CHIPS else "a class of its own"
    size = f"{display.width}x{display.height}"
    yield "display", f"{driver} {size} at {display.address:#04x} on bus {display.port}"
    rows, columns = (" ".join(map(str, pins)) for pins in (config.keypad.rows, config.keypad.columns))
    yield "keypad", f"rows {rows}, columns {columns}"


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "absent"


def _config_lines(machine: Machine) -> Iterator[str]:
    folder = next((name for name in PARTITIONS if machine.content(f"{name}/config.txt")), "")
    for setting in parse_settings(lambda name: machine.text(f"{folder}/{name}") if folder else ""):
        if setting.key in OURS:
            filters = "".join(f"[{name}] " for name in setting.filters)
            yield f"{filters}{setting.key}={setting.value}"


def nameless(text: str) -> str:
    """Return an error's text without what it may quote: the user, the machine's name, a home folder."""
    users = {os.environ.get("SUDO_USER", "")}
    with suppress(OSError, KeyError, ImportError):  # a number without a name; a system without such names
        users.add(getpass.getuser())
    text = re.sub(r"/home/[^/\s:]+", "~", text)
    for stand_in, words in (("USER", users), ("HOST", {platform.node()})):
        for word in words - {"", "root", "tictactoe"}:  # the last is the service's user, and the image's name
            text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", stand_in, text)
    return text
