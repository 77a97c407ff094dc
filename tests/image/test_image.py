"""The card image on an emulated Raspberry Pi 3B: what is in it, its start, updates, power cuts.

`make test-image` builds the image first. $IMAGE_CUTS says how many power cuts to try.
"""

import hashlib
import io
import json
import os
import random
import re
import shutil
import subprocess
import tarfile

import pytest
from pi import ROOT, Pi, scratch, tool

from appliance.core.canvas import Frame

DIST = ROOT / "dist"
[IMAGE] = DIST.glob("tictactoe-box_*.img.xz")
CUTS = int(os.environ.get("IMAGE_CUTS", "5"))
FOREIGN = ("sshd", "agetty", "getty", "apt-get", "dpkg", "dhclient", "NetworkManager", "wpa_supplicant")


def update_box(version, **replaced):
    """Return an update.box with another version, and other contents for some of its files."""
    with tarfile.open(DIST / "update.box") as box:
        files = {member.name: box.extractfile(member).read() for member in box}
    slot = json.loads(files.pop("slot.json"))
    slot["version"] = version
    for name, content in replaced.items():
        files[name] = content
        slot["files"][name] = {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    text = json.dumps(slot).encode()
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.USTAR_FORMAT) as box:
        for name, content in (("slot.json", text), *files.items(), ("slot.json", text)):
            info = tarfile.TarInfo(name)
            info.size = len(content)
            box.addfile(info, io.BytesIO(content))
    return written.getvalue()


def plays(pi):
    """Whether the box has started, and has said so on the card."""
    return "The box plays" in pi.console and b"The game runs." in pi.read("status.txt")


@pytest.fixture
def folder():
    with scratch() as path:
        yield path


@pytest.fixture
def pi(folder):
    one = Pi(IMAGE, folder)
    yield one
    one.cut()


def test_two_builds_are_the_same(folder):
    [package] = DIST.glob("*.deb")
    shutil.copy(package, folder)
    subprocess.run([ROOT / "image/build", folder], check=True, capture_output=True)
    assert (folder / "SHA256SUMS").read_text() == (DIST / "SHA256SUMS").read_text()


def test_what_is_in_it(folder):
    assert IMAGE.stat().st_size <= 60 << 20
    root = folder / "root"
    with tarfile.open(DIST / "update.box") as box:
        (folder / "root.erofs").write_bytes(box.extractfile("root.erofs").read())
    tool("fsck.erofs", f"--extract={root}", str(folder / "root.erofs"))
    files = [path for path in root.rglob("*") if path.is_file() and not path.is_symlink()]
    assert not [path for path in files if path.stat().st_mode & 0o6000], "setuid or setgid"
    assert not [path for path in files if path.name in FOREIGN]
    assert all(line.endswith(":/usr/sbin/nologin") for line in (root / "etc/passwd").read_text().splitlines())
    assert all(":!*:" in line for line in (root / "etc/shadow").read_text().splitlines())
    unit = root / "usr/lib/systemd/system/tictactoe.service"
    assert unit.read_bytes() == (ROOT / "systemd/tictactoe.service").read_bytes()
    packages = json.loads(next(DIST.glob("*.spdx.json")).read_text())["packages"]
    assert {"tictactoe-appliance", "systemd", "python3-gpiozero", "raspi-firmware"} <= {
        package["name"] for package in packages
    }


def test_it_starts(pi):
    pi.start()
    pi.wait(plays)
    pi.cut()
    log = pi.data("/log").decode()
    assert int(re.search(r"\bActiveEnterTimestampMonotonic=(\d+)", log)[1]) <= 6_000_000, log  # microseconds
    status = pi.read("status.txt")
    assert len(status) == 4096
    assert b"in slot a, on a Raspberry Pi 3 Model B." in status
    assert b"The display works." in status
    assert pi.picture() != Frame.blank()


def test_an_update_is_tried_and_kept(pi):
    pi.write("update.box", update_box("9.0"))
    pi.start()
    pi.ended()  # it has installed the update, and reboots
    assert pi.slot == "b"
    pi.start()
    pi.wait(plays)
    pi.cut()
    assert b"version 9.0, in slot b" in pi.read("status.txt")
    assert pi.slot == "b"
    assert not pi.data("/trial")


def test_an_update_that_does_not_start_is_undone(pi):
    words = (ROOT / "image/cmdline.txt").read_text().strip() + " systemd.mask=tictactoe.service\n"
    pi.write("update.box", update_box("9.1", **{"cmdline.txt": words.encode()}))
    pi.start()
    pi.ended()
    for _ in range(3):
        assert pi.slot == "b"
        pi.start()
        pi.wait(lambda pi: "The box plays" in pi.console)
        pi.cut()
    pi.start()
    pi.ended()  # the fourth start gives up
    assert pi.slot == "a"
    pi.start()
    pi.wait(plays)
    assert b"Slot b was left: it did not start three times." in pi.read("status.txt")


def test_an_update_that_is_cut_short_is_refused_and_the_box_plays(pi):
    pi.write("update.box", (DIST / "update.box").read_bytes()[: 20 << 20])
    pi.start()
    pi.wait(plays)
    assert b"update.box: is damaged or was cut short" in pi.read("status.txt")
    assert pi.slot == "a"


def test_power_cuts(pi):
    """At random moments of starts and play: it always starts again, and nothing needs a person."""
    pi.write("tictactoe.yaml", b"game: {players: 0, pause: 0.1}\r\n")  # the box plays itself
    rng = random.Random(1)
    for _ in range(CUTS):
        size = rng.randrange(200_000)  # of the bus's log: a start writes about 80,000 bytes
        pi.start()
        pi.wait(lambda pi, size=size: pi.bus.stat().st_size >= size)
        pi.cut()
    pi.start()
    pi.wait(plays)
    assert b"Games and scores are saved." in pi.read("status.txt")
