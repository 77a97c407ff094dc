"""What each kind of people can expect at ultimate, from games played: `engine.people.POINTS` and the levels.

`python tests/support/ratings.py [GAMES]` prints rows to paste there, and how each kind fares against the
fixed levels. A game that is not solved has no exact odds, so GAMES are played by each kind at each second
strength, half of them with either side, and each kind and each strength gets the rating that explains the
results best, where the odds of a win are the ratio of the two ratings. R. A. Bradley and M. E. Terry, Rank
analysis of incomplete block designs (Biometrika, 1952); D. R. Hunter, MM algorithms for generalized
Bradley-Terry models (The Annals of Statistics, 2004), for the iteration. The same seed gives the same games.
"""

import random
import sys
from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import geometric_mean

from engine import KINDS, RULES, STRONGEST, Level, Table
from engine.levels import KEPT
from engine.people import STRENGTH_STEP, PersonKind, at_once, good_moves, shares

RULE = "ultimate"
GAMES = 40
ROUNDS = 2000  # of the iteration, which is over long before
GRID = range(0, STRONGEST + 1, 2 * STRENGTH_STEP)


def move(kind: PersonKind, position, rng: random.Random) -> int:
    """Return a move of somebody of this kind; it takes no search if nobody of the kind looks ahead."""
    every = position.moves()
    sets = good_moves(position) if kind.ahead else (*at_once(position), every)
    weighted = [(share, moves) for share, moves in shares(kind, every, *sets) if share]
    return rng.choice(rng.choices([moves for _, moves in weighted], [share for share, _ in weighted])[0])


def points(kind: PersonKind, level: Level, games: int, rng: random.Random) -> float:
    """Return the share of the points that the kind wins in so many games; a draw counts half."""
    found = 0.0
    for number in range(games):
        position, own, table = RULES[RULE].start(), "xo"[number % 2], Table(KEPT)
        while not position.terminal:
            persons = position.to_move == own
            position = position.play(
                move(kind, position, rng) if persons else level.choose(position, rng, None, table)
            )
        found += 0.5 if position.outcome == "draw" else position.outcome == own
    return found / games


def results(games: int) -> list[list[float]]:
    """Return the points of each kind (rows) at each strength of `GRID`."""
    levels = {strength: RULES[RULE].adaptive(strength) for strength in GRID}
    return list(tried(levels, games).values())


def tried(levels: Mapping[object, Level], games: int) -> dict[str, list[float]]:
    """Return the points of each kind against each of the named levels."""
    return {
        kind: [
            points(KINDS[kind], level, games, random.Random(f"{RULE} {kind} {name}"))
            for name, level in levels.items()
        ]
        for kind in KINDS
    }


def ratings(found: Sequence[Sequence[float]]) -> tuple[list[float], list[float]]:
    """Return the ratings of rows and columns that make these shares of points the most likely.

    Each pair counts as having drawn a little, too: who never wins would have a rating of 0.
    """
    shown = [[(share + 0.01) / 1.02 for share in row] for row in found]
    rows, columns = [1.0] * len(found), [1.0] * len(found[0])
    for _ in range(ROUNDS):
        rows = [
            sum(row) / sum(1 / (own + other) for other in columns)
            for own, row in zip(rows, shown, strict=True)
        ]
        columns = [
            sum(1 - share for share in column) / sum(1 / (own + other) for other in rows)
            for own, column in zip(columns, zip(*shown, strict=True), strict=True)
        ]
    return rising(rows), rising(columns)


def rising(found: Sequence[float]) -> list[float]:
    """Return the ratings so that none is below the one before it: such neighbours share their mean."""
    pools: list[list[float]] = []
    for rating in found:
        pools.append([rating])
        while len(pools) > 1 and geometric_mean(pools[-2]) > geometric_mean(pools[-1]):
            pools[-2:] = [pools[-2] + pools[-1]]
    return [geometric_mean(pool) for pool in pools for _ in pool]


def table(found: Sequence[Sequence[float]]) -> list[list[int]]:
    """Return the rows of `POINTS`, in per cent; between two strengths of `GRID` the geometric mean."""
    rows, columns = ratings(found)
    between = [geometric_mean(pair) for pair in pairwise(columns)]
    every = [rating for pair in zip(columns, between, strict=False) for rating in pair] + columns[-1:]
    return [[round(100 * own / (own + other)) for other in every] for own in rows]


def main(games: int) -> None:
    """Print the tables, and how far the rows of `POINTS` lie from the games."""
    found = results(games)
    rows = table(found)
    away = [100 * share - row[2 * place] for row, shares in zip(rows, found, strict=True)
            for place, share in enumerate(shares)]  # fmt: skip
    root = (sum(error**2 for error in away) / len(away)) ** 0.5
    for row in found:
        sys.stdout.write(f"# {''.join(f'{100 * share:5.0f}' for share in row)}\n")
    sys.stdout.write(f"# {games} games each, off by {root:.1f} in the mean square\n")
    lines = "".join(f"        ({', '.join(map(str, row))}),\n" for row in rows)
    sys.stdout.write(f'    "{RULE}": (\n{lines}    ),\n')
    sys.stdout.flush()
    for name, row in tried({level.name: level for level in RULES[RULE].levels.values()}, games).items():
        sys.stdout.write(f"{name:<40}{''.join(f'{100 * share:5.0f}' for share in row)}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES)
