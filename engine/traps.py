"""Perfect play that sets traps: of the moves that keep the value, those an opponent most often gets wrong."""

from collections.abc import Callable, Hashable

from engine.alphabeta import SMALL
from engine.casual import casual
from engine.position import Position
from engine.result import SearchResult
from engine.search import Limit, search
from engine.table import Table

NODES = 200_000
"""The node limit of each search in a game that is not small."""

NINE_CELLS = 18
"""The farthest horizon of a game on nine cells; at full depth at once, its search is cheaper."""

Chances = tuple[float, float]
"""The expected points, 1 for a win and 1/2 for a draw, against casual play and against random play."""


class Traps:
    """Expectimax (Michie, Game-playing and game-learning automata, 1966) over the moves that keep the value.

    The best move leaves a casual player the fewest expected points; among equals, a random one. A small game
    is searched to its end, any other one reply ahead.
    """

    def __init__(self, stop: Callable[[], bool] | None = None) -> None:
        self.stop = stop
        self.table = Table()
        self.known: dict[Hashable, Chances] = {}

    def best(self, position: Position) -> list[int]:
        """Return the equally good moves. If stopped early, they still keep the value."""
        found = self.verdicts(position)
        keeping = self.keeping(found)
        if found.value in ("win", "unknown") or len(keeping) == 1:
            return keeping
        plies = SMALL if position.horizon <= SMALL else 1
        chances = {move: self.after(position.play(move), plies) for move in keeping}
        if self.stop is not None and self.stop():
            return keeping
        return [move for move in keeping if chances[move] == max(chances.values())]

    def verdicts(self, position: Position) -> SearchResult:
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
        """Return the chances in a position where it is our move."""
        if position.terminal:
            return self.points(position.evaluate())
        key = position.key()
        if key not in self.known:
            found = self.verdicts(position)
            if found.value == "win" or plies <= 1:
                self.known[key] = self.points((found.value == "win") - (found.value == "loss"))
            else:
                self.known[key] = max(
                    self.after(position.play(move), plies - 2) for move in self.keeping(found)
                )
        return self.known[key]

    def after(self, position: Position, plies: int) -> Chances:
        """Return the chances in a position where the opponent is to move."""
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
        """Return the points of a result, or of a value that is kept."""
        points = 0.5 + 0.5 * ((score > 0) - (score < 0))
        return points, points
