"""Databases of schemas 1 and 2. Version 1 kept records, strengths and the coach among the settings.

Both had a strength for each rule in place of a belief. It came from results alone, so it is dropped, and the
adaptive level begins anew. They are read through views that look like the tables of today, so a read-only
card works, too. A damaged database is read through them as well: they name no column of the games, whose
names a flipped bit may change, and do not search by key (`+name`), since a wrong key hides its neighbours.
Delete what serves version 1 after one release, the rest after two.
"""

import sqlite3

from appliance.storage.rows import SCHEMA, VERSION, State, write_state

TABLES = {1: {"progress", "setting", "game"}, 2: {"progress", "setting", "record", "strength", "game"}}

_LIST = "'[' || replace(value, ' ', ',') || ']'"  # a record's five counts as a JSON list
_COUNTS = ", ".join(f"json_extract({_LIST}, '$[{place}]')" for place in range(5))
_RECORDS = f"+name GLOB 'record.*' AND iif(json_valid({_LIST}), json_array_length({_LIST}), 0) = 5"
_PLAYERS = "rule, level, players, human, moves, result"
_GAME = "rule, human, moves, counted"
_SCORE = "box_first, box_second, box_drawn, pair_first, pair_second, pair_drawn, elapsed"
_NEW = """
    CREATE TEMP VIEW belief AS SELECT '' AS rule, 0 AS losses, '' AS weights WHERE 0;
    CREATE TEMP VIEW visit AS SELECT 0 AS day, 0 AS visits WHERE 0;
"""
_VIEWS = f"""
    CREATE TEMP VIEW setting AS SELECT * FROM main.setting
        WHERE +name <> 'coached' AND +name NOT GLOB 'record.*' AND +name NOT GLOB 'strength.*';
    CREATE TEMP VIEW record AS SELECT substr(name, 8) AS level, {_COUNTS} FROM main.setting WHERE {_RECORDS};
    CREATE TEMP VIEW game AS WITH old(id, ended, seconds, {_PLAYERS}) AS (SELECT * FROM main.game) SELECT
        id, ended, seconds, rule, iif(level = 'coached', '', level) AS level, players, human, moves, result,
        level = 'coached' AS helped FROM old;
    CREATE TEMP VIEW progress AS WITH old(id, {_GAME}, {_SCORE}) AS (SELECT * FROM main.progress) SELECT
        id, {_GAME}, %s AS helped, {_SCORE} FROM old;
"""  # noqa: S608  # no input
COACHED = "SELECT 1 FROM main.setting WHERE +name = 'coached' AND value = 1 LIMIT 1"


def show(connection: sqlite3.Connection, version: int, coached: str = f"EXISTS ({COACHED})") -> None:
    """Let the connection read version 1 or 2 as it reads the present one. SQLite's errors propagate.

    In version 2 all other tables have the columns of today, in their order. `coached` is an expression for
    version 1: whether the coach has watched the game in progress.
    """
    connection.executescript(_NEW + (_VIEWS % coached if version == 1 else ""))


def convert(connection: sqlite3.Connection, version: int, state: State | None) -> None:
    """Convert the database in one commit; `state` is what it holds. SQLite's errors propagate.

    Raise `ValueError` for a damaged one: with a wrong type of a column, a game written again is lost.
    """
    run = connection.execute
    for (found,) in run("PRAGMA main.quick_check(1)"):
        if found != "ok":
            raise ValueError(found.splitlines()[-1])
    for (view,) in run("SELECT name FROM temp.sqlite_master").fetchall():
        run(f"DROP VIEW temp.{view}")
    run("BEGIN IMMEDIATE")
    for statement in SCHEMA.split(";")[:-1]:
        name = statement.split()[2]
        if name != "game":
            run(f"DROP TABLE IF EXISTS {name}")
            run(statement)
        elif version == 1:  # too long to copy
            run("ALTER TABLE game ADD COLUMN helped INTEGER NOT NULL DEFAULT 0")
            run("UPDATE game SET helped = 1, level = '' WHERE level = 'coached'")
        else:
            run("ALTER TABLE game RENAME COLUMN coached TO helped")
    run("DROP TABLE IF EXISTS strength")
    write_state(connection, state)
    run(f"PRAGMA user_version = {VERSION}")
    run("COMMIT")
