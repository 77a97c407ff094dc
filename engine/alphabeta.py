"""Fail-soft alpha-beta in negamax form: the heart of the search.

Minimax finds what a position is worth. Alpha-beta only asks whether it is worth more than alpha, which the
side to move already has elsewhere, and less than beta, above which the opponent avoids the position. Once one
move reaches beta, the others cannot matter. With the best move first at every node, that leaves about the
square root of the tree; the price is that a result outside the window is a bound, not a value, so the table
stores which it is.

Depth-limited search and proof share this code. A game may prove bounds without search, which narrow the
window or settle a move. And each static evaluation that influences a result counts as a guess: a result
without a guess holds for any depth, and the table keeps it as final. So a small game is solved, not guessed.

This module knows a game only through `Position`. textbook.py has the published algorithms without the
speed-ups; deepening.py deepens, watches the clock and picks the move.

Sources: D. E. Knuth and R. W. Moore, An analysis of alpha-beta pruning (Artificial Intelligence 6, 1975): the
idea and its best case; Fishburn, Analysis of speedup in distributed algorithms (dissertation, 1981):
fail-soft; Greenblatt, Eastlake and Crocker, The Greenblatt chess program (1967): the transposition table.
"""

from collections.abc import Callable, Iterator, Sequence

from .position import PROVEN, WIN, Position
from .table import EXACT, LOWER, UPPER, Table

INFINITE = WIN + 1
FOREVER = 1 << 30  # the depth of a final score, which no deeper search can change
SMALL_GAME = 9  # plies left, at most: sorting the moves of so small a game costs more than it saves
CHECK = 64  # positions visited between two checks of the limits

Try = tuple[int, Position, int, int]
"""A move, the position after it, and its bounds."""


class Stopped(Exception):  # noqa: N818  # a signal, not an error
    """A limit is reached, or `stop` returned True."""


