"""The slow tests of what outlives the power: thousands of cuts, each system call failing in turn.

They need strace, take some minutes, and print their figures: `make test-power`. The quick forms are in
`test_store_faults.py` and `test_store_start.py`, in the ordinary run.
"""

import random
import shutil
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path

import pytest
from effort import amount, longer
from power_tools import allowed, found_in, kill_at_random, moves_in, player, report, shown
from store_world import World, close_all, laid_out
from traced_disk import STRACE, TRACE, Disk

from appliance.storage.copies import both
from appliance.storage.database import NAME

KILLS, MOVES, LONGEST = amount(30, 80), amount(700, 2000), 1.0  # at least; seconds that a box plays
TRACED_STEPS, CUTS = 400, amount(2000, 4000)
CUTS_AT_A_CALL = amount(15, 40)
FAILING_STEPS = 14

# Each with the errors of a disk, a bad contact and a strict kernel.
FAILING = {
    "pwrite64": ("ENOSPC", "EROFS"),
    "fdatasync": ("EIO",),
    "fsync": ("EIO",),
    "ftruncate": ("EIO", "ENOSPC"),
    "rename": ("EIO",),
    "unlink": ("EIO",),
    "mkdir": ("ENOSPC", "EROFS"),
    "openat": ("EIO", "EACCES", "ENOSPC", "EROFS"),
    "pread64": ("EIO",),
    "newfstatat": ("EIO",),
    "mmap": ("ENOMEM",),
    "fcntl": ("EIO",),
    "flock": ("EIO",),
}
# Of these there are hundreds.
STRIDE = {"fcntl": 41, "newfstatat": 23, "pwrite64": 13, "pread64": 9, "openat": 3}
STRIDE = {call: amount(2, 1) * stride for call, stride in STRIDE.items()}
SUFFIXES = ("", "-wal", "-shm", "-journal", ".tictactoe-new")
FILES = ["", *(f"/{copy}{suffix}" for copy in both(Path(NAME)) for suffix in SUFFIXES)]


@pytest.fixture
def home():
    """A directory on a disk, for system calls."""
    if shutil.which("strace") is None:
        pytest.fail("strace is missing. Remedy: sudo apt install strace")
    with tempfile.TemporaryDirectory() as path:
        yield Path(path)


def test_sigkill_thousands_of_moves_none_lost(home):
    moves = kills = 0
    while kills < KILLS or (moves <= MOVES and kills < 20 * KILLS):  # a busy machine makes few moves a second
        moves += kill_at_random(home / "box", kills, LONGEST)
        kills += 1
    report(f"{kills} times SIGKILL survived, {moves} moves made, moves lost (0)")
    assert moves > MOVES


def cut(disk, rng, memory):
    """Return a world with what a power cut may leave."""
    files = disk.after_a_cut(rng)
    for copy in both(Path(NAME)):
        if f"{copy}-wal" in files:
            files[f"{copy}-shm"] = rng.randbytes(32_768)  # never synced: may hold anything
    return laid_out(memory / "cut", files)


def test_power_cuts_in_a_model_of_the_disk_that_forgets_what_was_not_synced(home, memory):
    """Cut after any system call; of what was not synced let any part arrive. See `traced_disk`."""
    box, log, rng = home / "box", home / "trace", random.Random(1)
    box.mkdir()
    traced = player(box, 3, TRACED_STEPS, before=[*TRACE, "-o", str(log)])
    subprocess.run(**traced, check=True, stdout=subprocess.PIPE)
    lines = log.read_text().splitlines()
    before, steps = World(memory / "new").look(3)
    steps = list(islice(steps, TRACED_STEPS + 1))
    cuts = sorted(rng.choices(range(len(lines)), k=CUTS))
    disk, behind = Disk(box), 0
    for number, line in enumerate(lines):
        disk.feed(line)
        while cuts and cuts[0] == number:
            cuts.pop(0)
            pictures, done = shown(disk.output)
            found = found_in(cut(disk, rng, memory).path)
            assert found in allowed(before, steps, disk.output), f"line {number}"
            behind += bool(pictures) and found is not None and found != pictures[-1] == steps[done]
    assert shown(disk.output)[1] == TRACED_STEPS
    report(
        f"{CUTS} power cuts survived in {moves_in(steps)} moves, moves lost that had been synced (0); "
        f"{behind} cuts came between picture and sync and took that one move back"
    )


def damaged_box(path):
    """Return a box that was killed, much of it in the logs, with a wrong bit in one copy's schema."""
    box = World(path.with_name("sound"))
    box.drive(random.Random(9), 60)
    files = box.files()
    close_all()
    damaged = bytearray(files[NAME])
    damaged[damaged.index(b"CREATE TABLE game")] ^= 1
    return laid_out(path, {**files, NAME: bytes(damaged)})


