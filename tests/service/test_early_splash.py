"""The card image's initramfs shows the splash as the program would: image/splash, run here by its tools.

These are busybox's; where that is missing, the system's.
"""

import contextlib
import os
import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from unset_files import ALL

from appliance.commands.config import example_lines
from appliance.config.schema import DisplayConfig
from appliance.core.session.settings import Settings
from appliance.service import splash

IMAGE = Path(__file__).resolve().parents[2] / "image"
INIT, KERNEL = ((IMAGE / name).read_text() for name in ("init", "kernel"))
SHIPPED = "/usr/share/tictactoe-appliance/appliance/service/splash.bin"
KEPT = "/var/lib/tictactoe/splash"
YAML = "/boot/firmware/tictactoe.yaml"
EXAMPLE = "\r\n".join(example_lines()).encode()
HEAD = f"0000{splash.FORMAT} 60 /dev/i2c-1".encode()
DISPLAY = DisplayConfig(driver="sh1106", address=0x3D, rotate=180, port=3)


@pytest.fixture
def root(tmp_path):
    """Return a system's root, with the shipped splash."""
    for path in (SHIPPED, KEPT, YAML):
        (tmp_path / path[1:]).parent.mkdir(parents=True)
    (tmp_path / SHIPPED[1:]).write_bytes(Path(splash.SHIPPED).read_bytes())
    return tmp_path


PATIENCE = "600"  # seconds for what ends by itself


def shown(root, patience=PATIENCE):
    """Return the transactions that the initramfs sends, by its own shell and tools: bus, address, bytes."""
    tools, log = root / "bin", root / "sent"
    if not tools.exists():
        tools.mkdir()
        for name in re.search(r"^ *for name in (.*fold.*); do$", KERNEL, re.MULTILINE)[1].split():
            if tool := shutil.which("busybox") or shutil.which(name):
                (tools / name).symlink_to(tool)
        put_tool(root, 'echo "$@" >>"$SENT"')
    log.write_bytes(b"")
    script = root / "early-splash"
    text = (IMAGE / "splash").read_text().replace("/new", str(root))
    script.write_text(text.replace("i2ctransfer", str(tools / "i2ctransfer")))  # busybox prefers its own
    end, seconds = re.search(r"^(timeout -s KILL) (\d+) /splash$", INIT, re.MULTILINE).groups()
    line = f"{end} {patience or seconds} sh {script}"
    environment = {"PATH": str(tools), "SENT": str(log)}
    subprocess.run([tools / "sh", "-c", line], env=environment, check=False)
    transactions = []
    for line in log.read_text().splitlines():
        _, bus, words, *written = line.split()
        size, address = words[1:].split("@")
        assert len(written) == int(size)
        transactions.append((int(bus), int(address), bytes(int(byte, 16) for byte in written)))
    return transactions


def put_tool(root, command):
    """Put an `i2ctransfer` in place of the real one."""
    tool = root / "bin/i2ctransfer"
    tool.unlink(missing_ok=True)
    tool.write_text(f"#!/bin/sh\n{command}\n")
    tool.chmod(0o755)


def prepared(root, display=DISPLAY):
    """Keep the splash for the configuration in `root`, whose dates have whole seconds, as a FAT's do."""
    found = (root / YAML[1:]).stat()
    stamp = f"{int(found.st_mtime)}000000000.{int(found.st_ctime)}000000000.{found.st_size}"
    content = splash.prepare(display, Settings(turned=True), {"/etc/tictactoe/config.yaml": "-", YAML: stamp})
    (root / KEPT[1:]).write_bytes(content)
    return [(display.port, display.address, write) for write in splash.unpack(content)[2]] if content else []


def test_the_kept_splash_is_sent_for_the_configuration_that_it_was_prepared_for(root):
    yaml = root / YAML[1:]
    yaml.write_bytes(b"display: {driver: sh1106}\n")
    known = prepared(root)
    assert shown(root) == known
    yaml.write_bytes(b"display: {driver: ssd1306}\n")
    assert shown(root) == []
    yaml.unlink()
    assert shown(root) == []


