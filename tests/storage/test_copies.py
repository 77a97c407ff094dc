"""Something is wrong in one of the two copies: the other serves, and at rest the wrong one is made anew."""

import itertools
import random
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest
from effort import amount
from hypothesis import given
from hypothesis import strategies as st
from store_world import GAME, after, failing, fill, finish, laid_out, numbered, play_games

from appliance.core.session.events import CountVisit
from appliance.core.session.settings import Scores, Tally
from appliance.storage import copies, database, store
from appliance.storage.copies import both
from appliance.storage.database import PAGE, Database
from appliance.storage.faults import Full, Unusable
from appliance.storage.history import History
from appliance.storage.rows import put, sealed, unsealed

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id, i AS name FROM n"
ROTTEN = Unusable("disk I/O error")


def flip(at, bit):
    """Return the damage of one wrong bit in the byte `at`."""
    return lambda data: data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :]


def edited(of, change):
    return ["PRAGMA writable_schema = ON", f"UPDATE sqlite_master SET {change} WHERE name = '{of}'"]  # noqa: S608  # ours


HARMS = {
    "application id": flip(68, 0x10),
    "version up": flip(63, 0x08),
    "version down": flip(63, 0x01),
    "write version": flip(18, 0x04),
    "read version": flip(19, 0x04),
    "magic": flip(3, 0x20),
    "page size": flip(16, 0x01),
    "automatic vacuum": flip(55, 0x01),
    "encoding": flip(59, 0x02),
    "all of the first page": lambda data: bytes(PAGE) + data[PAGE:],
    "all but the first page": lambda data: data[:PAGE] + b"\xff" * (len(data) - PAGE),
    "nothing left": lambda _data: b"",
    "one byte left": lambda data: data[:1],
    "the end cut off": lambda data: data[:-1],
    "text": lambda _data: b"dear diary",
    "another column": edited("game", "sql = replace(sql, 'moves', 'mover')"),
    "a name that is no text": edited("game", "name = CAST(name AS BLOB)"),
    "another table's pages": edited("belief", "rootpage = 6"),
    "a table called otherwise": ["ALTER TABLE game RENAME TO gamf"],
    "a table too few": ["DROP TABLE game"],
    "a column too many": ["ALTER TABLE record ADD COLUMN more"],
    "a trigger": ["CREATE TRIGGER more AFTER INSERT ON game BEGIN DELETE FROM game; END"],
    "an endless view": [f"CREATE VIEW more AS {ENDLESS}"],
    "an endless view in place of a table": edited(
        "game", f"type = 'view', rootpage = 0, sql = 'CREATE VIEW game AS {ENDLESS}'"
    ),
    "a game that cannot be": ["UPDATE progress SET moves = '11'"],
    "another game": ["UPDATE progress SET moves = '1'"],
    "no UTF-8": ["UPDATE progress SET moves = CAST(x'ff' AS TEXT)"],
    "a better score": ["UPDATE progress SET box_first = 9"],
    "no state": ["DELETE FROM progress"],
    "a setting": ["UPDATE setting SET value = 'fr' WHERE name = 'language'"],
    "a finished game": ["UPDATE game SET result = 'o' WHERE id = 2"],
    "a game too few": ["DELETE FROM game WHERE id = 2"],
    "a game's number": ["UPDATE game SET id = 1 << 62 WHERE id = 3"],
    "visits": ["UPDATE day SET visits = 9"],
    "more commits": ["UPDATE copy SET commits = 99"],
}


@pytest.fixture
def bounded(monkeypatch):
    """Let a query of more than a million steps fail, which would otherwise have no end."""
    real = database.connect

    def connect(path, how):
        connection = real(path, how)
        connection.set_progress_handler(lambda: 1, 1_000_000)
        return connection

    monkeypatch.setattr(database, "connect", connect)


def holds(world, games=3):
    """Return whether a box that starts finds all that `play_games` has left, also while it is harmed."""
    kept = world.open().load()
    language = {choice.name: choice.value for choice in kept.choices}["language"]
    found = kept.scores.box.first, kept.match.moves, language, world.store.retry_at, world.numbers()
    return found == (games, (4,), "de", None, [*range(1, games + 1)])


def equal(world):
    """Return whether both copies are whole and the same."""
    good = world.store._disk.good
    return len(good) == 2 and good[0].digest(lambda: False) == good[1].digest(lambda: False)


