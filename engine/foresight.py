"""Alpha-beta for positions that foresee the evaluation after each move: no leaf is ever made.

In a game too large to be solved most of a search's positions are leaves, made only to be evaluated. A
position with `replies` evaluates them all by the difference that each move makes. So one ply above the leaves
the best reply is the value; elsewhere the replies give the order in which to try the moves. Before them comes
the best move of an earlier visit, for which they need not even be asked.

It is the same alpha-beta. But with `proofs` it searches late moves less deep at first, and as deep as the
others only if they then seem better than the best (late move reductions). So any score but a win or a loss is
no longer minimax's at that depth; it counts as a guess in any case. A win or a loss is still true: who wins
does so against every answer, and a reduced search can only miss it. It may also miss a faster win. Where the
search reaches the end of the game nothing is reduced, so a draw found there is a draw.

Sources: Levy, Broughton and Taylor, The SEX algorithm in computer chess (ICCA Journal 12, 1989), and Romstad,
An introduction to late move reductions (2006): late moves less deep; Slate and Atkin, Chess 4.5, the
Northwestern University chess program (in Frey, Chess skill in man and machine, 1977): the best move of an
earlier visit first.
"""

from collections.abc import Hashable, Iterator, Mapping
from typing import Any, Protocol, cast

from .alphabeta import AlphaBeta, Try
from .position import PROVEN, Position

LEAST = 3  # plies that a search has left, at least, where it reduces late moves
LATE, LATER = 1, 4  # places in the order from which moves are reduced by a ply, and by two


class Foreseeing(Protocol):
    """What a position offers beyond `Position` to be searched with foresight."""

    def replies(self) -> Mapping[int, int]:
        """Return the static evaluation after each move, for the side that makes it, by move."""


class Foresight(AlphaBeta):
    """The state of a search of positions that are `Foreseeing`. Each reply counts as a position visited."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.best: dict[Hashable, int] = {}

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
        if self.nodes + len(replies) > self.pause:
            self.check(len(replies))
        self.nodes += len(replies)
        return replies

    def children(
        self,
        position: Position,
        depth: int,
        beta: int,  # noqa: ARG002
    ) -> Iterator[Try]:
        """Yield the moves in the order to search them, and by how much less deep at first: see `Try`."""
        first = self.best.get(position.key(), -1)
        if first in position.moves():  # that of a mirror image need not be
            yield first, *self.visit(position, first), 0
        replies = self.replies(position)
        reducing = self.proofs and LEAST <= depth < position.horizon
        for place, move in enumerate(sorted(replies, key=replies.__getitem__, reverse=True)):
            if move != first:
                child = position.play(move)
                less = (place >= LATE) + (place >= LATER and depth > LEAST) if reducing else 0
                yield move, child, *self.bounds(child), less

    def remember(self, key: Hashable, move: int) -> None:
        """Keep the best move of a position."""
        self.best[key] = move