def test_power_cuts_while_a_wrong_copy_is_made_anew(home, memory):
    """Cut after each system call of the first start, and then after each of the start that follows."""
    files, sound = damaged_box(memory / "damaged").files(), World(memory / "sound")
    before, games = sound.look()[0], sound.played()
    rng, log, cuts = random.Random(1), home / "trace", [0, 0]
    ours = "".join(f"\\x{byte:02x}" for byte in bytes(home / "box"))

    def start(files, times, again):
        disk = Disk(home / "box", files)
        traced = player(laid_out(home / "box", files).path, 3, 0, before=[*TRACE, "-o", str(log)])
        subprocess.run(**traced, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        lines = [line for line in log.read_text().splitlines() if ours in line or "(1<" in line]
        for line in lines:
            disk.feed(line)
            for _ in range(times):
                world = cut(disk, rng, memory)
                left = world.files()
                assert found_in(world.path, damaged=True) == before, line
                assert world.played() == games, line
                cuts[again] += 1
            if not again:
                start(left, 1, again=True)
        assert disk.output == b"opened\n"
        return len(lines)

    calls = start(files, CUTS_AT_A_CALL, again=False)
    report(
        f"{cuts[0]} power cuts survived at {calls} calls while a wrong copy was made anew, "
        f"and {cuts[1]} in the start after such a cut; lost (0)"
    )


def test_what_has_been_reset_stays_forgotten(home):
    box, log, rng = home / "box", home / "trace", random.Random(1)
    box.mkdir()
    disk = Disk(box)
    play = player(box, 3, 60)
    command = [sys.executable, "-c", "import appliance.cli as cli; cli.main()", "reset", "--yes"]
    for done in play, {"args": [*command, "--state", str(box)], "env": play["env"]}:
        done["args"] = [*TRACE, "-o", str(log), *done["args"]]
        subprocess.run(**done, check=True, stdout=subprocess.PIPE)
        for line in log.read_text().splitlines():
            disk.feed(line)
    assert disk.output.endswith(b"Everything was deleted.\n")
    assert all(disk.after_a_cut(rng) == {} for _ in range(99))


def inject(home, beginning, fault, seed, steps, files=FILES):
    """Run a player in `home/box`, a copy of `home/beginning`, under a fault of strace's.

    Return whether the fault struck, and the process. It strikes calls on these files; on any, if none.
    """
    box, log = home / "box", home / "trace"
    shutil.rmtree(box, ignore_errors=True)
    if (home / beginning).exists():
        shutil.copytree(home / beginning, box)
    paths, call = [f"-P{box}{name}" for name in files], fault.split(":")[0]
    strace = [*STRACE, "-o", str(log), *paths, "-e", f"trace={call}", "-e", f"inject={fault}"]
    done = subprocess.run(**player(box, seed, steps, before=strace), capture_output=True, check=False)
    return "(INJECTED)" in log.read_text(), done


@pytest.mark.parametrize("beginning", ["new", "killed", *longer("closed"), "damaged"])
@pytest.mark.parametrize("call", FAILING)
def test_each_system_call_fails_in_turn(home, call, beginning):
    """The box plays past one failure, is killed in that moment, or the call goes on failing."""
    World(home / "closed").drive(random.Random(9), 60)
    World(home / "closed").copied(home / "killed")
    close_all()
    World(home / "closed").look()
    damaged_box(home / "damaged")
    copy = World(home / "copy") if beginning == "new" else World(home / beginning).copied(home / "copy")
    number, times, struck = 1, 0, True
    while struck:
        before, steps = copy.look(number)
        steps = list(islice(steps, FAILING_STEPS + 1))
        once = f"{call}:error={FAILING[call][0]}:when={number}"
        for_good = [f"{call}:error={error}:when={number}+" for error in FAILING[call]]
        for fault in (once, f"{once}:signal=KILL", *for_good):
            struck, done = inject(home, beginning, fault, number, FAILING_STEPS)
            assert done.returncode in {0, -9}, done.stderr.decode()
            assert b"Traceback" not in done.stderr, done.stderr.decode()
            found = found_in(home / "box", damaged=beginning == "damaged")
            assert found in allowed(before, steps, done.stdout), fault
            assert fault != once or found == steps[-2], fault
        times += struck
        number += STRIDE.get(call, 1)
    report(f"{call} failed in turn {times} times, {beginning} box: the move before or after, and healed")
    assert times or beginning != "new"


@pytest.mark.parametrize("call", ["mmap", "brk"])
def test_out_of_memory(home, call):
    """No memory from each of many moments on: the box goes on or ends, and loses nothing committed."""
    box = World(home / "before")
    box.drive(random.Random(9), 60)
    before, steps = box.look(9)
    steps = list(islice(steps, 202))
    shutil.copytree(box.path, home / "box")
    strace = [*STRACE, "-e", f"trace={call},write"]
    done = subprocess.run(**player(home / "box", 9, 200, before=strace), capture_output=True, check=True)
    trace = done.stderr.decode().split('"opened')[0]
    first = trace.count(f"{call}(")
    survived = 0
    numbers = [*range(first - 12, first + 12), *range(first + 12, first + 40, 4)]
    for number in numbers:
        fault = f"{call}:error=ENOMEM:when={number}+"
        _, done = inject(home, "before", fault, 9, 200, files=())
        survived += done.returncode == 0
        assert found_in(home / "box") in allowed(before, steps, done.stdout), fault
    report(f"out of memory ({call}): {survived} of {len(numbers)} boxes went on; each store was complete")


def test_the_trace_is_understood():
    """A trace of another format would let the tests above pass without a single write."""
    disk = Disk("/b")
    path = "".join(f"\\x{byte:02x}" for byte in b"/b/f")
    disk.feed(f'7 openat(AT_FDCWD, "{path}", O_RDWR|O_CREAT, 0644) = 3')
    disk.feed(f'7 pwrite64(3<{path}>, "\\x61\\x62", 2, 1) = 2')
    rng = random.Random(0)
    found = {disk.after_a_cut(rng).get("f") for _ in range(99)}
    assert {None, b"", b"\0ab"} < found
    assert {len(one) for one in found - {None, b""}} == {3}  # the others are torn
    disk.feed(f"7 fdatasync(3<{path}>) = 0")
    disk.feed("7 fsync(4<\\x2f\\x62>) = 0")
    assert disk.after_a_cut(rng) == {"f": b"\0ab"}