class AlphaBeta:
    """The state that all nodes of one search share: table, limits and counters.

    `max_nodes` limits the positions visited; `deadline` is a time of `clock`; `stop` returns True to end the
    search.
    """

    def __init__(
        self,
        table: Table,
        *,
        proofs: bool,
        max_nodes: int,
        deadline: float,
        clock: Callable[[], float],
        stop: Callable[[], bool] | None,
    ) -> None:
        self.table, self.proofs = table, proofs
        self.max_nodes, self.deadline, self.clock, self.stop = max_nodes, deadline, clock, stop
        self.nodes = 1  # positions visited; the root is one
        self.pause = 1  # the node count at which to check the limits again
        self.guesses = 0  # static evaluations that influenced results so far

    def value(self, position: Position, depth: int, alpha: int, beta: int) -> int:
        """Return what `position` is worth to the side to move, searched `depth` plies deep.

        The contract of the bound. Let v be what minimax would return, and r the result.

        - alpha < r < beta: v is r, exactly.
        - r <= alpha: v is at most r. No move is good enough; r is an upper bound.
        - r >= beta: v is at least r. One move is too good to be allowed; r is a lower bound.

        A fail-hard search would return alpha or beta itself in the last two cases. `guesses` grows if a
        static evaluation influenced the result; if it does not, the result holds for any depth.
        """
        if depth == 0:
            self.guesses += 1
            return position.evaluate()

        key = position.key()
        entry = self.table.get(key)
        move = -1
        if entry is not None:
            score, searched, bound, move = entry
            if searched >= depth and (
                bound == EXACT or (score >= beta if bound == LOWER else score <= alpha)
            ):
                self.guesses += searched != FOREVER
                return score

        guesses = self.guesses
        best, move, since = self.explore(position, depth, alpha, beta, move)
        final = self.guesses == since or within(best, position.ply, depth)
        if final:
            self.guesses = guesses
        bound = LOWER if best >= beta else UPPER if best <= alpha else EXACT
        self.table.put(key, (best, FOREVER if final else depth, bound, move))
        return best

    def explore(
        self, position: Position, depth: int, alpha: int, beta: int, move: int
    ) -> tuple[int, int, int]:
        """Search the moves until one reaches beta; `move` was the best of an earlier visit, -1 for none.

        Return the best score, by the contract of `value`; its move if it is above alpha, otherwise `move`;
        and a count of guesses: if `guesses` still equals it, none influenced the score.
        """
        since, best, floor = self.guesses, -INFINITE, alpha
        for each, child, low, high in self.children(position, depth, beta):
            before = self.guesses
            score = self.score(child, low, high, depth - 1, floor, beta)
            if score > best:
                best = score
                if best > floor:
                    floor, move = best, each
                    if best >= beta:
                        return best, move, before
        return best, move, since

    def score(self, child: Position, low: int, high: int, depth: int, alpha: int, beta: int) -> int:
        """Return the score of the move to `child`, whose bounds are `low` and `high`.

        The contract is that of `value`, for the side that moves; so are `alpha` and `beta`. For the child,
        values are negated and the ends of the window swapped.
        """
        if low == high or -low <= alpha:
            return -low
        if -high >= beta:
            return -high
        value = self.value(child, depth, max(low, -beta), min(high, -alpha))
        return -min(max(value, low), high)

    def children(self, position: Position, depth: int, beta: int) -> Iterator[Try]:
        """Yield the moves in the order to search them: see `Try`.

        Unless the rest of the game is small, moves that their bounds settle come first: one may be enough for
        a cut. The others follow, sorted by static evaluation, worst for the opponent first.
        """
        sorting = position.horizon > SMALL_GAME
        later: list[tuple[int, int, int, Position, int, int]] = []
        for move in self.moves(position, depth):
            child, low, high = self.visit(position, move)
            if sorting and low < high and -high < beta:
                later.append((child.evaluate(), len(later), move, child, low, high))
            else:
                yield move, child, low, high
        later.sort()
        for _, _, move, child, low, high in later:
            yield move, child, low, high

    def moves(self, position: Position, depth: int) -> Sequence[int]:
        """Return the moves to search. Those that `candidates` leaves out matter only one ply deep."""
        return position.candidates() if self.proofs or depth > 1 else position.moves()

    def visit(self, position: Position, move: int) -> tuple[Position, int, int]:
        """Count and return the position after `move`, with its bounds. Raise `Stopped` at a limit."""
        if self.nodes >= self.pause:
            self.check(1)
        self.nodes += 1
        child = position.play(move)
        return child, *self.bounds(child)

    def count(self, positions: int) -> None:
        """Count positions visited. Raise `Stopped` at a limit."""
        if self.nodes + positions > self.pause:
            self.check(positions)
        self.nodes += positions

    def check(self, more: int) -> None:
        """Raise `Stopped` if a limit leaves no room for so many positions `more`."""
        if (
            self.nodes + more > self.max_nodes
            or self.clock() >= self.deadline
            or (self.stop is not None and self.stop())
        ):
            raise Stopped
        self.pause = min(self.nodes + CHECK, self.max_nodes)

    def bounds(self, position: Position) -> tuple[int, int]:
        """Return a position's bounds; without `proofs`, only a finished game has any."""
        if self.proofs:
            return position.bounds()
        if position.terminal:
            value = position.evaluate()
            return value, value
        return -INFINITE, INFINITE

    def known(self, position: Position, depth: int) -> int | None:
        """Return the exact value at `depth` plies if the table or the bounds hold it, otherwise None."""
        low, high = self.bounds(position)
        if low == high:
            return low
        if depth <= 0:
            return min(max(position.evaluate(), low), high) if depth == 0 else None
        score, searched, bound, _ = self.table.get(position.key()) or (0, 0, EXACT, -1)
        if searched >= depth:
            low = low if bound == UPPER else max(low, score)
            high = high if bound == LOWER else min(high, score)
        return low if low == high else None


def within(score: int, ply: int, depth: int) -> bool:
    """Return whether `score` is a win or a loss at most `depth` plies after `ply`.

    A search of that depth has seen every faster one, so a deeper search finds the same.
    """
    return abs(score) >= PROVEN and WIN - abs(score) - ply <= depth
