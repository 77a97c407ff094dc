"""A directory, two clocks and a store between them: what the tests of the store share."""

import os
import sqlite3
import tempfile
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from appliance.core.effects import Save
from appliance.core.match import Finished, Match
from appliance.core.settings import Scores, Settings, Tally
from appliance.storage.place import NAME
from appliance.store import Store

EMPTY = Match.new("classic", "x")
WON = Match.replay("classic", "x", (0, 3, 1, 4, 2))
GAME = Finished("classic", "medium", 1, "x", WON.moves, "x", 8.0)
MEMORY = Path("/dev/shm") if os.access("/dev/shm", os.W_OK) else None  # noqa: S108  # faster than a disk


OPENED = []  # closed by a fixture, whatever a test has left open


class World:
    """A directory, two clocks, and a store between them."""

    def __init__(self, path):
        self.path = path
        self.file = path / NAME
        self.time = 100.0
        self.wall = 1_800_000_000.0
        self.events = []
        self.configured = Settings()

    def open(self):
        store = Store(self.path, self.events.append, lambda: self.time, lambda: self.wall, self.configured)
        OPENED.append(store)
        return store

    def reopen(self, store):
        store.close()
        return self.open()

    def conditions(self):
        return [(event.name, event.on) for event in self.events]

    def rows(self, query):
        with closing(sqlite3.connect(f"file:{self.file}?mode=ro", uri=True)) as connection:
            return connection.execute(query).fetchall()


@contextmanager
def new_world():
    """A world of its own, closed at the end whatever a test has left open."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as path:
        yield World(Path(path) / "state")
        while OPENED:
            OPENED.pop().cut()


def after(*moves, human="x", rule="classic"):
    return Save(Match.replay(rule, human, moves), Scores(), Settings())


def finish(store, scores=None):
    """Count a finished game and keep it, as a game's end does."""
    store.save(Save(replace(WON, counted=True), scores or Scores(Tally(1)), Settings()))
    store.archive(GAME)
