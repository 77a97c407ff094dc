"""The card images' content, and that their build is reproducible. `make test-image` builds them first."""

import io
import json
import lzma
import re
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest
from boxes import DIST, image_file, update_file
from machines import ARCHITECTURES
from pi import FAT, ROOT, report, scratch, tool, unpacked
from spdx_tools.spdx.parser.parse_anything import parse_file
from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document

from appliance.slots import manifest

FOREIGN = ("sshd", "agetty", "getty", "apt-get", "dpkg", "dhclient", "NetworkManager", "wpa_supplicant")
CLOSED = {"root"}
GONE = ("libusb", "libharfbuzz", "libfreetype", "libwebpmux", "liblcms2", "libsemanage", "libncurses")
LISTENING = ("ListenStream", "ListenDatagram", "ListenSequentialPacket")


@pytest.fixture(scope="module", params=ARCHITECTURES)
def architecture(request):
    return request.param


@pytest.fixture(scope="module")
def root(architecture):
    """The root of the image, unpacked."""
    with scratch() as folder:
        with tarfile.open(update_file(architecture)) as box:
            (folder / "root.erofs").write_bytes(box.extractfile("root.erofs").read())
        tool("fsck.erofs", f"--extract={folder / 'root'}", str(folder / "root.erofs"))
        yield folder / "root"


def is_elf(path):
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


@pytest.mark.long
def test_two_builds_are_the_same(folder):
    """Build package and image again, in another folder, with other file modes and umask."""
    shell = """
        umask 077
        git ls-files -z | xargs -0 cp --parents --no-dereference --target-directory="$1"
        export SOURCE_DATE_EPOCH=$(tools/date)
        cd "$1"
        debian/build
        ARCH="arm64 armel" image/build
    """
    folder.chmod(0o700)
    done = subprocess.run(["bash", "-euc", shell, "sh", folder], cwd=ROOT, check=False, capture_output=True)
    assert not done.returncode, done.stderr.decode()
    assert (folder / "image/root/etc").stat().st_mode & 0o777 == 0o700
    for place in (DIST, folder / "dist"):
        report((place / "SHA256SUMS").read_text())
    assert (folder / "dist/SHA256SUMS").read_text() == (DIST / "SHA256SUMS").read_text()


def test_the_service_may_enter_each_folder(root):
    folders = [path for path in (root, *root.rglob("*")) if path.is_dir() and not path.is_symlink()]
    closed = {str(path.relative_to(root)) for path in folders if path.stat().st_mode & 0o005 != 0o005}
    report(f"closed: {closed}")
    assert closed <= CLOSED


def test_old_names_of_run_are_links_to_it(root):
    assert (root / "var/run").readlink() == Path("../run")
    assert (root / "var/lock").readlink() == Path("../run/lock")


def test_each_library_that_a_program_is_linked_with_is_there(root):
    """Nothing that was removed is needed; for example, PIL's _imaging cannot be loaded without libxcb."""
    names = [
        str(path) for path in root.rglob("*") if path.is_file() and not path.is_symlink() and is_elf(path)
    ]
    text = tool("aarch64-linux-gnu-readelf", "--wide", "--dynamic", *names).stdout.decode()
    needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", text))
    there = {path.name for path in root.rglob("*.so*")}
    report(f"{len(names)} programs and libraries, linked with {len(needed)} libraries")
    assert "libxcb.so.1" in needed
    assert not needed - there
    assert not {name for name in there if name.startswith(GONE)}


def test_its_size(architecture):
    image = image_file(architecture)
    size = image.stat().st_size
    report(f"{image.name}: {size / 1e6:.1f} MB")
    # A Pi 5's kernel and initramfs are 19 MB: image/pi5 says why it has its own.
    assert size <= {"arm64": 72e6, "armel": 60e6}[architecture]


def test_the_card_has_an_mbr_and_a_drive_with_our_serial_number(architecture):
    """Firmware may find no kernel on a GPT, whose MBR has one partition of type 0xEE."""
    with lzma.open(image_file(architecture)) as image:
        mbr, fat = image.read(FAT)[:520], image.read(512)
    kinds = [mbr[446 + 16 * entry + 4] for entry in range(4)]
    report(f"partitions {kinds}, serial number {fat[70:66:-1].hex()}")
    assert (kinds, mbr[510:512], mbr[512:]) == ([0x0C, 0x83, 0, 0], b"\x55\xaa", bytes(8))
    assert fat[70:66:-1].hex() == "7117ac70"


def test_its_sources_are_named_for_each_package(architecture):
    """Those of the kernel and of busybox's libc, too, which packages of other names contain."""
    [path] = DIST.glob(f"*_{architecture}.sources.txt")
    text = path.read_text()
    report(text[:600])
    packages = {package["name"] for package in json.loads(listed(architecture).read_text())["packages"]}
    named = set(re.findall(r"^(\S+) \S+: https://", text, re.MULTILINE))
    assert named == packages - {"tictactoe-box", "tictactoe-appliance"}
    for line in (r"linux-image-6\S+ \S+: .*/linux/6\.", r"busybox-static \S+: .*/busybox/\S+ .*/glibc/"):
        assert re.search(f"^{line}", text, re.MULTILINE)


