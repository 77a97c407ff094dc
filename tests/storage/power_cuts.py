"""The slow tests of what outlives the power: thousands of cuts, each system call failing in turn.

They need strace, take some minutes, and print their figures: `make test-power`. The quick forms are in
`test_store_faults.py`, in the ordinary run.
"""

import random
import shutil
import subprocess

import pytest
from power_tools import (
    allowed_after,
    expected_steps,
    inject,
    kill_at_random,
    look,
    moves_in,
    player,
    report,
    shown,
)
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


def traced(box, seed, steps, mode):
    """Let a player play under strace; return the lines of the trace."""
    box.mkdir()
    log = box.with_name("trace")
    command, environ = player(box, seed, steps, mode, before=[*TRACE, "-o", str(log)])
    subprocess.run(command, env=environ, check=True, stdout=subprocess.PIPE)
    return log.read_text().splitlines()


def test_power_cuts_in_a_model_of_the_disk_that_forgets_what_was_not_synced(home, memory):
    """Cut after any system call; of what was not synced let any part arrive. See `traced_disk`."""
    box, rng = home / "box", random.Random(1)
    lines = traced(box, 3, TRACED_STEPS, "heal")
    steps = expected_steps(None, 0, 3, TRACED_STEPS + 1)
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
    store = World(path).open()
    found = as_picture(store)
    assert not list(path.glob("*.damaged-*")), "a power cut is no damage"
    store.cut()
    shutil.rmtree(path)
    return found


@pytest.mark.parametrize("beginning", ["new", "killed"])
@pytest.mark.parametrize("call", FAILING)
def test_each_system_call_fails_in_turn(home, call, beginning):
    """Each ends the box at once in one run, and is played past in another."""
    kept, games, before = None, 0, None
    if beginning == "killed":
        world = World(home / "before")
        world.drive(random.Random(9), 25)
        world.copied(home / "killed")
        world.store.cut()
        kept, games, before = look(world.copied(home / "copy").path)
    number, times, struck = 1, 0, True
    while struck:
        fault = f"{call}:error={FAILING[call]}:when={number}"
        for mode in ("stop", "heal"):
            struck, done = inject(home, beginning, fault, number, FAILING_STEPS, mode)
            assert done.returncode in {0, 3}, done.stderr.decode()
            assert b"Traceback" not in done.stderr, done.stderr.decode()
            steps = expected_steps(kept, games, number, shown(done.stdout)[1])
            _, last, found = look(home / "box")
            assert not list((home / "box").glob("*.damaged-*"))
            assert found in allowed_after(steps, fault=done.returncode == 3, before=before), (
                f"{call} {number} {mode}"
            )
            if mode == "heal":
                assert found == steps[-1], f"{call} {number}"
                numbers = [one.number for one in games_in(home / "box")]
                assert numbers == list(range(1, last + 1)), f"{call} {number}"
        times += struck
        number += STRIDE.get(call, 1)
    report(f"{call} failed in turn {times} times, {beginning} box: the move before or after, and healed")
    assert times or (call, beginning) in NEVER


def test_bytes_written_a_game(home):
    """Count what is written and synced, on a box that plays games to their end and does nothing else."""
    box = home / "box"
    disk, marks = Disk(box), []
    for line in traced(box, 7, 4000, "plain"):
        disk.feed(line)
        if line.find("write(1<") > 0 and disk.output.endswith(b"synced\n"):
            marks.append((disk.written, disk.syncs))
    lengths = [len(one.game.moves) for one in games_in(box)]
    games = len(lengths)
    first, last = marks[len(marks) // 4], marks[-1]
    written, syncs = ((after - before) / (games * 3 / 4) for before, after in zip(first, last, strict=True))
    report(
        f"{games} games of {sum(lengths) / games:.1f} moves: "
        f"{written:.0f} bytes written a game, {syncs:.1f} syncs"
    )
    assert written < 12_000


def test_the_trace_is_understood():
    """A trace of another format would let the tests above pass without a single write."""
    disk = Disk("/b")
    path = "".join(f"\\x{byte:02x}" for byte in b"/b/f")
    assert disk.feed(f'7 openat(AT_FDCWD, "{path}", O_RDWR|O_CREAT, 0644) = 3')
    assert disk.feed(f'7 pwrite64(3<{path}>, "\\x61\\x62", 2, 1) = 2')
    rng = random.Random(0)
    assert {disk.after_a_cut(rng).get("f") for _ in range(99)} == {None, b"", b"\0ab"}
    assert disk.feed(f"7 fdatasync(3<{path}>) = 0")
    assert disk.feed("7 fsync(4<\\x2f\\x62>) = 0")
    assert disk.after_a_cut(rng) == {"f": b"\0ab"}