@pytest.mark.usefixtures("bounded")
@pytest.mark.parametrize("which", ["file", "other"])
@pytest.mark.parametrize("name", HARMS)
def test_whatever_is_wrong_in_one_copy_nothing_is_lost(world, name, which, caplog):
    play_games(world)
    world.open().keep([CountVisit()])
    world.store.close()
    file, harm = getattr(world, which), HARMS[name]
    if callable(harm):
        file.write_bytes(harm(file.read_bytes()))
    else:
        with closing(sqlite3.connect(file, isolation_level=None)) as connection, suppress(sqlite3.Error):
            for statement in harm:
                connection.execute(statement)
    assert holds(world)
    assert (world.conditions(), caplog.messages) == ([], [])
    world.rest()
    assert equal(world)
    if name not in {"nothing left", "write version"}:  # as after a power cut; SQLite sets it anew
        assert caplog.messages == [str(world.store.problem)]
        for part in (str(world.file), f"{file.name} was made anew", "replace the card"):
            assert part in str(world.store.problem)
        assert world.conditions() == [("damaged", True)]
    finish(world.store, 4)
    assert world.store.problem is None
    world.store.close()
    file.unlink()
    assert world.reopen().load().scores == Scores(Tally(4))
    assert world.numbers() == [1, 2, 3, 4]


