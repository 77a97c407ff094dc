"""The store of the installed package saves on a card with a dead block, or with 64 KiB dead.

The block is found in the file system. QEMU's blkdebug fails each read of it for ever; writes succeed, and
change nothing about that. So cache and ext4 are the real kernel's, while `tests/support/worn_card.py` has a
model of them. The box is `worn_box.py`, on a virtual clock, as in `tests/storage/worn_cards.py`.
"""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "system"))

from machine import CACHE, CHECKOUT, Machine, built_package, dump, need, run  # noqa: E402
from test_faulty_card import NEEDED  # noqa: E402
from worn_box import NAMES, boxes, forked, sound  # noqa: E402

SECTOR, UNIT = 512, 1024  # bytes; the file system's block
CASES = {  # name -> which of the first copy's blocks of the file system, how many bytes around it are dead
    "nothing": (0, 0),
    "the first block": (0, 4096),
    "a block of games": (60, 4096),
    "64 KiB": (60, 64 << 10),
}
PROBES = [  # what dd does with a file of which the second page is dead, and whether it can; "": a restart
    ("if=probe of=/dev/null bs=512 skip=7 count=1", True),
    ("if=probe of=/dev/null bs=512 skip=8 count=1", False),
    ("if=/dev/zero of=probe bs=512 seek=9 count=1 conv=notrunc", False),
    ("if=/dev/zero of=probe bs=4096 seek=1 count=1 conv=notrunc", True),
    ("if=probe of=/dev/null bs=512 skip=9 count=1", True),
    ("", True),
    ("if=probe of=/dev/null bs=512 skip=9 count=1", False),
]
INIT = """
load card
disk() { # NUMBER: print the disk with this serial number: the kernel finds them in any order
    until found=$(grep -lx "disk$1" /sys/block/vd*/serial | cut -d/ -f4) && [ -b "/dev/$found" ]; do
        sleep 0.1
    done
    echo "/dev/$found"
}
box() { # COMMAND: start a box on the data partition, which nothing has read yet
    mount_data
    mount -o bind /data /new/data
    export PYTHONPATH=/usr/share/tictactoe-appliance
    report=$(chroot /new python3 /srv/vm/worn_box.py "$1" /data/tictactoe)
    echo "RESULT $number $1 $report" >/dev/console
    umount /new/data /data
    forget
}
echo 1 >/proc/sys/kernel/printk # no message of the kernel within a line of ours
mount -t ext4 "$(disk 0)" /new
mount -t devtmpfs dev /new/dev
for number in $(seq 1 @COUNT@); do
    data=$(disk "$number")
    box live
    box look
done
data=$(disk $((number + 1)))
@PROBES@
poweroff -f
"""


def probe(words):
    """Return a script that does it, and says whether it could."""
    do = f"dd {words} 2>/dev/null" if words else "cd / && umount /data && forget"
    return f'mount_data; cd /data; {do}; echo "PROBE $?" >/dev/console'


def partition(image, content, folder, files):
    """Make a data partition with these files in a folder."""
    (content / folder).mkdir(parents=True)
    for name, data in files.items():
        (content / folder / name).write_bytes(data)
    run("mke2fs", "-q", "-t", "ext4", "-m", "0", "-L", "BOXDATA", "-d", content, image, "64M")


def blocks(image, name):
    """Return where on a partition each block of a file is, in blocks of the file system."""
    return [int(one) for one in run("debugfs", "-R", f"blocks {name}", image).stdout.split()]


