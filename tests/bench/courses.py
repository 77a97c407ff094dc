"""How the adaptive level adapts to a person: `python tests/bench/courses.py` prints it as Markdown."""

import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

from appliance.commands.bench import percent
from appliance.teaching.odds import CASUAL, PERFECT, RANDOM, Odds, choices, exact, mean, person, policy
from engine import RULES, START, STRONGEST, Level, adapt, adaptive
from engine.shape import symmetries

MIRRORS = symmetries(3, 3)
MARKS = 6  # in vanishing, the board shows only this many moves, the newest

STRENGTHS = range(0, STRONGEST + 1, 5)  # every step is a multiple of 5
KNOTS = range(0, STRONGEST + 1, STRONGEST // 5)
COARSE, SAMPLE = 25, 40  # at vanishing: a sample of 40 games a seat for every 25, as steps of 10 are rare
SPANS = ((0, 20), (20, 100), (200, 300))  # the games whose results are shown: first, end; from 0
START_GAMES, STREAK = 6, 3  # the first games, and the losing streak to avoid in them
STAGE = 25  # after each 25 games a learning person plays another quarter of the moves perfectly

PEOPLE = {
    "random": (RANDOM,),
    "casual": (CASUAL,),
    "learning": (CASUAL, person(0.25), person(0.5), person(0.75), PERFECT),
    "good": (person(0.75),),
    "perfect": (PERFECT,),
}

Seats = tuple[Odds, Odds]
"""The odds of moving first, and of moving second."""


class Course(NamedTuple):
    """How a person fares against the adaptive level, taking turns to start.

    `settled` is the mean strength at the end, `games` the number of games until it stays within 50 of that;
    both are means over a game in each seat. `odds` are the person's in each of `SPANS`, `streak` is the
    probability of `STREAK` losses in a row in the first `START_GAMES`.
    """

    settled: float
    games: int
    odds: tuple[Odds, ...]
    streak: float


def courses(rule: str) -> dict[str, Course]:
    """Return the courses of all modelled people, by one rule."""
    known: dict[Level, dict[int, Seats]] = {}
    for stages in PEOPLE.values():
        for one in stages:
            if one not in known:
                known[one] = seats_by_strength(one, rule)
    return {name: course([known[one] for one in stages]) for name, stages in PEOPLE.items()}


def seats_by_strength(one: Level, rule: str) -> dict[int, Seats]:
    """Return a person's odds against the adaptive level at each strength."""
    if rule == "vanishing":
        first, second = (_samples(one, first=seat) for seat in (True, False))
    else:
        first, second = (_polynomials(one, rule, first=seat) for seat in (True, False))
    return {strength: (first[strength], second[strength]) for strength in STRENGTHS}


def _samples(one: Level, *, first: bool) -> dict[int, Odds]:
    """Return the odds at vanishing by strength; nearby strengths share a sample."""
    found = {
        strength: sampled(one, adaptive(strength), SAMPLE, first=first)
        for strength in range(0, STRONGEST + 1, COARSE)
    }
    return {strength: found[strength - strength % COARSE] for strength in STRENGTHS}


def _polynomials(one: Level, rule: str, *, first: bool) -> dict[int, Odds]:
    """Return the exact odds by strength.

    Each of the box's moves, at most five, is perfect with a probability proportional to the strength. So the
    odds are polynomials of degree five in the strength, and six values determine the others (Lagrange).
    """
    own, knots = policy(one), {}
    for errors in {adaptive(strength).errors for strength in (0, STRONGEST)}:
        for knot in KNOTS:
            box = Level("", depth=None, mistakes=1 - knot / STRONGEST, errors=errors)
            knots[errors, knot] = exact(own, policy(box), RULES[rule](), first=first)
    return {
        strength: mean(
            (
                prod((strength - other) / (knot - other) for other in KNOTS if other != knot),
                knots[adaptive(strength).errors, knot],
            )
            for knot in KNOTS
        )
        for strength in STRENGTHS
    }


def course(stages: Sequence[dict[int, Seats]]) -> Course:
    """Return the course of a person who moves from stage to stage, from the probability of each strength."""
    games = list(_games(stages))
    means = [(one[0] + other[0]) / 2 for one, other in pairwise(games)]
    away = [number for number, strength in enumerate(means, 2) if abs(strength - means[-1]) > 50]
    odds = (mean((1 / (end - start), odds) for _, odds, _ in games[start:end]) for start, end in SPANS)
    return Course(means[-1], max(away, default=0), tuple(odds), games[-1][2])


def _games(stages: Sequence[dict[int, Seats]]) -> Iterator[tuple[float, Odds, float]]:
    """Yield the mean strength after each game, the odds in it, and the probability of the streak so far."""
    chances = {(START, 0): 1.0}  # (strength, losses in a row) -> probability; losses count in the first games
    streak = 0.0
    for number in range(SPANS[-1][-1]):
        table = stages[min(number // STAGE, len(stages) - 1)]
        after: dict[tuple[int, int], float] = defaultdict(float)
        results = []
        for (strength, losses), chance in chances.items():
            odds = table[strength][number % 2]
            results.append((chance, odds))
            for result, share in odds._asdict().items():
                run = losses + 1 if result == "loss" else 0
                if share and number < START_GAMES:
                    streak += chance * share * (run == STREAK)
                else:
                    run = 0
                after[adapt(strength, result), run] += chance * share
        chances = after
        yield sum(strength * chance for (strength, _), chance in chances.items()), mean(results), streak


def sampled(own: Level, other: Level, games: int, *, first: bool) -> Odds:
    """Return the odds at vanishing, from `games` games with a fixed seed.

    The players know the marks on the board, but not the positions before it.
    """
    rng = random.Random(f"{own.mistakes:.3f} {other.mistakes:.3f} {first}")
    sides = (own, other) if first else (other, own)
    results = [_play(sides, rng) for _ in range(games)]
    won, drawn = results.count("x" if first else "o") / games, results.count("draw") / games
    return Odds(won, drawn, 1 - won - drawn)


def _play(sides: tuple[Level, Level], rng: random.Random) -> str | None:
    game = RULES["vanishing"]()
    played: tuple[int, ...] = ()
    while not game.terminal:
        level = sides[game.to_move == "o"]
        image, mirror = _image(played)
        cell = rng.choice(choices(level.errors if rng.random() < level.mistakes else None, image))
        played = (*played, mirror.index(cell))[-MARKS:]
        game = game.play(played[-1])
    return game.outcome


@cache
def _image(played: tuple[int, ...]) -> tuple[Any, tuple[int, ...]]:
    """Return one position for all mirror images of that after `played`, and the mirror that leads to it."""
    mirror = min(MIRRORS, key=lambda mirror: [mirror[cell] for cell in played])
    image = RULES["vanishing"]()
    for cell in played:
        image = image.play(mirror[cell])
    return image, mirror


def courses_as_markdown(table: dict[str, dict[str, Course]]) -> str:
    """Return the courses in Markdown: the person's wins, draws and losses in percent."""
    spans = " | ".join(f"games {start + 1} to {end}" for start, end in SPANS)
    lines = [
        f"| rule | person | strength | after games | {spans} | three losses |",
        f"| --- | --- |{' ---: |' * (3 + len(SPANS))}",
    ]
    for rule, people in table.items():
        for name, found in people.items():
            odds = " | ".join(map(percent, found.odds))
            settled = f"{found.settled:.0f} | {found.games}"
            lines.append(f"| {rule} | {name} | {settled} | {odds} | {100 * found.streak:.1f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(courses_as_markdown({rule: courses(rule) for rule in RULES}) + "\n")
