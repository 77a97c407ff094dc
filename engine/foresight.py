"""Alpha-beta for positions that foresee the evaluation after each move: no leaf is ever made.

In a game too large to be solved most of a search's positions are leaves, made only to be evaluated. A
position with `replies` evaluates them all by the difference that each move makes. So one ply above the leaves
the best reply is the value; elsewhere the replies give the order in which to try the moves. The best move of
an earlier visit comes first: if it is enough for a cut, the replies are not even asked for.

It is the same alpha-beta. But with `proofs` it gives up near the leaves on replies that look hopeless: once
one lies so far below alpha that the plies left will hardly make up for it, it and all after it are taken for
no better than that (futility pruning). Such a score counts as a guess, and is no longer minimax's at that
depth. A win or a loss is still true: the winner has searched every answer, and a move is only given up while
some other is known not to lose. The search may still miss a faster win. Where it reaches the end of the game
it gives nothing up, so a draw found there is a draw.

Sources: J. Schaeffer, Experiments in search and knowledge (dissertation, Waterloo, 1986), and E. A. Heinz,
Extended futility pruning (ICCA Journal 21, 1998): futility; Slate and Atkin, Chess 4.5, the Northwestern
University chess program (in Frey, Chess skill in man and machine, 1977): the best move of an earlier visit
first.
"""

from collections.abc import Mapping
from typing import Protocol, cast

from .alphabeta import INFINITE, AlphaBeta
from .position import PROVEN, Position

MARGINS = (0, 0, 4, 7, 10, 13, 16, 19, 22)
"""By the plies left, what a reply may lie below alpha and still be searched, in units of the evaluation.

0: every reply is searched, as it is with more plies left than the table has.
"""


class Foreseeing(Protocol):
    """What a position offers beyond `Position` to be searched with foresight.

    `MARGINS` suit evaluations of ultimate's scale, where 64 promises 88 points of 100: see its values.py.
    """

    def replies(self) -> Mapping[int, int]:
        """Return the static evaluation after each move, for the side that makes it, by move."""


class Foresight(AlphaBeta):
    """The state of a search of positions that are `Foreseeing`. Each reply counts as a position visited."""

    def value(self, position: Position, depth: int, alpha: int, beta: int) -> int:
        """Return what `position` is worth, by the contract of `AlphaBeta.value`.

        With `proofs` that holds for wins and losses alone: the winner needs at most as many plies as r says.
        """
        if depth != 1:
            return super().value(position, depth, alpha, beta)
        best = max(self.replies(position).values())
        self.guesses += abs(best) < PROVEN
        return best

    def replies(self, position: Position) -> Mapping[int, int]:
        """Count and return the replies. Raise `Stopped` at a limit."""
        replies = cast(Foreseeing, position).replies()
        self.count(len(replies))
        return replies

    def explore(
        self, position: Position, depth: int, alpha: int, beta: int, move: int
    ) -> tuple[int, int, int]:
        """Search the moves, `move` first, until one reaches beta or the rest are hopeless."""
        since, best, floor, first = self.guesses, -INFINITE, alpha, move
        if first >= 0:
            try:
                child, low, high = self.visit(position, first)
            except ValueError:  # illegal here: it was the best in a mirror image, which shares the entry
                first = -1
            else:
                best = self.score(child, low, high, depth - 1, floor, beta)
                if best >= beta:
                    return best, first, since
                floor = max(floor, best)
        replies = self.replies(position)
        margin = MARGINS[depth] if self.proofs and depth < len(MARGINS) and depth < position.horizon else 0
        for each in sorted(replies, key=replies.__getitem__, reverse=True):
            if margin and best > -PROVEN and replies[each] + margin <= floor < PROVEN:
                self.guesses += 1
                return max(best, replies[each] + margin), move, since
            if each == first:
                continue
            before = self.guesses
            child = position.play(each)
            score = self.score(child, *self.bounds(child), depth - 1, floor, beta)
            if score > best:
                best = score
                if best > floor:
                    floor, move = best, each
                    if best >= beta:
                        return best, move, before
        return best, move, since
