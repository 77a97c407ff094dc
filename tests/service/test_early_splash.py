"""The card image's initramfs shows the splash as the program would: image/init's `show_splash`, run here."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from appliance.commands.config import example_lines
from appliance.config.schema import DisplayConfig
from appliance.core.settings import Settings
from appliance.service import splash

INIT = (Path(__file__).resolve().parents[2] / "image/init").read_text()
SHIPPED = "/usr/share/tictactoe-appliance/appliance/service/splash.bin"
KEPT = "/var/lib/tictactoe/splash"
YAML = "/boot/firmware/tictactoe.yaml"
EXAMPLE = "\r\n".join(example_lines()).encode()
DISPLAY = DisplayConfig(driver="sh1106", address=0x3D, rotate=180, port=3)


@pytest.fixture
def root(tmp_path):
    """Return a system's root, with the shipped splash."""
    for path in (SHIPPED, KEPT, YAML):
        (tmp_path / path[1:]).parent.mkdir(parents=True)
    (tmp_path / SHIPPED[1:]).write_bytes(Path(splash.SHIPPED).read_bytes())
    return tmp_path


def shown(root):
    """Return the transactions that the initramfs sends: bus, address, bytes."""
    tool = root / "i2ctransfer"
    tool.write_text('#!/bin/sh\nshift; echo "$@"\n')
    tool.chmod(0o755)
    function = re.search(r"^show_splash\(\) \{.*?^\}", INIT, re.MULTILINE | re.DOTALL)[0]
    script = function.replace("/new", str(root)) + "\nshow_splash"
    path = {"PATH": f"{root}:{os.environ['PATH']}"}
    sent = subprocess.run(["sh", "-c", script], env=path, check=False, capture_output=True, text=True)
    transactions = []
    for line in sent.stdout.splitlines():
        bus, words, *written = line.split()
        size, address = words[1:].split("@")
        assert len(written) == int(size)
        transactions.append((int(bus), int(address), bytes(int(byte, 16) for byte in written)))
    return transactions


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


def test_nothing_is_sent_for_a_driver_of_luma_or_a_file_that_cannot_be_used(root):
    (root / YAML[1:]).touch()
    assert prepared(root, DISPLAY._replace(driver="luma.oled.device:ssd1327")) == shown(root) == []
    (root / KEPT[1:]).write_bytes(splash.pack("/dev/i2c-1", 0x3C, [b"\0\xaf"], {}).replace(b"2 60", b"3 60"))
    assert shown(root) == []


@pytest.mark.parametrize("text", [
    None, b"", EXAMPLE, b"  # a remark\n\ndisplay:\r\n  # port: 3\r\n",
    b"display: {driver: sh1106}", b"display:\n  port: 3\n", b"game:\n  level: hard\n",
])  # fmt: skip
def test_on_the_first_start_the_shipped_splash_is_sent_while_nothing_is_configured(root, text):
    yaml = root / YAML[1:]
    if text is not None:
        yaml.write_bytes(text)
    device, address, writes, _stamps = splash.unpack((root / SHIPPED[1:]).read_bytes())
    sent = [(int(device.removeprefix("/dev/i2c-")), address, write) for write in writes]
    assert shown(root) == (sent if splash.sets_nothing(str(yaml)) else [])
