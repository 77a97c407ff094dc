"""A damaged database: what can be read goes into a new one, and the old one is set aside."""

import itertools
import random
import re
import sqlite3
import tracemalloc
from contextlib import suppress
from pathlib import Path
from unittest.mock import Mock

import pytest
from flipped_bits import flip
from store_world import after, failing, finish, laid_out, play_games

from appliance.core.session.settings import Scores, Tally
from appliance.storage import days, salvage
from appliance.storage.database import NAME, PAGE, Database, open_read_only
from appliance.storage.faults import Full, Unusable
from appliance.storage.history import History

ALL, NOTHING = (3, (4,), 3), (None, None, 0)  # score, game in progress, number of finished games
INFINITE = "UPDATE progress SET elapsed = 9e999"  # costs nothing that counts
DAMAGES = {
    "a game that cannot be": (["UPDATE progress SET moves = '11'"], (3, (), 3)),
    "an unknown rule": (["UPDATE progress SET rule = 'chess'"], (3, (), 3)),
    "no UTF-8": (["UPDATE progress SET moves = CAST(x'ff' AS TEXT)"], (3, (), 3)),
    "an endless game": ([INFINITE], ALL),
    "a score that cannot be": (["UPDATE progress SET box_first = -1"], (0, (4,), 3)),
    "a monstrous score": (["UPDATE progress SET box_first = 1 << 62"], (0, (4,), 3)),
    "neither game nor score": (["UPDATE progress SET box_first = -1, moves = '11'"], (None, None, 3)),
    "a monstrous number": (["UPDATE game SET id = 1 << 62 WHERE id = 3"], (3, (4,), 2)),
    "one game": (["DELETE FROM game WHERE id > 1", "UPDATE progress SET moves = '11'"], (3, (), 1)),
    "no games": (["DROP TABLE game"], (3, (4,), 0)),
    "no settings": (["DROP TABLE setting"], (3, (4,), 3)),
    "no state": (["DROP TABLE progress"], (None, None, 3)),
    "an invalid game": (["UPDATE game SET rule = 'a', id = 1 << 62 WHERE id = 2"], (3, (4,), 2)),
    "one byte": (lambda data: data[:1], NOTHING),
    "text": (lambda _data: b"dear diary", NOTHING),
    "a root page gone": (lambda data: data[:512] + b"\xff" * 512 + data[1024:], (None, None, 3)),
}


@pytest.mark.parametrize(("harm", "recovered"), DAMAGES.values(), ids=DAMAGES)
def test_what_can_be_read_is_recovered_and_play_goes_on(world, harm, recovered, caplog):
    play_games(world)
    world.file.write_bytes(harm(world.file.read_bytes())) if callable(harm) else world.harm(*harm)
    damaged = world.file.read_bytes()
    store = world.open()
    kept, games = store.load(), world.played()
    found = (None, None) if kept is None else (kept.scores.box.first, kept.match.moves)
    assert (*found, len(games)) == recovered
    (aside,) = world.aside()
    assert (world.path / aside).read_bytes() == damaged
    assert caplog.messages == [str(store.problem)]
    for part in (str(world.file), aside, "replace the card"):
        assert part in str(store.problem)
    assert re.search(
        rf"recovered {len(games)} {'game' if len(games) == 1 else 'games'}\b", str(store.problem)
    )
    assert world.conditions() == [("damaged", True)]
    store.keep([after(4, 0)])
    assert world.conditions() == [("damaged", True)]
    finish(store, 9)  # a finished game has been kept again: the badge goes
    assert world.conditions() == [("damaged", True), ("damaged", False)]
    assert store.problem is None
    assert world.reopen().load().scores == Scores(Tally(9))
    assert len(world.played()) == len(games) + 1
    assert world.aside() == [aside]


def test_a_page_of_visits_that_is_read_twice_counts_once(world, monkeypatch):
    """A damaged page may lead back to an earlier one."""
    rows = salvage._rows

    def twice(source, query, damages):
        found = list(rows(source, query, damages))
        yield from found * (2 if query == days.VISITS else 1)

    monkeypatch.setattr(salvage, "_rows", twice)
    play_games(world)
    world.harm("INSERT INTO day VALUES (20000, 3)", INFINITE)
    world.open()
    assert len(world.aside()) == 1
    assert History(world.path).visits() == {20000: 3}


