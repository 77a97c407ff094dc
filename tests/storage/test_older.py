"""A box of an earlier schema keeps everything when its database is converted, and when it cannot be.

Delete this with `appliance/storage/older.py`. The power cuts of `power_cuts.py` go through it as well.
"""

import pytest
from store_player import resumed
from store_world import World, failing, finish, laid_out, lay_out_schema

from appliance.cli import main
from appliance.core.session.settings import Record, Scores, Settings, Tally
from appliance.storage import database
from appliance.storage.database import NAME
from appliance.storage.faults import Unusable
from appliance.storage.rows import VERSION

RECORDS = {"adaptive": Record(5, 5, 2, 0, 2), "hard": Record(2, 3, 1, 0, 1), "perfect": Record(3, 2, 1, 1, 1)}
SCORES = Scores(Tally(10, 10, 4), Tally(2, 1, 3), {}, RECORDS)  # the strengths by results are dropped


@pytest.fixture(params=[1, 2])
def version(request):
    return request.param


@pytest.fixture
def old(world, version):
    lay_out_schema(version, world.path)
    return world


def check(store, elapsed=7.5):
    """Check that what the earlier box had kept is there."""
    kept = store.load()
    match, settings = kept.match, Settings(level="hard", language="de", contrast=63, coach=True)
    assert (match.rule, match.human, match.moves, match.helped) == ("misere", "o", (4, 0, 8), True)
    assert match.started == (elapsed and store.now() - elapsed)
    assert (kept.scores, resumed(kept).settings) == (SCORES, settings)


def test_everything_is_there_after_the_conversion_and_play_goes_on(old, tmp_path):
    before = old.played()
    check(old.open())
    assert old.played() == before
    new = World(tmp_path / "new")
    new.open()
    columns = (
        "SELECT t.name, c.name, c.type FROM sqlite_master t, pragma_table_info(t.name) c ORDER BY 1, c.cid"
    )
    assert old.rows(columns) == new.rows(columns)
    assert {name for (name,) in old.rows("SELECT name FROM setting")} <= set(Settings._fields)
    check(old.reopen())
    finish(old.store)
    assert old.numbers() == [*range(1, 38)]
    assert (old.conditions(), old.store.problem) == ([], None)


def test_the_commands_say_the_same_before_and_after_the_conversion(old, version, capsys):
    def said():
        for words in (
            "stats",
            "export",
            "export --format jsonl",
            "review",
            "transcript --from history --seed 1",
        ):
            main([*words.split(), "--state", str(old.path)])
        return capsys.readouterr().out

    files, before = old.files(), said()
    assert {name: data for name, data in old.files().items() if not name.endswith("-shm")} == files
    assert "30 games in" in before
    assert "; 6 with help, not counted" in before
    assert "3,2027-01-15T08:00:03Z,14.5,vanishing,,1,x,o,1 4 2 5 3,1\n" in before
    old.open()
    assert said() == before
    old.store.close()
    assert main(["reset", "--yes", "--state", str(old.path)]) == 0
    assert list(old.path.iterdir()) == []
    lay_out_schema(version, old.path)
    assert main(["reset", "--yes", "--state", str(old.path)]) == 0
    assert list(old.path.iterdir()) == []


def test_a_cut_at_each_write_of_the_conversion_loses_nothing(old, version, memory):
    """SQLite only appends to the log meanwhile, so a cut leaves a beginning of that."""
    games, data, start = old.played(), old.file.read_bytes(), old.log.stat().st_size
    check(old.open())
    log = old.log.read_bytes()
    assert old.file.read_bytes() == data
    frames = range(start, len(log), 512 + 24)
    versions = []
    for length in (start, *(at + end for at in frames for end in (1, 24, 300, 535, 536))):
        cut = laid_out(memory / "cut", {NAME: data, f"{NAME}-wal": log[:length]})
        versions += cut.rows("PRAGMA user_version")
        check(cut.open())
        assert (cut.played(), cut.conditions(), cut.aside()) == (games, [], [])
        cut.store.cut()
    assert (versions[0], versions[-1]) == ((version,), (VERSION,))
    assert len(frames) >= 15


def test_a_disk_that_cannot_be_written_is_played_on_with_what_it_holds(old):
    files = old.files()
    with failing(database.Database, "__init__", Unusable("attempt to write a readonly database")):
        check(old.open())
        assert (old.files(), old.conditions()) == (files, [("unsaved", True)])
    old.heal()
    assert old.rows("PRAGMA user_version") == [(VERSION,)]


@pytest.mark.parametrize("at", [3, 19, 63, 68])
def test_a_damaged_header_loses_nothing(old, at):
    old.harm("PRAGMA journal_mode = DELETE", "PRAGMA journal_mode = WAL")  # without a log
    games, data = old.played(), old.file.read_bytes()
    old.file.write_bytes(data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :])
    check(old.open(), elapsed=None)
    assert (old.played(), old.numbers(), len(old.aside())) == (games, [*range(1, 37)], 1)


DAMAGE_1 = [
    (b"players INTEGER", b"qlayers INTEGER", (), False),
    (b"record.hard", b"record\xaehard", ("hard",), False),  # a key out of order
    (b"2 3 1 0 1", b"2 301 0 1", ("hard",), False),
    (b"moves TEXT NOT NULL,\n        counted", b"moves TEXT NOT NULL,\n        cmunted", (), False),
    (b"moves TEXT NOT NULL,\n        result", b"moves TEPT NOT NULL,\n        result", (), True),
    (b"tablegamegame", b"tablegcmegame", (), None),
    ("setting", bytes(512), tuple(RECORDS), True),
]
DAMAGE_2 = [
    (b"players INTEGER", b"qlayers INTEGER", (), False),
    (b"coached INTEGER NOT NULL,", b"cmached INTEGER NOT NULL,", (), False),
    (b"coached INTEGER NOT NULL DEFAULT", b"cmached INTEGER NOT NULL DEFAULT", (), True),
    (b"best INTEGER", b"\xe2est INTEGER", tuple(RECORDS), True),
    (b"players INTEGER", b"\xf0layers INTEGER", (), False),
    (b"moves TEXT NOT NULL,\n        result", b"moves TEPT NOT NULL,\n        result", (), True),
    (b"tablegamegame", b"tablegcmegame", (), None),
    (b"tablestrengthstrength", b"tablestrengthstrenoth", (), None),
    ("strength", bytes(512), (), True),
    ("record", bytes(512), tuple(RECORDS), True),
]


@pytest.mark.parametrize(
    ("version", "before", "after", "lost", "problem"),
    [(version, *damage) for version, damages in ((1, DAMAGE_1), (2, DAMAGE_2)) for damage in damages],
)
def test_damage_costs_only_what_it_hit(old, before, after, lost, problem):
    old.harm("PRAGMA journal_mode = DELETE", "PRAGMA journal_mode = WAL")  # without a log
    games, data = old.played(), old.file.read_bytes()
    if isinstance(before, str):  # the page of a table
        (page,) = (
            page for name, page in old.rows("SELECT name, rootpage FROM sqlite_master") if name == before
        )
        before = data[512 * (page - 1) : 512 * page]
    assert data.count(before) == 1
    old.file.write_bytes(data.replace(before, after))
    kept = old.open().load()
    assert (kept.match.rule, kept.match.moves, kept.scores[:2]) == ("misere", (4, 0, 8), SCORES[:2])
    assert kept.scores.records == {level: RECORDS[level] for level in RECORDS if level not in lost}
    assert (old.played(), old.store.retry_at) == (games, None)
    assert problem in (None, bool(old.store.problem))
