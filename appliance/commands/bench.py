"""`tictactoe bench`: how strong each level is, and how the adaptive one follows a person."""

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from math import prod
from typing import NamedTuple

from appliance.commands._odds import (
    CASUAL,
    PERFECT,
    RANDOM,
    Odds,
    exact,
    mean,
    person,
    policy,
    sampled,
)
from engine import LEVELS, RULES, START, STRONGEST, Board, Level, adapt, adaptive

HELP = "work out how strong each level is and how the adaptive one fares, and print it as Markdown"

STRENGTHS = range(0, STRONGEST + 1, 5)  # every step is a multiple of 5
KNOTS = range(0, STRONGEST + 1, STRONGEST // 5)
COARSE, SAMPLE = 25, 40  # at vanishing, where steps of 10 are rare: games for every so many, and each seat
SPANS = ((0, 20), (20, 100), (200, 300))  # games whose results are shown, counted from 0
START_GAMES, STREAK = 6, 3  # the games of the start, and the losses in a row that are too many there
STAGE = 25  # games that somebody who learns plays before a quarter more of the moves are perfect

PEOPLE = {
    "random": (RANDOM,),
    "casual": (CASUAL,),
    "learning": (CASUAL, person(0.25), person(0.5), person(0.75), PERFECT),
    "good": (person(0.75),),
    "perfect": (PERFECT,),
}

Table = dict[str, dict[str, Odds]]
Seats = tuple[Odds, Odds]
"""The odds of who moves first, and second."""


class Course(NamedTuple):
    """What becomes of somebody who plays the adaptive level, taking turns at beginning.

    `settled` is the mean strength in the end, `games` after how many it stays within 50 of that; both over a
    game in each seat. `odds` are the person's in each of SPANS, `streak` the probability of three losses in a
    row at the start.
    """

    settled: float
    games: int
    odds: tuple[Odds, ...]
    streak: float


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare `--levels`, which scripts give: `bench` prints nothing else, with it or without."""
    parser.add_argument("--levels", action="store_true", help="the strength of the levels (the default)")


def run(_args: argparse.Namespace) -> int:
    """Print the odds of each level, and the adaptive level's courses."""
    print(as_markdown(level_table()))
    print()
    print(courses_as_markdown({rule: courses(rule) for rule in RULES}))
    return 0


def level_table() -> Table:
    """Return each level's odds against a random and a casual player, moving first and second."""
    models = {"random": policy(RANDOM), "casual": policy(CASUAL)}
    return {
        name: {
            f"{model}, {seat}": exact(own, models[model], Board(), first=seat == "first")
            for model in models
            for seat in ("first", "second")
        }
        for name, own in ((name, cache(level.policy)) for name, level in LEVELS.items())
    }


def courses(rule: str) -> dict[str, Course]:
    """Return the courses of all modelled people at a rule."""
    known: dict[Level, dict[int, Seats]] = {}
    for stages in PEOPLE.values():
        for one in stages:
            if one not in known:
                known[one] = seats_by_strength(one, rule)
    return {name: course([known[one] for one in stages]) for name, stages in PEOPLE.items()}


def seats_by_strength(one: Level, rule: str) -> dict[int, Seats]:
    """Return a person's odds against the adaptive level at every strength that it can have."""
    if rule == "vanishing":
        first, second = (_samples(one, first=seat) for seat in (True, False))
    else:
        first, second = (_polynomials(one, rule, first=seat) for seat in (True, False))
    return {strength: (first[strength], second[strength]) for strength in STRENGTHS}


def _samples(one: Level, *, first: bool) -> dict[int, Odds]:
    """Return the odds at vanishing by strength, of which nearby ones share a sample."""
    found = {
        strength: sampled(one, adaptive(strength), SAMPLE, first=first)
        for strength in range(0, STRONGEST + 1, COARSE)
    }
    return {strength: found[strength - strength % COARSE] for strength in STRENGTHS}


def _polynomials(one: Level, rule: str, *, first: bool) -> dict[int, Odds]:
    """Return the exact odds by strength.

    Each of the box's moves, at most five, is perfect with a probability in proportion to the strength: the
    odds are polynomials of the fifth degree in it, and six values give all the others.
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
    """Follow the probabilities of each strength through the games, from one stage of a person to the next."""
    games = list(_games(stages))
    means = [(one[0] + other[0]) / 2 for one, other in pairwise(games)]
    away = [number for number, strength in enumerate(means, 2) if abs(strength - means[-1]) > 50]
    odds = (mean((1 / (end - start), odds) for _, odds, _ in games[start:end]) for start, end in SPANS)
    return Course(means[-1], max(away, default=0), tuple(odds), games[-1][2])


def _games(stages: Sequence[dict[int, Seats]]) -> Iterator[tuple[float, Odds, float]]:
    """Yield the mean strength after each game, the odds in it, and the probability of the streak so far."""
    chances = {(START, 0): 1.0}  # of a strength and of as many losses in a row; only the start counts these
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


def as_markdown(table: Table) -> str:
    """Return the table in Markdown: wins, draws and losses of the level in percent."""
    seats = list(next(iter(table.values())))
    lines = [
        "| level | " + " | ".join(f"against {seat}" for seat in seats) + " |",
        "| --- |" + " ---: |" * len(seats),
    ]
    for name, row in table.items():
        lines.append(f"| {name} | {' | '.join(_percent(row[seat]) for seat in seats)} |")
    return "\n".join(lines)


def courses_as_markdown(table: dict[str, dict[str, Course]]) -> str:
    """Return the courses in Markdown: wins, draws and losses of the person in percent."""
    spans = " | ".join(f"games {start + 1} to {end}" for start, end in SPANS)
    lines = [
        f"| rule | person | strength | after games | {spans} | three losses |",
        f"| --- | --- |{' ---: |' * (3 + len(SPANS))}",
    ]
    for rule, people in table.items():
        for name, found in people.items():
            odds = " | ".join(map(_percent, found.odds))
            settled = f"{found.settled:.0f} | {found.games}"
            lines.append(f"| {rule} | {name} | {settled} | {odds} | {100 * found.streak:.1f} |")
    return "\n".join(lines)


def _percent(odds: Odds) -> str:
    return " / ".join(f"{100 * chance:.1f}" for chance in odds)
