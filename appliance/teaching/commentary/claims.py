"""What the commentators may claim: a closed set of values, each about a move, a game or the season.

`who` is the player whom a claim is about, `rival` the opponent in that game, by name. Cells count from 0. The
names of the other fields decide how they are worded: see `wording`.
"""

import re
from dataclasses import dataclass
from typing import dataclass_transform

from engine.mistakes import Reason


@dataclass_transform(frozen_default=True)
class _Frozen:
    """Makes each class below it a frozen dataclass."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)


class Claim(_Frozen):
    """The base of all claims: the player and the opponent.

    `section` names the section of the phrase book, where that depends on a field.
    """

    section = ""

    who: str
    rival: str

    @property
    def key(self) -> str:
        """The section of the phrase book with its sentences."""
        name = re.sub(r"(?<!^)(?=[A-Z])", "_", type(self).__name__).lower()
        return (self.section or name).format_map(vars(self))


# Claims about a move. `cell` is where `who` has just played.


class Action(Claim):
    """A claim that reports the move itself."""

    cell: int


class Plays(Action):
    """The move, and nothing more."""


class Opens(Action):
    """The first move of a game."""


class Completes(Action):
    """The move completes a line, which wins."""


class Suffers(Action):
    """The move completes a line, which loses."""


class Fills(Action):
    """The move fills the board, and the game is drawn."""


class Repeats(Action):
    """The position occurs for the third time, and the game is drawn."""


class MissesWin(Action):
    """Each of `cells` would have won at once."""

    cells: tuple[int, ...]


class MissesBlock(Action):
    """The rival threatens to win on `target`; `who` could not win at once, and did not block."""

    target: int


class Blocks(Action):
    """The rival threatened to win on this cell, and nowhere else."""


class HalfBlocks(Action):
    """The rival threatened to win on this cell, and still does on each of `cells`."""

    cells: tuple[int, ...]


class Forks(Action):
    """After the move `who` threatens to win on each of `cells`, and the rival cannot win first."""

    cells: tuple[int, ...]


class Threatens(Action):
    """After the move `who` threatens to win on one cell, `target`."""

    target: int


class BlocksAndThreatens(Action):
    """The move blocks a threat and makes one."""

    target: int


class Mirrors(Action):
    """The cell is opposite the rival's last move, `target`, across the centre, which `who` holds."""

    target: int


# The search's verdicts on the move. `moves` counts both sides' remaining moves, with best play.


class GivesAway(Claim):
    """The best result that `who` could force was `before` and is now `after`; each of `cells` kept it.

    `reason`, the rival's `reply` and `threats` are those of `engine.mistakes.Remark`.
    """

    section = "gives_{reason}_{after}"

    before: str
    after: str
    reason: Reason
    cells: tuple[int, ...]
    reply: int | None
    threats: tuple[int, ...]


class OnlyMove(Claim):
    """This was the only one of `count` legal moves that kept the `value`."""

    section = "only_{value}"

    value: str
    count: int


class ForcesWin(Claim):
    """`who` wins against any defence, in at most `moves` moves."""

    moves: int


class LostCause(Claim):
    """No legal move would have saved `who`, who loses in at most `moves` moves."""

    moves: int


class Dawdles(Claim):
    """`who` still wins by force in `moves` moves, but another move would have won in `fewer`."""

    moves: int
    fewer: int


class Even(Claim):
    """With best play the game is drawn, as it was before the move."""


class Traps(Claim):
    """With best play the game is drawn, but `bad` of the rival's `count` replies lose."""

    bad: int
    count: int


class Vanished(Claim):
    """This move removed the mark of `who` on `gone`."""

    gone: int


class Fades(Claim):
    """The rival's next move removes the rival's mark on `gone`."""

    gone: int


# Claims about a finished game.


class Turned(GivesAway):
    """The last mistake of a finished game: move `nth`, on `cell`, changed the result."""

    section = "turned_{before}_{after}"

    nth: int
    cell: int


class Flawless(Claim):
    """No move of either player gave away a win or a draw."""


class Slips(Claim):
    """Several moves of the game gave away a win or a draw: `own` of `who`, `theirs` of the rival."""

    own: int
    theirs: int
