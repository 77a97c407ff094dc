"""What the commentators may claim: a closed set of values, each about a move, a game or the season.

`who` is the player whom a claim is about, `rival` the opponent in that game, by name. Cells count from 0. The
names of the other fields decide how they are worded: see `wording`.
"""

import re
from dataclasses import dataclass
from functools import cached_property

from engine.mistakes import Reason


@dataclass(frozen=True)
class Claim:
    """The base of all claims: the player and the opponent."""

    who: str
    rival: str

    @cached_property
    def key(self) -> str:
        """The section of the phrase book with its sentences."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", type(self).__name__).lower()


# Claims about a move. `cell` is where `who` has just played.


@dataclass(frozen=True)
class Action(Claim):
    """A claim that reports the move itself."""

    cell: int


@dataclass(frozen=True)
class Plays(Action):
    """The move, and nothing more."""


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
    """The rival threatens to win on `target`; `who` could not win at once, and did not block."""

    target: int


@dataclass(frozen=True)
class Blocks(Action):
    """The rival threatened to win on this cell, and nowhere else."""


@dataclass(frozen=True)
class HalfBlocks(Action):
    """The rival threatened to win on this cell, and still does on each of `cells`."""

    cells: tuple[int, ...]


@dataclass(frozen=True)
class Forks(Action):
    """After the move `who` threatens to win on each of `cells`, and the rival cannot win first."""

    cells: tuple[int, ...]


@dataclass(frozen=True)
class Threatens(Action):
    """After the move `who` threatens to win on one cell, `target`."""

    target: int


@dataclass(frozen=True)
class BlocksAndThreatens(Action):
    """The move blocks a threat and makes one."""

    target: int


@dataclass(frozen=True)
class Mirrors(Action):
    """The cell is opposite the rival's last move, `target`, across the centre, which `who` holds."""

    target: int


# The search's verdicts on the move. `moves` counts both sides' remaining moves, with best play.


@dataclass(frozen=True)
class GivesAway(Claim):
    """The best result that `who` could force was `before` and is now `after`; each of `cells` kept it.

    `reason`, the rival's `reply` and `threats` are those of `engine.mistakes.Remark`.
    """

    before: str
    after: str
    reason: Reason
    cells: tuple[int, ...]
    reply: int | None
    threats: tuple[int, ...]

    @cached_property
    def key(self) -> str:
        """The section for this reason."""
        return f"gives_{self.reason}" + (f"_{self.after}" if self.reason == "missed_win" else "")


@dataclass(frozen=True)
class OnlyMove(Claim):
    """This was the only one of `count` legal moves that kept the `value`."""

    value: str
    count: int

    @cached_property
    def key(self) -> str:
        """The section for the kept value."""
        return f"only_{self.value}"


@dataclass(frozen=True)
class ForcesWin(Claim):
    """`who` wins against any defence, in at most `moves` moves."""

    moves: int


@dataclass(frozen=True)
class LostCause(Claim):
    """No legal move would have saved `who`, who loses in at most `moves` moves."""

    moves: int


@dataclass(frozen=True)
class Dawdles(Claim):
    """`who` still wins by force in `moves` moves, but another move would have won in `fewer`."""

    moves: int
    fewer: int


@dataclass(frozen=True)
class Even(Claim):
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


# Claims about a finished game.


@dataclass(frozen=True)
class Turned(GivesAway):
    """The last mistake of a finished game: move `nth`, on `cell`, changed the result."""

    nth: int
    cell: int

    @cached_property
    def key(self) -> str:
        """The section for the values before and after."""
        return f"turned_{self.before}_{self.after}"


@dataclass(frozen=True)
class Flawless(Claim):
    """No move of either player gave away a win or a draw."""


@dataclass(frozen=True)
class Slips(Claim):
    """Several moves of the game gave away a win or a draw: `own` of `who`, `theirs` of the rival."""

    own: int
    theirs: int
