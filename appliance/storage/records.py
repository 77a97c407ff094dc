"""Rows of the database <-> what the core speaks of. Cells are kept as people count them, from 1."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Any

from appliance.core.effects import Save
from appliance.core.match import Finished, Match
from appliance.core.resume import Choice, Kept, choices
from appliance.core.settings import Scores, Settings, Tally

Row = tuple[Any, ...]

# Not before this was written: 2025-01-01. A Pi has no clock of its own, and may believe that it is 1970.
EARLIEST = 1_735_689_600


@dataclass(frozen=True, slots=True)
class State:
    """The box as the tables `progress` and `setting` hold it.

    `elapsed` is the time in seconds since the game's first move, None before it; it runs on by itself, so two
    states that differ in nothing else are one.
    """

    progress: Row
    elapsed: float | None
    settings: tuple[Row, ...]

    def same_as(self, other: "State | None") -> bool:
        """Return whether the other state is this one, whenever it was taken."""
        return other is not None and (self.progress, self.settings) == (other.progress, other.settings)


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game in the history. Games are numbered from 1, in the order in which they ended.

    `ended` is the wall clock's time, in seconds since 1970 UTC, None where the clock was plainly wrong.
    Clocks are set back and forth: the numbers tell the order, not the times.
    """

    number: int
    ended: int | None
    game: Finished


def pack_state(state: Save, configured: Settings, now: float) -> State:
    """Return the rows of a state; `now` is the time on the clock of `state.match.started`."""
    match, scores = state.match, state.scores
    elapsed = None if match.started is None else max(0.0, now - match.started)
    return State(
        (match.rule, match.human, pack_moves(match.moves), int(match.counted), *_six(scores)),
        elapsed,
        tuple(
            sorted(
                (choice.name, choice.value, choice.configured)
                for choice in choices(state.settings, configured)
            )
        ),
    )


def unpack_state(progress: Sequence[Any], elapsed: float | None, settings: Iterable[Row], now: float) -> Kept:
    """Return what the rows hold, for a daemon on whose clock it is `now`.

    Raise `ValueError` when they hold no game that can have been played.
    """
    rule, human, moves, counted, *six = progress
    if human not in ("x", "o") or counted not in (0, 1):
        raise ValueError("the game in progress makes no sense")
    if not all(isinstance(number, int) and number >= 0 for number in six):
        raise ValueError("the score makes no sense")
    if not (elapsed is None or (isinstance(elapsed, float) and 0 <= elapsed < math.inf)):
        raise ValueError("the time of the game in progress makes no sense")
    try:
        match = Match.replay(rule, human, unpack_moves(moves))
    except KeyError as error:
        raise ValueError(f"there is no rule {error}") from error
    if counted and not match.over:
        raise ValueError("a game that is not over has been counted")
    started = None if elapsed is None else now - elapsed
    match = replace(match, started=started, counted=bool(counted))
    return Kept(match, Scores(Tally(*six[:3]), Tally(*six[3:])), tuple(Choice(*row) for row in settings))


def pack_game(played: Played) -> Row:
    """Return the row of a finished game."""
    game = played.game
    result = (pack_moves(game.moves), game.result)
    return (
        played.number,
        played.ended,
        game.seconds,
        game.rule,
        game.level,
        game.players,
        game.human,
        *result,
    )


def unpack_game(row: Row) -> Played:
    """Return the finished game of a row. Raise `ValueError` when it is none."""
    number, ended, seconds, rule, level, players, human, moves, result = row
    words = all(isinstance(word, str) for word in (rule, level))
    times = isinstance(seconds, float) and (ended is None or isinstance(ended, int))
    if not (
        words and times and players in (0, 1, 2) and human in ("x", "o") and result in ("x", "o", "draw")
    ):
        raise ValueError(f"game {number} makes no sense")
    return Played(number, ended, Finished(rule, level, players, human, unpack_moves(moves), result, seconds))


def pack_moves(moves: Iterable[int]) -> str:
    """Return moves as text: the cells in order, from 1, a digit each."""
    return "".join(str(cell + 1) for cell in moves)


def unpack_moves(text: object) -> tuple[int, ...]:
    """Return the moves that a text tells. Raise `ValueError` when it tells none."""
    if not isinstance(text, str) or not set(text) <= set("123456789"):
        raise ValueError("the moves make no sense")
    return tuple(int(digit) - 1 for digit in text)


def wall_time(seconds: float) -> int | None:
    """Return a reading of the wall clock in whole seconds, None when the clock cannot be right."""
    return int(seconds) if seconds >= EARLIEST else None


def _six(scores: Scores) -> tuple[int, ...]:
    return (*astuple(scores.box), *astuple(scores.pair))
