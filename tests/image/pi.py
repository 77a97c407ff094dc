"""A Raspberry Pi 3B in QEMU that starts from a card image, and what it showed.

QEMU has no firmware: here config.txt's os_prefix is read and that slot's kernel loaded, as it would.
The guest's clock counts instructions (`-icount`): its seconds do not depend on how busy this machine is, and
are no Raspberry Pi's. The emulated watchdog resets the machine as soon as it is armed, so systemd is told to
leave it alone. The emulated pins have no pull-ups: every key reads as pressed, and is left out as stuck.
"""

import gzip
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from appliance.core.canvas import Frame
from appliance.simulator.chips import EMULATED

ROOT = Path(__file__).resolve().parents[2]
FAT = 4 << 20  # bytes from the start of the card
TOOLS = {**os.environ, "IMAGE_TOOLS": "qemu-system-arm"}


def tool(*command: str, check: bool = True, **options) -> subprocess.CompletedProcess:
    """Run a program of trixie's, and return what it wrote."""
    return subprocess.run(
        [ROOT / "image/tools", *command], env=TOOLS, check=check, capture_output=True, **options
    )


@contextmanager
def scratch() -> Iterator[Path]:
    """Make a folder that has the same name in the tools' root, and remove it afterwards."""
    with TemporaryDirectory(prefix="tictactoe-image.", dir="/var/tmp") as name:
        yield Path(name)


class Pi:
    """One card in one machine."""

    def __init__(self, image: Path, folder: Path) -> None:
        self.folder = folder
        self.card = self.folder / "card.img"
        with self.card.open("wb") as card:
            subprocess.run(["xz", "-dc", image], stdout=card, check=True)
        os.truncate(self.card, 512 << 20)  # QEMU takes powers of two only
        self._process: subprocess.Popen[bytes] | None = None

    # The card, as another computer sees it

    def read(self, file: str) -> bytes:
        """Return a file of the FAT partition. Raise `FileNotFoundError`."""
        done = tool("mtype", "-i", f"{self.card}@@{FAT}", f"::{file}", check=False)
        if done.returncode:
            raise FileNotFoundError(file)
        return done.stdout

    @property
    def slot(self) -> str:
        """The letter of the slot in force."""
        return re.search(rb"^os_prefix=([ab])/", self.read("config.txt"), re.MULTILINE)[1].decode()

    def write(self, file: str, content: bytes) -> None:
        """Put a file onto the FAT partition."""
        source = self.folder / "new"
        source.write_bytes(content)
        tool("mcopy", "-o", "-i", f"{self.card}@@{FAT}", str(source), f"::{file}")

    def data(self, file: str) -> bytes:
        """Return a file of the data partition, b"" if there is none. The journal is replayed on a copy."""
        start, sectors = partition(self.card, 2)
        copy = self.folder / "data.img"
        with self.card.open("rb") as card:
            card.seek(512 * start)
            copy.write_bytes(card.read(512 * sectors))
        tool("e2fsck", "-fy", str(copy), check=False)
        return tool("debugfs", "-R", f"cat {file}", str(copy)).stdout

    # The machine

    def start(self) -> None:
        """Plug in."""
        slot = self.slot
        for file in ("kernel8.img", "initramfs8", "bcm2837-rpi-3-b.dtb", "cmdline.txt"):
            (self.folder / file).write_bytes(self.read(f"{slot}/{file}"))
        (self.folder / "kernel").write_bytes(gzip.decompress((self.folder / "kernel8.img").read_bytes()))
        tree = str(self.folder / "bcm2837-rpi-3-b.dtb")
        tool("fdtput", "-cp", tree, "/system")
        tool("fdtput", "-t", "x", tree, "/system", "linux,revision", "a02082")  # as the firmware does
        append = (self.folder / "cmdline.txt").read_text().strip()
        append += " console=ttyAMA0 systemd.watchdog_sec=0 systemd.show_status=1"
        self.log, self.bus = self.folder / "serial.log", self.folder / "i2c.log"
        self.log.unlink(missing_ok=True)
        self.bus.write_bytes(b"")
        self._process = subprocess.Popen(
            [
                ROOT / "image/tools", "qemu-system-aarch64", "-M", "raspi3b", "-icount", "shift=0,sleep=off",
                "-no-reboot", "-nodefaults", "-display", "none", "-monitor", "none",
                "-serial", f"file:{self.log}", "-kernel", str(self.folder / "kernel"),
                "-initrd", str(self.folder / "initramfs8"), "-dtb", tree, "-append", append,
                "-drive", f"file={self.card},if=sd,format=raw",
                "-device", "ssd0303,bus=i2c-bus.1,address=0x3c",
                "-trace", "i2c_send", "-trace", "i2c_event", "-D", str(self.bus),
            ], env=TOOLS, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def cut(self) -> None:
        """Pull the plug: what the guest has not written to the card is lost."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def wait(self, until, seconds: float = 900.0) -> None:
        """Wait until a condition holds. Fail with the console's text if it never does."""
        end = time.monotonic() + seconds
        while not until(self):
            ended = self._process.poll() is not None
            if ended or time.monotonic() > end:
                raise AssertionError(f"{'it ended' if ended else 'too late'}\n{self.console[-3000:]}")
            time.sleep(1.0)

    def ended(self, seconds: float = 900.0) -> None:
        """Wait until the machine has rebooted or is off."""
        self._process.wait(seconds)

    @property
    def console(self) -> str:
        """What the machine wrote to its serial line."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    @property
    def transactions(self) -> list[bytes]:
        """The transactions that the display acknowledged so far, whole ones only."""
        found: list[bytearray] = []
        for line in self.bus.read_text(errors="replace").splitlines():
            if sent := re.fullmatch(r"i2c_send send\(addr:0x3c\) data:0x([0-9a-f]{2})", line):
                found[-1].append(int(sent[1], 16))
            elif line.startswith("i2c_event start"):
                found.append(bytearray())
        return [bytes(one) for one in found if one]

    def picture(self) -> Frame:
        """Return what an SSD1306 shows after these bytes."""
        chip = EMULATED["ssd1306"]()
        for transaction in self.transactions:
            chip.write(transaction)
        return chip.picture()


def partition(card: Path, number: int) -> tuple[int, int]:
    """Return the first sector of a partition and how many it has, from the MBR."""
    with card.open("rb") as file:
        entry = file.read(512)[446 + 16 * (number - 1) :][:16]
    return int.from_bytes(entry[8:12], "little"), int.from_bytes(entry[12:16], "little")
