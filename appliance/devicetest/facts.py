"""Facts about the machine for the report: which board, which software; no name, no address, no host."""

import os
import platform
import pwd
import re
from collections.abc import Iterator
from contextlib import suppress
from importlib import metadata
from pathlib import Path

from appliance import __version__
from appliance.bootfiles.configtxt import parse
from appliance.config.schema import CHIPS, Config
from appliance.devices.pinout import board

LIBRARIES = ("gpiozero", "luma.oled", "luma.core", "pillow", "smbus2", "lgpio")
# The lines of config.txt that concern the box. Others are the person's, and none of our business.
OURS = frozenset({
    "dtparam", "dtoverlay", "gpio", "include", "core_freq", "core_freq_min", "initial_turbo", "os_prefix",
    "kernel", "upstream_kernel", "arm_64bit", "disable_splash", "boot_delay",
})  # fmt: skip
PARTITIONS = ("boot/firmware", "boot")


def gather(config: Config, today: str, root: Path = Path("/")) -> tuple[tuple[str, str], ...]:
    """Return the facts. What cannot be read is "unknown"."""
    return tuple(_facts(config, today, root))


def serial(root: Path = Path("/")) -> str:
    """Return the last four digits of the board's serial number, "none" if it has none."""
    return _text(root / "proc/device-tree/serial-number")[-4:] or "none"


def nameless(text: str) -> str:
    """Return an error's text without what it may quote: the user, the machine's name, a home folder."""
    users = {os.environ.get("SUDO_USER", "")}
    if os.getuid():
        with suppress(KeyError):
            users.add(pwd.getpwuid(os.getuid()).pw_name)
    text = re.sub(r"/home/[^/\s:]+", "~", text)
    for stand_in, words in (("USER", users), ("HOST", {platform.node()})):
        for word in words - {"", "tictactoe"}:  # the service's user, and the image's name
            text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", stand_in, text)
    return text


def _facts(config: Config, today: str, root: Path) -> Iterator[tuple[str, str]]:
    yield "program", __version__
    yield "date", today
    yield "model", board(root / "proc/device-tree") or "unknown"
    yield "revision", _bytes(root / "proc/device-tree/system/linux,revision").hex().lstrip("0") or "unknown"
    yield "kernel", f"{platform.release()} {platform.machine()}"
    yield "os", _os(root)
    yield "python", platform.python_version()
    yield "libraries", " ".join(f"{name} {_version(name)}" for name in LIBRARIES)
    yield "config.txt", "; ".join(_config_lines(root)) or "none of ours"
    display = config.display
    driver = display.driver if display.driver in CHIPS else "a class of its own"
    size = f"{display.width}x{display.height}"
    yield "display", f"{driver} {size} at {display.address:#04x} on bus {display.port}"
    rows, columns = (" ".join(map(str, pins)) for pins in (config.keypad.rows, config.keypad.columns))
    yield "keypad", f"rows {rows}, columns {columns}"


def _os(root: Path) -> str:
    for line in _text(root / "etc/os-release").splitlines():
        name, _, value = line.partition("=")
        if name == "PRETTY_NAME":
            return value.strip('"')
    return "unknown"


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "absent"


def _config_lines(root: Path) -> Iterator[str]:
    folder = next((root / name for name in PARTITIONS if (root / name / "config.txt").exists()), root)
    for setting in parse(lambda name: _text(folder / name)):
        if setting.key in OURS:
            filters = "".join(f"[{name}] " for name in setting.filters)
            yield f"{filters}{setting.key}={setting.value}"


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _text(path: Path) -> str:
    return _bytes(path).decode(errors="replace").strip("\0\n")
