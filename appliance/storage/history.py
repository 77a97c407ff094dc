"""The finished games, read while the box may be playing, and their statistics.

What is wrong in both copies is skipped; `History.note` says so.
"""

import contextlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from appliance.core.errors import UserError
from appliance.core.session.settings import ALLOWED, LEVEL_NAMES, RULE_NAMES, Scores
from appliance.storage.copies import CopyReader
from appliance.storage.database import NAME
from appliance.storage.days import Days, day_of
from appliance.storage.faults import LEAVE_ON, Damaged, Unusable, faults
from appliance.storage.rows import Played, State, unpack_game, unpack_scores

PAUSE = 3600.0  # seconds between the ends of two games, after which other people may have come


@contextlib.contextmanager
def faults_for_people(path: Path) -> Iterator[None]:
    """Turn any fault of the database at `path` into a `UserError`."""
    try:
        with faults(path):
            yield
    except Damaged as error:
        raise UserError(f"{path}: is damaged ({error}): {LEAVE_ON}") from error
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
        invalid = None
        with faults_for_people(self.path), CopyReader(self.path) as reading:
            for row in reading.games():
                try:
                    yield unpack_game(row)
                except ValueError as error:
                    invalid = error
            wrong = invalid or (next(iter(reading.wrong.values()), None) if not reading.whole else None)
        if wrong:
            self.note = f"{self.path}: is damaged ({wrong}): this is what can be read; {LEAVE_ON}"

    def scores(self) -> Scores:
        """Return the score and what the adaptive level believes; empty if they cannot be read."""
        state = self._state()
        return unpack_scores(state) if state else Scores()

    def visits(self) -> Days:
        """Return the visits of an exhibit; none if they cannot be read."""
        with contextlib.suppress(Unusable), CopyReader(self.path) as reading:
            return reading.visits()
        return {}

    def language(self, configured: str) -> str:
        """Return the language chosen in the menu, or the configured one if that has changed since."""
        state = self._state()
        choices = {name: (value, then) for name, value, then in state.settings} if state else {}
        value, then = choices.get("language", (configured, configured))
        return value if value in ALLOWED["language"] and then == configured else configured

    def _state(self) -> State | None:
        with contextlib.suppress(Unusable), CopyReader(self.path) as reading:
            return reading.state()
        return None


class Totals(NamedTuple):
    """How games against the box ended, by rule and level: won, lost, drawn. `level` is "" if unknown."""

    rule: str
    level: str
    won: int
    lost: int
    drawn: int


class Meeting(NamedTuple):
    """Games that two people have played one after the other: won by the first, by the second, and drawn.

    It ends with a game of another kind, a longer pause than `PAUSE`, and a visit. `day` is that of its
    first game. Readers know it as a match; how many wins decide one on the box, the history does not say.
    """

    day: int
    first: int
    second: int
    drawn: int


class WinStreaks(NamedTuple):
    """The games won in a row: in the current streak, and in the longest. A streak ends with its visit."""

    now: int
    best: int


class Statistics(NamedTuple):
    """The games of people: totals of those against the box, and the meetings of two, in their order.

    `helped` games, in which the box has helped, count nowhere else, nor do those that it has `watched`:
    nobody played them. `levels` are the streaks against the box at each level.
    """

    games: int
    helped: int
    watched: int
    seconds: float
    box: tuple[Totals, ...]
    meetings: tuple[Meeting, ...]
    levels: Mapping[str, WinStreaks]


def summarise(games: Iterable[Played]) -> Statistics:
    """Return the statistics of games in the order in which they ended."""
    counts, met = Counter[tuple[str, str, str]](), Counter[tuple[int, str]]()
    days = dict[int, int]()  # of meetings, which are numbered
    helped, watched, seconds, results = 0, 0, 0.0, defaultdict[str, list[str]](list)  # by level
    meeting, before, last = 0, 0, None
    for _, ended, game, visit in games:
        if new := visit == 1 or visit < before:  # the first game of a visit, or after the last one
            for each in results.values():
                each.append("l")
        pause = ended - last if ended is not None and last is not None else 0
        meeting += new or game.players != 2 or pause > PAUSE
        before, last = visit, ended
        if not game.players or game.helped:
            watched, helped = watched + (not game.players), helped + bool(game.players)
            continue
        result = "d" if game.result == "draw" else "w" if game.result == game.human else "l"
        seconds += game.seconds
        if game.players == 1:
            counts[game.rule, game.level, result] += 1
            results[game.level].append(result)
        else:
            days.setdefault(meeting, day_of(ended))
            met[meeting, result] += 1
    box = tuple(
        Totals(*kind, *(counts[*kind, result] for result in "wld"))
        for kind in sorted({kind[:2] for kind in counts}, key=lambda kind: [*map(_rank, kind)])
    )
    meetings = tuple(Meeting(day, *(met[number, result] for result in "wld")) for number, day in days.items())
    levels = {level: streak("".join(results[level])) for level in sorted(results, key=_rank)}
    return Statistics(counts.total() + met.total(), helped, watched, seconds, box, meetings, levels)


def streak(results: str) -> WinStreaks:
    """Return the runs of w in a series of w, l and d."""
    runs = results.replace("d", "l").split("l")
    return WinStreaks(len(runs[-1]), max(map(len, runs)))


def _rank(name: str) -> tuple[int, str]:
    """Return the sort key of a rule or a level: in the menu's order, then those of later versions."""
    names = [*RULE_NAMES, *LEVEL_NAMES]
    return names.index(name) if name in names else len(names), name