def test_games_on_both_sides_of_a_damaged_page_are_recovered(world):
    play_games(world, 60)
    data = bytearray(world.file.read_bytes())
    leaves = [at for at in range(0, len(data), 512) if data[at] == 13 and b"medium" in data[at : at + 512]]
    data[leaves[2] : leaves[2] + 512] = b"\xff" * 512
    world.file.write_bytes(data)
    store = world.open()  # a start does not look at each game
    assert store.load().scores == Scores(Tally(60))
    assert world.conditions() == []
    numbers = world.numbers()
    assert (numbers[0], numbers[-1]) == (1, 60)
    assert 40 < len(numbers) < 60
    data[68] ^= 1
    world.file.write_bytes(data)  # now the start does notice
    world.store.cut()
    world.open()
    assert world.numbers() == numbers
    finish(world.store, 61)
    assert world.played()[-1].number == 61


def test_damage_that_shows_while_the_box_plays(world):
    play_games(world)
    store = world.open()
    world.harm("DROP TABLE progress")
    store.keep([after(0, scores=Scores(Tally(3)))])
    assert world.conditions() == [("damaged", True)]
    assert world.numbers() == [1, 2, 3]
    finish(store, 4)
    assert world.reopen().load().scores == Scores(Tally(4))
    assert world.numbers() == [1, 2, 3, 4]
    assert len(world.aside()) == 1


def test_a_failure_after_damage_does_not_hide_what_was_set_aside(world):
    world.path.mkdir()
    world.file.write_text("rubbish")
    store = world.open()
    damage = store.problem
    with failing(Database, "write", Unusable("Input/output error")):
        store.keep([after(4)])
        assert "cannot be used (Input/output error), playing from memory" in str(store.problem)
    world.heal()
    assert store.problem == damage is not None
    assert world.conditions() == [("damaged", True)]


def test_the_three_newest_damaged_files_are_kept(world):
    world.path.mkdir()
    for number in range(6):
        world.file.write_text(f"rubbish {number}")
        world.open().close()
    assert {(world.path / name).read_text() for name in world.aside()} == {f"rubbish {n}" for n in (3, 4, 5)}


def test_a_power_cut_at_each_step_of_a_replacement_loses_nothing(world, monkeypatch):
    play_games(world)
    world.harm(INFINITE)
    damaged = world.files()

    def counted(call):
        return lambda *args, **kwargs: (left.pop(), call(*args, **kwargs))

    monkeypatch.setattr("fcntl.flock", lambda *_: None)  # a power cut would end the lock
    for number in itertools.count():
        laid_out(world.path, damaged)
        left = [None] * number  # calls
        with monkeypatch.context() as patch:
            for where, call in ((Path, "rename"), (Path, "unlink"), (salvage, "sync")):
                patch.setattr(where, call, counted(getattr(where, call)))
            try:
                world.open().cut()
            except IndexError:  # the cut
                pass
            else:
                break
        store = world.open()
        assert (store.load().scores.box.first, store.load().match.moves) == (3, (4,)), number
        assert len(world.played()) == 3
        store.close()
    assert number > 6


def interrupted(path):
    connection = open_read_only(path)
    connection.set_progress_handler(lambda: 1, 20)  # stop each longer query
    return connection


@pytest.mark.parametrize(("where", "call", "fail", "reason"), [
    (Path, "rename", Mock(side_effect=OSError(30, "Read-only file system")), "check the card"),
    (salvage, "open_read_only", interrupted, "interrupted"),
])  # fmt: skip
def test_damage_is_set_aside_only_when_all_of_it_could_be_copied(
    world, monkeypatch, where, call, fail, reason
):
    play_games(world)
    world.harm(INFINITE)
    with monkeypatch.context() as patch:
        patch.setattr(where, call, fail)
        store = world.open()
        finish(store, 1)
        assert world.conditions() == [("unsaved", True)]
        assert reason in str(store.problem)
        assert world.aside() == []
    world.heal()
    assert world.conditions() == [("unsaved", True), ("damaged", True), ("unsaved", False)]
    assert len(world.aside()) == 1
    assert world.reopen().load().scores == Scores(Tally(4))
    assert len(world.played()) == 4


