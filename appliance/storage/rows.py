"""Rows of the database <-> values of the core. Cells are stored as people count them, from 1.

A row may come from a damaged or edited file, so every value is validated here before use.
"""

import contextlib
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from appliance.core.events import Save
from appliance.core.match import Finished, Match
from appliance.core.resume import Choice, Kept, choices
from appliance.core.settings import LEVEL_NAMES, Record, Scores, Settings, Tally
from engine import START, STRONGEST

Row = tuple[Any, ...]

EARLIEST = 1_735_689_600  # 2025-01-01: a Pi has no clock of its own and may believe that it is 1970
LATEST = 253_402_300_800  # the year 10000
LARGEST = 10**12  # a count, a game's number, or a time in seconds beyond this is damage
STRENGTH = "strength."  # and a rule: the name of the adaptive level's strength in the table `setting`
RECORD = "record."  # and a level: the name of its record there, five counts apart by blanks
WATCHED = "coached"  # the name there of 1 if the coach has watched the game in progress, else 0
WORD = re.compile(r"[a-z][a-z0-9_-]{0,23}")  # a rule or a level, also of a later version


class State(NamedTuple):
    """The box as the tables `progress` and `setting` hold it.

    `elapsed` is the time in seconds since the game's first move, None before it.
    """

    progress: Row  # rule, human, moves, counted, and the six counts of the score
    elapsed: float | None
    settings: tuple[Row, ...]  # name, value, what the configuration said then

    def same_as(self, other: "State | None") -> bool:
        """Return whether the other state is this one, whenever it was taken."""
        return other is not None and (self.progress, self.settings) == (other.progress, other.settings)


class Played(NamedTuple):
    """A finished game in the history.

    The database numbers games from 1, in the order in which they ended; `number` is None before. `ended` is
    the wall clock's time, in seconds since 1970 UTC, None where that was plainly wrong.
    """

    number: int | None
    ended: int | None
    game: Finished


def pack_state(state: Save, configured: Settings, now: float) -> State:
    """Return the rows of a state; `now` is the time on the clock of `state.match.started`."""
    match, scores = state.match, state.scores
    elapsed = None if match.started is None else max(0.0, now - match.started)
    score = (*scores.box, *scores.pair)
    # Among the settings, so that a database of a version without them can be opened, and by one.
    strengths = [(f"{STRENGTH}{rule}", strength, START) for rule, strength in scores.strengths.items()]
    progress = (match.rule, match.human, pack_moves(match.moves), int(match.counted), *score)
    records = pack_records(scores.records)
    watched = (WATCHED, int(match.coached), "")
    kept = [*choices(state.settings, configured), *strengths, *records, watched]
    return State(progress, elapsed, tuple(sorted(kept)))


def pack_records(records: Mapping[str, Record]) -> list[Row]:
    """Return the rows of the records in the table `setting`, one for each level."""
    return [
        (f"{RECORD}{level}", " ".join(map(str, records.get(level, Record()))), "") for level in LEVEL_NAMES
    ]


def unpack_record(value: object) -> Record:
    """Return the record of a row's value. Raise `ValueError` if it is none."""
    counts = [int(count) for count in str(value).split(" ")]
    if len(counts) != 5 or not all(0 <= count < LARGEST for count in counts):
        raise ValueError("invalid record")
    return Record(*counts)


def count_records(games: Iterable[Row]) -> list[Row]:
    """Return the rows of the records of games against the box: level, mark of the person, result."""
    records: dict[str, Record] = {}
    for level, human, result in games:
        outcome = "draw" if result == "draw" else "win" if result == human else "loss"
        records[level] = records.get(level, Record()).add(outcome)
    return pack_records(records)


