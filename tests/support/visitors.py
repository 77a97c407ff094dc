"""Modelled people on whom to try the adaptive level; none chooses moves as the level's kinds of people do.

Children choose by how much a cell appeals to them (softmax): it completes a line, stops one, stands beside a
mark of theirs, or is their favourite. A casual player plays well-known cells unless there is a line to
complete or to stop; better players mix perfect moves into that. Some slip. At misère they avoid lines as
often as they complete them elsewhere. At ultimate they look at the small board in which they play, and those
who block lines there also avoid sending the other side to a board that it can win.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from math import exp
from typing import Any, NamedTuple

from engine import Game
from engine.levels import parts
from engine.shape import OTHERS

CELL_APPEAL = (2, 1, 2, 1, 3, 1, 2, 1, 2)  # how well people like a cell: centre, corners, sides


class Person(NamedTuple):
    """A modelled person.

    - `completes`, `blocks`, `beside`: the appeal of a cell that completes a line of their own, stops one of
      the other side, or stands beside marks of their own in an open line. Each 1 multiplies the odds by e.
    - `whims`: how much one favourite cell of the day appeals beyond the others.
    - `perfect`: the share of perfect moves in the first game, and how much it grows with each game.
    - `slips`: the share of moves to any cell.
    """

    completes: float
    blocks: float = 0.0
    beside: float = 0.0
    whims: float = 0.0
    perfect: tuple[float, float] = (0.0, 0.0)
    slips: float = 0.0


PEOPLE: Mapping[str, Person] = {
    "random": Person(0),
    "small child": Person(1.5, beside=0.5, whims=2),
    "child": Person(4, blocks=0.5, beside=0.7, whims=1),
    "child who blocks": Person(4, blocks=2.5, beside=0.5, whims=1),
    "casual": Person(6, blocks=5, beside=0.3),
    "casual, 10% slips": Person(6, blocks=5, beside=0.3, slips=0.1),
    "learner": Person(6, blocks=5, beside=0.3, perfect=(0, 0.02)),
    "good": Person(6, blocks=5, beside=0.3, perfect=(0.75, 0)),
    "expert": Person(6, blocks=5, beside=0.3, perfect=(0.9, 0)),
    "perfect": Person(6, blocks=5, perfect=(1, 0)),
}
CHILDREN = ("child", "child who blocks")


def choose(
    person: Person,
    game: Game,
    keeping: Callable[[Any], Sequence[int]],
    rng: random.Random,
    number: int,
    favourite: int,
    *,
    lines: bool,
) -> int:
    """Return a person's move in the game with this number, from 0; `lines`: a line wins, otherwise it loses.

    `keeping` returns the moves of perfect play.
    """
    moves = game.moves()
    luck = rng.random()
    if luck < person.slips:
        return rng.choice(moves)
    share, more = person.perfect
    if luck < person.slips + (1 - person.slips) * min(share + more * number, 1):
        return rng.choice(keeping(game))
    cells, fading = game.cells, game.fading
    if fading is not None:  # the mark that goes before the next one stands
        cells = cells[:fading] + "." + cells[fading + 1 :]
    weights = [exp(_appeal(person, game, cells, move, favourite, 1 if lines else -1)) for move in moves]
    return rng.choices(moves, weights)[0]


def _appeal(person: Person, game: Game, cells: str, move: int, favourite: int, sign: int) -> float:
    cell, own = move % 9, game.to_move
    first, both = move - cell, own * 2
    found = person.whims * (cell == favourite) + 0.3 * CELL_APPEAL[cell] * (person.completes > 0)
    if person.blocks and parts(game) is not None and parts(game.play(move)):
        found -= person.blocks
    for one, two in OTHERS[cell]:
        others = cells[first + one] + cells[first + two]
        if others == both:
            found += sign * person.completes
        elif "." not in others and others[0] == others[1]:
            found += person.blocks * (sign > 0)
        elif own in others and "." in others:
            found += sign * person.beside
    return found
