"""How modelled people fare against the level that follows them, game by game.

`python tests/support/courses.py` prints the tables in Markdown, line by line, which takes minutes. The same
seed gives the same games. Each person begins every second game. Games of an unsolved rule take long, so there
are fewer, and people's perfect moves are those of a small search.
"""

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import groupby
from statistics import mean
from typing import Any, NamedTuple

from odds import keeping, mistake_moves
from visitors import CHILDREN, PEOPLE, choose

from engine import RULES, SOLVED, STRONGEST, Belief, Game, Level, Limit, Table, search
from engine.levels import KEPT, anything
from engine.people import evidence
from engine.shape import symmetries

MIRRORS = symmetries(3, 3)
RUNS, LONG = 400, 20  # a share of so many runs is off by 2.5 points of 100 at most (standard error)
FEWER = 10  # times as few runs and visits at a rule that is not solved
SLOW = 8  # times as few again of people who nearly always search there, and of visits
SKILL = 2000  # positions that people search there for a perfect move
VISIBLE_MOVES = 6  # at vanishing the board shows only the newest moves, this many


class Filter:
    """The adaptive level, as the box plays it; `strengths` are those at the end of each game."""

    def __init__(self, rule: str) -> None:
        self.rule, self.belief = rule, Belief()
        self.strengths: list[int] = []
        self._seen: list[Sequence[float]] = []

    @property
    def strength(self) -> int:
        """The strength now."""
        return self.belief.weighed(self._seen).strength(self.rule)

    def level(self) -> Level:
        """Return the level of the next move."""
        return _adaptive(self.rule, self.strength)

    def saw(self, position: Any, move: int) -> None:
        """Note a move of the person, before it is played."""
        self._seen.append(_evidence(position, move))

    def ended(self, result: str) -> None:
        """Note the end of a game: a "win", "draw" or "loss" of the person."""
        self.belief = self.belief.weighed(self._seen).ended(result)
        self._seen = []
        self.strengths.append(self.strength)


_evidence: Callable[[Any, int], Sequence[float]] = cache(evidence)


@lru_cache(32)  # a rule has 21 strengths
def _adaptive(rule: str, strength: int) -> Level:
    return RULES[rule].adaptive(strength)


def play(follower: Filter, name: str, rule: str, rng: random.Random, number: int, favourite: int) -> str:
    """Return the result of a game against the follower: "win", "draw" or "loss" of the person.

    Who begins, and a learner's skill, follow from the game's `number`, from 0.
    """
    game, persons, moves = RULES[rule].start(), number % 2 == 0, tuple[int, ...]()
    mark, table = "x" if persons else "o", Table(KEPT)
    while not game.terminal:
        image, mirror = _image(rule, moves) if RULES[rule].recurs else (game, range(RULES[rule].cells))
        if persons:
            liked = mirror[favourite]
            best = keeping if rule in SOLVED else _searched
            cell = choose(PEOPLE[name], image, best, rng, number, liked, lines=not RULES[rule].loses)
            follower.saw(image, cell)
        else:
            cell = _answer(follower.level(), image, rng, table)
        move = mirror.index(cell)
        game, moves, persons = game.play(move), (*moves, move)[-VISIBLE_MOVES:], not persons
    result = "draw" if game.outcome == "draw" else "win" if game.outcome == mark else "loss"
    follower.ended(result)
    return result


def _searched(position: Any) -> Sequence[int]:
    """Return the best move that a person finds where nobody knows perfect play."""
    return [search(position, Limit(nodes=SKILL)).move]


def _answer(level: Level, position: Any, rng: random.Random, table: Table) -> int:
    if level.nodes is not None:
        return level.choose(position, rng, None, table)
    luck = rng.random()
    if luck < level.mistakes:
        return rng.choice(mistake_moves(level.errors, position))
    return rng.choice(mistake_moves(anything if luck < level.mistakes + level.wild else None, position))


@cache
def _image(rule: str, moves: tuple[int, ...]) -> tuple[Game, Sequence[int]]:
    """Return the position after the moves, the same for all mirror images, and its mirror."""
    mirror = min(MIRRORS, key=lambda mirror: [mirror[cell] for cell in moves])
    image = RULES[rule].start()
    for cell in moves:
        image = image.play(mirror[cell])
    return image, mirror


def games(follower: Filter, name: str, rule: str, count: int, rng: random.Random) -> Iterator[str]:
    """Yield the results of a person's games in a row."""
    favourite = rng.randrange(9)
    for number in range(count):
        yield play(follower, name, rule, rng, number, favourite)


