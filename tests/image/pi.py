"""A Raspberry Pi in QEMU, a 3B or another `machine`, that starts from a card image; and what it showed.

QEMU has no firmware: tests/support/firmware.py chooses what starts. The one-shot flag, which makes it read
tryboot.txt, is set if the guest has sent that request to the mailbox and resets; a power cut clears it. The
guest's clock counts instructions (`-icount`): its seconds do not depend on how busy this machine is, and are
not a Raspberry Pi's. The emulated watchdog resets the machine as soon as it is armed, so systemd is told to
leave it alone. The emulated pins have no pull-ups: every key reads as pressed, and counts as stuck.
"""

import gzip
import lzma
import os
import re
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from firmware import SET_REBOOT_FLAGS, Start, choose
from machines import PI_3, PINS, Machine

from appliance.core.picture.canvas import Frame
from appliance.simulator.chips import EMULATED
from appliance.slots import pair

ROOT = Path(__file__).resolve().parents[2]
CARD = 512 << 20  # bytes; QEMU accepts only powers of two
FAT = 4 << 20  # bytes from the start of the card
TOOLS = {**os.environ, "IMAGE_TOOLS": "qemu-system-arm lintian"}
PATIENCE = 3000.0  # seconds, on a busy machine
ZIMAGE = (0x016F2818).to_bytes(4, "little")  # at 0x24 of an ARM kernel that unpacks itself
FLAG_SET = f"bcm2835_mbox_property mbox property tag:{SET_REBOOT_FLAGS:#010x} "


def report(text: str) -> None:
    """Print for `pytest -rP`."""
    sys.stdout.write(f"{text}\n")


def tool(*command: str, check: bool = True, **options) -> subprocess.CompletedProcess:
    """Run one of trixie's programs, and return its output."""
    return subprocess.run(
        [ROOT / "image/tools", *command], env=TOOLS, check=check, capture_output=True, **options
    )


@contextmanager
def scratch() -> Iterator[Path]:
    """Create a folder with the same path in the tools' root, and remove it afterwards."""
    with TemporaryDirectory(prefix="tictactoe-image.", dir="/var/tmp") as name:
        yield Path(name)


