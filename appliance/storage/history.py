"""The finished games, read while the box plays on, and what they add up to."""

import contextlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from appliance.core.match import Finished
from appliance.core.settings import LEVELS, RULES
from appliance.errors import UserError
from appliance.storage.database import open_for_reading
from appliance.storage.place import NAME, Damaged, Unwritable, faults
from appliance.storage.records import Played, unpack_game


@contextlib.contextmanager
def sentences(path: Path) -> Iterator[None]:
    """Turn what can be wrong with the database at `path` into a `UserError`."""
    try:
        yield
    except Damaged as error:
        raise UserError(
            f"{path}: is damaged ({error}): the box sets it aside when it is started again"
        ) from error
    except Unwritable as error:
        raise UserError(
            f"{path}: cannot be used now ({error}): try again as its owner, or when the disk is well"
        ) from error


def played(directory: Path) -> Iterator[Played]:
    """Yield the finished games in the order in which they ended; none where nothing has been kept.

    The box may be playing. Raise `UserError` for a database that cannot be read.
    """
    path = directory / NAME
    with sentences(path):
        connection = open_for_reading(path)
        if connection is None:
            return
        with contextlib.closing(connection), faults():
            for row in connection.execute("SELECT * FROM game ORDER BY id"):
                yield unpack_game(row)


@dataclass(frozen=True, slots=True)
class Line:
    """How games of one kind ended. `first` and `second` are you and the box, or x and o where nobody is you.

    `level` is "" where the box did not play.
    """

    rule: str
    level: str
    first: int
    second: int
    drawn: int


@dataclass(frozen=True, slots=True)
class Streaks:
    """Runs of games against the box, in the order in which they ended.

    `result` is that of the last one, "won", "lost" or "drawn" ("" before the first), and `running` how many
    have ended so without a break. The others are the longest: games won, lost, and not lost.
    """

    result: str = ""
    running: int = 0
    won: int = 0
    lost: int = 0
    unbeaten: int = 0


@dataclass(frozen=True, slots=True)
class Statistics:
    """What all games add up to: those against the box, those of two people, those of the box with itself."""

    games: int
    seconds: float
    box: tuple[Line, ...]
    pair: tuple[Line, ...]
    watched: tuple[Line, ...]
    streaks: Streaks


def summarise(history: Iterable[Played]) -> Statistics:
    """Return what the games of a history add up to; rules and levels stand in the order of the menu."""
    counts: Counter[tuple[int, str, str, str]] = Counter()
    streaks, seconds, unbeaten = Streaks(), 0.0, 0
    for one in history:
        game = one.game
        seconds += game.seconds
        result = outcome(game)
        counts[game.players, game.rule, "" if game.players == 2 else game.level, result] += 1
        if game.players == 1:
            unbeaten = 0 if result == "second" else unbeaten + 1
            streaks = _further(streaks, result, unbeaten)
    box, pair, watched = (_lines(counts, players) for players in (1, 2, 0))
    return Statistics(counts.total(), seconds, box, pair, watched, streaks)


def outcome(game: Finished) -> str:
    """Return who won: the "first" party (you, or x), the "second" (the box, or o), or "drawn"."""
    if game.result == "draw":
        return "drawn"
    first = game.human if game.players == 1 else "x"
    return "first" if game.result == first else "second"


def _further(before: Streaks, result: str, unbeaten: int) -> Streaks:
    name = {"first": "won", "second": "lost"}.get(result, "drawn")
    running = before.running + 1 if before.result == name else 1
    return Streaks(
        name,
        running,
        max(before.won, running if name == "won" else 0),
        max(before.lost, running if name == "lost" else 0),
        max(before.unbeaten, unbeaten),
    )


def _lines(counts: Counter[tuple[int, str, str, str]], players: int) -> tuple[Line, ...]:
    kinds = {(rule, level) for number, rule, level, _ in counts if number == players}
    return tuple(
        Line(rule, level, *(counts[players, rule, level, result] for result in ("first", "second", "drawn")))
        for rule, level in sorted(kinds, key=lambda kind: (_place(RULES, kind[0]), _place(LEVELS, kind[1])))
    )


def _place(names: tuple[str, ...], name: str) -> tuple[int, str]:
    return (names.index(name) if name in names else len(names), name)
