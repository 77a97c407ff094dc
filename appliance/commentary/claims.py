"""What the commentators may claim: a closed set of values, each true of a move, of a game or of the season.

`who` is the player that a claim is about and `rival` the opponent in that game, by name. Cells count from 0.
The other fields are named for how they are said: see `wording`.
"""

import re
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Claim:
    """What every claim says: who it is about."""

    who: str
    rival: str

    @cached_property
    def key(self) -> str:
        """The section of the phrase book that has its sentences."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", type(self).__name__).lower()


# A move. `cell` is where `who` has just played.


@dataclass(frozen=True)
class Action(Claim):
    """A claim that reports the move itself."""

    cell: int


@dataclass(frozen=True)
class Plays(Action):
    """The move, and nothing else of it."""


@dataclass(frozen=True)
class Opens(Action):
    """The first move of a game."""


@dataclass(frozen=True)
class Completes(Action):
    """The move completes a line, which wins."""


@dataclass(frozen=True)
class Suffers(Action):
    """The move completes a line, which loses."""


@dataclass(frozen=True)
class Fills(Action):
    """The move fills the board, and the game is drawn."""


@dataclass(frozen=True)
class Repeats(Action):
    """The position occurs for the third time, and the game is drawn."""


@dataclass(frozen=True)
class MissesWin(Action):
    """Each of `cells` would have won at once."""

    cells: tuple[int, ...]


@dataclass(frozen=True)
class MissesBlock(Action):
    """The rival threatens to win on `target`; `who` could not win at once, and did not take it."""

    target: int


@dataclass(frozen=True)
class Blocks(Action):
    """The rival threatened to win on this cell, and on no other."""


@dataclass(frozen=True)
class HalfBlocks(Action):
    """The rival threatened to win on this cell, and still does on each of `cells`."""

    cells: tuple[int, ...]


@dataclass(frozen=True)
class Forks(Action):
    """The move leaves several cells on which `who` wins next, and the rival cannot win first."""

    cells: tuple[int, ...]


@dataclass(frozen=True)
class Threatens(Action):
    """The move leaves one cell on which `who` wins next."""

    target: int


@dataclass(frozen=True)
class BlocksAndThreatens(Action):
    """The move blocks a threat and makes one."""

    target: int


@dataclass(frozen=True)
class Mirrors(Action):
    """The cell is opposite the rival's last, seen from an occupied centre."""

    target: int


# A verdict of the search on the move. `moves` counts those of both sides that are left, with best play.


@dataclass(frozen=True)
class GivesAway(Claim):
    """The best result that `who` could force was `before` and is `after`; each of `cells` kept it.

    `reason`, the rival's `reply` and `threats` are those of `engine.review.Remark`.
    """

    before: str
    after: str
    reason: str
    cells: tuple[int, ...]
    reply: int | None
    threats: tuple[int, ...]

    @cached_property
    def key(self) -> str:
        """The section for this reason."""
        return f"gives_{self.reason}" + (f"_{self.after}" if self.reason == "missed_win" else "")


@dataclass(frozen=True)
class OnlyMove(Claim):
    """Of `count` legal moves no other kept the `value`."""

    value: str
    count: int

    @cached_property
    def key(self) -> str:
        """The section for what was kept."""
        return f"only_{self.value}"


@dataclass(frozen=True)
class ForcesWin(Claim):
    """`who` wins against any defence, in at most so many moves."""

    moves: int


@dataclass(frozen=True)
class LostCause(Claim):
    """No legal move would have saved `who`, who loses in at most so many moves."""

    moves: int


@dataclass(frozen=True)
class Dawdles(Claim):
    """`who` still wins by force, but another move would have won in fewer moves."""

    moves: int
    fewer: int


@dataclass(frozen=True)
class Level(Claim):
    """With best play the game is drawn, as it was before the move."""


@dataclass(frozen=True)
class Traps(Claim):
    """With best play the game is drawn, but `bad` of the rival's `count` replies lose."""

    bad: int
    count: int


@dataclass(frozen=True)
class Vanished(Claim):
    """This move removed the mark of `who` on `gone`."""

    gone: int


@dataclass(frozen=True)
class Fades(Claim):
    """The rival's next move removes the rival's mark on `gone`."""

    gone: int


# A whole game, when it is over.


@dataclass(frozen=True)
class Turned(GivesAway):
    """The last mistake of a game that is over: move `nth`, on `cell`, gave this away."""

    nth: int
    cell: int

    @cached_property
    def key(self) -> str:
        """The section for what was left."""
        return f"turned_{self.before}_{self.after}"


@dataclass(frozen=True)
class Flawless(Claim):
    """No move of either player gave away a win or a draw."""


@dataclass(frozen=True)
class Slips(Claim):
    """So many moves of the game gave away a win or a draw: `own` those of `who`, `theirs` the rival's."""

    own: int
    theirs: int
