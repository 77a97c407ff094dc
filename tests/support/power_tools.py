"""What the tests of power cuts share: a box in a process of its own, and what must be found after its end."""

import json
import os
import random
import select
import shutil
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import store_player
from store_player import first_session, last_game, picture, play
from store_world import World, as_picture

from appliance.core.resume import restore
from appliance.storage.database import NAME

PLAYER = Path(store_player.__file__)


def expected_steps(kept, games, seed, count):
    """Return the pictures of the next steps of a player that starts from `kept`."""
    session = first_session() if kept is None else restore(first_session(), kept)
    steps = play(session, games, random.Random(seed))
    return [picture(session, games) for (session, _, games), _ in zip(steps, range(count), strict=False)]


def allowed_after(steps, *, fault, before=None):
    """Return what may be found after these steps: the last, or the one before if the last was disturbed.

    A box that has only been started still keeps what it kept before.
    """
    allowed = steps[-2:] if fault else steps[-1:]
    return [*allowed, before] if steps[0] in allowed else allowed


def look(directory):
    """Start and stop a box; return what it has kept, its number of games, and that as a picture."""
    store = World(directory).open()
    found = store.load(), last_game(store), as_picture(store)
    store.close()
    return found


def player(directory, seed, steps, when_it_fails="heal", before=()):
    """Return the command line and the environment of a player in a process of its own."""
    command = [*before, sys.executable, str(PLAYER), str(directory), str(seed), str(steps), when_it_fails]
    return command, {**os.environ, "PYTHONPATH": str(PLAYER.parents[2])}


def inject(home, beginning, fault, seed, steps, mode, *, everywhere=False):
    """Run a player in `home/box`, a copy of `home/beginning`, under a fault of strace's.

    Return whether the fault struck, and the process. It strikes calls on the box's files, or `everywhere`.
    """
    box, log = home / "box", home / "trace"
    shutil.rmtree(box, ignore_errors=True)
    if (home / beginning).exists():
        shutil.copytree(home / beginning, box)
    names = ["", *(f"/{NAME}{suffix}" for suffix in ("", "-wal", "-shm", "-journal", ".new"))]
    paths = [] if everywhere else [f"-P{box}{name}" for name in names]
    call = fault.split(":")[0]
    strace = ["strace", "-f", "-qq", "-o", str(log), *paths, "-e", f"trace={call}", "-e", f"inject={fault}"]
    command, environ = player(box, seed, steps, mode, before=strace)
    done = subprocess.run(command, env=environ, capture_output=True, check=False)
    return "(INJECTED)" in log.read_text(), done


def kill_at_random(directory, seed, longest):
    """Let a box play in a process of its own, kill it at a random moment, and check what it has kept.

    Return the number of moves that it had made. Raise `AssertionError` when one that was committed is lost.
    """
    kept, games, _ = look(directory)
    command, environ = player(directory, seed, 1_000_000)
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environ) as child:
        output = os.read(child.stdout.fileno(), 1 << 16)
        assert output, "the player has not begun"
        deadline = time.monotonic() + random.Random(seed).uniform(0.0, longest)
        while (wait := deadline - time.monotonic()) > 0:
            if select.select([child.stdout], [], [], wait)[0]:
                output += os.read(child.stdout.fileno(), 1 << 16)
        child.kill()
        output += child.stdout.read()
    pictures, done = shown(output)
    steps = expected_steps(kept, games, seed, done + 2)
    # Steps before `done` are committed. The next may be on the display, or in the file, or not have begun.
    candidates = steps[max(0, done - 1) : done + 1]
    assert pictures[-1] in candidates
    if kept is None and steps[0] in candidates:
        candidates.append(None)
    assert look(directory)[2] in candidates, f"seed {seed}: lost {pictures[-1]}"
    return moves_in(steps[: done + 1])


def shown(output):
    """Return the pictures in a player's output, and the number of steps that it has completed."""
    lines = output.splitlines()
    return [json.loads(line) for line in lines if line.startswith(b"{")], lines.count(b"synced")


def moves_in(steps):
    """Return how many times the board changed."""
    return sum(now["moves"] != then["moves"] for then, now in pairwise(steps))


def report(text):
    """Print a figure: they are what the slow tests are run for."""
    print(f"\npower cuts: {text}", flush=True)  # noqa: T201
