"""The level that follows the person: a strength, how it plays at one, and what each result does to it.

The strength is the number of moves in a thousand that are perfect. All arithmetic is on whole numbers.
"""

from engine.levels import Level, anything, blunders

STRONGEST = 1000
START = 200
GUARDED = 100
"""The strength from which a mistake, too, takes a win and blocks a loss."""

NEAR = 700
"""The strength from which a person who wins a third of the games may be perfect: draws count for them."""

STEPS = {"win": 50, "draw": -25, "loss": -25}
STEPS_NEAR = {"win": 100, "draw": 10, "loss": -100}


def adaptive(strength: int) -> Level:
    """Return the level at a strength from 0 to `STRONGEST`, at which it is perfect.

    From `GUARDED` on its mistakes are blunders that only a look ahead shows; below, they are any moves.
    """
    errors = blunders if strength >= GUARDED else anything
    return Level("adaptive", depth=None, mistakes=1 - strength / STRONGEST, errors=errors)


def adapt(strength: int, result: str) -> int:
    """Return the strength after a game that ended as a "win", "draw" or "loss" of the person.

    A win adds twice what any other result takes away: who stays below `NEAR` wins one game in three. Who is
    perfect passes it, and is drawn on to `STRONGEST`; one loss takes all others back.

    >>> adapt(200, "win"), adapt(200, "draw"), adapt(10, "loss"), adapt(700, "draw"), adapt(990, "win")
    (250, 175, 0, 710, 1000)
    """
    steps = STEPS if strength < NEAR else STEPS_NEAR
    return min(max(strength + steps[result], 0), STRONGEST)
