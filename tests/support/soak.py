"""A soak: boxes live for thirty days on a virtual clock, and what their process holds must not grow.

    python tests/support/soak.py [--days 30] [--seed 1] [--seconds 30]

There are three boxes: one at home, whose power is cut, whose configuration is edited and whose card is
damaged; an exhibit that nobody ever switches off; and one that plays ultimate with itself at the strongest
level, about a game every third day. Each of the first two meets all its troubles once a day, in any order,
while a person presses keys for so many seconds: some 750 presses a day. For the rest of the 24 hours nobody
touches them. A day takes eight seconds of one core. What they display and what they keep, other tests check.

It prints a row for each day, and fails if the last week (of fewer days, the last quarter) needs more memory
than the first, if the number of open files or threads changes, or if a database or the log grows by more than
was played. Random games of ultimate and three days before the first fill the caches.
"""

import argparse
import ctypes
import gc
import logging
import random
import resource
import sqlite3
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import closing, contextmanager
from itertools import count, islice
from pathlib import Path
from statistics import mean
from types import SimpleNamespace
from typing import NamedTuple

import luma.core.device

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from appliance.config.schema import Config
from appliance.core.keys.scan import CENTRE, KEYS
from appliance.core.session.settings import LEVEL_NAMES, RULE_NAMES, Options, Settings
from appliance.core.session.state import Phase
from appliance.core.words import LANGUAGES
from appliance.simulator.virtual import EPOCH, VirtualBox
from appliance.storage.database import NAME
from engine import RULES

DAY, YEAR = 86_400.0, 31_557_600.0
FILL, WEEK = 3, 7  # days
COPIES = 4  # databases; SQLite may keep a descriptor that it no longer needs for each
EMPTY, GAME = 1_600_000, 400  # bytes of these with their logs and indices, and what a game may add
LINES = 72  # of the log, on a day: four for each trouble


class Box:
    """A box that keeps its games in `path`, the person at its keys, and what befalls it."""

    def __init__(self, path, config, chance, met):
        self.path, self.chance, self.met = path, chance, met
        self.passed = self.jumped = 0.0  # seconds before this configuration; by which the wall clock is wrong
        self.box = None
        self.configure(config)

    def configure(self, config):
        if self.box is not None:
            self.passed += self.box.time
            self.box.power_cut()
            self.box = None
        self.box = VirtualBox(config, self.chance.randrange(1000), self.path, self.wall, ask=True)

    def wall(self):
        return EPOCH + self.jumped + self.passed + (self.box.time if self.box else 0.0)

    def play(self, seconds):
        """Press keys for some seconds: mostly moves, now and then anything else."""
        box, chance = self.box, self.chance
        end = box.time + seconds
        while box.time < end:
            session, luck = box.session, chance.random()
            game, turned = session.match.game, session.settings.turned
            picks = [session.form.pick(game, session.picked, key) for key in range(KEYS)]
            legal = [key for key, pick in enumerate(picks) if pick != (None, None)]
            if luck < 0.03:
                box.tap(CENTRE, 1.2)
            elif luck < 0.05:
                box.chord(chance.randrange(4), 8)
            elif luck < 0.9 and legal and session.phase is Phase.YOUR_TURN:
                key = chance.choice(legal)
                box.tap(KEYS - 1 - key if turned else key)
            else:
                box.tap(chance.randrange(KEYS))
            box.wait(chance.uniform(0.1, 1.5))
            self.met.update(["presses", session.settings.language, session.match.rule])

    def cut(self):
        """Pull the plug, and put it in again."""
        self.box.power_cut()
        self.box.power_on()

    def games(self):
        """Return the number of the newest game; 0 while no game is there or can be read."""
        with closing(sqlite3.connect(f"file:{self.path / NAME}?mode=ro", uri=True)) as database:
            try:
                return database.execute("SELECT max(id) FROM game").fetchone()[0] or 0
            except sqlite3.DatabaseError:  # garbage in a page that the box has not read yet
                return 0

    def size(self):
        """Return the bytes of the database with its log."""
        return sum(file.stat().st_size for file in self.path.iterdir())


@contextmanager
def display_lost(one):
    one.box.hardware.bus.unplug()
    yield
    one.box.hardware.bus.plug()


@contextmanager
def bytes_lost(one):
    for _ in range(20):
        one.box.hardware.bus.fault(one.chance.randrange(1, 3000))
    yield


@contextmanager
def card_fails(_one):
    """No file can be written: the card is full, or has lost contact."""
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, unlimited[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)


@contextmanager
def clock_jumps(one):
    one.jumped = one.chance.choice((0.0, 3 * DAY, -1.0, -56 * YEAR, 5.0, 174 * YEAR))
    yield


@contextmanager
def supply_weak(one):
    one.box.hardware.weak = True
    yield
    one.box.hardware.weak = False


@contextmanager
def key_jams(one):
    key = one.chance.randrange(KEYS)
    one.box.hardware.network.stick(key)
    one.box.wait(40.0)
    yield
    one.box.hardware.network.unstick(key)


@contextmanager
def nobody_there(one):
    one.box.wait(one.chance.choice((30.0, 70.0, 700.0)))
    yield


@contextmanager
def power_cut(one):
    yield
    one.cut()


@contextmanager
def key_held_at_power_on(one):
    one.box.hardware.network.stick(2)
    one.cut()
    one.box.wait(1.0)
    one.box.hardware.network.unstick(2)
    yield


