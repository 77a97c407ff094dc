"""A game in progress: its rule, the moves so far, and who plays which mark.

x always moves first, whoever plays it. The moves are the record; the position follows from them.
"""

from typing import NamedTuple

from appliance.core.session.settings import Settings
from engine import RULES, Belief, Game


class Match(NamedTuple):
    """A game in progress.

    `game` is the engine's position after `moves` (cells from 0 in reading order). `human` is the mark of
    the person who plays against the box, "x" or "o"; between two people, that of the first person. It is
    unused if nobody plays.
    `started` is the time of the first move, in seconds of the daemon's clock, None before it. `counted`
    is set once the score includes the finished game, so that a power cut cannot count it twice or never.
    `helped` is set once a hint was shown or the coach has judged a person's turn. Such a game is kept, but
    counts in no score, record or belief: neither its result nor its moves are the person's alone. Asking in
    a lost game avoids no loss that "new game" would not avoid as well. It is also set if another number of
    people goes on with the game than have begun it: `people` is that number, None if unknown.
    """

    rule: str
    human: str
    moves: tuple[int, ...]
    game: Game
    started: float | None = None
    counted: bool = False
    helped: bool = False
    people: int | None = None

    @classmethod
    def new(cls, rule: str, human: str) -> "Match":
        """Return a game without moves. Raise `OSError` if the rule is `unplayable`."""
        return cls(rule, human, (), RULES[rule].start())

    @classmethod
    def replay(cls, rule: str, human: str, moves: tuple[int, ...]) -> "Match":
        """Return the game after `moves`. Raise `ValueError` if one of them is illegal."""
        match = cls.new(rule, human)
        for cell in moves:
            match = match.play(cell)
        return match

    def play(self, cell: int, at: float | None = None) -> "Match":
        """Return the game after one more move. Raise `ValueError` if it is illegal."""
        started = at if self.started is None else self.started
        return self._replace(moves=(*self.moves, cell), game=self.game.play(cell), started=started)

    def take_back(self, plies: int) -> "Match":
        """Return the game as it was `plies` moves ago."""
        moves = self.moves[: len(self.moves) - plies]
        match = Match.replay(self.rule, self.human, moves)
        started = self.started if moves else None
        return match._replace(started=started, helped=self.helped, people=self.people)

    def believed(self, belief: Belief) -> Belief:
        """Return the belief now, from that at the beginning of the game; the person plays against the box."""
        if self.helped:
            return belief
        return belief.seen(RULES[self.rule].start(), self.moves, first=self.human == "x")

    def mark(self, side: str) -> str:
        """Return the mark that a side places."""
        return RULES[self.rule].mark(side)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game.outcome is not None

    def boxes_turn(self, settings: Settings) -> bool:
        """Return whether the box is to move."""
        if self.over or settings.players == 2:
            return False
        return settings.players == 0 or self.game.to_move != self.human

    def undo_plies(self, settings: Settings) -> int:
        """Return how many moves undo takes back: the person's last and the box's reply; 0 for none."""
        if self.over or settings.players == 0:
            return 0
        if settings.players == 2:
            return min(1, len(self.moves))
        own = 2 if self.game.to_move == self.human else 1
        return own if len(self.moves) >= own else 0


def alternates(settings: Settings) -> bool:
    """Return whether the sides take turns to begin: two people always do, since who begins has an edge."""
    return settings.players == 2 or (settings.players == 1 and settings.first == "alternate")


def first_mark(settings: Settings, last: str | None) -> str:
    """Return `Match.human` of the next game: x moves first. `last` is that of the previous game."""
    if alternates(settings):
        return "o" if last == "x" else "x"
    return "o" if settings.players == 1 and settings.first == "box" else "x"


def next_match(settings: Settings, last: str | None = None) -> Match:
    """Return an empty board as the settings say; `last` is `Match.human` of the previous game."""
    match = Match.new(settings.rule, first_mark(settings, last))
    return match._replace(people=settings.players)


def unplayable(rule: str) -> str:
    """Return why a rule cannot be played, as a sentence; "" if it can. See `engine.Rule`."""
    try:
        Match.new(rule, "x")
    except OSError as error:
        return str(error)
    return ""


class Finished(NamedTuple):
    """A finished game of the history. `result` is "x", "o" or "draw"; `seconds` is its duration.

    `level` is "" if unknown. `helped` is the match's: such a game counts nowhere.
    """

    rule: str
    level: str
    players: int
    human: str
    moves: tuple[int, ...]
    result: str
    seconds: float
    helped: bool = False
