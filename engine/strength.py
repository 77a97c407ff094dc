"""The level that follows the person: a strength, how it plays at one, and what each result does to it.

The strength is the number of moves in a thousand that are perfect. A staircase sets it, as in psychophysics:
a step up after a win and a smaller step down otherwise hold it where the steps balance, here where the person
wins one game in three. Staircases need no model of the person and no history, only one number that survives
the power; they react slowly, by design, since a single result says little. Integers keep it exact.

A perfect player never loses, and would hover below the top forever. Near the top draws therefore count as
progress and a loss costs more, so such a player ends up facing perfect play, and one loss undoes it.

Source: C. Kaernbach, Simple adaptive testing with the weighted up-down method (Perception & Psychophysics 49,
1991).
"""

from engine.levels import Level, anything, blunders

STRONGEST = 1000
START = 200
GUARDED = 100
"""From this strength on, even a mistake takes a win and blocks a loss."""

NEAR = 700
"""From this strength on, the person may be a perfect player, so draws count as progress."""

STEPS = {"win": 50, "draw": -25, "loss": -25}
STEPS_NEAR = {"win": 100, "draw": 10, "loss": -100}


def adaptive(strength: int) -> Level:
    """Return the level at a strength from 0 to `STRONGEST`, at which it is perfect.

    From `GUARDED` on its mistakes are blunders that only a look ahead reveals; below, they are any moves.
    """
    errors = blunders if strength >= GUARDED else anything
    return Level("adaptive", depth=None, mistakes=1 - strength / STRONGEST, errors=errors)


def adapt(strength: int, result: str) -> int:
    """Return the strength after a game that ended as a "win", "draw" or "loss" of the person.

    Below `NEAR` a win adds twice what any other result takes away: the strength settles where the person wins
    one game in three. From `NEAR` on draws add, too, and a loss takes more than a few of them added.

    >>> adapt(200, "win"), adapt(200, "draw"), adapt(10, "loss"), adapt(700, "draw"), adapt(990, "win")
    (250, 175, 0, 710, 1000)
    """
    steps = STEPS if strength < NEAR else STEPS_NEAR
    return min(max(strength + steps[result], 0), STRONGEST)