@contextmanager
def database_damaged(one):
    """A third of the sectors of one copy or of both become garbage, and the logs with them."""
    one.box.power_cut()
    for file in sorted(one.path.glob(one.chance.choice((f"{NAME}*", "*-2.db*", "*")))):
        with file.open("r+b") as opened:
            for sector in range(0, file.stat().st_size, 512):
                if one.chance.random() < 0.3:
                    opened.seek(sector)
                    opened.write(one.chance.randbytes(512))
    one.box.power_on()
    yield


@contextmanager
def configuration_edited(one):
    choose = one.chance.choice  # two strong players for minutes would cost too much: `itself` does that
    settings = Settings(
        level=choose(LEVEL_NAMES), rule=choose(RULE_NAMES), first=choose(("you", "box", "alternate")),
        players=choose((1, 1, 2)), turned=choose((False, True)), language=choose(LANGUAGES),
        coach=choose((False, True)),
    )  # fmt: skip
    one.configure(Config(settings, Options(attract=choose((False, True)))))
    yield


ANYWHERE = (display_lost, bytes_lost, card_fails, clock_jumps, supply_weak, key_jams, nobody_there)
TROUBLES = (*ANYWHERE, power_cut, key_held_at_power_on, configuration_edited, database_damaged)


class Row(NamedTuple):
    """The end of a day."""

    MB: float
    objects: int  # that the garbage collector knows
    files: int  # open
    threads: int
    database: int  # bytes of all databases, with their logs
    games: int  # in them, by their numbers
    lines: int  # of the log, on this day
    presses: int
    seconds: float  # of the processor, on this day


def held():
    """Return what the process holds: see `Row`."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # else a day's largest search would count, which is garbage by now
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    files = len(list(Path("/proc/self/fd").iterdir())) - 1  # one is the listing's own
    return pages * resource.getpagesize() / 1e6, len(gc.get_objects()), files, threading.active_count()


def soak(folder, seed, seconds, met):
    """Yield a row for each day, for ever; `met` counts what the people at the keys met."""
    chance, logger, handler = random.Random(seed), logging.getLogger("tictactoe"), logging.Handler()
    handler.emit = lambda record: met.update(lines=record.getMessage().count("\n") + 1)
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    home = Box(folder / "home", Config(), chance, met)
    visited = Config(Settings(language="de"), Options(exhibit=True, off=300.0))
    exhibit = Box(folder / "exhibit", visited, chance, met)
    itself = VirtualBox(Config(Settings(level="perfect", rule="ultimate", players=0)), seed)
    for _ in range(300):  # random games fill ultimate's cache, which takes the boxes weeks
        game = RULES["ultimate"].start()
        while not game.terminal:
            game = game.play(chance.choice(game.moves()))
    for day in count():
        began, met["lines"], met["presses"] = time.process_time(), 0, 0
        for one, troubles in (home, TROUBLES), (exhibit, ANYWHERE):
            for trouble in chance.sample(troubles, len(troubles)):
                with trouble(one):
                    one.play(seconds)
                one.play(seconds / 3)
            one.box.run_to((day + 1) * DAY - one.passed)
        if day % 3 == 0:
            itself.wait(3 * seconds)
        size, games = home.size() + exhibit.size(), home.games() + exhibit.games()
        yield Row(*held(), size, games, met["lines"], met["presses"], time.process_time() - began)


def grown(rows, growth):
    """Return a sentence for each bound that the rows break."""
    week = min(WEEK, max(1, len(rows) // 4))
    first, last = (mean(row.MB for row in some) for some in (rows[:week], rows[-week:]))
    return [sentence for wrong, sentence in (
        (last > first + growth, f"memory grew from {first:.2f} to {last:.2f} MB"),
        (max(row.files for row in rows) > min(row.files for row in rows) + COPIES, "files were left open"),
        (len({row.threads for row in rows}) > 1, "threads were left or have ended"),
        (any(row.database > EMPTY + GAME * row.games for row in rows), "a database is too large"),
        (any(row.lines > LINES for row in rows), f"a day had more than {LINES} lines of the log"),
    ) if wrong]  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description="Let boxes live for some days, and print what they hold.")
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=30.0, help="of presses, for each trouble")
    # What SQLite needs for four databases and their renewals; after 100 renewals it needs no more.
    parser.add_argument("--growth", type=float, default=1.5, help="the most, in MB")
    arguments = parser.parse_args()
    # luma keeps each display until the program ends. A box has one; here each new configuration makes one.
    luma.core.device.atexit = SimpleNamespace(register=lambda _hook: None)
    met, rows = Counter(), []
    sys.stdout.reconfigure(line_buffering=True)
    sys.stdout.write(f"day {' '.join(f'{name:>8}' for name in Row._fields)}\n")
    with tempfile.TemporaryDirectory() as folder:
        for row in islice(soak(Path(folder), arguments.seed, arguments.seconds, met), arguments.days + FILL):
            cells = (f"{each:8.2f}" if isinstance(each, float) else f"{each:8,}" for each in row)
            sys.stdout.write(f"{len(rows) - FILL + 1:3} {' '.join(cells)}\n")
            rows.append(row)
    wrong = grown(rows[FILL:], arguments.growth)
    if arguments.days > WEEK:
        wrong += [f"nobody met {name}" for name in (*RULE_NAMES, *LANGUAGES) if not met[name]]
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    main()