def test_a_damaged_database_may_be_larger_than_the_memory(world):
    """It must not end the service, which would be restarted for ever."""
    play_games(world)
    world.harm(INFINITE)
    with world.file.open("r+b") as file:
        file.write(bytes(100))  # header
        file.truncate(64 << 20)
    tracemalloc.start()
    store = world.open()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert store.load().scores.box.first == 3
    assert peak < 8 << 20


def test_what_is_no_salvaged_database_does_not_replace_a_good_one(world):
    play_games(world)
    salvaged = world.path / f"{NAME}.salvaged"
    for junk in (b"", b"dear diary", world.file.read_bytes()[:1000], bytes(4096)):
        salvaged.write_bytes(junk)
        store = world.reopen()
        assert (store.load().scores, len(world.played())) == (Scores(Tally(3)), 3)
        assert (world.aside(), salvaged.exists(), world.conditions()) == ([], False, [])


def test_single_flips_anywhere_never_keep_the_box_from_playing(world):
    """Most flips are not noticed; after each the box starts, and keeps the next game."""
    play_games(world)
    data, rng = world.file.read_bytes(), random.Random(1)
    outcomes = []
    for at in [*range(0, 100, 6), *rng.sample(range(100, len(data)), 40)]:
        laid_out(world.path, {NAME: flip(at, 1 << rng.randrange(8))(data)})
        store = world.open()
        kept = store.load()
        outcomes.append(kept is not None and kept.scores.box.first == 3)
        finish(store, 7)
        assert world.reopen().load().scores == Scores(Tally(7)), at
        world.store.close()
    assert sum(outcomes) > 0.8 * len(outcomes)


def limit_disk(monkeypatch, world, size):
    """Let SQLite find the disk full when its database would make the directory larger than `size` bytes."""
    real = sqlite3.connect

    def connect(name, *args, **kwargs):
        connection = real(name, *args, **kwargs)
        own = Path(str(name).removeprefix("file:").partition("?")[0]).name
        others = sum(file.stat().st_size for file in world.path.glob("*") if file.name != own)
        with suppress(sqlite3.DatabaseError):  # it is damaged
            connection.execute(f"PRAGMA max_page_count = {max(1, (size - others) // PAGE)}")
        return connection

    monkeypatch.setattr(sqlite3, "connect", connect)


def test_a_small_disk_saves_after_any_number_of_damages(world, monkeypatch):
    play_games(world, 200)
    limit_disk(monkeypatch, world, int(3.5 * world.file.stat().st_size))
    for games in range(200, 210):
        world.harm(INFINITE)
        store = world.reopen()
        assert (store.retry_at, store.load().scores.box.first) == (None, games)
        assert len(world.aside()) in (1, 2), "there is room for two"
        finish(store, games + 1)
        assert world.numbers() == [*range(1, games + 2)]
        assert not list(world.path.glob("*.new*"))
        store.close()


def test_a_full_disk_takes_the_oldest_damaged_database_before_saving_is_given_up(world):
    world.path.mkdir()
    for number in range(3):
        world.file.write_text(f"rubbish {number}")
        world.open().close()
    store = world.open()
    with failing(Database, "write", Full(), 3):
        finish(store)
    assert (store.retry_at, world.numbers()) == (None, [1])
    (aside,) = world.aside()
    assert (world.path / aside).read_text() == "rubbish 2"
    with failing(Database, "write", Full()):
        finish(store)
        assert world.aside() == []
        assert "the card or disk is full" in str(store.problem)


def test_of_a_log_that_was_set_aside_without_a_database_nothing_stays_for_ever(world):
    for number in range(5):
        world.path.mkdir(exist_ok=True)
        world.log.write_text(f"log {number}")
        world.open().cut()
        world.file.unlink()
        world.log.unlink(missing_ok=True)
    logs = {file.read_text() for file in world.path.glob("*.damaged-*")}
    assert logs == {"log 2", "log 3", "log 4"}
