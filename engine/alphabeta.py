"""Fail-soft alpha-beta in negamax form: the heart of the search.

It knows of a game only what `engine.position.Position` says. `engine.textbook` has the same idea without
what makes it fast; `engine.search` deepens, keeps the time and chooses the move.

Sources: Knuth and Moore, An analysis of alpha-beta pruning (Artificial Intelligence 6, 1975), for the idea
and what it saves at best; Fishburn, Analysis of speedup in distributed algorithms (dissertation, 1981), for
fail-soft; Greenblatt, Eastlake and Crocker, The Greenblatt chess program (1967), for the transposition
table.
"""

from collections.abc import Callable, Iterator, Sequence

from engine.position import PROVEN, WIN, Position
from engine.table import EXACT, LOWER, UPPER, Table

INFINITE = WIN + 1
FOREVER = 1 << 30  # the depth of what no deeper search can change
SMALL = 9  # where the game has so few plies left, its own order of moves is as good as a better one is dear
CHECK = 64  # positions between two looks at the clock


class Stopped(Exception):  # noqa: N818  # not an error: the search is told to end
    """The limit is reached, or someone wants the search to end."""


class AlphaBeta:
    """What all nodes of one search share: its table, its switches, its limits and its counts.

    `deadline` is a time of `clock`, `most` the number of positions that may be visited, `stop` says whether
    someone wants the search to end.
    """

    def __init__(
        self,
        table: Table,
        *,
        ordering: bool,
        symmetry: bool,
        proofs: bool,
        most: int,
        deadline: float,
        clock: Callable[[], float],
        stop: Callable[[], bool] | None,
    ) -> None:
        self.table, self.ordering, self.symmetry, self.proofs = table, ordering, symmetry, proofs
        self.most, self.deadline, self.clock, self.stop = most, deadline, clock, stop
        self.nodes = 1  # positions visited; the root is one
        self.pause = 1  # when to look at the limits again
        self.guesses = 0  # static evaluations that had a say so far

    def value(self, position: Position, depth: int, alpha: int, beta: int) -> int:
        """Return what `position` is worth to the side to move, searched `depth` plies deep.

        The contract of the bound. Let v be what minimax would return, and r the result.

        - alpha < r < beta: v is r, exactly.
        - r <= alpha: v is at most r. No move is good enough; r is an upper bound.
        - r >= beta: v is at least r. One move is too good to be allowed; r is a lower bound.

        A fail-hard search would say no more than alpha or beta in the last two cases. `guesses` has grown if
        a static evaluation had a say in the result; if not, the result holds for any depth.
        """
        if depth == 0:
            self.guesses += 1
            return position.evaluate()

        key = position.key(symmetry=self.symmetry)
        entry = self.table.get(key)
        if entry is not None:
            score, searched, bound = entry
            if searched >= depth and (
                bound == EXACT or (score >= beta if bound == LOWER else score <= alpha)
            ):
                self.guesses += searched != FOREVER
                return score

        guesses = since = self.guesses
        best, floor = -INFINITE, alpha
        for child, low, high in self.children(position, depth, beta):
            before = self.guesses
            score = self.score(child, low, high, depth - 1, floor, beta)
            if score > best:
                best = score
                if best >= beta:
                    since = before  # this move alone is the proof: guesses about others are of no account
                    break
                floor = max(floor, best)

        final = self.guesses == since or within(best, position.ply, depth)
        if final:
            self.guesses = guesses
        bound = LOWER if best >= beta else UPPER if best <= alpha else EXACT
        self.table.put(key, (best, FOREVER if final else depth, bound))
        return best

    def score(self, child: Position, low: int, high: int, depth: int, alpha: int, beta: int) -> int:
        """Return what a move is worth that leads to `child` with plain bounds `low` and `high`.

        The contract is that of `value`, for the side that makes the move, and so are `alpha` and `beta`.
        What is good for one side is as bad for the other: values change their sign, and the window its ends.
        """
        if low == high or -low <= alpha:
            return -low
        if -high >= beta:
            return -high
        value = self.value(child, depth, max(low, -beta), min(high, -alpha))
        return -min(max(value, low), high)

    def children(self, position: Position, depth: int, beta: int) -> Iterator[tuple[Position, int, int]]:
        """Give the positions after each move with their plain bounds, in the order of their promise.

        Unless the rest of the game is small, all are looked at first: what is plain at a glance may be enough
        for a cut. The others follow, those first that look worst for the opponent.
        """
        sorting = self.ordering and position.horizon > SMALL
        later: list[tuple[int, int, Position, int, int]] = []
        for move in self.moves(position, depth):
            child, low, high = self.visit(position, move)
            if sorting and low < high and -high < beta:
                later.append((child.evaluate(), len(later), child, low, high))
            else:
                yield child, low, high
        later.sort()
        for _, _, child, low, high in later:
            yield child, low, high

    def moves(self, position: Position, depth: int) -> Sequence[int]:
        """Return the moves to look at. From two plies on, nothing is lost by what `candidates` leaves out."""
        return position.candidates() if self.ordering and (self.proofs or depth > 1) else position.moves()

    def visit(self, position: Position, move: int) -> tuple[Position, int, int]:
        """Return the position after `move` and its plain bounds, and count it. Raise `Stopped` at a limit."""
        if self.nodes >= self.pause:
            if (
                self.nodes >= self.most
                or self.clock() >= self.deadline
                or (self.stop is not None and self.stop())
            ):
                raise Stopped
            self.pause = min(self.nodes + CHECK, self.most)
        self.nodes += 1
        child = position.play(move)
        low, high = child.bounds() if self.proofs else self.bounds(child)
        return child, low, high

    def bounds(self, position: Position) -> tuple[int, int]:
        """Return what is plain of a position; without proofs, that is the result of a finished game."""
        if self.proofs:
            return position.bounds()
        if position.terminal:
            value = position.evaluate()
            return value, value
        return -INFINITE, INFINITE

    def known(self, position: Position, depth: int) -> int | None:
        """Return the exact value for `depth` plies that a search has left behind; None if there is none."""
        low, high = self.bounds(position)
        if low == high:
            return low
        if depth <= 0:
            return min(max(position.evaluate(), low), high) if depth == 0 else None
        score, searched, bound = self.table.get(position.key(symmetry=self.symmetry)) or (0, 0, EXACT)
        if searched >= depth:
            low = low if bound == UPPER else max(low, score)
            high = high if bound == LOWER else min(high, score)
        return low if low == high else None


def within(score: int, ply: int, depth: int) -> bool:
    """Return whether `score` is a win or a loss no further off than `depth` plies from `ply`.

    A search so deep has seen every faster one: a deeper search finds the same.
    """
    return abs(score) >= PROVEN and WIN - abs(score) - ply <= depth
