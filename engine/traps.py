"""Play that never gives away value, and sets as many traps as that allows."""

from collections.abc import Callable, Hashable

from engine.alphabeta import SMALL
from engine.casual import casual
from engine.position import Position
from engine.result import SearchResult
from engine.search import Limit, search
from engine.table import Table

NODES = 200_000
"""Where a game is not small, each question is given up after so many positions."""

NINE_CELLS = 18
"""The farthest horizon of a game on nine cells. Those are looked through at once, which is cheaper."""

Chances = tuple[float, float]
"""The points that can be expected, 1 for a win and 1/2 for a draw: against casual play, and random."""


class Traps:
    """Expectimax over the moves that keep the value, against opponents who err.

    Of these moves, those are best from which the casual player expects least, by the casual player's own
    way to move; among equals, those from which a random one does. In a small game this is looked through to
    the end; in others only the next reply is foreseen.
    """

    def __init__(self, stop: Callable[[], bool] | None = None) -> None:
        self.stop = stop
        self.table = Table()
        self.known: dict[Hashable, Chances] = {}

    def best(self, position: Position) -> list[int]:
        """Return the moves that are equally good. If told to stop, they still keep the value."""
        found = self.look(position)
        keeping = self.keeping(found)
        if found.value in ("win", "unknown") or len(keeping) == 1:
            return keeping
        plies = SMALL if position.horizon <= SMALL else 1
        chances = {move: self.after(position.play(move), plies) for move in keeping}
        if self.stop is not None and self.stop():
            return keeping
        return [move for move in keeping if chances[move] == max(chances.values())]

    def look(self, position: Position) -> SearchResult:
        """Return the verdicts on all moves."""
        deepen = position.horizon > NINE_CELLS
        limit = Limit(nodes=NODES)
        return search(position, limit, every=True, deepen=deepen, table=self.table, stop=self.stop)

    def keeping(self, found: SearchResult) -> list[int]:
        """Return the moves that keep the value; of those that win, the fastest."""
        if found.value in ("draw", "loss"):
            kept = [move for move, verdict in found.moves.items() if verdict.value == found.value]
        else:
            kept = [move for move, verdict in found.moves.items() if verdict.score == found.score]
        return kept or [found.move]

    def before(self, position: Position, plies: int) -> Chances:
        """Return what can be expected of a position in which it is our move."""
        if position.terminal:
            return self.points(position.evaluate())
        key = position.key()
        if key not in self.known:
            found = self.look(position)
            if found.value == "win" or plies <= 1:
                self.known[key] = self.points((found.value == "win") - (found.value == "loss"))
            else:
                self.known[key] = max(
                    self.after(position.play(move), plies - 2) for move in self.keeping(found)
                )
        return self.known[key]

    def after(self, position: Position, plies: int) -> Chances:
        """Return what can be expected of a position in which the opponent is to move."""
        if position.terminal:
            return self.points(-position.evaluate())
        replies = {move: self.before(position.play(move), plies) for move in position.moves()}
        expected = (
            [replies[move][0] for move in casual(position)],
            [chances[1] for chances in replies.values()],
        )
        # Rounded, so that equals are equal in whatever order they are added up.
        return round(sum(expected[0]) / len(expected[0]), 9), round(sum(expected[1]) / len(expected[1]), 9)

    def points(self, score: int) -> Chances:
        """Return what a result counts, or a value that will not be given away."""
        points = 0.5 + 0.5 * ((score > 0) - (score < 0))
        return points, points
