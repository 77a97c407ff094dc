"""The slow tests of the start of a box: each call fails for good, and no memory is left.

They need strace, and print their figures: `make test-power`. The quick forms are in `test_store_start.py`.
"""

import random
import shutil
import subprocess

import pytest
from power_tools import expected_steps, inject, look, player, report, shown
from store_world import World, as_picture, games_in

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
    before = world.drive(random.Random(9), 60)[-1]
    world.copied(home / "killed")
    world.store.close()
    times, stride = 0, STRIDE if call == "fcntl" else 1
    for beginning in ("killed", "before"):
        for error in FAILING_AT_START[call]:
            number, struck = 1, True
            while struck:
                fault = f"{call}:error={error}:when={number}+"
                struck, done = inject(home, beginning, fault, 0, 12, "memory")
                assert done.returncode == 0, done.stderr.decode()
                assert b"Traceback" not in done.stderr, done.stderr.decode()
                found = found_complete(home / "box")
                assert found["games"] >= before["games"], fault
                for which in ("box", "pair"):
                    for party, games in before["scores"][which].items():
                        assert found["scores"][which][party] >= games, fault
                times += struck
                number += stride
    report(
        f"{call} failed for good from {times} moments of the start on: every game and the score were there"
    )


def test_out_of_memory(home):
    """No memory from each of many moments on: the box goes on or ends, and loses nothing committed."""
    World(home / "before").drive(random.Random(9), 60)
    World.opened[-1].close()
    kept, games, before = look(home / "before")
    shutil.copytree(home / "before", home / "box")
    strace = ["strace", "-f", "-qq", "-e", "trace=mmap,brk,write"]
    command, environ = player(home / "box", 9, 200, "memory", before=strace)
    trace = subprocess.run(command, env=environ, capture_output=True, check=True).stderr.decode().splitlines()
    opened = next(number for number, line in enumerate(trace) if '"opened' in line)
    ends = {"survived": 0, "died": 0}
    for call in ("mmap", "brk"):
        first = sum(line.startswith(f"{call}(") for line in trace[:opened])
        for number in [*range(first - 12, first + 12), *range(first + 12, first + 40, 4)]:
            fault = f"{call}:error=ENOMEM:when={number}+"
            _, done = inject(home, "before", fault, 0, 200, "memory", everywhere=True)
            ends["survived" if done.returncode == 0 else "died"] += 1
            _, completed = shown(done.stdout)
            steps = expected_steps(kept, games, 0, completed + 1)
            allowed = (
                [before, *steps] if b"fault" in done.stdout else [*steps[-2:], *[before] * (completed < 2)]
            )
            assert found_complete(home / "box") in allowed, fault
    report(f"out of memory: {ends['survived']} boxes went on, {ends['died']} ended; each store was complete")


def found_complete(box):
    """Start a box where a process has ended; check that all is well and return what it finds."""
    world = World(box)
    store = world.open()
    found = as_picture(store)
    numbers = [one.number for one in games_in(box)]
    store.close()
    assert (world.conditions(), world.aside()) == ([], [])
    assert numbers == list(range(1, found["games"] + 1))
    return found
