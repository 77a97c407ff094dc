"""The slow tests of the start of a box: each call fails for good, no memory is left, a long history.

They need strace, and print their figures: `make test-power`. The quick forms are in `test_store_start.py`.
"""

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from power_tools import expected_steps, player, report, shown
from store_player import last_game
from store_world import World, as_picture, games_in

from appliance.storage.database import INSERT_GAME, NAME

STRIDE = 9  # of the locks, which are taken and given back four times a move, and waited for

# Each call of opening and reading, with the errors of a bad contact, a full disk and a strict kernel.
FAILING_AT_START = {
    "openat": ("EIO", "EACCES", "ENOSPC", "EROFS"),
    "pread64": ("EIO",),
    "read": ("EIO",),
    "newfstatat": ("EIO",),
    "mmap": ("ENOMEM",),
    "fcntl": ("EIO",),
    "flock": ("EIO",),
    "pwrite64": ("ENOSPC", "EROFS"),
    "ftruncate": ("ENOSPC",),
    "fallocate": ("ENOSPC",),
    "mkdir": ("EROFS",),
}


@pytest.mark.parametrize("call", FAILING_AT_START)
def test_each_call_of_the_start_fails_and_goes_on_failing(home, call):
    """From the first such call on, from the second, and so on: the box plays, and loses nothing of before."""
    world = World(home / "before")
    steps = world.drive(random.Random(9), 60)
    world.copied(home / "killed")
    world.store.close()
    before, times, stride = steps[-1], 0, STRIDE if call == "fcntl" else 1
    for beginning in ("killed", "before"):
        for error in FAILING_AT_START[call]:
            number, failed = 1 - stride, True
            while failed:
                number += stride
                failed, done = inject(home, beginning, f"{call}:error={error}:when={number}+", 12, "memory")
                assert done.returncode == 0, done.stderr.decode()
                assert b"Traceback" not in done.stderr, done.stderr.decode()
                times += failed
                found, numbers = whole_after(home / "box")
                assert numbers == list(range(1, len(numbers) + 1)), f"{call} {error} {number}"
                assert len(numbers) >= before["games"], f"{call} {error} {number}"
                for which in ("box", "pair"):
                    for party, games in before["scores"][which].items():
                        assert found["scores"][which][party] >= games, f"{call} {error} {number}"
    report(
        f"{call} failed for good from {times} moments of the start on: every game and the score were there"
    )


def test_out_of_memory(home):
    """No memory from each of many moments on: the box goes on or ends, and what it has committed is whole."""
    world = World(home / "before")
    world.drive(random.Random(9), 60)
    world.store.close()
    kept = World(home / "before").open()
    before, loaded, games = as_picture(kept), kept.load(), last_game(kept)
    kept.close()
    shutil.copytree(home / "before", home / "box")
    command, environ = player(
        home / "box", 9, 200, "memory", before=["strace", "-f", "-qq", "-e", "trace=mmap,brk,write"]
    )
    trace = subprocess.run(command, env=environ, capture_output=True, check=True).stderr.decode().splitlines()
    opened = next(number for number, line in enumerate(trace) if '"opened' in line)
    ends = {"survived": 0, "died": 0}
    for call in ("mmap", "brk"):
        first = sum(line.startswith(f"{call}(") for line in trace[:opened])
        for number in [*range(first - 12, first + 12), *range(first + 12, first + 40, 4)]:
            _, done = inject(
                home, "before", f"{call}:error=ENOMEM:when={number}+", 200, "memory", everywhere=True
            )
            ends["survived" if done.returncode == 0 else "died"] += 1
            _, completed = shown(done.stdout)
            steps = expected_steps(loaded, games, random.Random(0), completed + 1)
            found, numbers = whole_after(home / "box")
            assert numbers == list(range(1, found["games"] + 1))
            allowed = (
                [before, *steps] if b"fault" in done.stdout else [*steps[-2:], *[before] * (completed < 2)]
            )
            assert found in allowed, f"{call} {number}"
    report(f"out of memory: {ends['survived']} boxes went on, {ends['died']} ended; each store was whole")


def inject(home, beginning, fault, steps, mode, *, everywhere=False):
    """Run a player on a copy of a box under an injected fault; return whether it struck, and the process."""
    box, log = home / "box", home / "trace"
    shutil.rmtree(box, ignore_errors=True)
    shutil.copytree(home / beginning, box)
    call = fault.split(":")[0]
    names = ["", *(f"/{NAME}{suffix}" for suffix in ("", "-wal", "-shm", "-journal", ".new"))]
    paths = [] if everywhere else [f"-P{box}{name}" for name in names]
    strace = ["strace", "-f", "-qq", "-o", str(log), *paths, "-e", f"trace={call}", "-e", f"inject={fault}"]
    command, environ = player(box, 0, steps, mode, before=strace)
    done = subprocess.run(command, env=environ, capture_output=True, check=False)
    return "(INJECTED)" in log.read_text(), done


def whole_after(box):
    """Start a box where a process has ended; return what it finds and the numbers of its games."""
    world = World(box)
    store = world.open()
    found = as_picture(store)
    numbers = [one.number for one in games_in(box)]
    store.close()
    assert world.conditions() == []
    assert world.aside() == []
    return found, numbers


def test_a_start_and_the_statistics_with_100_000_games(home):
    """Count the system calls of a start, and the time of `stats` beside that of an empty interpreter."""
    world = World(home / "box")
    world.drive(random.Random(9), 60)
    world.store.close()
    calls = []
    for games in (0, 100_000):
        with closing(sqlite3.connect(world.file)) as connection:
            row = (None, 1_800_000_000, 8.0, "classic", "easy", 1, "x", "14259", "x")
            connection.executemany(INSERT_GAME, [row] * games)
            connection.commit()
        log = home / "trace"
        command, environ = player(world.path, 1, 1, before=["strace", "-f", "-qq", "-y", "-o", str(log)])
        subprocess.run(command, env=environ, check=True, stdout=subprocess.PIPE)
        calls.append(sum(str(world.path) in line for line in log.read_text().splitlines()))
    seconds = []
    for code in ("pass", f"from appliance.cli import main; main(['stats', '--state', {str(world.path)!r}])"):
        began = os.times()
        subprocess.run([sys.executable, "-c", code], env=environ, check=True, stdout=subprocess.PIPE)
        ended = os.times()
        seconds.append(sum(ended[2:4]) - sum(began[2:4]))
    report(
        f"a start makes {calls[0]} system calls on its files with a few games, {calls[1]} with 100,000; "
        f"stats takes {seconds[1]:.2f} s of processor time, Python alone {seconds[0]:.2f} s"
    )
    assert calls[1] <= calls[0] + 8