def test_nothing_is_sent_for_a_driver_of_luma_or_a_file_of_another_format(root, monkeypatch):
    (root / YAML[1:]).touch()
    assert prepared(root, DISPLAY._replace(driver="luma.oled.device:ssd1327")) == shown(root) == []
    monkeypatch.setattr(splash, "FORMAT", splash.FORMAT + 1)
    (root / KEPT[1:]).write_bytes(splash.pack("/dev/i2c-1", 0x3C, [b"\0\xaf"], {}))
    assert shown(root) == []


@pytest.mark.parametrize("text", [
    None, EXAMPLE, b"#" * (splash.MAX_SIZE - 1), b"#" * splash.MAX_SIZE, *ALL.values(),
], ids=["no file", "example", "long", "too long", *ALL])  # fmt: skip
def test_on_the_first_start_the_shipped_splash_is_sent_while_nothing_is_configured(root, text):
    yaml = root / YAML[1:]
    if text is not None:
        yaml.write_bytes(text)
    device, address, writes, _stamps = splash.unpack((root / SHIPPED[1:]).read_bytes())
    sent = [(int(device.removeprefix("/dev/i2c-")), address, write) for write in writes]
    assert shown(root) == (sent if splash.sets_nothing(str(yaml)) else [])


HUGE = 20_000_000_000  # bytes, of a sparse file


def a_pipe_behind_a_link(place):
    os.mkfifo(place.with_name("pipe"))
    place.symlink_to("pipe")


def huge(place, content=b""):
    place.write_bytes(content)
    os.truncate(place, HUGE)


KINDS = {  # what may stand in the place of a configuration, or of a splash
    "pipe": os.mkfifo,
    "folder": Path.mkdir,
    "huge": huge,
    "link to a pipe": a_pipe_behind_a_link,
    "link to a device": lambda place: place.symlink_to("/dev/zero"),
    "link to nothing": lambda place: place.symlink_to("nothing"),
    "garbage": lambda place: place.write_bytes(random.Random(1).randbytes(3_000_000)),
}
NO_SPLASH = KINDS | {
    "one endless line": lambda place: place.write_bytes(HEAD[:4] + HEAD[4:] * 1_000_000),
    "no writes": lambda place: place.write_bytes(HEAD + b"\n\n"),
}


@pytest.mark.parametrize("put", NO_SPLASH.values(), ids=NO_SPLASH)
def test_what_is_no_splash_is_not_sent_and_holds_up_no_start(root, put):
    put(root / KEPT[1:])
    assert shown(root) == []
    with contextlib.suppress(OSError):
        assert not splash.show(str((root / KEPT[1:]).parent))  # nor does it hold up the daemon


@pytest.mark.parametrize("put", KINDS.values(), ids=KINDS)
def test_what_is_no_configuration_holds_up_no_start(root, put):
    """Below the shipped splash, which is for an empty configuration."""
    put(root / YAML[1:])
    assert shown(root) == []


def test_a_huge_splash_is_read_as_far_as_the_daemon_reads_it(root):
    huge(root / KEPT[1:], splash.pack("/dev/i2c-1", 0x3C, [b"\0\xaf"] * 20, {}))
    assert set(shown(root)) == {(1, 60, b"\0\xaf")}


def test_a_bus_that_never_answers_holds_up_the_start_for_seconds_only(root):
    (root / KEPT[1:]).write_bytes(splash.pack("/dev/i2c-1", 0x3C, [b"\0\xaf"] * 20, {}))
    assert len(shown(root)) == 20
    put_tool(root, f'echo "$@" >>"$SENT"; exec sleep {PATIENCE}')
    assert len(shown(root, patience=None)) <= 1, "it was ended, perhaps before the first"
