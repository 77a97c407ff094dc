"""A directory, two clocks and a store on them, shared by the tests of the store."""

import os
import shutil
import sqlite3
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from store_player import last_game, picture, play, resumed

from appliance.core.session.events import Archive, Saved
from appliance.core.session.match import Finished, Match
from appliance.core.session.settings import Scores, Settings, Tally
from appliance.storage.copies import Copies, both
from appliance.storage.database import NAME
from appliance.storage.history import History
from appliance.storage.rows import Played, pack_game
from appliance.storage.store import Store
from engine import RULES

WON = Match.replay("classic", "x", (0, 3, 1, 4, 2))
GAME = Finished("classic", "medium", 1, "x", (4, 0, 8), "x", 30.0)
MEMORY = Path("/dev/shm") if os.access("/dev/shm", os.W_OK) else None  # noqa: S108  # faster than a disk
WALL = 1_800_000_000.0


class World:
    """A box in this process: a directory, two clocks, a store, and a session that plays."""

    opened = []  # noqa: RUF012  # by any world; `close_all` closes them

    def __init__(self, path):
        self.path, self.log = path, path / f"{NAME}-wal"
        self.file, self.other = both(path / NAME)
        self.time, self.wall, self.events, self.store = 0.0, WALL, [], None

    def open(self):
        """Open only the store."""
        self.store = Store(self.path, self.events.append, lambda: self.time, self.clock, Settings())
        self.opened.append(self.store)
        return self.store

    def clock(self):
        """Return the wall clock's time, a second later each time, so that no two games end at once."""
        self.wall += 1
        return self.wall

    def reopen(self):
        if self.store is not None:
            self.store.close()
        return self.open()

    def conditions(self):
        """Return the conditions put so far."""
        self.store.report()
        return [(event.name, event.on) for event in self.events]

    def heal(self):
        """Let time pass until the store has nothing left to retry."""
        while self.store.retry_at is not None:
            self.time = self.store.retry_at
            self.store.keep(())

    def rows(self, query):
        with closing(sqlite3.connect(f"file:{self.file}?mode=ro", uri=True)) as connection:
            return connection.execute(query).fetchall()

    def rest(self):
        """Let the store find time to check its copies."""
        for _ in range(3):
            self.time += 10.0
            self.store.keep(())

    def harm(self, *statements, copies=1):
        """Change the first copy behind the store's back, or the first and the second, or create it."""
        self.path.mkdir(exist_ok=True)
        for file in (self.file, self.other)[:copies]:
            with closing(sqlite3.connect(file, isolation_level=None)) as connection:
                for statement in statements:
                    connection.execute(statement)

    def played(self):
        """Return the finished games that the directory keeps."""
        return list(History(self.path).games())

    def numbers(self):
        return [one.number for one in self.played()]

    def files(self):
        return {file.name: file.read_bytes() for file in self.path.iterdir()}

    def copied(self, path):
        """Return another world with the files as they are now, as a killed process leaves them."""
        copy = laid_out(path, self.files())
        copy.wall = self.wall
        return copy

    def drive(self, rng, count):
        """Start the box and play; return the picture of each step."""
        store = self.open()
        self._steps = play(store.load(), last_game(store), rng)
        return self.drive_on(count)

    def drive_on(self, count):
        pictures = []
        for shown, effects in islice(self._steps, count):
            pictures.append(shown)
            self.store.keep(effects)
            self.time += 60.0  # a retry is always due
        return pictures

    def look(self, seed=0):
        """Start and stop the box; return what it has kept, and how a player with this seed continues."""
        store = self.reopen()
        found, steps = as_picture(store), play(store.load(), last_game(store), Random(seed))
        store.close()
        return found, (shown for shown, _ in steps)


def as_picture(store):
    """Return what a store has kept, as the player shows it; None for nothing."""
    kept = store.load()
    return None if kept is None else picture(resumed(kept), last_game(store))


def laid_out(path, files):
    """Return a world with only these files: name -> content."""
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir()
    for name, content in files.items():
        (path / name).write_bytes(content)
    return World(path)


def numbered(games):
    return [Played(number, int(WALL) + number, game) for number, game in enumerate(games, 1)]


def at_random(rule, rng):
    """Return a finished game whose moves were drawn."""
    game, moves = RULES[rule].start(), []
    while game.outcome is None:
        moves.append(rng.choice(list(game.moves())))
        game = game.play(moves[-1])
    return Finished(rule, "medium", 1, "x", tuple(moves), game.outcome, 30.0)


def fill(directory, games):
    """Store these games in a directory."""
    directory.mkdir(exist_ok=True)
    copies = Copies(directory / NAME)
    copies.write(None, [pack_game(one) for one in games], ())
    copies.follow(busy=False)
    copies.close()


def close_all():
    """Close what is open."""
    while World.opened:
        World.opened.pop().cut()


@contextmanager
def failing(where, call, error, times=-1):
    """Make the first `times` calls fail; -1 for all of them."""
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
    return Saved(Match.replay(rule, human, moves), scores or Scores(), Settings(**settings))


def finish(store, won=1):
    """Count a finished game and keep it, as a game's end does."""
    store.keep((Saved(WON._replace(counted=True), Scores(Tally(won)), Settings()), Archive(GAME)))


def play_games(world, games=3):
    """Win some games, change the language, start another game, and stop the box."""
    store = world.open()
    for won in range(1, games + 1):
        finish(store, won)
    store.keep([after(4, scores=Scores(Tally(games)), language="de")])
    store.close()
