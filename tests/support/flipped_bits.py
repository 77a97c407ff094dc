"""Single wrong bits in the header and the schema of a database, and what each one costs."""

import random
import sqlite3
from contextlib import closing

from store_world import NAME, after, finish, laid_out, play_games

from appliance.core.session.settings import Scores, Tally

PAGE, HEADER = 512, 100  # bytes
HEADER_BITS = 8 * HEADER
GAMES, MORE = 30, 8  # before the wrong bit, and after it: enough for new pages


def flip(at, bit):
    """Return the damage of one wrong bit in the byte `at`."""
    return lambda data: data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :]


def played_on(world, log):
    """Return the files of a box that has been played on; with `log`, of one whose power was cut."""
    play_games(world, GAMES)
    if log:
        world.open().keep([after(4, scores=Scores(Tally(GAMES)), language="fr")])
    files = {file.name: file.read_bytes() for file in (world.file, world.log) if file.exists()}
    world.store.close()
    return files


def schema_bits(files, seed, count):
    """Return bits of the pages that hold the schema: those that are neither a table's nor the header."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(files[NAME][:18] + b"\1\1" + files[NAME][20:])
        (roots,) = zip(*connection.execute("SELECT rootpage FROM sqlite_master"), strict=True)
    pages = {*range(1, max(roots))} - {*roots}
    places = [PAGE * (page - 1) + at for page in pages for at in range(PAGE) if page > 1 or at >= HEADER]
    rng = random.Random(seed)
    return [8 * rng.choice(places) + rng.randrange(8) for _ in range(count)]


def lost(path, files, bit):
    """Start a box on `files` with one wrong bit, and play on; return what is missing then, "" for nothing."""
    data = bytearray(files[NAME])
    data[bit // 8] ^= 1 << bit % 8
    world = laid_out(path, {**files, NAME: bytes(data)})
    kept = world.open().load()
    found = kept and (kept.scores.box.first, kept.match.moves)
    for won in range(GAMES + 1, GAMES + MORE + 1):
        finish(world.store, won)
    saving, world.store = world.store.retry_at is None, world.store.close()
    score, numbers = world.open().load().scores.box.first, world.numbers()
    world.store.close()
    everything = (GAMES, (4,)), True, GAMES + MORE, [*range(1, GAMES + MORE + 1)]
    outcome = found, saving, score, numbers
    return "" if outcome == everything else f"bit {bit}: {outcome}"
