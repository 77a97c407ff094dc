"""What the tests of power cuts share: a box that plays over a real store, and what a cut must leave."""

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
from store_player import first_session, picture, play

from appliance.core import effects as fx
from appliance.core.resume import restore
from appliance.core.settings import Settings
from appliance.storage.place import NAME
from appliance.store import Store

PLAYER = Path(store_player.__file__)


def as_picture(store):
    """Return what a store has kept, as the player shows it; None for nothing."""
    kept = store.load()
    return None if kept is None else picture(restore(first_session(), kept), store._number)


def expected_steps(kept, games, rng, count):
    """Return the pictures of the player's next steps."""
    session = first_session() if kept is None else restore(first_session(), kept)
    return [
        picture(session, games)
        for (session, _, games), _ in zip(play(session, games, rng), range(count), strict=False)
    ]


def allowed_after(steps, *, fault, before=None):
    """Return what may be found after these steps: the last, or the one before if the last was disturbed.

    A box that has only been started still keeps what it kept before.
    """
    allowed = steps[-2:] if fault else steps[-1:]
    return [*allowed, before] if steps[0] in allowed else allowed


class World:
    """A box in this process: a directory, a clock, and a session that plays.

    `opened` are all stores that any world has opened; a fixture closes what a test has left open.
    """

    opened = []  # noqa: RUF012  # shared on purpose

    def __init__(self, path):
        self.path, self.file, self.log = path, path / NAME, path / f"{NAME}-wal"
        self.time, self.events, self.store = 0.0, [], None

    def open(self):
        """Open the store alone."""
        store = Store(self.path, self.events.append, lambda: self.time, lambda: 1_800_000_000.0, Settings())
        self.opened.append(store)
        return store

    def conditions(self):
        return [(event.name, event.on) for event in self.events]

    def copied(self, path):
        """Return another world with the files as they are now: what a process leaves that is killed."""
        shutil.copytree(self.path, path)
        return World(path)

    def drive(self, rng, count, *, stop_at_fault=False):
        """Start the box and play; return the picture of each step."""
        self.store = self.open()
        kept = self.store.load()
        session = first_session() if kept is None else restore(first_session(), kept)
        self._steps = play(session, self.store._number, rng)
        return self.drive_on(count, stop_at_fault=stop_at_fault)

    def drive_on(self, count, *, stop_at_fault=False):
        """Play on; return the picture of each step."""
        pictures = []
        for session, effects, games in self._steps:
            for effect in effects:
                if isinstance(effect, fx.Save):
                    self.store.save(effect)
                elif isinstance(effect, fx.Archive):
                    self.store.archive(effect.game)
            pictures.append(picture(session, games))
            self.store.sync()
            self.time += 1.0
            if self.store.due() is not None:
                if stop_at_fault:
                    break
                self.time += 60.0
                self.store.service(self.time)
            count -= 1
            if count == 0:
                break
        return pictures

    def stop(self):
        """Stop the box, start it again, and return what it has kept."""
        self.store.close()
        store = self.open()
        found = as_picture(store)
        store.close()
        return found


def player(directory, seed, steps, when_it_fails="heal", before=()):
    """Return the command line and the environment of a player in a process of its own."""
    command = [*before, sys.executable, str(PLAYER), str(directory), str(seed), str(steps), when_it_fails]
    return command, {**os.environ, "PYTHONPATH": str(PLAYER.parents[2])}


def close_all():
    """Close what is open."""
    while World.opened:
        World.opened.pop().cut()


def kill_at_random(directory, seed, longest):
    """Let a box play in a process of its own, kill it at a random moment, and check what it has kept.

    Return the number of moves that it had made. Raise `AssertionError` when one that was shown is lost.
    """
    world = World(directory)
    store = world.open()
    kept, games = store.load(), store._number
    store.close()
    command, environ = player(directory, seed, 1_000_000)
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environ) as child:
        output, deadline = b"", None
        while deadline is None or time.monotonic() < deadline:
            wait = None if deadline is None else max(0.0, deadline - time.monotonic())
            if select.select([child.stdout], [], [], wait)[0]:
                output += os.read(child.stdout.fileno(), 1 << 16)
            if deadline is None:
                assert output, "the player has not begun"
                deadline = time.monotonic() + random.Random(seed).uniform(0.0, longest)
        child.kill()
        output += child.stdout.read()
    pictures, done = shown(output)
    steps = expected_steps(kept, games, random.Random(seed), done + 2)
    # Steps before `done` are complete. The next may be on the display, or in the file, or not have begun.
    candidates = steps[max(0, done - 1) : done + 1]
    assert pictures[-1] in candidates
    if pictures[-1] == steps[done]:
        candidates = [steps[done]]
    if kept is None and steps[0] in candidates:
        candidates.append(None)
    store = world.open()
    found = as_picture(store)
    store.close()
    assert found in candidates, f"seed {seed}: lost {pictures[-1]}"
    return moves_in(steps[: done + 1])


def shown(output):
    """Return the pictures in a player's output, and the number of steps that it has completed."""
    lines = output.splitlines()
    return [json.loads(line) for line in lines if line.startswith(b"{")], lines.count(b"synced")


def moves_in(steps):
    """Return how many times the board changed."""
    return sum(now["moves"] != then["moves"] for then, now in pairwise(steps))
