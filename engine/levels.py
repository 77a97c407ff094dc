"""The levels: how far each searches, how often it errs, and how; perfect play sets traps.

A shallow search is a poor beginner: even at depth 1 it never misses a win, and loses to the same trap every
time. So a level is a mixture of policies, drawn by chance for each move: a search, a mistake of a casual
player, any move. The kind of mistake matters as much as how often it is made: each kind of people must win
less from level to level, and nobody far less at once. The exact odds between two such players follow from
the policies by summing over the tree, without playing a game.

A perfect player of a drawn game has many equally good moves, and against a person they are not equally good.
`TrapSearch` picks the one whose replies a casual player most often gets wrong: expectimax over the moves that
keep the value, with the opponent's replies weighted by that player's policy instead of minimised. It costs a
second search, over the few moves that keep the value; positions reached twice are remembered.

In a game that nobody has solved no move is known to keep the value. There a level has a number of positions
to search, not of seconds, so that it plays alike on every board, and the first moves of a game are drawn from
all that come close to the best: otherwise a strong level would play the same game again and again.
"""

import random
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

from .alphabeta import SMALL_GAME
from .deepening import Limit, SearchResult, search
from .position import PROVEN, Position
from .table import Table

Stop = Callable[[], bool]
Errors = Callable[[Position, Stop | None], Sequence[int]]

NODES = 200_000
"""The node limit of each search for a value in a game that is not small."""

KEPT = 1 << 13
"""The entries of a table to keep over a game that is not solved, at most 2 MB: more play no better."""

STRONGEST_NODES = 30_000  # positions that the strongest level searches in a game that is not solved
CLOCK_LIMIT = 5.0  # by the clock, after which a search of a number of positions ends anyway
OPENING, GLANCE = 6, 3  # plies of a game that count as its opening; plies searched there
CLOSE_SHARE = 0.7  # a move that loses at most this share of what the median one loses is close to the best

Chances = tuple[float, float]
"""The expected points, 1 for a win and 1/2 for a draw, against casual play and against random play."""


@dataclass(frozen=True, slots=True)
class Level:
    """A strength: a mixture of searched moves and mistakes.

    - `depth`: plies searched; the level picks one of the best moves at random. None: perfect play, preferring
      the moves that a casual player most often answers wrongly.
    - `mistakes`: the probability of a mistake, from 0 to 1.
    - `errors`: returns the moves that a mistake picks from: `anything` or `casual`.
    - `wild`: the probability of any move at all; with `mistakes` at most 1.
    - `nodes`: positions searched instead, in a game that is not solved; then there is no `depth`.

    Raise `ValueError` for an invalid probability or limit.
    """

    name: str
    depth: int | None
    mistakes: float
    errors: Errors
    wild: float = 0.0
    nodes: int | None = None

    def __post_init__(self) -> None:
        Limit(self.depth, self.nodes)
        if not (self.mistakes >= 0 and self.wild >= 0 and self.mistakes + self.wild <= 1):
            raise ValueError(f"mistakes={self.mistakes} and wild={self.wild} are not probabilities")

    def choose(
        self,
        position: Position,
        rng: random.Random,
        stop: Stop | None = None,
        table: Table | None = None,
    ) -> int:
        """Return the move to play, drawn from the policy. `stop` is polled; once True, the search ends.

        Even then the move is legal. A level with `nodes` plays better with one `table` for all its moves of a
        game. Raise `ValueError` if the game is over.
        """
        if position.terminal:
            raise ValueError("the game is over: there is no move to choose")
        luck = rng.random()
        if luck < self.mistakes:
            return rng.choice(self.errors(position, stop))
        if luck < self.mistakes + self.wild:
            return rng.choice(anything(position))
        return rng.choice(self.best(position, stop, table))

    def policy(self, position: Position) -> dict[int, float]:
        """Return the probability of each move that the level may play.

        >>> from mnk_engine import Board
        >>> LEVELS["perfect"].policy(Board())  # the corners set the most traps
        {0: 0.25, 2: 0.25, 6: 0.25, 8: 0.25}
        """
        chances = dict.fromkeys(position.moves(), 0.0)
        for share, choose in (
            (1 - self.mistakes - self.wild, self.best),
            (self.mistakes, self.errors),
            (self.wild, anything),
        ):
            moves = choose(position, None) if share > 0 else ()
            for move in moves:
                chances[move] += share / len(moves)
        return {move: chance for move, chance in chances.items() if chance}

    def best(self, position: Position, stop: Stop | None = None, table: Table | None = None) -> Sequence[int]:
        """Return the moves that the level picks from when it makes no mistake."""
        if self.nodes is not None:
            # In the opening a strong level would otherwise play the same game again and again.
            if position.ply < OPENING:
                return near(position, Limit(depth=GLANCE, nodes=self.nodes), stop)
            limit = Limit(nodes=self.nodes, seconds=CLOCK_LIMIT)
            return [search(position, limit, table=table, stop=stop).move]
        if self.depth is None:
            return TrapSearch(stop).best(position)
        found = search(position, Limit(depth=self.depth), every=True, proofs=False, stop=stop)
        return [move for move, verdict in found.moves.items() if verdict.score == found.score] or [found.move]