@pytest.mark.more
@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("which", [0, 1])
def test_no_wrong_bit_loses_or_changes_anything(world, log, which):
    """A share of those in the header, the schema, the pages and the log; `worn_cards.py` has more."""
    play_games(world, 30)
    if log:
        world.open().keep([after(4, scores=Scores(Tally(30)), language="de")])
        finish(world.store, 30)
        world.store.keep([after(4, scores=Scores(Tally(30)), language="de")])
    files, games = world.files(), world.played()
    world.store.cut()
    name = both(world.file)[which].name + "-wal" * log
    rng = random.Random(which)
    anywhere = (rng.randrange(8 * len(files[name])) for _ in range(amount(15, 60)))
    for bit in [*range(which, 800, amount(123, 41)), *anywhere]:
        one = laid_out(world.path, {**files, name: flip(bit // 8, 1 << bit % 8)(files[name])})
        assert holds(one, len(games)) or log, bit
        one.rest()
        assert equal(one), bit
        assert one.played() == games, bit
        one.store.cut()


def test_a_copy_that_lacks_the_last_commit_is_made_anew_without_a_word(world, caplog):
    world.open().keep([after(4)])
    before = world.other.read_bytes(), world.other.with_name(f"{world.other.name}-wal").read_bytes()
    world.store.busy = lambda: True
    world.store.keep([after(4, 0)])
    assert [one.commits for one in world.store._disk.good] == [2, 1]
    cut = world.copied(world.path.with_name("cut"))
    assert before == (cut.other.read_bytes(), cut.other.with_name(f"{cut.other.name}-wal").read_bytes())
    assert cut.open().load().match.moves == (4, 0)
    cut.rest()
    assert (equal(cut), cut.conditions(), caplog.messages) == (True, [], [])


def test_the_other_copy_lags_only_while_the_box_is_busy_and_not_for_ever(world):
    kept = world.open()
    kept.busy = lambda: True
    lags = []
    for number in range(40):
        kept.keep([after(*(4, 0)[: number % 2])])
        first, other = kept._disk.good
        lags.append(first.commits - other.commits)
    assert (max(lags), lags.count(0)) == (copies.MAX_BEHIND - 1, 2)
    kept.busy = lambda: False
    kept.keep(())
    assert equal(world)
    kept.busy = lambda: True
    finish(kept)
    kept.close()
    assert world.open()._disk.good[1].last == 1


@pytest.mark.parametrize("which", [0, 1])
def test_a_copy_that_takes_no_commit_is_gone_on_without_and_made_anew(world, which):
    play_games(world)
    real, bad = Database.commit, both(world.open().path)[which]

    def commit(of, *args):
        if of.path == bad:
            raise ROTTEN
        real(of, *args)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Database, "commit", commit)
        finish(world.store, 4)
        assert (world.store.retry_at, [one.path for one in world.store._disk.good]) == (
            None,
            [both(world.file)[1 - which]],
        )
        assert world.numbers() == [1, 2, 3, 4]
    world.rest()
    assert (equal(world), world.conditions()) == (True, [("damaged", True)])
    assert f"(disk I/O error): {bad.name} was made anew" in str(world.store.problem)


def test_what_is_wrong_in_both_copies_in_different_places_is_not_lost(world):
    play_games(world, 60)
    for file, share in zip(both(world.file), (0, 1), strict=True):
        data = bytearray(file.read_bytes())
        leaves = [
            at for at in range(0, len(data), PAGE) if data[at] == 13 and b"medium" in data[at : at + PAGE]
        ]
        at = leaves[1 + 3 * share]
        data[at : at + PAGE] = b"\xff" * PAGE
        file.write_bytes(data)
    assert holds(world, 60)
    world.rest()
    assert world.conditions() == [], "for a while what cannot be read may come back"
    finish(world.store, 61)
    world.time += store.PATIENCE
    world.rest()
    assert (equal(world), world.numbers()) == (True, [*range(1, 62)])
    assert world.conditions() == [("damaged", True)]


def test_copies_that_cannot_be_used_are_given_up_only_after_a_while(world, caplog):
    play_games(world)
    for file in both(world.file):
        file.write_bytes(HARMS["all of the first page"](file.read_bytes()))
    files = world.files()
    finish(world.open(), 1)
    while world.time < store.PATIENCE - store.RETRY:
        world.time = world.store.retry_at
        world.store.keep(())
        assert world.files() == files
    assert world.conditions() == [("unsaved", True)]
    world.heal()
    assert world.conditions() == [("unsaved", True), ("damaged", True), ("unsaved", False)]
    assert "both copies were made anew from what could be read; if" in str(world.store.problem)
    assert len(caplog.messages) == 2
    assert (world.numbers(), world.reopen().load().scores) == ([1], Scores(Tally(1)))
    world.rest()
    assert equal(world)


def test_a_copy_that_comes_back_late_does_not_count(world):
    """It had seen a commit that the other had not, when the power was cut between the two."""
    play_games(world)
    world.open().busy = lambda: True
    world.store.keep([after(4, 0, scores=Scores(Tally(3)))])
    cut = world.copied(world.path.with_name("cut"))
    with failing(database, "size", ROTTEN, copies.TRIES):
        cut.open().keep([after(4, 8, scores=Scores(Tally(3)))])
    later = cut.copied(world.path.with_name("later"))
    assert later.open().load().match.moves == (4, 8)
    later.rest()
    assert (equal(later), later.reopen().load().match.moves) == (True, (4, 8))


def test_what_rots_while_the_box_plays_is_found_on_the_disk(world):
    """Not in SQLite's cache."""
    play_games(world, 60)
    kept = world.open()
    world.rest()
    for one in kept._disk.good:
        one.newest(60)  # is in the cache now
    data = world.other.read_bytes()
    at = max(at for at in range(0, len(data), PAGE) if data[at] == 13 and b"medium" in data[at : at + PAGE])
    with world.other.open("r+b") as file:
        file.seek(at)
        file.write(bytes(PAGE))
    world.time = kept.due
    kept.keep(())
    assert (equal(world), world.conditions()) == (True, [("damaged", True)])
    assert world.numbers() == [*range(1, 61)]


def test_a_copy_is_made_anew_only_if_all_of_the_good_one_could_be_read(world):
    play_games(world)
    world.file.write_bytes(b"text")
    kept = world.open()
    for call in ("read_state", "unsealed"):
        with failing(copies, call, ValueError("for a moment"), 1):
            world.rest()
        assert (len(kept._disk.good), world.conditions()) == (1, [])
        world.time += store.PATIENCE
    world.rest()
    assert (equal(world), world.reopen().load().scores) == (True, Scores(Tally(3)))


@pytest.mark.parametrize("day", range(8))
def test_of_two_copies_with_right_sums_the_one_that_has_counted_more_is_kept(world, day):
    """A card may lose a write, and hold the old content of a page."""
    world.open().close()
    for file, visits in zip(both(world.file), (1 + day % 2, 2 - day % 2), strict=True):
        with closing(sqlite3.connect(file)) as connection:
            put(connection, "day", [(day, visits)])
            connection.commit()
    world.open()
    world.rest()
    assert (equal(world), History(world.path).visits()) == (True, {day: 2})


def test_one_copy_that_finds_no_room_at_the_start_is_gone_on_without(world):
    play_games(world)
    real = Database.__init__

    def init(of, path):
        if path == world.file:
            raise Full
        real(of, path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Database, "__init__", init)
        finish(world.open(), 4)
        assert (world.store.retry_at, world.conditions()) == (None, [])
    world.rest()
    assert (equal(world), world.numbers()) == (True, [1, 2, 3, 4])


def test_a_check_gives_way_to_a_press(world):
    play_games(world, 600)
    world.file.write_bytes(b"text")
    aborted = []
    for calls in range(3, 12):  # the box is busy when it looks again
        kept = world.open()
        answers = itertools.chain([False] * calls, itertools.repeat(True))
        kept.busy, world.time = answers.__next__, world.time + 10.0
        kept.tend()
        aborted.append(len(kept._disk.good) == 1 and kept._check_at == world.time + store.REST)
        assert aborted[-1] or equal(world)
        assert not list(world.path.glob("*-new*"))
        kept.cut()
    assert (aborted[:3], aborted[-1]) == ([True] * 3, False)


def test_without_room_for_two_copies_one_serves(world):
    play_games(world)
    world.file.write_bytes(b"text")
    kept = world.open()
    with failing(copies, "put", Full()):
        world.rest()
        due = kept._check_at
        assert (len(kept._disk.good), kept.retry_at, world.conditions()) == (1, None, [])
        assert due >= world.time + store.PATIENCE - 20.0, "each try writes a copy"
        finish(kept, 4)
    world.time = due
    kept.keep(())
    assert (equal(world), world.numbers()) == (True, [1, 2, 3, 4])


@pytest.mark.parametrize("whole", [True, False])
def test_a_power_cut_at_each_step_of_a_renewal_loses_nothing(world, monkeypatch, whole):
    """One copy is wrong, or both are, in different places."""
    fill(world.path, numbered([GAME] * 60))
    for file, page in zip(both(world.file), (14, 18), strict=True):
        if file == world.file or not whole:
            data = file.read_bytes()
            file.write_bytes(data[: PAGE * page] + b"\xff" * PAGE + data[PAGE * (page + 1) :])
    before = world.files()

    def counted(call):
        return lambda *args, **kwargs: (left.pop(), call(*args, **kwargs))

    monkeypatch.setattr("fcntl.flock", lambda *_: None)  # a power cut would end the lock
    monkeypatch.setattr(store, "PATIENCE", 10.0)
    for number in itertools.count():
        laid_out(world.path, before)
        left = [None] * number  # calls
        with monkeypatch.context() as patch:
            for where, call in ((Path, "rename"), (Path, "unlink"), (database, "sync")):
                patch.setattr(where, call, counted(getattr(where, call)))
            try:
                world.open()
                world.rest()
            except IndexError:  # the cut
                world.store.cut()
            else:
                break
        assert (world.open().retry_at, world.numbers()) == (None, [*range(1, 61)]), number
        world.rest()
        assert equal(world)
        world.store.close()
    assert number > 6


@given(
    st.lists(
        st.one_of(st.none(), st.integers(-(1 << 63), (1 << 63) - 1), st.floats(allow_nan=False), st.text())
    )
)
def test_a_row_and_its_sum_come_back_from_sqlite(row):
    if any(isinstance(one, str) and not one.isprintable() for one in row):
        return  # no such text is stored
    with closing(sqlite3.connect(":memory:")) as connection:
        columns = ", ".join(f"c{number}" for number in range(len(row) + 1))
        connection.execute(f"CREATE TABLE one ({columns})")
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(copies.put.__globals__["TABLES"], "one", columns)
            put(connection, "one", [tuple(row)])
        (found,) = connection.execute("SELECT * FROM one")
    assert (found, unsealed(found)) == (sealed(tuple(row)), tuple(row))
    for at in range(len(found)):
        with pytest.raises(ValueError, match="sum"):
            unsealed((*found[:at], f"{found[at]}?", *found[at + 1 :]))


def limit_disk(monkeypatch, world, room):
    """Let SQLite find the disk full when the files in the directory would be larger than `room` bytes."""
    real = sqlite3.connect

    def connect(name, *args, **kwargs):
        connection = real(name, *args, **kwargs)
        own = Path(str(name).removeprefix("file:").partition("?")[0]).name
        others = sum(file.stat().st_size for file in world.path.glob("*.db*") if file.name != own)
        with suppress(sqlite3.DatabaseError):  # it is damaged
            connection.execute(f"PRAGMA max_page_count = {max(1, (room - others) // PAGE)}")
        return connection

    monkeypatch.setattr(sqlite3, "connect", connect)


def test_a_card_too_small_for_two_copies_is_used_for_one_to_its_end(world, monkeypatch):
    play_games(world, 200)
    with monkeypatch.context() as patch:
        limit_disk(patch, world, int(1.6 * world.file.stat().st_size))
        kept = world.reopen()
        for won in range(201, 220):
            finish(kept, won)
            world.rest()
        assert (kept.retry_at, len(kept._disk.good), world.numbers()) == (None, 1, [*range(1, 220)])
        assert not world.other.exists()
    world.time += store.PATIENCE
    world.rest()
    assert (equal(world), world.conditions()) == (True, [])