class Pi:
    """A card in a machine."""

    def __init__(self, image: Path, folder: Path, machine: Machine = PI_3) -> None:
        self.folder, self.machine = folder, machine
        names = ("card.img", "serial.log", "bus.log", "errors.log")
        self.card, self.log, self.bus, self.errors = (folder / name for name in names)
        subprocess.run(["cp", "--sparse=always", image, self.card], check=True)
        os.truncate(self.card, CARD)
        self.flag = False  # the firmware's
        self._process: subprocess.Popen[bytes] | None = None
        self._plugged_in = 0.0

    # The card, as seen by another computer

    def read(self, file: str) -> bytes:
        """Return a file of the FAT partition. Raise `FileNotFoundError` if there is none."""
        done = tool("mtype", "-i", f"{self.card}@@{FAT}", f"::{file}", check=False)
        if done.returncode:
            raise FileNotFoundError(file)
        return done.stdout

    @property
    def slot(self) -> str:
        """The letter of the active slot."""
        return pair.letters(self.read("config.txt"))[-1]

    @property
    def status(self) -> str:
        """The box's status.txt."""
        return self.read("status.txt").decode().replace("\r", "")

    def write(self, file: str, content: bytes) -> None:
        """Write a file to the FAT partition."""
        source = self.folder / "new"
        source.write_bytes(content)
        tool("mcopy", "-o", "-i", f"{self.card}@@{FAT}", str(source), f"::{file}")

    def boot(self) -> Path:
        """Return a folder with the FAT partition's files."""
        tree = self.folder / "boot"
        tool("rm", "-rf", str(tree))
        tree.mkdir()
        tool("mcopy", "-s", "-n", "-i", f"{self.card}@@{FAT}", "::*", str(tree))
        return tree

    def make_folder(self, folder: str) -> None:
        """Create a folder on the FAT partition."""
        tool("mmd", "-i", f"{self.card}@@{FAT}", f"::{folder}")

    def write_data(self, file: str, content: bytes, owner: int = 0) -> None:
        """Write a file to the data partition of a card that has not been started."""
        source = self.folder / "new"
        source.write_bytes(content)
        partition = f"{self.card}?offset={self.partition(2)[0]}"
        for request in (f"write {source} {file}", *(f"sif {file} {of} {owner}" for of in ("uid", "gid"))):
            tool("debugfs", "-w", "-R", request, partition)

    def data(self) -> Path:
        """Return a folder with the data partition's files. Its journal is replayed on a copy."""
        start, size = self.partition(2)
        copy, tree = self.folder / "data.img", self.folder / "data"
        with self.card.open("rb") as card:
            card.seek(start)
            copy.write_bytes(card.read(size))
        tool("rm", "-rf", str(tree))
        tree.mkdir()
        tool("e2fsck", "-fy", str(copy), check=False)
        tool("debugfs", "-R", f"rdump / {tree}", str(copy))
        return tree

    def partition(self, number: int) -> tuple[int, int]:
        """Return a partition's start and length in bytes, from the MBR."""
        with self.card.open("rb") as file:
            entry = file.read(512)[446 + 16 * (number - 1) :][:16]
        return 512 * int.from_bytes(entry[8:12], "little"), 512 * int.from_bytes(entry[12:16], "little")

    def damage(self, content: bytes) -> None:
        """Overwrite the start of the data partition."""
        with self.card.open("r+b") as card:
            card.seek(self.partition(2)[0])
            card.write(content)

    # The machine

    def chosen(self) -> Start | None:
        """Return what the firmware would start now."""

        def read(file: str) -> bytes | None:
            try:
                return self.read(file)
            except FileNotFoundError:
                return None

        return choose(read, self.machine.tree.removesuffix(".dtb"), tryboot=self.flag)

    def start(self, init: str = "", *, verbose: bool = False) -> None:
        """Plug in, or restart after a reset. `init` replaces the first program.

        `verbose` shows what programs write to the kernel log.
        """
        chosen = self.chosen()
        assert chosen, "the firmware starts nothing"
        self.flag = False
        ram, kernel = self.read(chosen.initramfs), self.read(chosen.kernel)
        if init:
            ram = _padded(ram) + cpio("init", init.encode())
        (self.folder / "initramfs").write_bytes(ram)
        (self.folder / "kernel").write_bytes(_loadable(kernel, self.machine.architecture))
        tree = str(self.folder / "tree.dtb")
        Path(tree).write_bytes(self.read(chosen.tree))
        phandle = tool("fdtget", "-t", "x", tree, PINS, "phandle").stdout.decode().strip()
        for command in self.machine.commands(tree, phandle):
            tool(*command)
        tool("fdtput", "-t", "s", tree, "/chosen", "os_prefix", chosen.prefix)  # like the firmware
        append = self.read(chosen.cmdline).decode().strip()
        # Waiting is slow on the emulated processor, so a panic does not wait for ten seconds.
        append += " console=ttyAMA0 systemd.watchdog_sec=0 systemd.show_status=1 panic=-1"
        append += f" {self.machine.append}{' ignore_loglevel' * verbose}"
        append += f" watchdog.open_timeout={chosen.watchdog}" * bool(chosen.watchdog)  # like the firmware
        self._plugged_in = time.monotonic()
        self.log.unlink(missing_ok=True)
        self.bus.write_bytes(b"")
        command = [
            ROOT / "image/tools", "qemu-system-aarch64", *self.machine.options(self.card),
            "-icount", "shift=0,sleep=off", "-no-reboot", "-nodefaults",
            "-display", "none", "-monitor", "none",
            "-serial", f"file:{self.log}", "-kernel", str(self.folder / "kernel"),
            "-initrd", str(self.folder / "initramfs"), "-dtb", tree, "-append", append,
            "-trace", "bcm2835_mbox_property",
            "-trace", "i2c_send", "-trace", "i2c_event", "-trace", "sdcard_write_block",
            "-D", str(self.bus),
        ]  # fmt: skip
        # The machine has ended when its output has. Errors go into a file: QEMU complains of each NOP for the
        # display, and would stand still at a full pipe that nobody reads.
        with self.errors.open("wb") as errors:
            self._process = subprocess.Popen(
                command, env=TOOLS, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors
            )

    def cut(self) -> None:
        """Cut the power: what the guest has not written to the card is lost."""
        if self._process:
            self._process.send_signal(signal.SIGKILL)
            self._process.communicate()  # also waits for the machine, which ends after its parent
            self._process = None
        self.flag = False

    def run_until_traced(self, size: int) -> None:
        """Start, and cut the power when the trace reaches a length, or when the machine has ended."""
        self.start()
        self.wait(lambda _: self.traced >= size or not self.running)
        self.cut()

    def wait(self, until) -> None:
        """Wait until a condition holds. Fail with the console's text if it never does."""
        end = time.monotonic() + PATIENCE
        while not until(self):
            if not self.running or time.monotonic() > end:
                errors = self.errors.read_text(errors="replace")[-500:]
                raise AssertionError(
                    f"{'too late' if self.running else 'it ended'}\n{errors}\n{self.console[-3000:]}"
                )
            time.sleep(0.5)

    def ended(self) -> None:
        """Wait until the machine has rebooted or is off."""
        self._process.communicate(timeout=PATIENCE)
        self._process = None
        self.flag = FLAG_SET in self.bus.read_text(errors="replace")

    @property
    def running(self) -> bool:
        """Whether the machine has neither rebooted nor been switched off."""
        return self._process.poll() is None

    @property
    def seconds(self) -> float:
        """The time since it was started."""
        return time.monotonic() - self._plugged_in

    @property
    def traced(self) -> int:
        """Its activity on display and card so far, in bytes of the trace."""
        return self.bus.stat().st_size

    @property
    def console(self) -> str:
        """What the machine wrote to its serial line."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def pictures(self) -> Iterator[Frame]:
        """Yield what an SSD1306 shows after each transaction that the display acknowledged completely."""
        chip = EMULATED["ssd1306"]()
        for transaction in self._transactions():
            chip.write(transaction)
            yield chip.picture()

    def _transactions(self) -> list[bytes]:
        found: list[bytearray] = []
        for line in self.bus.read_text(errors="replace").splitlines():
            if sent := re.fullmatch(r"i2c_send send\(addr:0x3c\) data:0x([0-9a-f]{2})", line):
                found[-1].append(int(sent[1], 16))
            elif line.startswith("i2c_event start"):
                found.append(bytearray())
        return [bytes(one) for one in found if one]


def unpacked(kernel: bytes) -> bytes:
    """Return a kernel as it runs, whether gzip has packed it, or it unpacks itself, or neither."""
    if kernel[:2] == b"\x1f\x8b":
        return gzip.decompress(kernel)
    if kernel[0x24:0x28] != ZIMAGE:
        return kernel
    return lzma.LZMADecompressor().decompress(kernel[kernel.rindex(b"\xfd7zXZ") :])


def _loadable(kernel: bytes, architecture: str) -> bytes:
    """Return a kernel in a form that QEMU starts as the firmware would: from 0x8000 on ARMv6."""
    if architecture == "arm64":
        return unpacked(kernel)
    linux_arm_kernel = 5 << 24 | 2 << 16 | 2 << 8
    header = (0x27051956, 0, 0, len(kernel), 0x8000, 0x8000, 0, linux_arm_kernel)  # U-Boot's
    return struct.pack(">8I32x", *header) + kernel


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)


def cpio(name: str, content: bytes) -> bytes:
    """Return an archive with one program, which the kernel unpacks over the initramfs."""
    packed = b""
    for entry, mode, data in ((name, 0o100755, content), ("TRAILER!!!", 0, b"")):
        fields = (1, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(entry) + 1, 0)
        header = b"070701" + b"".join(b"%08X" % field for field in fields)
        packed += _padded(header + entry.encode() + b"\0") + _padded(data)
    return packed
