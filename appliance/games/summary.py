"""The statistics in words and tables, as `tictactoe stats` prints them and games.html shows them."""

from collections.abc import Iterator
from typing import NamedTuple

from appliance.core.english import counted
from appliance.storage.database import MAX_GAMES
from appliance.storage.history import Statistics

SIDES = ("x", "o", "drawn")


class Counts(NamedTuple):
    """A table of counts: its title, the titles of its columns, and rows of (names, counts).

    The names are a rule and a level, "" for none, or a level alone.
    """

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[tuple[str, ...], tuple[int, ...]], ...]


def headline(statistics: Statistics, where: str = "") -> str:
    """Return one sentence without a full stop: how many games there are `where`, and how long they took."""
    helped = f"; {statistics.helped} with help, not counted" if statistics.helped else ""
    if not statistics.games:
        return f"No game has been finished yet{where}{helped}"
    games = counted(statistics.games, "game")
    if statistics.games + statistics.helped >= MAX_GAMES:
        games = f"The newest {games}"
    return f"{games}{where}, {duration(statistics.seconds)} of play{helped}"


def tables(statistics: Statistics) -> Iterator[Counts]:
    """Yield the tables that have rows."""
    for title, lines, heads in (
        ("Against the box", statistics.box, ("won", "lost", "drawn")),
        ("Two people", statistics.pair, SIDES),
        ("The box against itself", statistics.watched, SIDES),
    ):
        if lines:
            counts = tuple(((line.rule, line.level), (line.first, line.second, line.drawn)) for line in lines)
            yield Counts(title, heads, counts)
    if statistics.levels:
        rows = tuple(((level,), tuple(streak)) for level, streak in statistics.levels.items())
        yield Counts("Won in a row", ("now", "best"), rows)


def duration(seconds: float) -> str:
    """Return a duration in seconds, minutes or hours."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return f"{round(seconds)} s"
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"
