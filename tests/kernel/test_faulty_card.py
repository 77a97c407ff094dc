"""Read errors lose no games: image/init's own functions, with the real mount, e2fsck and mke2fs.

A virtual machine has a disk for each case. QEMU's blkdebug makes a number of reads fail, or all of them; the
kernel gets I/O errors, as from a card. (QEMU's own SD card does not pass errors on: it returns the previous
read's bytes.) The test reads the disks afterwards.
"""

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "system"))

from machine import CACHE, CHECKOUT, need, run  # noqa: E402

NEEDED = {
    "qemu-system-x86_64": "qemu-system-x86", "busybox": "busybox-static", "mke2fs": "e2fsprogs",
    "depmod": "kmod", "cpio": "cpio",
}  # fmt: skip
SIZE = 32 << 20  # bytes, as image/assemble makes it
SUPERBLOCK = 2  # the sector
EVERYWHERE = -1
FOR_EVER = 10**9
GAMES = b"all games"
NONE_KEPT = "tmpfs"


class Case(NamedTuple):
    """A disk: what is wrong with it, which sector's reads fail how many times, and the required outcome.

    The kernel's search for a partition table, before any of our programs, uses up some of the failing reads.
    """

    # "superblock": overwritten, its copies are whole; "all": zeros; "journal": only the journal has the
    # games; "error": the kernel has recorded one, and somebody has changed the label
    damage: str = ""
    sector: int = EVERYWHERE
    times: int = 0
    kind: str = "ext4"  # what is mounted on /data afterwards
    kept: bool = True  # whether the games are on the disk afterwards


CASES = {
    "nothing": Case(),
    "one read": Case("", SUPERBLOCK, 1),
    "some reads": Case("", SUPERBLOCK, 8),
    "many reads": Case("", EVERYWHERE, 40),
    "the superblock, for ever": Case("", SUPERBLOCK, FOR_EVER, NONE_KEPT),
    "all, for ever": Case("", EVERYWHERE, FOR_EVER, NONE_KEPT),
    "damaged": Case("superblock"),
    "damaged, with some faults": Case("superblock", 5000, 3),
    "damaged, with a fault for ever": Case("superblock", 5000, FOR_EVER, NONE_KEPT),
    "a journal, with some faults": Case("journal", EVERYWHERE, 20),
    "an error, and another label": Case("error"),
    "zeros": Case("all", kept=False),
    "zeros, with some faults": Case("all", EVERYWHERE, 5, kept=False),
    "zeros, with faults for ever": Case("all", EVERYWHERE, FOR_EVER, NONE_KEPT, kept=False),
}
INIT = """
load card
for number in $(seq 1 @COUNT@); do
    # By its serial number: the kernel finds the disks in any order.
    until data=/dev/$(grep -lx "disk$number" /sys/block/vd*/serial | cut -d/ -f4) && [ -b "$data" ]; do
        sleep 0.1
    done
    started=$(seconds)
    open_data
    grep -q " /data " /proc/mounts || read_only_data
    mounted=$(grep ' /data ' /proc/mounts | cut -d' ' -f3,4)
    echo "RESULT $number $(($(seconds) - started)) $mounted $(cat /data/repaired)" >/dev/console
    umount /data
done
poweroff -f
"""


def disk(path, case):
    """Make a data partition with games on it, and damage it."""
    content = path.with_suffix(".in")
    (content / "tictactoe").mkdir(parents=True)
    (content / "tictactoe/games").write_bytes(GAMES if case.damage != "journal" else b"no games.")
    label = "BOXDATA" if case.damage != "error" else "mine"
    run("mke2fs", "-q", "-t", "ext4", "-m", "0", "-L", label, "-d", content, path, "32M")
    with path.open("r+b") as file:
        if case.damage == "superblock":
            file.write(random.Random(1).randbytes(2048))
        elif case.damage == "all":
            file.write(bytes(SIZE))
    if case.damage == "error":
        run("debugfs", "-w", "-R", "ssv error_count 1", path)
    if case.damage == "journal":
        block = run("debugfs", "-R", "bmap /tictactoe/games 0", path).stdout.strip()
        (content / "block").write_bytes(GAMES + bytes(1024 - len(GAMES)))
        run("debugfs", "-w", path, input=f"jo\njw -b {block} {content}/block\njc\n")


def games(path):
    """Return the games that a disk holds."""
    run("e2fsck", "-fy", path, check=False)
    return run("debugfs", "-R", "cat /tictactoe/games", path).stdout.encode()


def drive(number, path, case):
    """Return QEMU's arguments for a disk whose reads fail as a case says."""
    for_ever = case.times == FOR_EVER
    rule = {"event": "none", "iotype": "read", "errno": 5, "sector": case.sector, "once": not for_ever}
    faulty = {"driver": "blkdebug", "image": {"driver": "file", "filename": str(path)}}
    if case.times:
        faulty["inject-error"] = [rule] * (1 if for_ever else case.times)
    node = {"driver": "raw", "node-name": f"disk{number}", "file": faulty}
    report = f"virtio-blk-pci,drive=disk{number},serial=disk{number},rerror=report,werror=report"
    return ("-blockdev", json.dumps(node), "-device", report)


@pytest.fixture(scope="session")
def results(tmp_path_factory):
    """The machine's report on each case, and its disk before and after."""
    need(NEEDED)
    folder = tmp_path_factory.mktemp("faulty")
    run(HERE / "make_kernel.sh", CACHE / "kernel")
    functions = (CHECKOUT / "image/init").read_text().split("\nload card\n")[0]
    (folder / "init").write_text(functions + INIT.replace("@COUNT@", str(len(CASES))))
    run(HERE / "make_initrd.sh", CACHE / "kernel", folder / "init", folder / "initrd")
    words, before = [], {}
    for number, (name, case) in enumerate(CASES.items(), 1):
        path = folder / f"disk{number}"
        disk(path, case)
        before[name] = path.read_bytes()
        words += drive(number, path, case)
    console = folder / "console"
    subprocess.run(
        ["qemu-system-x86_64", "-M", "q35", "-accel", "tcg", "-cpu", "max", "-m", "512", "-nodefaults",
         "-nographic", "-no-reboot", "-serial", f"file:{console}", "-kernel", CACHE / "kernel/vmlinuz",
         "-initrd", folder / "initrd", *words,
         "-append", "console=ttyS0 panic=-1 mitigations=off tsc=nowatchdog"],
        stdin=subprocess.DEVNULL, timeout=1800, check=True,
    )  # fmt: skip
    text = console.read_text(errors="replace")
    sys.stdout.write(text[-20000:])
    lines = [line.split(maxsplit=3)[1:] for line in text.splitlines() if line.startswith("RESULT ")]
    assert len(lines) == len(CASES), text[-4000:]
    return {
        name: (int(line[1]), line[2], before[name], folder / f"disk{number}")
        for number, (name, line) in enumerate(zip(CASES, lines, strict=True), 1)
    }


@pytest.mark.parametrize("name", CASES)
def test_a_partition_with_games_is_kept(results, name):
    case = CASES[name]
    seconds, mounted, before, path = results[name]
    sys.stdout.write(f"{name}: {seconds} s, {mounted}\n")
    assert mounted.startswith(case.kind)
    if case.times == FOR_EVER:
        assert path.read_bytes() == before, "nothing is written"
        assert "cannot be used" in mounted
    elif not case.kept:
        assert "a new one was made" in mounted
    if case.kept:
        assert games(path) == GAMES