def unpack_state(state: State, now: float) -> Kept:
    """Return what the rows hold, for a daemon on whose clock it is `now`. Raise `ValueError` if invalid."""
    rule, human, moves, counted, *score = state.progress
    if human not in ("x", "o") or counted not in (0, 1):
        raise ValueError("invalid saved game")
    counts = all(isinstance(number, int) and 0 <= number < LARGEST for number in score)
    if not counts or len(score) != 6:
        raise ValueError("invalid saved score")
    if not (state.elapsed is None or (isinstance(state.elapsed, float) and 0 <= state.elapsed < LARGEST)):
        raise ValueError("invalid duration of the saved game")
    try:
        match = Match.replay(rule, human, unpack_moves(moves))
    except KeyError as error:
        raise ValueError(f"saved game of an unknown rule {error}") from error
    if counted and not match.over:
        raise ValueError("saved game counted before its end")
    started = None if state.elapsed is None else now - state.elapsed
    coached = any(name == WATCHED and value == 1 for name, value, _ in state.settings)
    match = match._replace(started=started, counted=bool(counted), coached=coached)
    strengths = {
        name.removeprefix(STRENGTH): value
        for name, value, _ in state.settings
        if isinstance(name, str) and name.startswith(STRENGTH)
        if isinstance(value, int) and 0 <= value <= STRONGEST
    }
    records = {}
    for name, value, _ in state.settings:
        with contextlib.suppress(ValueError):
            if str(name).startswith(RECORD) and (record := unpack_record(value)) != Record():
                records[name.removeprefix(RECORD)] = record
    scores = Scores(Tally(*score[:3]), Tally(*score[3:]), strengths, records)
    return Kept(match, scores, tuple(Choice(*row) for row in state.settings))


def repaired(progress: Row, settings: tuple[Row, ...]) -> State | None:
    """Return as much of a state as is valid: game and score, or the score, or the game, or None."""
    game, score = progress[:4], progress[4:]
    for row in progress, ("classic", "x", "", 0, *score), (*game, *(0,) * 6):
        with contextlib.suppress(ValueError):
            found = State(row, None, settings)
            unpack_state(found, 0.0)
            return found
    return None


def merged(earlier: State, state: State, *, played: bool) -> State:
    """Return what to keep after playing from memory, on finding an `earlier` state on the disk.

    Scores and records are added up, settings not changed from the menu stay as they were kept, and so does
    the earlier game unless another has been `played`.
    """
    kept = {row[0]: row for row in earlier.settings}
    settings = tuple(_merged_row(kept.get(row[0], row), row, played=played) for row in state.settings)
    game, elapsed = (state.progress[:4], state.elapsed) if played else (earlier.progress[:4], earlier.elapsed)
    score = (sum(pair) for pair in zip(earlier.progress[4:], state.progress[4:], strict=True))
    return State((*game, *score), elapsed, settings)


def _merged_row(earlier: Row, row: Row, *, played: bool) -> Row:
    """Return the row of a setting, a strength or a record after playing from memory."""
    if row[0] == WATCHED:
        return row if played else earlier
    if row[0].startswith(RECORD) and earlier is not row:
        with contextlib.suppress(ValueError):
            joined = unpack_record(earlier[1]).join(unpack_record(row[1]))
            return (row[0], " ".join(map(str, joined)), "")
    return earlier if row[1] == row[2] else row


def pack_game(played: Played) -> Row:
    """Return the row of a finished game."""
    number, ended, game = played
    players = (game.rule, game.level, game.players, game.human)
    return (number, ended, game.seconds, *players, pack_moves(game.moves), game.result)


def unpack_game(row: Row) -> Played:
    """Return the finished game of a row. Raise `ValueError` for an invalid row."""
    number, ended, seconds, rule, level, players, human, moves, result = row
    numbered = isinstance(number, int) and 0 < number < LARGEST
    dated = ended is None or (isinstance(ended, int) and 0 <= ended < LATEST)
    timed = isinstance(seconds, float) and 0 <= seconds < LARGEST
    if not (numbered and dated and timed and _is_kind(rule, level, players, human, result)):
        raise ValueError("invalid game")
    return Played(number, ended, Finished(rule, level, players, human, unpack_moves(moves), result, seconds))


@lru_cache(1000)  # there are few kinds, and a history may hold 100,000 games
def _is_kind(rule: object, level: object, players: object, human: object, result: object) -> bool:
    words = all(isinstance(word, str) and WORD.fullmatch(word) for word in (rule, level))
    return words and players in (0, 1, 2) and human in ("x", "o") and result in ("x", "o", "draw")


def pack_moves(moves: tuple[int, ...]) -> str:
    """Return moves as text: the cells in order, from 1, a digit each."""
    return "".join(str(cell + 1) for cell in moves)


def unpack_moves(text: object) -> tuple[int, ...]:
    """Return the moves of a text. Raise `ValueError` when it holds anything else."""
    if not isinstance(text, str) or not set(text) <= set("123456789"):
        raise ValueError("invalid moves")
    return tuple([int(digit) - 1 for digit in text])


def wall_time(seconds: float) -> int | None:
    """Return a reading of the wall clock in whole seconds, None when the clock cannot be right."""
    return int(seconds) if EARLIEST <= seconds < LATEST else None