def dead_sectors(image, block, size):
    """Return the sectors of the `size` bytes around a block of the first copy; the other has none of them."""
    if not size:
        return []
    start = blocks(image, f"/tictactoe/{NAMES[0]}")[block] * UNIT // size * size
    region = range(start // UNIT, (start + size) // UNIT)
    assert not set(region) & set(blocks(image, f"/tictactoe/{NAMES[1]}")), "both copies are hit"
    return list(range(start // SECTOR, (start + size) // SECTOR))


def drive(number, path, sectors=()):
    """Return QEMU's arguments for a disk whose reads of these sectors fail for ever."""
    rules = [{"event": "none", "iotype": "read", "errno": 5, "sector": sector} for sector in sectors]
    file = {"driver": "blkdebug", "image": {"driver": "file", "filename": str(path)}}
    if rules:
        file["inject-error"] = rules
    node = {"driver": "raw", "node-name": f"disk{number}", "file": file}
    device = f"virtio-blk-pci,drive=disk{number},serial=disk{number},rerror=report,werror=report"
    return ("-blockdev", json.dumps(node), "-device", device)


@pytest.fixture(scope="session")
def results(tmp_path_factory):
    """What each box reported, by case and command; and what is there after the same life on a sound card."""
    need({**NEEDED, "mmdebstrap": "mmdebstrap"})
    folder = tmp_path_factory.mktemp("worn")
    machine = Machine("trixie", Path("/var/tmp/tictactoe-worn"))  # noqa: S108 - of root's, and big
    machine.install_dependencies(built_package())
    machine.install(built_package())
    (machine.root / "srv/vm").mkdir()
    (machine.root / "data").mkdir()
    for name in ("worn_box.py", "worn_card.py"):
        run("cp", CHECKOUT / "tests/support" / name, machine.root / "srv/vm")
    run("mke2fs", "-q", "-t", "ext4", "-d", machine.root, folder / "root", "2G")
    run("rm", "-rf", machine.root.parent)
    run(HERE / "make_kernel.sh", CACHE / "kernel")
    functions = (CHECKOUT / "image/init").read_text().split("\nload card\n")[0]
    init = INIT.replace("@COUNT@", str(len(CASES)))
    init = init.replace("@PROBES@", "\n".join(probe(words) for words, _ in PROBES))
    (folder / "init").write_text(functions + init)
    run(HERE / "make_initrd.sh", CACHE / "kernel", folder / "init", folder / "initrd")
    files, words = dict(boxes())["short log"], [*drive(0, folder / "root")]
    for number, case in enumerate(CASES.values(), 1):
        partition(image := folder / f"disk{number}", folder / f"{number}", "tictactoe", files)
        words += drive(number, image, dead_sectors(image, *case))
    partition(image := folder / "probe", folder / "0", "", {"probe": b"x" * 16384})
    dead = [2 * block + half for block in blocks(image, "/probe")[4:8] for half in (0, 1)]
    words += drive(len(CASES) + 1, image, dead)
    console = folder / "console"
    subprocess.run(
        ["qemu-system-x86_64", "-M", "q35", "-accel", "tcg", "-cpu", "max", "-m", "1024", "-nodefaults",
         "-nographic", "-no-reboot", "-serial", f"file:{console}", "-kernel", CACHE / "kernel/vmlinuz",
         "-initrd", folder / "initrd", *words,
         "-append", "console=ttyS0 panic=-1 mitigations=off tsc=nowatchdog"],
        stdin=subprocess.DEVNULL, timeout=1800, check=True,
    )  # fmt: skip
    text = console.read_text(errors="replace")
    lines = re.findall(r"^RESULT (\d+) (\w+) (.*)$", text, re.MULTILINE)
    assert len(lines) == 2 * len(CASES), text[-4000:]
    names = list(CASES)
    found = {(names[int(number) - 1], command): json.loads(report) for number, command, report in lines}
    can = [status == "0" for status in re.findall(r"^PROBE (\d+)", text, re.MULTILINE)]
    return found, forked(sound, files, folder / "sound"), can


def test_the_kernel_refuses_what_the_stand_in_does(results):
    assert results[2] == [can for _, can in PROBES]


@pytest.mark.parametrize("name", CASES)
def test_it_plays_and_saves(results, name):
    reports, sound_one, _ = results
    life, rest = reports[name, "live"], reports[name, "look"]
    left = Counter(rest.pop("games"))
    lost = (Counter(sound_one["games"]) - left).total()
    dump({"case": name, "first": life, "then": rest, "games": left.total(), "lost": lost})
    assert life["saved"] is not None, "it never saves again"
    assert (rest["seen"], lost) == (sound_one["seen"], 0)
