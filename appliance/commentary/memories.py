"""What the commentators may claim of the season: values, as in `claims`.

"So far" are its games before the one in question; "with this game" that one, too.
"""

from dataclasses import dataclass
from functools import cached_property

from appliance.commentary.claims import Claim


@dataclass(frozen=True)
class Pairing(Claim):
    """`who` has x and begins, `rival` has o, and the game is played by this rule."""

    rule: str

    @cached_property
    def key(self) -> str:
        """The section for this rule."""
        return f"pairing_{self.rule}"


@dataclass(frozen=True)
class Standing(Claim):
    """`who` is at this place of the table, perhaps with others, with so many points from so many games."""

    place: int
    points: int
    games: int


@dataclass(frozen=True)
class LastGame(Claim):
    """The last game of `who` ended so, "won", "drawn" or "lost", on matchday `day` and against `other`."""

    result: str
    day: int
    other: str

    @cached_property
    def key(self) -> str:
        """The section for this result."""
        return f"last_game_{self.result}"


@dataclass(frozen=True)
class FirstMeeting(Claim):
    """The two have not met in this season."""


@dataclass(frozen=True)
class Meetings(Claim):
    """The earlier games of the two in this season, as `who` sees them."""

    won: int
    drawn: int
    lost: int


@dataclass(frozen=True)
class Streak(Claim):
    """With this game so many in a row ended so for `who`: "won", "drawn" or "lost"."""

    result: str
    nth: int

    @cached_property
    def key(self) -> str:
        """The section for this result."""
        return f"streak_{self.result}"


@dataclass(frozen=True)
class StreakAs(Claim):
    """The same, of the games that `who` played with the mark `side`."""

    result: str
    side: str
    nth: int

    @cached_property
    def key(self) -> str:
        """The section for this result."""
        return f"streak_as_{self.result}"


@dataclass(frozen=True)
class StreakEnds(Claim):
    """`who` had lost so many games in a row, and has not lost this one."""

    count: int


@dataclass(frozen=True)
class FirstWin(Claim):
    """The first win of `who` in this season, after so many games without one."""

    games: int


@dataclass(frozen=True)
class Unbeaten(Claim):
    """With this game `who` has lost none of so many in this season."""

    games: int


@dataclass(frozen=True)
class OpensAgain(Claim):
    """With this game `who` has begun `nth` games of this season on this cell, the last one before it, too."""

    cell: int
    nth: int


@dataclass(frozen=True)
class Seen(Claim):
    """The first moves were those of a game between `x` and `o` on matchday `day`.

    `winner` won that; "" if nobody did.
    """

    day: int
    moves: int
    x: str
    o: str
    winner: str

    @cached_property
    def key(self) -> str:
        """The section for how that game ended."""
        return "seen_won" if self.winner else "seen_drawn"


@dataclass(frozen=True)
class Shortest(Claim):
    """No game of this season with this rule, of `games` before it, was so short."""

    moves: int
    games: int


@dataclass(frozen=True)
class Longest(Claim):
    """No game of this season with this rule, of `games` before it, was so long."""

    moves: int
    games: int


@dataclass(frozen=True)
class MissedBefore(Claim):
    """`who` has missed a win on the move so many times in this season, with this one."""

    nth: int


@dataclass(frozen=True)
class Leads(Claim):
    """After this matchday `who` alone has the most points; `rival` is the next."""

    points: int
    ahead: int


@dataclass(frozen=True)
class Trails(Claim):
    """After this matchday `who` alone has the fewest points; `rival` leads."""

    points: int
    behind: int


@dataclass(frozen=True)
class Champion(Claim):
    """The season is over, and `who` has won it."""

    points: int
    won: int
    games: int


@dataclass(frozen=True)
class Profile(Claim):
    """Who `who` is, by the league's programme."""

    trait: str
