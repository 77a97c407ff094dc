"""The finished games, read while the box plays on, and what they add up to.

Rows that hold no valid game are left out, and pages that are damaged are passed over; `History.note` says so.
"""

import contextlib
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple, Self

from appliance.errors import UserError
from appliance.storage.database import (
    INSERT_GAME,
    MAX_GAMES,
    NAME,
    SCHEMA,
    beside,
    check,
    open_read_only,
    present,
)
from appliance.storage.faults import Damaged, Unusable, faults
from appliance.storage.rows import LARGEST, Played, pack_game, valid_games
from appliance.storage.salvage import readable_games, recover
from engine import LEVELS, RULES


@contextlib.contextmanager
def sentences(path: Path) -> Iterator[None]:
    """Turn what can be wrong with the database at `path` into a `UserError`."""
    try:
        yield
    except Damaged as error:
        raise UserError(f"{path}: is damaged ({error}): start the box, which sets it aside") from error
    except Unusable as error:
        remedy = error.remedy or "try again as its owner, or when the disk is well"
        raise UserError(f"{path}: cannot be used now ({error}): {remedy}") from error


class History:
    """The games that a directory keeps. The box may be playing. Close it, or use it in a `with` statement.

    Raise `UserError` for a database that cannot be read at all. `note` says what is damaged, "" if nothing.
    """

    def __init__(self, directory: Path) -> None:
        self.path = directory / NAME
        self.note = ""
        with sentences(self.path), faults(self.path):
            try:
                self._connection = self._open() if present(self.path) else _empty()
            except Damaged as error:
                self._connection = _empty()
                recover(self.path, self._connection)
                remedy = "this is what can be read; start the box, which sets it aside"
                self.note = f"{self.path}: is damaged ({error}): {remedy}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def _open(self) -> sqlite3.Connection:
        with faults(self.path):
            log = beside(self.path)[0]
            if log.exists() and log.stat().st_size:  # the box may be playing: let SQLite take its locks
                with contextlib.suppress(sqlite3.OperationalError):  # no index, and none can be made
                    return _checked(sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=ro", uri=True))
            return _checked(open_read_only(self.path))

    def games(self) -> Iterator[Played]:
        """Yield the finished games in the order in which they ended."""
        damages: list[sqlite3.Error] = []
        count = total = 0
        with sentences(self.path), faults(self.path):
            for one in valid_games(readable_games(self._connection, damages)):
                count += 1
                yield one
            if not damages:
                (total,) = self._connection.execute("SELECT count(*) FROM game").fetchone()
        if damages:
            self.note = f"{self.path}: is damaged ({damages[0]}): some games could not be read"
        elif total > count:
            self._note_invalid(total - count)

    def statistics(self) -> "Statistics":
        """Return what all games add up to."""
        with sentences(self.path):
            try:
                return self._summarised()
            except Damaged as error:
                with contextlib.closing(self._connection) as damaged, faults(self.path):
                    self._connection = _empty()
                    games = valid_games(readable_games(damaged, []))
                    self._connection.executemany(INSERT_GAME, map(pack_game, games))
                self.note = f"{self.path}: is damaged ({error}): some games could not be read"
                return self._summarised()

    def _summarised(self) -> "Statistics":
        with faults(self.path):
            (total,) = self._connection.execute("SELECT count(*) FROM game").fetchone()
            games = self._connection.execute(_RESULTS).fetchall()
        if len(games) < total:
            self._note_invalid(total - len(games))
        counts = Counter(
            (players, rule, "" if players == 2 else level, result)
            for players, rule, level, result, _ in games
        )
        results = "".join(game[3] for game in games if game[0] == 1)
        box, pair, watched = (_lines(counts, players) for players in (1, 2, 0))
        return Statistics(
            len(games), sum((game[4] for game in games), 0.0), box, pair, watched, streaks(results)
        )

    def _note_invalid(self, count: int) -> None:
        games = "1 game is invalid and" if count == 1 else f"{count} games are invalid and"
        self.note = self.note or f"{self.path}: {games} left out"


def _empty() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(SCHEMA)
    return connection


def _checked(connection: sqlite3.Connection) -> sqlite3.Connection:
    try:
        connection.text_factory = lambda data: data.decode(errors="replace")
        check(connection)
    except BaseException:
        connection.close()
        raise
    return connection


# What `rows.unpack_game` checks, in SQL: a Pi Zero takes a minute to look at 100,000 games in Python.
_WORD = (
    "{0} GLOB '[a-z]*' AND {0} NOT GLOB '*[^-a-z0-9_]*' AND length(CAST({0} AS BLOB)) = min(24, length({0}))"
)
_VALID = f"""
    id BETWEEN 1 AND {LARGEST - 1} AND players IN (0, 1, 2) AND human IN ('x', 'o')
    AND result IN ('x', 'o', 'draw') AND typeof(seconds) = 'real' AND seconds >= 0 AND seconds < {LARGEST}
    AND (ended IS NULL OR typeof(ended) = 'integer' AND ended BETWEEN 0 AND 253402300799)
    AND typeof(moves) = 'text' AND moves NOT GLOB '*[^1-9]*' AND length(CAST(moves AS BLOB)) = length(moves)
    AND {_WORD.format("rule")} AND {_WORD.format("level")}
"""
_RESULTS = f"""
    SELECT players, rule, level,
        CASE result WHEN 'draw' THEN 'd' WHEN iif(players = 1, human, 'x') THEN 'w' ELSE 'l' END, seconds
    FROM game WHERE {_VALID} ORDER BY id
"""  # noqa: S608  # constants


class Line(NamedTuple):
    """How games of one kind ended. `first` and `second` are you and the box, or x and o where nobody is you.

    `level` is "" where the box did not play.
    """

    rule: str
    level: str
    first: int
    second: int
    drawn: int


class Streaks(NamedTuple):
    """Runs of games against the box, in the order in which they ended.

    `result` is that of the last one, "won", "lost" or "drawn" ("" before the first), and `running` how many
    have ended so without a break. The others are the longest: games won, lost, and not lost.
    """

    result: str = ""
    running: int = 0
    won: int = 0
    lost: int = 0
    unbeaten: int = 0


class Statistics(NamedTuple):
    """What all games add up to: those against the box, those of two people, those of the box with itself."""

    games: int
    seconds: float
    box: tuple[Line, ...]
    pair: tuple[Line, ...]
    watched: tuple[Line, ...]
    streaks: Streaks

    @property
    def full(self) -> bool:
        """Whether older games have been dropped."""
        return self.games >= MAX_GAMES


def streaks(results: str) -> Streaks:
    """Return the runs in a series of w, l and d: games won, lost and drawn."""
    if not results:
        return Streaks()
    last = results[-1]
    return Streaks(
        {"w": "won", "l": "lost", "d": "drawn"}[last],
        len(results) - len(results.rstrip(last)),
        max(map(len, results.replace("d", "l").split("l"))),
        max(map(len, results.replace("d", "w").split("w"))),
        max(map(len, results.split("l"))),
    )


def _lines(counts: Counter[tuple[int, str, str, str]], players: int) -> tuple[Line, ...]:
    kinds = {(rule, level) for number, rule, level, _ in counts if number == players}
    return tuple(
        Line(rule, level, *(counts[players, rule, level, result] for result in "wld"))
        for rule, level in sorted(kinds, key=lambda kind: (_place(RULES, kind[0]), _place(LEVELS, kind[1])))
    )


def _place(names: Collection[str], name: str) -> tuple[int, str]:
    return (list(names).index(name) if name in names else len(names), name)
