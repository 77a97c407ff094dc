"""The slow tests of what outlives the power: thousands of cuts, each system call failing in turn.

They need strace, take some minutes, and print their figures: `make test-power`. The quick forms are in
`test_store_faults.py`, in the ordinary run.
"""

import random
import re
import shutil
import subprocess

import pytest
from power_tools import allowed_after, expected_steps, kill_at_random, moves_in, player, report, shown
from store_player import last_game
from store_world import World, as_picture, games_in
from traced_disk import TRACE, Disk

from appliance.storage.database import NAME

KILLS, LONGEST = 80, 1.0
TRACED_STEPS, CUTS = 400, 4000
FAILING_STEPS = 14

# Each with the error that a disk gives.
FAILING = {
    "pwrite64": "ENOSPC",
    "fdatasync": "EIO",
    "fsync": "EIO",
    "ftruncate": "EIO",
    "rename": "EIO",
    "unlink": "EIO",
    "mkdir": "ENOSPC",
    "openat": "EIO",
    "pread64": "EIO",
    "read": "EIO",
    "mmap": "ENOMEM",
    "fcntl": "EIO",
}
STRIDE = {"fcntl": 9}  # locks are taken and given back four times a move, and waited for
# What a new box does not read, and a box that was killed need not make.
NEVER = {("read", "new"), *((call, "killed") for call in ("fsync", "rename", "unlink", "mkdir"))}


def test_sigkill_thousands_of_moves_none_lost(home):
    moves = sum(kill_at_random(home / "box", seed, LONGEST) for seed in range(KILLS))
    report(f"{KILLS} times SIGKILL survived, {moves} moves made, moves lost (0)")
    assert moves > 2000


def test_power_cuts_in_a_model_of_the_disk_that_forgets_what_was_not_synced(home, memory):
    """Cut after any system call; of what was not synced let any part arrive. See `traced_disk`."""
    box, log, rng = home / "box", home / "trace", random.Random(1)
    box.mkdir()
    command, environ = player(box, 3, TRACED_STEPS, before=[*TRACE, "-o", str(log)])
    subprocess.run(command, env=environ, check=True, stdout=subprocess.PIPE)
    lines = log.read_text().splitlines()
    steps = expected_steps(None, 0, random.Random(3), TRACED_STEPS + 1)
    disk = Disk(box)
    changes = [number for number, line in enumerate(lines) if disk.feed(line)]
    assert shown(disk.output)[1] == TRACED_STEPS
    cuts = sorted(rng.choices(changes, k=CUTS))
    disk, behind = Disk(box), 0
    for number, line in enumerate(lines):
        disk.feed(line)
        while cuts and cuts[0] == number:
            cuts.pop(0)
            pictures, done = shown(disk.output)
            found = found_after(disk.after_a_cut(rng), memory / "cut", rng)
            candidates = steps[max(0, done - 1) : done + 1]
            if steps[0] in candidates:
                candidates.append(None)
            assert found in candidates, f"line {number}"
            behind += bool(pictures) and found is not None and found != pictures[-1] == steps[done]
    report(
        f"{CUTS} power cuts survived in {moves_in(steps)} moves, moves lost that had been synced (0); "
        f"{behind} cuts came between picture and sync and took that one move back"
    )


def found_after(files, path, rng):
    """Lay out the files of a cut, start a box there, and return what it has kept."""
    path.mkdir()
    for name, content in files.items():
        (path / name).write_bytes(content)
    if f"{NAME}-wal" in files:
        (path / f"{NAME}-shm").write_bytes(rng.randbytes(32_768))  # never synced: may hold anything
    world = World(path)
    store = world.open()
    found = as_picture(store)
    assert not list(path.glob("*.damaged-*")), "a power cut is no damage"
    store.cut()
    shutil.rmtree(path)
    return found


@pytest.mark.parametrize("beginning", ["new", "killed"])
@pytest.mark.parametrize("call", FAILING)
def test_each_system_call_fails_in_turn(home, call, beginning):
    if beginning == "killed":
        world = World(home / "before")
        world.drive(random.Random(9), 25)
        world.copied(home / "killed")
        world.store.cut()
    number, times = 1, 0
    while fail_one(home, call, number, "stop", beginning):
        assert fail_one(home, call, number, "heal", beginning)
        times += 1
        number += STRIDE.get(call, 1)
    report(f"{call} failed in turn {times} times, {beginning} box: the move before or after, and healed")
    assert times or (call, beginning) in NEVER


