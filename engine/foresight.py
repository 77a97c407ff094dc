"""Alpha-beta for positions that foresee the evaluation after each move: no leaf is ever made.

In a game too large to be solved most of a search's positions are leaves, made only to be evaluated. A
position with `replies` evaluates them all by the difference that each move makes. So one ply above the leaves
the best reply is the value; elsewhere the replies give the order in which to try the moves. Before them comes
the best move of an earlier visit, for which they need not even be asked.

It is the same alpha-beta, with the same contract and the same proofs.

Source: Slate and Atkin, Chess 4.5, the Northwestern University chess program (in Frey, Chess skill in man and
machine, 1977): the best move of an earlier visit first.
"""

from collections.abc import Hashable, Iterator, Mapping
from typing import Any, Protocol, cast

from .alphabeta import AlphaBeta
from .position import PROVEN, Position


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
        """Return what `position` is worth, by the contract of `AlphaBeta.value`."""
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
        depth: int,  # noqa: ARG002 - matters only to those who sort by positions made
        beta: int,  # noqa: ARG002
    ) -> Iterator[tuple[int, Position, int, int]]:
        """Yield each move, the position after it and its bounds, in the order to search them."""
        first = self.best.get(position.key(), -1)
        if first in position.moves():  # that of a mirror image need not be
            yield first, *self.visit(position, first)
        replies = self.replies(position)
        for move in sorted(replies, key=replies.__getitem__, reverse=True):
            if move != first:
                child = position.play(move)
                yield move, child, *self.bounds(child)

    def remember(self, key: Hashable, move: int) -> None:
        """Keep the best move of a position."""
        self.best[key] = move
