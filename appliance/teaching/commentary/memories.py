"""What the commentators may claim about the season: values, as in `claims`.

"Earlier" games are those before the current one; "with this game" includes it.
"""

from appliance.teaching.commentary.claims import Claim


class Pairing(Claim):
    """`who` has x and begins, `rival` has o, and the game is played by this rule."""

    section = "pairing_{rule}"

    rule: str


class Standing(Claim):
    """`who` has this place in the table, perhaps shared, with `points` points from `games` games."""

    place: int
    points: int
    games: int


class LastGame(Claim):
    """The previous game of `who`, on matchday `day` against `other`, was "won", "drawn" or "lost"."""

    section = "last_game_{result}"

    result: str
    day: int
    other: str


class FirstMeeting(Claim):
    """The two have not met in this season."""


class Meetings(Claim):
    """The earlier games of the two in this season, from the view of `who`."""

    won: int
    drawn: int
    lost: int


class Streak(Claim):
    """With this game `who` has "won", "drawn" or "lost" `nth` games in a row."""

    section = "streak_{result}"

    result: str
    nth: int


class StreakAs(Claim):
    """The same, counting only the games that `who` played with the mark `side`."""

    section = "streak_as_{result}"

    result: str
    side: str
    nth: int


class StreakEnds(Claim):
    """`who` had lost `count` games in a row, and has not lost this one."""

    count: int


class FirstWin(Claim):
    """The first win of `who` in this season, after `games` games without one."""

    games: int


class Unbeaten(Claim):
    """With this game `who` has lost none of `games` games in this season."""

    games: int


class OpensAgain(Claim):
    """With this game `who` has opened `nth` games of this season on this cell, including the previous one."""

    cell: int
    nth: int


class Seen(Claim):
    """The first `moves` moves were those of a game between `x` and `o` on matchday `day`.

    `winner` won that game; "" if it was drawn.
    """

    day: int
    moves: int
    x: str
    o: str
    winner: str

    @property
    def key(self) -> str:
        """The section for that game's result."""
        return "seen_won" if self.winner else "seen_drawn"


class Shortest(Claim):
    """This game is shorter than all `games` earlier ones of this season with this rule."""

    moves: int
    games: int


class Longest(Claim):
    """This game is longer than all `games` earlier ones of this season with this rule."""

    moves: int
    games: int


class MissedBefore(Claim):
    """With this move `who` has missed an immediate win `nth` times in this season."""

    nth: int


class Leads(Claim):
    """After this matchday `who` alone has the most points; `rival` is second."""

    points: int
    ahead: int


class Trails(Claim):
    """After this matchday `who` alone has the fewest points; `rival` leads."""

    points: int
    behind: int


class Champion(Claim):
    """The season is over, and `who` has won it."""

    points: int
    won: int
    games: int


class Profile(Claim):
    """What the league's programme says about `who`."""

    trait: str