def fail_one(home, call, number, mode, beginning):
    """Let the `number`-th such call on the box's files fail; return whether there was one."""
    box, log = home / "box", home / "trace"
    kept, games = None, 0
    if beginning == "killed":
        shutil.copytree(home / beginning, box)
        shutil.copytree(home / beginning, home / "copy")
        store = World(home / "copy").open()
        kept, games, before = store.load(), last_game(store), as_picture(store)
        store.close()
        shutil.rmtree(home / "copy")
    names = ["", *(f"/{NAME}{suffix}" for suffix in ("", "-wal", "-shm", "-journal", ".new"))]
    strace = ["strace", "-f", "-qq", "-o", str(log), *(f"-P{box}{name}" for name in names)]
    strace += ["-e", f"trace={call}", "-e", f"inject={call}:error={FAILING[call]}:when={number}"]
    command, environ = player(box, number, FAILING_STEPS, mode, before=strace)
    done = subprocess.run(command, env=environ, capture_output=True, check=False)
    assert done.returncode in {0, 3}, done.stderr.decode()
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    failed = "(INJECTED)" in log.read_text()
    _, completed = shown(done.stdout)
    steps = expected_steps(kept, games, random.Random(number), completed)
    world = World(box)
    store = world.open()
    found = as_picture(store)
    numbers = [one.number for one in games_in(box)]
    store.close()
    assert not list(box.glob("*.damaged-*"))
    shutil.rmtree(box)
    allowed = allowed_after(steps, fault=done.returncode == 3, before=before if kept else None)
    assert found in allowed, f"{call} {number} {mode}"
    if mode == "heal":
        assert found == steps[-1], f"{call} {number}"
        assert numbers == list(range(1, steps[-1]["games"] + 1)), f"{call} {number}"
    return failed


def test_files_cut_short_at_every_length(memory):
    world = World(memory / "whole")
    steps = world.drive(random.Random(5), 60)
    data, log = world.file.read_bytes(), world.log.read_bytes()
    world.store.cut()
    used = len(log.rstrip(b"\0")) + 600
    pictures, newest, path = [None, *steps], 0, memory / "one"
    for length in [*range(used), *range(used, len(log), 97), len(log)]:
        found = found_after({NAME: data, f"{NAME}-wal": log[:length]}, path, random.Random(length))
        assert found in pictures[newest:], f"log cut to {length}"  # a longer log never tells less
        newest = pictures.index(found, newest)
    assert found == steps[-1]
    last = world.stop()
    whole = world.file.read_bytes()
    for length in range(0, len(whole), 3):
        path.mkdir()
        (path / NAME).write_bytes(whole[:length])
        store = World(path).open()
        assert bool(length) == bool(list(path.glob("*.damaged-*"))), f"database cut to {length}"
        store.cut()
        shutil.rmtree(path)
    assert found_after({NAME: whole}, path, random.Random(0)) == last
    report(f"a log of {used} and a database of {len(whole)} bytes cut short at every length: survived")


def test_bytes_written_a_game(home):
    """Count what is written and synced, on a box that plays games to their end and does nothing else."""
    box, log = home / "box", home / "trace"
    box.mkdir()
    command, environ = player(box, 7, 4000, "plain", before=[*TRACE, "-o", str(log)])
    subprocess.run(command, env=environ, check=True, stdout=subprocess.PIPE)
    disk, marks = Disk(box), []
    for line in log.read_text().splitlines():
        disk.feed(line)
        if line.find("write(1<") > 0 and disk.output.endswith(b"synced\n"):
            marks.append((disk.written, disk.syncs))
    games = len(list(games_in(box)))
    first, last = marks[len(marks) // 4], marks[-1]
    steady = games * 3 / 4
    report(
        f"{games} games of {moves_in_history(box) / games:.1f} moves: "
        f"{(last[0] - first[0]) / steady:.0f} bytes written a game, {(last[1] - first[1]) / steady:.1f} syncs"
    )
    assert (last[0] - first[0]) / steady < 12_000


def moves_in_history(box):
    return sum(len(one.game.moves) for one in games_in(box))


def test_the_trace_is_understood():
    """A trace of another format would let the tests above pass without a single write."""
    disk = Disk("/b")
    path = "".join(f"\\x{byte:02x}" for byte in b"/b/f")
    assert re.fullmatch(r"(\\x..)+", path)
    assert disk.feed(f'7 openat(AT_FDCWD, "{path}", O_RDWR|O_CREAT, 0644) = 3')
    assert disk.feed(f'7 pwrite64(3<{path}>, "\\x61\\x62", 2, 1) = 2')
    rng = random.Random(0)
    assert {disk.after_a_cut(rng).get("f") for _ in range(99)} == {None, b"", b"\0ab"}
    assert disk.feed(f"7 fdatasync(3<{path}>) = 0")
    assert disk.feed("7 fsync(4<\\x2f\\x62>) = 0")
    assert disk.after_a_cut(rng) == {"f": b"\0ab"}
