"""The odds of one player against another. Both are levels; a modelled person is one, too."""

import random
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from engine import RULES, Game, Level, casual
from engine.levels import Errors, Traps, anything, blunders
from engine.shape import symmetries

Policy = Callable[[Any], Mapping[int, float]]
"""Returns the probability of each move that may be played in a position."""

MIRRORS = symmetries(3, 3)
MARKS = 6  # the newest moves of a game of vanishing are all that is on the board


class Odds(NamedTuple):
    """The probabilities of a win, a draw and a loss."""

    win: float
    draw: float
    loss: float


def person(skill: float, errors: Errors = casual) -> Level:
    """Return a modelled person: `skill` is the share of perfect moves."""
    return Level("person", depth=None, mistakes=1 - skill, errors=errors)


RANDOM, CASUAL, PERFECT = person(0, anything), person(0), person(1)


def exact(own: Policy, other: Policy, start: Game, *, first: bool) -> Odds:
    """Return the odds of a player with the policy `own`, who moves first or second. The game must end."""
    known: dict[Hashable, Odds] = {}

    def visit(position: Game, *, mine: bool) -> Odds:
        if position.terminal:
            score = position.evaluate() if mine else -position.evaluate()
            return Odds(float(score > 0), float(score == 0), float(score < 0))
        key = position.key()
        if key not in known:
            chances = own(position) if mine else other(position)
            after = [(chance, visit(position.play(move), mine=not mine)) for move, chance in chances.items()]
            known[key] = mean(after)
        return known[key]

    return visit(start, mine=first)


def mean(weighted: Iterable[tuple[float, Odds]]) -> Odds:
    """Return the sum of odds, each multiplied by its weight."""
    pairs = list(weighted)
    return Odds(*(sum(weight * odds[i] for weight, odds in pairs) for i in range(3)))


def policy(level: Level) -> Policy:
    """Return the policy of a level without a depth, as `level.policy` does; what is costly is remembered."""

    def chances(position: Any) -> Mapping[int, float]:
        found: dict[int, float] = {}
        for share, errors in ((1 - level.mistakes, None), (level.mistakes, level.errors)):
            moves = _moves(errors, position) if share else ()
            for move in moves:
                found[move] = found.get(move, 0.0) + share / len(moves)
        return found

    return chances


@cache
def _moves(errors: Errors | None, position: Any) -> Sequence[int]:
    traps = _TRAPS[type(position)]
    if errors is blunders:
        return blunders(position, table=traps.table)
    return errors(position, None) if errors else traps.best(position)


_TRAPS: dict[type, Traps] = defaultdict(Traps)  # of each rule, since they share no keys


def sampled(own: Level, other: Level, games: int, *, first: bool) -> Odds:
    """Return the odds at vanishing, from games with a seed of their own. No search knows the past."""
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
        cell = rng.choice(_moves(level.errors if rng.random() < level.mistakes else None, image))
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
