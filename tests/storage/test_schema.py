"""A damaged header or schema: it is noticed before anything else is read, and rewritten in its place."""

import pytest
from flipped_bits import GAMES, HEADER_BITS, flip, lost, played_on, schema_bits
from store_world import finish, laid_out, play_games

from appliance.cli import main
from appliance.core.session.settings import Scores, Tally
from appliance.storage import database, repair
from appliance.storage.database import NAME, PAGE
from appliance.storage.rows import ROOTS

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id, i AS name FROM n"


def edited(of, change):
    return ["PRAGMA writable_schema = ON", f"UPDATE sqlite_master SET {change} WHERE name = '{of}'"]  # noqa: S608  # ours


DAMAGES = {
    "application id": flip(68, 0x10),
    "version up": flip(63, 0x08),
    "version down": flip(63, 0x01),
    "write version": flip(18, 0x04),
    "read version": flip(19, 0x04),
    "reserved bytes": flip(20, 0x01),
    "number of pages": flip(31, 0x40),
    "magic": flip(3, 0x20),
    "page size": flip(16, 0x01),
    "automatic vacuum": flip(55, 0x01),
    "encoding": flip(59, 0x02),
    "all of the header": lambda data: b"\xff" * 100 + data[100:],
    "all of the first page": lambda data: bytes(PAGE) + data[PAGE:],
    "no tables": lambda data: data[:100] + b"\r\0\0\0\0\2\0\0\0" + b"\0" * 403 + data[PAGE:],
    "another type": edited("game", "sql = replace(sql, 'moves TEXT', 'moves REAL')"),
    "another column": edited("game", "sql = replace(sql, 'moves', 'mover')"),
    "another condition": edited("progress", "sql = replace(sql, 'id = 1', 'id = 3')"),
    "another table's pages": edited("belief", "rootpage = 6"),
    "a table called otherwise": ["ALTER TABLE game RENAME TO gamf"],
    "a column too many": ["ALTER TABLE record ADD COLUMN more"],
    "a column too few": ["ALTER TABLE record DROP COLUMN best"],
    "a value that is none": [
        *edited("setting", "sql = replace(sql, 'NOT NULL', '')"),
        "PRAGMA writable_schema = RESET",
        "UPDATE setting SET value = NULL WHERE name = 'level'",
    ],
    "an index": ["CREATE INDEX more ON game (rule)"],
    "a trigger": ["CREATE TRIGGER more AFTER INSERT ON game BEGIN DELETE FROM game; END"],
    "an endless view": [f"CREATE VIEW more AS {ENDLESS}"],
    "an endless view in place of a table": edited(
        "game", f"type = 'view', rootpage = 0, sql = 'CREATE VIEW game AS {ENDLESS}'"
    ),
}


def harmed(world, harm):
    world.file.write_bytes(harm(world.file.read_bytes())) if callable(harm) else world.harm(*harm)
    return world.file.read_bytes()


@pytest.fixture
def bounded(monkeypatch):
    """Let a query of more than a million steps fail, which would otherwise have no end."""
    real = database.connect

    def connect(path, how):
        connection = real(path, how)
        connection.set_progress_handler(lambda: 1, 1_000_000)
        return connection

    for where in ("database", "history"):
        monkeypatch.setattr(f"appliance.storage.{where}.connect", connect)


@pytest.mark.usefixtures("bounded")
@pytest.mark.parametrize("harm", DAMAGES.values(), ids=DAMAGES)
def test_header_and_schema_are_written_again_and_nothing_is_lost(world, harm, caplog):
    play_games(world)
    damaged = harmed(world, harm)
    store = world.open()
    assert (store.load().scores.box.first, store.load().match.moves, len(world.played())) == (3, (4,), 3)
    assert (world.aside(), world.conditions()) == ([], [("damaged", True)])
    assert world.file.read_bytes() == damaged, "the pages are in the log"
    assert caplog.messages == [str(store.problem)]
    for part in (str(world.file), "rewritten", "replace the card"):
        assert part in str(store.problem)
    finish(store, 9)
    assert (world.conditions()[1:], store.problem) == ([("damaged", False)], None)
    assert world.reopen().load().scores == Scores(Tally(9))
    assert (len(world.played()), world.conditions()[2:]) == (4, [])


@pytest.mark.usefixtures("bounded")
@pytest.mark.parametrize(
    "command", [["stats"], ["stats", "--json"], ["export"], ["review"], ["reset", "--yes"]]
)
@pytest.mark.parametrize("name", [name for name in DAMAGES if not callable(DAMAGES[name])])
def test_who_only_reads_is_told_to_start_the_box(world, command, name, capsys):
    play_games(world)
    harmed(world, DAMAGES[name])
    before = world.files()
    assert main([*command, "--state", str(world.path)]) == 2
    assert "is damaged (its schema is wrong): start the box, which repairs it" in capsys.readouterr().err
    assert world.files() == before


@pytest.mark.parametrize("log", [False, True])
def test_no_wrong_bit_in_header_or_schema_loses_anything(world, log):
    """A share; `damages.py` has more."""
    files = played_on(world, log)
    assert (f"{NAME}-wal" in files) == log
    for bit in (*range(3 * log, HEADER_BITS, 7), *schema_bits(files, 2 + log, 60)):
        assert not lost(world.path, files, bit)


@pytest.mark.parametrize("log", ["none", "full", "damaged"])
def test_a_power_cut_at_each_write_of_a_repair_loses_nothing(world, log):
    files = played_on(world, log != "none")
    files[NAME] = flip(files[NAME].index(b"CREATE TABLE game"), 1)(files[NAME])
    before = files.get(world.log.name, b"")
    if log == "damaged":
        before = flip(0, 1)(before)
    laid_out(world.path, {**files, world.log.name: before})
    repair.rewrite_schema(world.file)
    after = world.log.read_bytes()
    changed = next(at for at in range(len(after)) if after[at : at + 1] != before[at : at + 1])
    assert changed >= len(before.rstrip(b"\0")) or log == "damaged"
    repaired = []
    for written in (*range(changed, len(after), 97), len(after)):
        cut = laid_out(world.path, {**files, world.log.name: after[:written] + before[written:]})
        kept = cut.open().load()
        assert (kept.scores.box.first, kept.match.moves, len(cut.played())) == (GAMES, (4,), GAMES)
        assert cut.aside() == []
        repaired.append(cut.conditions())
        finish(cut.store, GAMES + 1)
        assert len(cut.played()) == GAMES + 1
        cut.store.cut()
    assert (repaired[0], repaired[-1]) == ([("damaged", True)], [])


def test_a_new_database_has_its_tables_in_the_pages_that_are_relied_on(world):
    """Whatever SQLite makes it."""
    world.open().close()
    assert dict(world.rows("SELECT name, rootpage FROM sqlite_master")) == ROOTS
    data = world.file.read_bytes()
    pages = repair._known_pages(len(data) // PAGE)
    counters = {*range(24, 28), *range(92, 100)}  # of changes, and the version of SQLite that wrote last
    for number, page in pages.items():
        found = data[PAGE * (number - 1) : PAGE * number]
        assert {at for at in range(PAGE) if found[at] != page[at]} <= (counters if number == 1 else set())
    assert {*pages, *ROOTS.values()} == {*range(1, len(data) // PAGE + 1)}
