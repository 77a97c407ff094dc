"""The tables, and their rows <-> values of the core. Moves are stored as people write them, from 1.

Each row ends with a sum of the rest, which tells the right one of two copies that differ. A row may come from
a damaged or edited file, or from another version, so every value is validated here before use.
"""

import contextlib
import re
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple
from zlib import crc32

from appliance.core.session.events import Saved
from appliance.core.session.form import form_of, form_of_rule
from appliance.core.session.match import Finished, Match
from appliance.core.session.resume import Choice, Kept, saved_choices
from appliance.core.session.settings import ANEW, LEVEL_NAMES, RULE_NAMES, Record, Scores, Settings, Tally

Row = tuple[Any, ...]

EARLIEST = 1_735_689_600  # 2025-01-01: a Pi has no clock of its own and may believe that it is 1970
LATEST = 253_402_300_800  # the year 10000
MAX_NUMBER = 10**12  # a count, a game's number, or a time in seconds beyond this is damage
WEIGHTS = rf"[0-9]{{1,5}}( [0-9]{{1,5}}){{{len(ANEW.weights) - 1}}}"  # of a belief
WORD = r"[a-z][a-z0-9_-]{0,23}"  # a rule or a level, also of a later version

VERSION = 5  # a later one must add or rename a table: a flipped bit cannot do that
SCHEMA = """
    CREATE TABLE copy (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        commits INTEGER NOT NULL, state INTEGER NOT NULL, sum INTEGER NOT NULL
    );
    CREATE TABLE progress (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        rule TEXT NOT NULL, human TEXT NOT NULL, moves TEXT NOT NULL,
        counted INTEGER NOT NULL, helped INTEGER NOT NULL,
        box_first INTEGER NOT NULL, box_second INTEGER NOT NULL, box_drawn INTEGER NOT NULL,
        pair_first INTEGER NOT NULL, pair_second INTEGER NOT NULL, pair_drawn INTEGER NOT NULL,
        series_first INTEGER NOT NULL, series_second INTEGER NOT NULL, series_drawn INTEGER NOT NULL,
        elapsed REAL, sum INTEGER NOT NULL
    );
    CREATE TABLE setting (
        name TEXT PRIMARY KEY, value NOT NULL, configured NOT NULL, sum INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE record (
        level TEXT PRIMARY KEY, won INTEGER NOT NULL, lost INTEGER NOT NULL, drawn INTEGER NOT NULL,
        run INTEGER NOT NULL, best INTEGER NOT NULL, sum INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE belief (
        rule TEXT PRIMARY KEY, losses INTEGER NOT NULL, weights TEXT NOT NULL, sum INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE day (day INTEGER PRIMARY KEY, visits INTEGER NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE game (
        id INTEGER PRIMARY KEY, ended INTEGER, seconds REAL NOT NULL,
        rule TEXT NOT NULL, level TEXT NOT NULL, players INTEGER NOT NULL, human TEXT NOT NULL,
        moves TEXT NOT NULL, result TEXT NOT NULL,
        helped INTEGER NOT NULL, visit INTEGER NOT NULL, sum INTEGER NOT NULL
    );
"""
TABLES = {sql.split()[2]: sql.strip() for sql in SCHEMA.split(";")[:-1]}  # name -> statement
KEYED = ("setting", "record", "belief")  # the tables of `State` that have many rows
BACK = -1  # in place of the number of a game that is to leave the history, if it is the newest
_STATE = "SELECT " + " + ".join(f"(SELECT total(sum) FROM {one})" for one in ("progress", *KEYED))  # noqa: S608


class State(NamedTuple):
    """The content of all tables but `copy`, `day` and `game`.

    `elapsed` is the time in seconds since the game's first move, None before it.
    """

    progress: Row  # rule, human, moves, counted, helped, and the nine counts of the score
    elapsed: float | None
    settings: tuple[Row, ...]  # name, value, what the configuration said then
    records: tuple[Row, ...]  # level, and the five counts of a `Record`
    beliefs: tuple[Row, ...]  # rule, losses in a row, and the weights of the kinds of people, as text

    @property
    def keyed(self) -> tuple[tuple[Row, ...], ...]:
        """The rows of the tables `KEYED`."""
        return self.settings, self.records, self.beliefs

    def same_as(self, other: "State | None") -> bool:
        """Return whether the other state is the same but for `elapsed`."""
        return other is not None and self._replace(elapsed=other.elapsed) == other


class Played(NamedTuple):
    """A finished game in the history.

    The database numbers games from 1, in the order in which they ended; `number` is None before. `ended` is
    the wall clock's time, in seconds since 1970 UTC, None if the clock could not be trusted. `visit` is
    1 for the first game of a visit of an exhibit, 2 for its others, 0 for a game outside a visit.
    """

    number: int | None
    ended: int | None
    game: Finished
    visit: int = 0


