"""What each kind of people can expect at ultimate, from games played: `engine.people.POINTS` and the levels.

A game that is not solved has no exact odds. So each kind plays games at each second strength, and against
each fixed level, half of them with either side: `GAMES` and `LATE` say how many, fewer where a search takes
long. Who looks ahead plays the best of a search of `SKILL` positions; for what a move tells, any move counts
that comes close to the best. Each cell of `POINTS` stands for itself: one formula for all was off by 4 points
on average, and by 11 at most. One cell of 20 is off by 7 of 100 or more after 200 games, by 15 after 40. So a
cell is averaged with its two neighbours, and cells that still break the order of strengths or of kinds share
their mean. `make tables RULES=ultimate` writes what comes of it, in an hour. The same seeds, which are names,
give the same games.
"""

import random
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from statistics import mean

from engine import KINDS, RULES, STRONGEST, Level, Limit, Table, search
from engine.levels import KEPT
from engine.people import STRENGTH_STEP, PersonKind, at_once, shares

GAMES = {"adaptive": 200, "easy": 1000, "medium": 400, "hard": 400, "perfect": 10}  # of a cell, by level
LATE = {800: 100, 900: 60, 1000: 40}  # the same at these strengths
SKILL = 500  # positions that people search who look ahead
GRID = range(0, STRONGEST + 1, 2 * STRENGTH_STEP)
NAMES = {kind: name for name, kind in KINDS.items()}
LINES = 2  # the first of `KINDS` that completes each line it sees; the order of the two before it is not sure


def move(kind: PersonKind, position, rng: random.Random) -> int:
    """Return a move of somebody of this kind; who looks ahead, searches `SKILL` positions."""
    if rng.random() < kind.ahead:
        return search(position, Limit(nodes=SKILL)).move
    every = position.moves()
    (_, _), *casually = shares(kind, every, *at_once(position), ())
    return rng.choice(rng.choices([moves for _, moves in casually], [share for share, _ in casually])[0])


def play(rule: str, answer: Callable, mark: str, level: Level, rng: random.Random) -> float:
    """Return the points of a game in which `answer` returns the moves of `mark`, and the level the others."""
    position, table = RULES[rule].start(), Table(KEPT)
    while not position.terminal:
        own = position.to_move == mark
        position = position.play(answer(position) if own else level.choose(position, rng, None, table))
    return 0.5 if position.outcome == "draw" else float(position.outcome == mark)


def odds(rule: str, kind: PersonKind, level: Level, games: int = 0) -> tuple[float, float, float]:
    """Return the shares of the games that this kind wins, draws and loses, of `GAMES` or so many."""
    games = games or GAMES[level.name]
    rng = random.Random(f"{rule} {NAMES[kind]} {level.name} {level.nodes}")
    answer = partial(move, kind, rng=rng)
    found = [play(rule, answer, "xo"[number % 2], level, rng) for number in range(games)]
    return tuple(found.count(points) / games for points in (1, 0.5, 0))


def points(rule: str, kind: PersonKind, level: Level, games: int = 0) -> float:
    """Return the share of the points that a person of this kind scores; a draw counts half."""
    won, drawn, _ = odds(rule, kind, level, games)
    return won + drawn / 2


def table(rule: str) -> list[list[int]]:
    """Return the rows of `POINTS`, in per cent; between two strengths of `GRID` the mean."""
    levels = [(RULES[rule].adaptive(strength), LATE.get(strength, 0)) for strength in GRID]
    return fitted([[points(rule, kind, *late) for late in levels] for kind in KINDS.values()])


def fitted(found: Sequence[Sequence[float]]) -> list[list[int]]:
    """Return the rows that these shares of points give: kinds in rows, strengths of `GRID` in columns."""
    rows = [[-share for share in rising([-share for share in smoothed(row)])] for row in found]
    better = zip(*[rising(column) for column in zip(*rows[LINES:], strict=True)], strict=True)
    return [
        [round(100 * share) for pair in pairwise(row) for share in (pair[0], mean(pair))]
        + [round(100 * row[-1])]
        for row in [*rows[:LINES], *better]
    ]


def smoothed(row: Sequence[float]) -> list[float]:
    """Return the means of each number, which counts twice, and those beside it; the ends stay as they are."""
    means = [(row[place - 1] + 2 * row[place] + row[place + 1]) / 4 for place in range(1, len(row) - 1)]
    return [row[0], *means, row[-1]]


def rising(found: Sequence[float]) -> list[float]:
    """Return the numbers so that none is below the one before it: such neighbours share their mean."""
    pools: list[list[float]] = []
    for number in found:
        pools.append([number])
        while len(pools) > 1 and mean(pools[-2]) > mean(pools[-1]):
            pools[-2:] = [pools[-2] + pools[-1]]
    return [mean(pool) for pool in pools for _ in pool]
