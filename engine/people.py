"""Kinds of people, and what is believed about the person who plays: how likely each kind is."""

from typing import NamedTuple


class Kind(NamedTuple):
    """People who play alike: how often they take a win, prevent a loss, and look further ahead."""

    wins: float
    blocks: float
    ahead: float


KINDS = {
    "at random": Kind(0, 0, 0),
    "child who is learning": Kind(0.5, 0.3, 0),
    "child who completes lines": Kind(1, 0, 0),
    "child who blocks now and then": Kind(1, 0.5, 0),
    "casual": Kind(1, 1, 0),
    "good": Kind(1, 1, 0.5),
    "strong": Kind(1, 1, 0.8),
    "perfect": Kind(1, 1, 1),
}
PRIOR = (1000, 2000, 2500, 2000, 1500, 500, 300, 200)  # of `WHOLE`


class Belief(NamedTuple):
    """What is believed at the beginning of a game: losses in a row, and the weight of each of `KINDS`."""

    losses: int = 0
    weights: tuple[int, ...] = PRIOR