def sealed(row: Row) -> Row:
    """Return a row with its sum, CRC-32 of the rest."""
    return *row, crc32(repr(row).encode())


def unsealed(row: Row) -> Row:
    """Return a row of a table without its sum. Raise `ValueError` if that is wrong."""
    if sealed(row[:-1]) != row:
        raise ValueError("the sum of a row is wrong")
    return row[:-1]


def put(connection: sqlite3.Connection, table: str, rows: Iterable[Row]) -> None:
    """Insert rows into a table, or replace those with their keys, in the transaction that is open."""
    marks = ", ".join("?" * (TABLES[table].count(",") + 1))
    connection.executemany(f"REPLACE INTO {table} VALUES ({marks})", map(sealed, rows))  # noqa: S608  # no input


def pack_state(state: Saved, configured: Settings, now: float) -> State:
    """Return the rows of a state; `now` is the time on the clock of `state.match.started`."""
    match, scores = state.match, state.scores
    elapsed = None if match.started is None else float(max(0.0, now - match.started))
    moves = form_of(match.game).pack(match.moves)
    game = (match.rule, match.human, moves, int(match.counted), int(match.helped))
    choices = saved_choices(state.settings, configured)
    settings = tuple(sorted((name, _stored(value), _stored(then)) for name, value, then in choices))
    kept = settings, _pack_records(scores.records), _pack_beliefs(scores.beliefs)
    return State((*game, *scores.box, *scores.pair, *scores.series), elapsed, *kept)


def _stored(value: object) -> object:
    return int(value) if isinstance(value, bool) else value  # as SQLite gives it back


def _pack_records(records: Mapping[str, Record]) -> tuple[Row, ...]:
    """Return a row for each level: a cleared record overwrites the saved one."""
    return tuple((level, *records.get(level, Record())) for level in sorted(LEVEL_NAMES))


def _unpack_records(rows: tuple[Row, ...]) -> dict[str, Record]:
    return {level: Record(*counts) for level, *counts in rows if _are_counts(counts) and any(counts)}


def _pack_beliefs(beliefs: Mapping[str, tuple[int, tuple[int, ...]]]) -> tuple[Row, ...]:
    """Return a row for each rule, one without weights where the level begins anew: it overwrites another."""
    found = {rule: (losses, " ".join(map(str, weights))) for rule, (losses, weights) in beliefs.items()}
    return tuple((rule, *found.get(rule, (0, ""))) for rule in sorted(RULE_NAMES))


def unpack_scores(state: State) -> Scores:
    """Return the scores. What has no valid row begins anew; an invalid tally raises `ValueError`."""
    counts = list(state.progress[5:])
    if not _are_counts(counts) or len(counts) != 9:
        raise ValueError("invalid saved score")
    beliefs = {
        rule: ANEW._replace(losses=losses, weights=tuple(map(int, weights.split())))
        for rule, losses, weights in state.beliefs
        if rule in RULE_NAMES and _are_counts([losses])
        if isinstance(weights, str) and re.fullmatch(WEIGHTS, weights) and set(weights) & set("123456789")
    }
    box, pair, series = (Tally(*counts[at : at + 3]) for at in (0, 3, 6))
    return Scores(box, pair, beliefs, _unpack_records(state.records), series)


def unpack_state(state: State, now: float) -> Kept:
    """Return the rows' content; `now` is the time on the daemon's clock. Raise `ValueError` if invalid."""
    rule, human, moves, counted, helped = state.progress[:5]
    if human not in ("x", "o") or counted not in (0, 1) or helped not in (0, 1):
        raise ValueError("invalid saved game")
    scores = unpack_scores(state)
    if not (state.elapsed is None or (isinstance(state.elapsed, float) and 0 <= state.elapsed < MAX_NUMBER)):
        raise ValueError("invalid duration of the saved game")
    chosen = tuple(Choice(*row) for row in state.settings)
    try:
        match = Match.replay(rule, human, form_of_rule(rule).unpack(moves))
    except OSError as error:
        return Kept(Match.new("classic", human), scores, chosen, str(error))
    except KeyError as error:
        raise ValueError(f"saved game of an unknown rule {error}") from error
    if counted and not match.over:
        raise ValueError("saved game counted before its end")
    started = None if state.elapsed is None else now - state.elapsed
    match = match._replace(started=started, counted=bool(counted), helped=bool(helped))
    return Kept(match, scores, chosen)


def _are_counts(numbers: list[object]) -> bool:
    return all(isinstance(number, int) and 0 <= number < MAX_NUMBER for number in numbers)


def _known(state: State) -> State | None:
    """Return the valid part of a state: game and score, or the score, or None."""
    for found in (
        state,
        state._replace(progress=("classic", "x", "", 0, 0, *state.progress[5:]), elapsed=None),
    ):
        with contextlib.suppress(ValueError):
            unpack_state(found, 0.0)
            return found
    return None


