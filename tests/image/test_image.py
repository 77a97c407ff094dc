"""What is in the card image, and that it is built the same twice. `make test-image` builds it first."""

import json
import shutil
import subprocess
import tarfile

import pytest
from boxes import DIST, IMAGE
from pi import ROOT, report, scratch, tool

FOREIGN = ("sshd", "agetty", "getty", "apt-get", "dpkg", "dhclient", "NetworkManager", "wpa_supplicant")
LISTENING = ("ListenStream", "ListenDatagram", "ListenSequentialPacket")


@pytest.fixture(scope="module")
def root():
    """The root of the image, unpacked."""
    with scratch() as folder:
        with tarfile.open(DIST / "update.box") as box:
            (folder / "root.erofs").write_bytes(box.extractfile("root.erofs").read())
        tool("fsck.erofs", f"--extract={folder / 'root'}", str(folder / "root.erofs"))
        yield folder / "root"


def test_two_builds_are_the_same(folder):
    [package] = DIST.glob("*.deb")
    shutil.copy(package, folder)
    subprocess.run([ROOT / "image/build", folder], check=True, capture_output=True)
    for place in (DIST, folder):
        report((place / "SHA256SUMS").read_text())
    assert (folder / "SHA256SUMS").read_text() == (DIST / "SHA256SUMS").read_text()


def test_its_size():
    size = IMAGE.stat().st_size
    report(f"{IMAGE.name}: {size / 1e6:.1f} MB")
    assert size <= 60e6


def test_nobody_gets_in(root):
    files = [path for path in root.rglob("*") if path.is_file() and not path.is_symlink()]
    privileged = [path for path in files if path.stat().st_mode & 0o6000]
    report(f"{len(files)} files, setuid or setgid: {privileged}")
    assert not privileged
    assert not [path for path in files if path.name in FOREIGN]
    assert all(line.endswith(":/usr/sbin/nologin") for line in (root / "etc/passwd").read_text().splitlines())
    assert all(":!*:" in line for line in (root / "etc/shadow").read_text().splitlines())


def test_no_unit_listens_on_a_port(root):
    """A port is a number, or an address with one; all else is a path, an abstract name or a kernel's bus."""
    units = [*root.glob("usr/lib/systemd/system/*.socket"), *root.glob("etc/systemd/system/**/*.socket")]
    lines = [line for unit in units for line in unit.read_text().splitlines() if line.startswith(LISTENING)]
    listening = [line for line in lines if not line.partition("=")[2].startswith(("/", "@", "%t/"))]
    report(f"{len(units)} socket units, {len(lines)} places: {listening or 'none is a port'}")
    assert len(units) > 5
    assert not listening


def test_it_is_our_package_as_it_is(root):
    unit = root / "usr/lib/systemd/system/tictactoe.service"
    assert unit.read_bytes() == (ROOT / "systemd/tictactoe.service").read_bytes()
    packages = json.loads(next(DIST.glob("*.spdx.json")).read_text())["packages"]
    assert {"tictactoe-appliance", "systemd", "python3-gpiozero", "raspi-firmware"} <= {
        package["name"] for package in packages
    }


def test_how_exposed_the_service_is(root):
    plain = ("env", "SYSTEMD_COLORS=0", "SYSTEMD_URLIFY=0")
    command = ("systemd-analyze", "security", "--no-pager", "--offline=yes", f"--root={root}")
    text = tool(*plain, *command, "tictactoe.service").stdout.decode()
    report(text.splitlines()[-1])
    assert float(text.split("for tictactoe.service: ")[1].split()[0]) <= 0.3