def near(position: Position, limit: Limit, stop: Stop | None = None) -> list[int]:
    """Return the best move within a limit, and those that come close to it: see `CLOSE_SHARE`.

    A win or a loss that is proven comes close to nothing else.
    """
    found = search(position, limit, every=True, stop=stop)
    scores = sorted(verdict.score for verdict in found.moves.values() if abs(verdict.score) < PROVEN)
    least = found.score
    if scores and least < PROVEN:
        least -= round(CLOSE_SHARE * (least - scores[len(scores) // 2]))
    return [move for move, verdict in found.moves.items() if verdict.score >= least] or [found.move]


def anything(position: Position, _stop: Stop | None = None) -> Sequence[int]:
    """Return all moves."""
    return position.moves()


def casual(position: Position, _stop: Stop | None = None) -> list[int]:
    """Return the moves of a player who does not look ahead, all equally likely.

    The player takes a win. Otherwise a move must not lose at once, and must leave the opponent as few
    immediate wins as possible: a threat is blocked. Parts of a game, such as the small boards of ultimate,
    count alike, after the game itself; a move that also blocks one comes first. `position` is not terminal.
    """
    after = {move: position.play(move) for move in position.moves()}
    wins = [move for move, child in after.items() if _lost(child)] or parts(position)
    if wins:
        return list(wins)
    safe, blocks = careful(after), parts(position, other=True) or ()
    return [move for move in safe if move in blocks] or safe


def careful(after: Mapping[int, Position]) -> list[int]:
    """Return the moves, given with the positions after them, that leave the fewest immediate wins."""
    dangers = {move: _danger(child) for move, child in after.items()}
    least = min(dangers.values())
    return [move for move, danger in dangers.items() if danger == least]


def _named(*levels: Level) -> Mapping[str, Level]:
    return {level.name: level for level in levels}


LEVELS = _named(
    Level("easy", depth=1, mistakes=0.6, errors=anything),
    Level("medium", None, mistakes=0.15, errors=casual, wild=0.25),
    Level("hard", None, mistakes=0.22, errors=casual),
    Level("perfect", None, mistakes=0.0, errors=casual),
)
"""The fixed levels by name, weakest first; people.py has the one that follows the person.

From one to the next each of `people.KINDS` wins at most 30 games of 100 fewer: docs/engine.md has the table.
"""

CIRCLING = _named(
    Level("easy", None, mistakes=0.0, errors=casual, wild=0.64),
    Level("medium", None, mistakes=0.0, errors=casual, wild=0.34),
    Level("hard", None, mistakes=0.0, errors=casual, wild=0.15),
    LEVELS["perfect"],
)
"""The same for vanishing, where nobody draws: a mistake costs the game.

Any move is what all kinds of people profit from most alike; from casual play those who look ahead gain most.
"""

UNSOLVED = _named(
    Level("easy", None, mistakes=0.15, errors=casual, wild=0.72, nodes=300),
    Level("medium", None, mistakes=0.0, errors=casual, wild=0.56, nodes=1000),
    Level("hard", None, mistakes=0.0, errors=casual, wild=0.33, nodes=2000),
    Level("perfect", None, mistakes=0.0, errors=casual, nodes=STRONGEST_NODES),
)
"""The same for a game that is not solved, mostly by any move; "perfect" is the strongest, and not perfect."""


def parts(position: Position, *, other: bool = False) -> Sequence[int] | None:
    """Return the moves that win a part of the game at once, or would for the `other` side; else None."""
    takes: Callable[..., Sequence[int]] | None = getattr(position, "takes", None)
    return None if takes is None else takes(other=other)


def _lost(position: Position) -> bool:
    return position.terminal and position.evaluate() < 0


def _danger(position: Position) -> int:
    """Return a number that grows with what the side to move can win at once: a part, or, worse, the game."""
    if position.terminal:
        return 1_000_000 if position.evaluate() > 0 else 0
    if not _lost(position.play(position.candidates()[0])):
        return len(parts(position) or ())
    return 1000 * sum(_lost(position.play(move)) for move in position.moves())


class TrapSearch:
    """Expectimax (Michie, Game-playing and game-learning automata, 1966) over the moves that keep the value.

    The best move leaves a casual player the fewest expected points; among equals, a random one. A small game
    is searched to its end, any other one reply ahead.
    """

    def __init__(self, stop: Stop | None = None) -> None:
        self.stop = stop
        self.deep = False  # whether to search to the end of the game
        self.table = Table()
        self.known: dict[Hashable, Chances] = {}

    def best(self, position: Position) -> list[int]:
        """Return the equally good moves. If stopped early, they still keep the value."""
        found = self.verdicts(position)
        keeping = self.keeping(found)
        if found.value in ("win", "unknown") or len(keeping) == 1:
            return keeping
        self.deep = position.horizon <= SMALL_GAME
        chances = {move: self.after(position.play(move)) for move in keeping}
        if self.stop is not None and self.stop():
            return keeping
        return [move for move in keeping if chances[move] == max(chances.values())]

    def verdicts(self, position: Position) -> SearchResult:
        """Return the verdicts on all moves."""
        return search(position, Limit(nodes=NODES), every=True, table=self.table, stop=self.stop)

    def keeping(self, found: SearchResult) -> list[int]:
        """Return the moves that keep the value; of those that win, the fastest."""
        even = found.value in ("draw", "loss")
        kept = [
            move
            for move, verdict in found.moves.items()
            if (verdict.value == found.value if even else verdict.score == found.score)
        ]
        return kept or [found.move]

    def before(self, position: Position) -> Chances:
        """Return the chances in a position where it is our move."""
        if position.terminal:
            return _points(position.evaluate())
        key = position.key()
        if key not in self.known:
            found = self.verdicts(position)
            if found.value == "win" or not self.deep:
                self.known[key] = _points((found.value == "win") - (found.value == "loss"))
            else:
                self.known[key] = max(self.after(position.play(move)) for move in self.keeping(found))
        return self.known[key]

    def after(self, position: Position) -> Chances:
        """Return the chances in a position where the opponent is to move."""
        if position.terminal:
            return _points(-position.evaluate())
        replies = {move: self.before(position.play(move)) for move in position.moves()}
        expected = (
            [replies[move][0] for move in casual(position)],
            [chances[1] for chances in replies.values()],
        )
        # Rounded, so that equal sums stay equal in any order of addition.
        return round(sum(expected[0]) / len(expected[0]), 9), round(sum(expected[1]) / len(expected[1]), 9)


def _points(score: int) -> Chances:
    """Return the points of a result, or of a value that is kept."""
    points = 0.5 + 0.5 * ((score > 0) - (score < 0))
    return points, points