def merged(earlier: State, state: State, *, played: bool) -> State:
    """Return the state played from memory, merged into the `earlier` one found on the disk.

    Scores and records add up, the later belief counts. Settings that were not changed in the menu keep their
    earlier values, and the earlier game, with the match of two people, stays unless another was `played`.
    """
    shown = state if played else earlier
    score = (sum(pair) for pair in zip(earlier.progress[5:11], state.progress[5:11], strict=True))
    kept = {row[0]: row for row in earlier.settings}
    settings = (kept.get(row[0], row) if row[1] == row[2] else row for row in state.settings)
    records = _unpack_records(earlier.records)
    for level, record in _unpack_records(state.records).items():
        records[level] = records.get(level, Record()).join(record)
    progress = (*shown.progress[:5], *score, *shown.progress[11:])
    known = {row[0]: row for row in earlier.beliefs}
    beliefs = (row if row[2] else known.get(row[0], row) for row in state.beliefs)
    return State(progress, shown.elapsed, tuple(settings), _pack_records(records), tuple(beliefs))


def pack_game(played: Played) -> Row:
    """Return the row of a finished game."""
    number, ended, game, visit = played
    players = (game.rule, game.level, game.players, game.human)
    moves = form_of_rule(game.rule).pack(game.moves)
    return (number, ended, float(game.seconds), *players, moves, game.result, int(game.helped), visit)


def unpack_game(row: Row) -> Played:
    """Return the finished game of a row. Raise `ValueError` for an invalid row."""
    number, ended, seconds, rule, level, players, human, moves, result, helped, visit = row
    numbered = isinstance(number, int) and 0 < number < MAX_NUMBER
    dated = ended is None or (isinstance(ended, int) and 0 <= ended < LATEST)
    timed = isinstance(seconds, float) and 0 <= seconds < MAX_NUMBER
    named = _is_kind((rule, level, players, human, result, helped, visit))
    if not (numbered and dated and timed and named):
        raise ValueError("invalid game")
    kind = (rule, level, players, human)
    finished = Finished(*kind, form_of_rule(rule).unpack(moves), result, seconds, bool(helped))
    return Played(number, ended, finished, visit)


@lru_cache(1000)  # there are few kinds, and a history may hold 100,000 games
def _is_kind(kind: Row) -> bool:
    rule, level, players, human, result, helped, visit = kind
    named = (rule, rule if level == "" else level)
    words = all(isinstance(word, str) and re.fullmatch(WORD, word) for word in named)
    marks = human in ("x", "o") and result in ("x", "o", "draw")
    return words and marks and players in (0, 1, 2) and helped in (0, 1) and visit in (0, 1, 2)


def written(game: Finished) -> list[int]:
    """Return the moves of a game as people write them."""
    return [form_of_rule(game.rule).number(move) for move in game.moves]


def wall_time(seconds: float | None) -> int | None:
    """Return a reading of the wall clock in whole seconds, None if there is none or it must be wrong."""
    return int(seconds) if seconds is not None and EARLIEST <= seconds < LATEST else None


def write_state(
    connection: sqlite3.Connection, commits: int, state: State | None, kept: State | None = None
) -> None:
    """Replace the state `kept` by that after so many commits, in the transaction that is open.

    An unchanged row costs no page. The sum of all rows is kept, too, so that none can be missing.
    """
    if state is not None and state is not kept:
        put(connection, "progress", [(1, *state.progress, state.elapsed)])
        for table, rows, there in zip(KEYED, state.keyed, kept.keyed if kept else [()] * 3, strict=True):
            put(connection, table, (row for row in rows if row not in there))
    ((total,),) = connection.execute(_STATE)
    put(connection, "copy", [(1, commits, int(total))])


def read_commits(run: Callable[[str], Iterable[Row]]) -> int:
    """Return how many commits a copy has seen; `run` runs a query.

    Raise `ValueError` if a row of its state is missing.
    """
    for _, commits, state in map(unsealed, run("SELECT * FROM copy LIMIT 1")):
        if (state,) not in run(_STATE):
            raise ValueError("a row of the state is missing")
        return int(commits)
    return 0


def read_state(run: Callable[[str], Iterable[Row]]) -> State | None:
    """Return the state; `run` runs a query. Raise `ValueError` for a row with a wrong sum.

    What another version has written and this one does not know is left out.
    """
    for progress in map(unsealed, run("SELECT * FROM progress LIMIT 1")):
        keyed = (tuple(map(unsealed, run(f"SELECT * FROM {table} LIMIT 100"))) for table in KEYED)  # noqa: S608  # no input
        return _known(State(progress[1:-1], progress[-1], *keyed))
    return None