def test_its_firmware_is_newer_than_trixies(architecture):
    """That of trixie, 1.20240424, starts no kernel on a newer Pi 4."""
    packages = json.loads(listed(architecture).read_text())["packages"]
    [version] = [package["versionInfo"] for package in packages if package["name"] == "raspi-firmware"]
    report(version)
    assert manifest.order(version) >= manifest.order("1.20260408")


def test_each_kernel_has_its_module_for_the_one_shot_start(root, architecture):
    with tarfile.open(update_file(architecture)) as box:
        kernels = [box.extractfile(member).read() for member in box if member.name.startswith("kernel")]
    modules = {path.parent.name: path.read_bytes() for path in root.glob("usr/lib/modules/*/tryboot.ko")}
    report(", ".join(modules))
    for kernel in kernels:
        version = re.search(rb"Linux version (\S+) \(", unpacked(kernel))[1]
        assert b"\0vermagic=" + version + b" " in modules[version.decode()]
    assert len(kernels) == len(modules) == {"arm64": 2, "armel": 1}[architecture]


def test_nobody_gets_in(root):
    files = [path for path in root.rglob("*") if path.is_file() and not path.is_symlink()]
    privileged = [path for path in files if path.stat().st_mode & 0o6000]
    report(f"{len(files)} files, setuid or setgid: {privileged}")
    assert not privileged
    assert not [path for path in files if path.name in FOREIGN]
    assert all(line.endswith(":/usr/sbin/nologin") for line in (root / "etc/passwd").read_text().splitlines())
    assert all(":!*:" in line for line in (root / "etc/shadow").read_text().splitlines())


def test_no_unit_listens_on_a_port(root):
    """A port is a number, or an address with one; the rest are paths, abstract names and kernel buses."""
    units = [*root.glob("usr/lib/systemd/system/*.socket"), *root.glob("etc/systemd/system/**/*.socket")]
    lines = [line for unit in units for line in unit.read_text().splitlines() if line.startswith(LISTENING)]
    listening = [line for line in lines if not line.partition("=")[2].startswith(("/", "@", "%t/"))]
    report(f"{len(units)} socket units, {len(lines)} places: {listening or 'none is a port'}")
    assert len(units) > 5
    assert not listening


def test_systemd_takes_over_the_watchdog_which_the_firmware_starts(root):
    """Or else the box would be reset after ten minutes, again and again."""
    settings = (root / "usr/lib/systemd/system.conf.d/80-tictactoe-watchdog.conf").read_text()
    assert "\nRuntimeWatchdogSec=15s\n" in settings


def test_it_is_our_package_as_it_is(root, architecture):
    unit = root / "usr/lib/systemd/system/tictactoe.service"
    assert unit.read_bytes() == (ROOT / "systemd/tictactoe.service").read_bytes()
    with tarfile.open(update_file(architecture)) as box:
        slot = json.loads(box.extractfile("slot.json").read())
        assert manifest.parse_manifest(json.dumps(slot).encode()).version == slot["version"]
    assert (slot["product"], slot["architecture"]) == ("tictactoe-box", architecture)


def listed(architecture):
    """Return the file that lists an image's packages."""
    [path] = DIST.glob(f"*_{architecture}.spdx.json")
    return path


def test_the_list_of_packages_is_valid_and_has_those_that_are_there(architecture):
    document = parse_file(str(listed(architecture)))
    assert not validate_full_spdx_document(document)
    related = {(one.spdx_element_id, one.relationship_type.name) for one in document.relationships}
    assert ("SPDXRef-DOCUMENT", "DESCRIBES") in related
    names = {package.name for package in document.packages}
    declared = [package for package in document.packages if str(package.license_declared) != "NOASSERTION"]
    report(f"{len(names) - 1} packages, {len(declared)} with their licences")
    assert {"tictactoe-appliance", "systemd", "python3-gpiozero", "raspi-firmware", "busybox-static"} <= names
    assert any(name.startswith("linux-image-6") for name in names)
    if architecture == "arm64":  # a Pi 5's kernel and its modules come from two packages
        assert any(name.startswith("linux-binary-7") for name in names)
        assert any(name.startswith("linux-modules-7") for name in names)
    assert len(names) == len(document.packages)
    assert not names & {"dpkg", "tar", "mawk", "passwd", "cpio", "initramfs-tools", "klibc-utils"}
    assert len(declared) > 80


@pytest.mark.parametrize("pi", ["raspi3b", "raspi0"], indirect=True)
def test_the_licence_texts_are_on_the_card(pi):
    document = json.loads(listed(pi.machine.architecture).read_text())
    names = {package["name"] for package in document["packages"]}
    packed = pi.read("a/licences.zip")
    with zipfile.ZipFile(io.BytesIO(packed)) as texts:
        there = set(texts.namelist())
        assert b"GNU GENERAL PUBLIC LICENSE" in texts.read("licences/GPL-2.txt")
    report(f"licences.zip: {len(there)} texts, {len(packed) / 1e3:.0f} kB")
    assert {f"packages/{name}.txt" for name in names - {"tictactoe-box"}} <= there
    assert b"Broadcom Corporation" in pi.read("LICENCE.broadcom.txt")
