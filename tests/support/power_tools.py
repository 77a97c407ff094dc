"""Shared by the tests of power cuts: a box in its own process, and what must be found after its end."""

import json
import os
import select
import subprocess
import sys
import time
from itertools import islice, pairwise
from pathlib import Path
from random import Random

import store_player
from store_player import last_game
from store_world import World, as_picture

PLAYER = Path(store_player.__file__)


def report(text):
    """Print a figure: they are what the slow tests are run for."""
    print(f"\npower cuts: {text}", flush=True)  # noqa: T201


def player(directory, seed, steps, before=()):
    """Return the command line and environment to run a player in its own process."""
    command = [*before, sys.executable, str(PLAYER), str(directory), str(seed), str(steps)]
    return {"args": command, "env": {**os.environ, "PYTHONPATH": str(PLAYER.parents[2])}}


def shown(output):
    """Return the pictures in a player's output, and how many steps it has completed."""
    lines = output.splitlines()
    return [json.loads(line) for line in lines if line.startswith(b"{")], lines.count(b"synced")


def allowed(before, steps, output):
    """Return what may be found after a player's output: its last completed step, or the next one.

    After a fault a player continues in memory only, so any earlier state may be found.
    """
    done = shown(output)[1]
    found = steps[: done + 1] if b"fault" in output else steps[max(0, done - 1) : done + 1]
    return [*found, before] if steps[0] in found else found


def found_in(path, damaged=False):
    """Start a box on what another has left; check that it works, and return what it finds.

    At rest both copies are the same again. If one was `damaged`, the box may say so.
    """
    world = World(path)
    store = world.open()
    found = as_picture(store)
    assert world.conditions() == []
    assert world.numbers() == list(range(1, last_game(store) + 1))
    world.rest()
    assert world.conditions() in ([], [("damaged", True)] * damaged)
    one, other = store._disk.good
    assert one.digest(store.busy) == other.digest(store.busy)
    store.cut()
    return found


def kill_at_random(directory, seed, longest):
    """Let a box play in its own process, kill it at a random moment, and check what it has kept.

    Return the number of moves that it had made. Raise `AssertionError` if a committed one is lost.
    """
    before, steps = World(directory).look(seed)
    with subprocess.Popen(**player(directory, seed, 1_000_000), stdout=subprocess.PIPE) as child:
        output = os.read(child.stdout.fileno(), 1 << 16)
        assert output, "the player has not begun"
        deadline = time.monotonic() + Random(seed).uniform(0.0, longest)
        while (wait := deadline - time.monotonic()) > 0:
            if select.select([child.stdout], [], [], wait)[0]:
                output += os.read(child.stdout.fileno(), 1 << 16)
        child.kill()
        output += child.stdout.read()
    pictures, done = shown(output)
    steps = list(islice(steps, done + 2))
    assert not pictures or pictures[-1] in steps[max(0, done - 1) : done + 1]
    assert found_in(directory) in allowed(before, steps, output), f"seed {seed}: lost {pictures[-1]}"
    return moves_in(steps[: done + 1])


def moves_in(steps):
    """Return how many times the board changed."""
    return sum(now["moves"] != then["moves"] for then, now in pairwise(steps))
