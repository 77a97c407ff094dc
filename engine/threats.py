"""Threat search: a win by forcing moves, found before alpha-beta begins to look for it.

A move that leaves one cell to complete a line forces the answer: the opponent must take that cell. So a chain
of such moves is a line of play, not a tree. It wins as soon as a move leaves two cells at once. Few chains
exist, and each is short work, however deep it goes. Alpha-beta uses them twice:

- A side with such a chain wins. That is a lower bound on the score.
- If the opponent would have one after a pass, it still has it after every move that does not touch it: one
  that takes none of its cells, and starts no line that could force the opponent in turn. All these moves
  share an upper bound. Where it is not above alpha, one of them stands for all.

A forcing move is tried only if its mark also gives another line the marks that the next forcing move needs.
Allis calls the next one dependent on it. That misses some chains, but no chain found is wrong.

One more idea keeps the tree small. A cell whose open lines all run through another empty cell is never the
better of the two, so it is left out: whoever takes the other cell can follow the same plan with the two cells
exchanged, and wins as soon.

Sources: Allis, van den Herik and Huntjens, Go-Moku and threat-space search (1993), and Allis, Searching for
solutions in games and artificial intelligence (thesis, Maastricht 1994): forcing chains and dependence;
Thomsen, Lambda-search in game trees, with application to Go (ICGA Journal 23, 2000): the pass, and the cells
that matter after it.
"""
# ruff: noqa: SLF001  # the search reads a board's bitboards

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, cast

from .alphabeta import AlphaBeta, Try
from .board import Board
from .position import WIN, Position

REMEMBERED = 1 << 16  # positions whose chains one search keeps, 20 MB at most
FASTEST = 3  # plies of the shortest chain


class ThreatSearch(AlphaBeta):
    """The state of a search of a `Board` with proofs. Each move of a chain counts as a position visited."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.alpha = -WIN  # of the node being searched
        self.zone = -1  # the cells worth a move there
        self.chain = lru_cache(REMEMBERED)(self.find)

    def explore(
        self, position: Position, depth: int, alpha: int, beta: int, move: int
    ) -> tuple[int, int, int]:
        """Search the moves: see `AlphaBeta`."""
        self.alpha = alpha
        return super().explore(position, depth, alpha, beta, move)

    def score(self, child: Position, low: int, high: int, depth: int, alpha: int, beta: int) -> int:
        """Return the score of the move to `child`, by the contract of `AlphaBeta.score`."""
        useful = low < high and child.ply + FASTEST - WIN <= alpha < -low and -high < beta
        if useful and self.table.get(child.key()) is None:
            board = cast(Board, child)
            if self.chain(board._own, board._other, board.shape):
                # By the end of the game: the exact plies would end the principal variation here.
                low = max(low, WIN - board.shape.cells)
        return super().score(child, low, high, depth, alpha, beta)

    def children(self, position: Position, depth: int, beta: int) -> Iterator[Try]:
        """Yield the moves in the order to search them; last, those outside the zone."""
        board, alpha, moves = cast(Board, position), self.alpha, position.candidates()
        self.zone, outside, loss = -1, list[int](), 0
        forced = len(moves) < position.horizon
        if not forced and (chain := self.chain(board._other, board._own, board.shape)):
            plies, self.zone = chain
            loss = board.ply + 1 + plies - WIN
            outside = [move for move in moves if not self.zone >> move & 1]
        yield from super().children(position, depth, beta)
        for move in outside[:1] if loss <= alpha else outside:
            child, low, high = self.visit(position, move)
            yield move, child, max(low, -loss), high

    def moves(self, position: Position, depth: int) -> Sequence[int]:
        """Return the moves to search."""
        moves = super().moves(position, depth)
        if len(moves) == position.horizon:
            moves = undominated(cast(Board, position), moves)
        return [move for move in moves if self.zone >> move & 1]

    def find(self, own: int, other: int, shape: Any) -> tuple[int, int] | None:
        """Return the plies in which the side with the marks `own`, to move, wins by a chain, and its zone.

        None if none is found. The win stands, in as many plies, if the opponent first takes any cell that
        is not in the zone. `own` must not be able to complete a line at once. Raise `Stopped` at a limit.
        """
        zone = must = 0
        answers: dict[int, int] = {}  # by forcing move: the cells that it leaves
        for line in shape.lines:
            if not line & other:
                free = line & ~own
                if free.bit_count() == 2:
                    first = free & -free
                    second = free ^ first
                    answers[first] = answers.get(first, 0) | second
                    answers[second] = answers.get(second, 0) | first
            elif not line & own:
                free = line & ~other
                if free.bit_count() <= 2:
                    zone |= free
                    if free.bit_count() == 1:
                        must |= free
        if must:
            answers = {must: answers[must]} if must in answers else {}
        for cell, cells in answers.items():
            if cells & cells - 1:
                self.count(1)
                return FASTEST, zone | cell | cells
        for cell, answer in answers.items():
            mine, theirs = own | cell, other | answer
            for line in shape.through[cell.bit_length() - 1]:
                if not line & theirs and (line & mine).bit_count() == shape.k - 2:
                    break
            else:
                continue
            self.count(2)
            if chain := self.chain(mine, theirs, shape):
                plies, cells = chain
                return plies + 2, zone | cell | answer | cells
        return None


def undominated(board: Board, moves: Sequence[int]) -> list[int]:
    """Return `moves`, all the empty cells, without those whose open lines all run through another one."""
    own, other, through = board._own, board._other, board.shape.through
    free = board.shape.full & ~(own | other)
    common = dict[int, int]()  # by cell: the empty cells on all its open lines, itself included
    for cell in moves:
        cells = free
        for line in through[cell]:
            if not line & own or not line & other:
                cells &= line
        common[cell] = cells
    kept, before = [], 0
    for cell in moves:
        bit = 1 << cell
        better = common[cell] & ~bit
        equal = sum(1 << each for each in moves if better >> each & 1 and common[each] & bit) if better else 0
        if better == equal and not better & before:
            kept.append(cell)
        before |= bit
    return kept
