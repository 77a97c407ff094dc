"""The finished games, read while the box may be playing, and their statistics.

Invalid rows and damaged pages are skipped; `History.note` says so.
"""

import contextlib
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, TypeVar

from appliance.core.english import plural
from appliance.core.errors import UserError
from appliance.core.session.settings import ALLOWED, LEVEL_NAMES, RULE_NAMES, Scores
from appliance.storage.database import NAME, beside, check, connect, has_our_tables, open_read_only, present
from appliance.storage.days import VISITS, Days, valid_visits
from appliance.storage.faults import AGAIN, Damaged, Unusable, faults
from appliance.storage.rows import Played, read_state, unpack_game, unpack_scores
from appliance.storage.salvage import readable_games

START_REPAIRS = "start the box, which repairs it"
T = TypeVar("T")


@contextlib.contextmanager
def faults_for_people(path: Path) -> Iterator[None]:
    """Turn any fault of the database at `path` into a `UserError`."""
    try:
        with faults(path):
            yield
    except Damaged as error:
        raise UserError(f"{path}: is damaged ({error}): {START_REPAIRS}") from error
    except Unusable as error:
        remedy = error.remedy or "try again as its owner, or when the disk works again"
        raise UserError(f"{path}: cannot be used now ({error}): {remedy}") from error


class History:
    """The finished games in a directory. The box may be playing.

    `note` says, after the games have been read, what could not be read; "" if nothing.
    """

    def __init__(self, directory: Path) -> None:
        self.path = directory / NAME
        self.note = ""

    def games(self) -> Iterator[Played]:
        """Yield the games in the order in which they ended. Raise `UserError` if none can be read."""
        damages: list[str] = []
        invalid, remedy = 0, ""
        with faults_for_people(self.path):
            try:
                if not present(self.path):
                    return
            except Damaged as error:
                damages.append(str(error))
            with contextlib.closing(self._open()) as connection:
                try:
                    with faults(self.path):
                        check(connection)
                except Damaged as error:
                    if not has_our_tables(connection):
                        raise  # in their place may be anything
                    damages.append(str(error))
                remedy = START_REPAIRS if damages else AGAIN
                for row in readable_games(connection, damages):
                    try:
                        yield unpack_game(row)
                    except ValueError:
                        invalid += 1
        if damages:
            self.note = f"{self.path}: is damaged ({damages[0]}): this is what can be read; {remedy}"
        elif invalid:
            are = plural(invalid, "game is", "games are")
            self.note = f"{self.path}: {invalid} {are} invalid and left out"

    def scores(self) -> Scores:
        """Return the score and what the adaptive level believes; empty if they cannot be read."""

        def found(connection: sqlite3.Connection) -> Scores:
            state = read_state(connection.execute)
            return unpack_scores(state) if state else Scores()

        return self._read(found, Scores())

    def visits(self) -> Days:
        """Return the visits of an exhibit; none if they cannot be read."""
        return self._read(lambda connection: dict(valid_visits(connection.execute(VISITS))), {})

    def language(self, configured: str) -> str:
        """Return the language chosen in the menu, or the configured one if that has changed since."""

        def found(connection: sqlite3.Connection) -> str:
            state = read_state(connection.execute)
            choices = {name: (value, then) for name, value, then in state.settings} if state else {}
            value, then = choices.get("language", (configured, configured))
            return value if value in ALLOWED["language"] and then == configured else configured

        return self._read(found, configured)

    def _read(self, read: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        with contextlib.suppress(UserError), faults_for_people(self.path):
            if present(self.path):
                with contextlib.closing(self._open()) as connection:
                    check(connection)
                    return read(connection)
        return otherwise

    def _open(self) -> sqlite3.Connection:
        log = beside(self.path)[0]
        if log.exists() and log.stat().st_size:  # the box may be playing: let SQLite take its locks
            connection = connect(self.path, "mode=ro")
            with contextlib.suppress(sqlite3.OperationalError):  # there is no index and none can be created
                connection.execute("PRAGMA user_version")
                return connection
            connection.close()
        return open_read_only(self.path)


class Totals(NamedTuple):
    """How games of one kind ended. `first` and `second` are you and the box, two people, or x and o.

    `level` is "" if the box did not play.
    """

    rule: str
    level: str
    first: int
    second: int
    drawn: int


class WinStreaks(NamedTuple):
    """The games won in a row: in the current streak, and in the longest. A streak ends with its visit."""

    now: int
    best: int


class Statistics(NamedTuple):
    """Totals of the games against the box, of those between two people, of those of the box with itself.

    `helped` games, in which the box has helped, count nowhere else. `levels` are the streaks against
    the box at each level.
    """

    games: int
    helped: int
    seconds: float
    box: tuple[Totals, ...]
    pair: tuple[Totals, ...]
    watched: tuple[Totals, ...]
    levels: Mapping[str, WinStreaks]


def summarise(games: Iterable[Played]) -> Statistics:
    """Return the statistics of games in the order in which they ended."""
    counts: Counter[tuple[int, str, str, str]] = Counter()
    helped, seconds, results = 0, 0.0, defaultdict[str, list[str]](list)  # by level
    before = 0
    for _, _, game, visit in games:
        if visit == 1 or visit < before:  # the first game of a visit, or after the last one
            for each in results.values():
                each.append("l")
        before = visit
        if game.helped:
            helped += 1
            continue
        first = game.human if game.players else "x"
        result = "d" if game.result == "draw" else "w" if game.result == first else "l"
        counts[game.players, game.rule, "" if game.players == 2 else game.level, result] += 1
        seconds += game.seconds
        if game.players == 1:
            results[game.level].append(result)
    box, pair, watched = (_lines(counts, players) for players in (1, 2, 0))
    levels = {level: streak("".join(results[level])) for level in sorted(results, key=_rank)}
    return Statistics(counts.total(), helped, seconds, box, pair, watched, levels)


def streak(results: str) -> WinStreaks:
    """Return the runs of w in a series of w, l and d."""
    runs = results.replace("d", "l").split("l")
    return WinStreaks(len(runs[-1]), max(map(len, runs)))


def _lines(counts: Counter[tuple[int, str, str, str]], players: int) -> tuple[Totals, ...]:
    kinds = {(rule, level) for number, rule, level, _ in counts if number == players}
    return tuple(
        Totals(rule, level, *(counts[players, rule, level, result] for result in "wld"))
        for rule, level in sorted(kinds, key=lambda kind: [_rank(name) for name in kind])
    )


def _rank(name: str) -> tuple[int, str]:
    """Return the sort key of a rule or a level: in the menu's order, then those of later versions."""
    names = [*RULE_NAMES, *LEVEL_NAMES]
    return names.index(name) if name in names else len(names), name