class Course(NamedTuple):
    """How a person fares: shares of games won, drawn and lost, in per cent, in games 1 to 10 and 11 to 100.

    `streaks` is the share of runs with three losses in a row within the first ten games. `after` and `later`
    are the mean strengths after games 11 to 40 and 71 to 100, `perfect` the share of runs that face the
    perfect box after ten games, and of the games after that.
    """

    early: tuple[float, ...]
    late: tuple[float, ...]
    streaks: float
    after: float
    later: float
    perfect: tuple[float, float]


def runs_of(rule: str, name: str = "expert") -> int:
    """Return in how many runs a person is tried at a rule."""
    if rule in SOLVED:
        return RUNS
    return RUNS // FEWER // (SLOW if PEOPLE[name].perfect[0] > 0.8 else 1)


def course(name: str, rule: str) -> Course:
    """Return how a person fares in some runs of ten games, of which every `LONG`th goes on to a hundred."""
    first, rest, strengths, full = list[list[str]](), list[str](), list[list[int]](), list[bool]()
    for run in range(runs_of(rule, name)):
        follower, rng = Filter(rule), random.Random(f"{rule} {name} {run}")
        found = list(games(follower, name, rule, 10 if run % LONG else 100, rng))
        first.append(found[:10])
        rest += found[10:]
        full.append(follower.strengths[9] == STRONGEST)
        if run % LONG == 0:
            strengths.append(follower.strengths)
    perfect = mean(strength == STRONGEST for found in strengths for strength in found[10:])
    return Course(
        shares([result for found in first for result in found]),
        shares(rest),
        100 * mean(longest(found) >= 3 for found in first),
        mean(strength for found in strengths for strength in found[10:40]),
        mean(strength for found in strengths for strength in found[70:]),
        (100 * mean(full), 100 * perfect),
    )


def shares(results: Sequence[str]) -> tuple[float, ...]:
    """Return the shares of wins, draws and losses in per cent."""
    return tuple(100 * results.count(result) / len(results) for result in ("win", "draw", "loss"))


def longest(results: Sequence[str]) -> int:
    """Return the most losses in a row."""
    return max((len(list(run)) for result, run in groupby(results) if result == "loss"), default=0)


def after_an_expert(rule: str) -> tuple[tuple[float, ...], float]:
    """Return how a child fares in ten games after an expert's 30, and the mean number of the first win."""
    found, firsts = list[str](), list[int]()
    for run in range(runs_of(rule)):
        follower, rng = Filter(rule), random.Random(f"{rule} after {run}")
        list(games(follower, "expert", rule, 30, rng))
        results = list(games(follower, "child", rule, 10, rng))
        found += results
        firsts.append(results.index("win") + 1 if "win" in results else 11)
    return shares(found), mean(firsts)


def corridor(rule: str, visits: int) -> tuple[float, float]:
    """Return the shares of children's visits that are all lost and that bring no win, in per cent.

    Anybody of `PEOPLE`, all equally likely, plays two to six games; then the next one comes.
    """
    follower, rng = Filter(rule), random.Random(f"{rule} corridor")
    found = []
    for _ in range(visits):
        name = rng.choice(list(PEOPLE))
        results = list(games(follower, name, rule, rng.randint(2, 6), rng))
        if name in CHILDREN:
            found.append(results)
    lost = mean(set(results) == {"loss"} for results in found)
    return 100 * lost, 100 * mean("win" not in results for results in found)


def as_markdown() -> Iterator[str]:
    """Yield the lines of the tables in Markdown."""
    yield "| rule | person | games 1 to 10 | games 11 to 100 | three losses | strength | perfect box |"
    yield "| --- | --- |" + " ---: |" * 5
    for rule in RULES:
        for name in PEOPLE:
            yield course_line(rule, name)
    yield ""
    yield "| rule | child after an expert | first win | visits all lost | visits without a win |"
    yield "| --- |" + " ---: |" * 4
    for rule in RULES:
        yield visit_line(rule)


def course_line(rule: str, name: str) -> str:
    """Return a line of the first table."""
    found = course(name, rule)
    strength = f"{found.after:.0f}, {found.later:.0f}"
    odds = " | ".join(" / ".join(f"{share:.0f}" for share in part) for part in (found.early, found.late))
    perfect = ", ".join(f"{share:.0f}" for share in found.perfect)
    return f"| {rule} | {name} | {odds} | {found.streaks:.0f} | {strength} | {perfect} |"


def visit_line(rule: str) -> str:
    """Return a line of the second table."""
    odds, first = after_an_expert(rule)
    lost, winless = corridor(rule, 10 * runs_of(rule))
    shown = " / ".join(f"{share:.0f}" for share in odds)
    return f"| {rule} | {shown} | {first:.1f} | {lost:.1f} | {winless:.1f} |"


if __name__ == "__main__":
    for line in as_markdown():
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
