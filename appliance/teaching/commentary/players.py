"""The players: the people of the league, and the sides of a box's own games."""

from functools import cache
from typing import Any, NamedTuple

from engine import LEVELS, Level, adaptive, casual
from engine.levels import anything
from engine.vanishing import Vanishing


class Player(NamedTuple):
    """A player; `pronouns` are subject, object and possessive, `trait` is the programme's description."""

    name: str
    full: str
    pronouns: tuple[str, str, str]
    trait: str


SHE, HE = ("she", "her", "her"), ("he", "him", "his")
THEY, IT = ("they", "them", "their"), ("it", "it", "its")

POOL = (
    Player("Dorothea", "Dorothea Pike", SHE, "a retired keeper of a lighthouse"),
    Player("Lars", "Lars Bloom", HE, "a piano tuner who hums while he thinks"),
    Player("Ngozi", "Ngozi Ade", SHE, "a bus driver, always four minutes early"),
    Player("Emil", "Emil Kraus", HE, "a baker who gets up when the others go to bed"),
    Player("Priya", "Priya Raman", SHE, "a dentist with the steadiest hand in the league"),
    Player("Tomasz", "Tomasz Wolny", HE, "a beekeeper, and never in a hurry"),
    Player("Odile", "Odile Marchand", SHE, "a bookbinder who smells of glue"),
    Player("Hector", "Hector Quill", HE, "the youngest of nine brothers"),
    Player("Marisol", "Marisol Vega", SHE, "a roofer who likes it up there"),
    Player("Jun", "Jun Tanaka", HE, "a florist with strong views on tulips"),
    Player("Beatrix", "Beatrix Oakes", SHE, "a judge of marrows at county shows"),
    Player("Ravi", "Ravi Das", HE, "a station announcer whose voice carries"),
    Player("Ingrid", "Ingrid Falk", SHE, "a mender of umbrellas"),
    Player("Cosmo", "Cosmo Bell", HE, "a substitute teacher of everything"),
    Player("Wilma", "Wilma Stone", SHE, "a librarian who has never shouted"),
    Player("Anton", "Anton Frey", HE, "a plumber with a chess club tie"),
)

STYLES = (
    Level("novice", depth=1, mistakes=0.85, errors=anything),  # somebody must sometimes miss a win
    LEVELS["easy"],
    LEVELS["easy"],
    LEVELS["medium"],
    LEVELS["hard"],
    Level("casual", depth=1, mistakes=1.0, errors=casual),
    adaptive(400),
    adaptive(700),
)

SHALLOW = Level("quick", depth=4, mistakes=0.45, errors=casual)

VISITOR = Player("the visitor", "The visitor", THEY, "a person with nine buttons and an opinion")
HOME = Player("the home side", "The home side", THEY, "the one who got to the buttons first")
BOX = Player("the Box", "The Box", IT, "a box with nine buttons and no opinions")
MIRROR = Player("the Mirror", "The Mirror", IT, "the same box, on the other side of the board")


@cache
def policy(level: Level, position: Any) -> dict[int, float]:
    """Return `level.policy`, worked out once, of a level that is fast in this game."""
    if level.depth is None and isinstance(position, Vanishing):
        level = SHALLOW  # a full search takes a tenth of a second in vanishing
    return level.policy(position)
