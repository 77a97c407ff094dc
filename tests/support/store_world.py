"""A directory, two clocks and a store between them: what the tests of the store share."""

import os
import shutil
import sqlite3
import tempfile
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path

import pytest
from store_player import carry_out, first_session, last_game, picture, play

from appliance.core.events import Save
from appliance.core.match import Finished, Match
from appliance.core.resume import restore
from appliance.core.settings import Scores, Settings, Tally
from appliance.storage.database import NAME
from appliance.storage.history import History
from appliance.storage.store import Store

EMPTY = Match.new("classic", "x")
WON = Match.replay("classic", "x", (0, 3, 1, 4, 2))
GAME = Finished("classic", "medium", 1, "x", WON.moves, "x", 8.0)
MEMORY = Path("/dev/shm") if os.access("/dev/shm", os.W_OK) else None  # noqa: S108  # faster than a disk
WALL = 1_800_000_000.0


class World:
    """A box in this process: a directory, two clocks, a store, and a session that plays."""

    opened = []  # noqa: RUF012  # by any world; `close_all` closes them

    def __init__(self, path):
        self.path, self.file, self.log = path, path / NAME, path / f"{NAME}-wal"
        self.time, self.wall, self.events, self.store = 0.0, WALL, [], None

    def open(self):
        """Open the store alone."""
        self.store = Store(self.path, self.events.append, lambda: self.time, self.clock, Settings())
        self.opened.append(self.store)
        return self.store

    def clock(self):
        """Return the time on the wall clock, a second later each time: no two games end at once."""
        self.wall += 1
        return self.wall

    def reopen(self):
        self.store.close()
        return self.open()

    def conditions(self):
        """Return the conditions put so far, after putting what is due."""
        self.store.tell(self.time)
        return [(event.name, event.on) for event in self.events]

    def heal(self):
        """Let time go by until the store has nothing left to retry."""
        while self.store.due() is not None:
            self.time = max(self.time, self.store.due())
            self.store.service(self.time)

    def rows(self, query):
        with closing(sqlite3.connect(f"file:{self.file}?mode=ro", uri=True)) as connection:
            return connection.execute(query).fetchall()

    def harm(self, *statements):
        """Change the database behind the store's back."""
        with closing(sqlite3.connect(self.file, isolation_level=None)) as connection:
            for statement in statements:
                connection.execute(statement)

    def aside(self):
        """Return the damaged databases that were set aside."""
        return sorted(file.name for file in self.path.glob(f"{NAME}.damaged-*") if file.suffix != ".db")

    def played(self):
        return games_in(self.path)

    def copied(self, path):
        """Return another world with the files as they are now: what a process leaves that is killed."""
        shutil.copytree(self.path, path)
        return World(path)

    def drive(self, rng, count, *, stop_at_fault=False):
        """Start the box and play; return the picture of each step."""
        kept = self.open().load()
        session = first_session() if kept is None else restore(first_session(), kept)
        self._steps = play(session, last_game(self.store), rng)
        return self.drive_on(count, stop_at_fault=stop_at_fault)

    def drive_on(self, count, *, stop_at_fault=False):
        pictures = []
        for session, effects, games in islice(self._steps, count):
            pictures.append(picture(session, games))
            carry_out(self.store, effects)
            self.time += 1.0
            if self.store.due() is not None:
                if stop_at_fault:
                    break
                self.time += 60.0
                self.store.service(self.time)
        return pictures

    def stop(self):
        """Stop the box, start it again, and return what it has kept."""
        found = as_picture(self.reopen())
        self.store.close()
        return found


def as_picture(store):
    """Return what a store has kept, as the player shows it; None for nothing."""
    kept = store.load()
    return None if kept is None else picture(restore(first_session(), kept), last_game(store))


def games_in(directory):
    """Return the finished games that a directory keeps."""
    return list(History(directory).games())


def close_all():
    """Close what is open."""
    while World.opened:
        World.opened.pop().cut()


@contextmanager
def new_world():
    """A world of its own, closed at the end whatever a test has left open."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as path:
        try:
            yield World(Path(path) / "state")
        finally:
            close_all()


@contextmanager
def failing(where, call, error, times=-1):
    """Let the first `times` calls fail; -1 for all of them."""
    real, left = getattr(where, call), times

    def fail(*args, **kwargs):
        nonlocal left
        if left:
            left -= 1
            raise error
        return real(*args, **kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(where, call, fail)
        yield


def after(*moves, human="x", rule="classic", scores=None, **settings):
    return Save(Match.replay(rule, human, moves), scores or Scores(), Settings(**settings))


def keep(store, *saves):
    """Keep each of these states, as the loop does."""
    for save in saves:
        store.save(save)
        store.sync()


def finish(store, won=1):
    """Count a finished game and keep it, as a game's end does."""
    store.save(Save(WON._replace(counted=True), Scores(Tally(won)), Settings()))
    store.archive(GAME)
    store.sync()


def play_games(world, games=3):
    """Win some games, change the language, begin another game, and stop the box."""
    store = world.open()
    for won in range(1, games + 1):
        finish(store, won)
    keep(store, after(4, scores=Scores(Tally(games)), language="de"))
    store.close()
