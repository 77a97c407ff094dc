"""Iterative deepening: from a position and a limit to a move and a verdict.

Source: Slate and Atkin, Chess 4.5, the Northwestern University chess program (in Frey, Chess skill in man
and machine, 1977).
"""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from engine.alphabeta import FOREVER, INFINITE, SMALL, AlphaBeta, Stopped, within
from engine.position import PROVEN, Position
from engine.result import SearchResult, Verdict
from engine.table import EXACT, LOWER, UPPER, Table


@dataclass(frozen=True, slots=True)
class Limit:
    """When a search stops: `depth` in plies, `nodes` in positions visited, `seconds` of the search's clock.

    None is no limit. Raise `ValueError` for a limit that is not above zero.
    """

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name, value in (("depth", self.depth), ("nodes", self.nodes), ("seconds", self.seconds)):
            if value is not None and not value > 0:
                raise ValueError(f"the limit {name}={value} leaves nothing to search: it must be above zero")


UNLIMITED = Limit()


def search(
    position: Position,
    limit: Limit = UNLIMITED,
    *,
    table: Table | None = None,
    rng: random.Random | None = None,
    every: bool = False,
    window: tuple[int, int] = (-INFINITE, INFINITE),
    deepen: bool = True,
    ordering: bool = True,
    symmetry: bool = True,
    proofs: bool = True,
    clock: Callable[[], float] = time.monotonic,
    stop: Callable[[], bool] | None = None,
) -> SearchResult:
    """Return the best move of `position` and its value, as far as `limit` allows.

    - `table`: the transposition table, a new one by default. A table may serve several searches with the
      same switches; `Table(0)` stores nothing.
    - `rng`: draws among equally good moves; by default the first searched is taken.
    - `every`: return a verdict on every legal move, not only on the best.
    - `window`: alpha and beta at the root; scores outside are only bounds.
    - `deepen`: search one ply deeper at a time, so that a good answer is always ready and the nearest win is
      found first. Otherwise, or if neither matters, search the full depth at once.
    - `ordering`, `symmetry`, `proofs`: switch off a speed-up. None changes a value, except that `proofs` (a
      position's own `bounds`) look beyond the depth.
    - `clock`: returns seconds. `stop`: polled; the search ends once it returns True. Another thread may set
      it.

    Raise `ValueError` if the game is over or the window is empty.

    >>> from engine import Board
    >>> found = search(Board.parse("x.. / .o. / ..x"))  # o to move
    >>> found.move, found.value
    (1, 'draw')
    >>> found = search(Board(5, 5, 4), Limit(depth=4), every=True)
    >>> found.value, found.depth, len(found.moves)
    ('unknown', 4, 25)
    """
    if position.terminal:
        raise ValueError("the game is over: there is nothing to search")
    if window[0] >= window[1]:
        raise ValueError(f"the window {window} is empty: its first number must be the smaller one")
    start = clock()
    engine = AlphaBeta(
        Table() if table is None else table,
        ordering=ordering,
        symmetry=symmetry,
        proofs=proofs,
        max_nodes=FOREVER if limit.nodes is None else limit.nodes,
        deadline=start + (FOREVER if limit.seconds is None else limit.seconds),
        clock=clock,
        stop=stop,
    )
    root = _Root(engine, position, window, ties=rng is not None, every=every)
    deepest = position.horizon if limit.depth is None else min(limit.depth, position.horizon)
    undisturbed = limit.nodes is None and limit.seconds is None and stop is None and limit.depth is not None
    at_once = not deepen or undisturbed or deepest <= SMALL
    try:
        for depth in range(deepest if at_once else 1, deepest + 1):
            if root.iterate(depth):
                break
    except Stopped:
        pass
    move, verdict = root.best(rng)
    return SearchResult(
        score=verdict.score,
        bound=verdict.bound,
        value=verdict.value,
        distance=verdict.distance,
        move=move,
        pv=root.variation(move, proven=verdict.value != "unknown"),
        depth=root.depth,
        nodes=engine.nodes,
        seconds=clock() - start,
        moves=root.verdicts() if every else {},
    )


class _Root:
    """The root of the tree, which keeps a score for each move.

    - `scores`: each move's score in the last iteration and its bound; `depth`: the plies of that iteration;
      `partial`: it was interrupted; `solved`: a deeper one would find the same.
    - `final`: exact scores that no deeper iteration can change.
    """

    def __init__(
        self, engine: AlphaBeta, position: Position, window: tuple[int, int], *, ties: bool, every: bool
    ) -> None:
        self.engine, self.position, self.window, self.every = engine, position, window, every
        self.slack = 1 if ties else 0  # moves that equal the best need exact scores
        self.moves = list(position.candidates())
        if not engine.ordering:
            self.moves = list(position.moves())
        elif ties or every or not engine.proofs:
            self.moves += [move for move in position.moves() if move not in self.moves]
        self.scores: dict[int, tuple[int, str]] = {}
        self.final: dict[int, int] = {}
        self.depth = 0
        self.partial = self.solved = False

    def iterate(self, depth: int) -> bool:
        """Search the moves `depth` plies deep, the best of the last iteration first.

        Return whether a deeper search would find the same. Raise `Stopped` at a limit; the scores found by
        then replace the last iteration's, since its best move is searched first.
        """
        engine, (alpha, beta) = self.engine, self.window
        guesses, best = engine.guesses, -INFINITE
        found: dict[int, tuple[int, str]] = {}
        try:
            for move in self.moves:
                floor = alpha if self.every else max(alpha, best - self.slack)
                found[move] = self.evaluate(move, depth, floor, beta)
                best = max(best, found[move][0])
                if best >= beta and not self.every:
                    break
        except Stopped:
            if found and not (self.every and self.scores):
                self.scores, self.depth, self.partial = found, depth, True
            raise
        self.scores, self.depth = found, depth
        self.moves.sort(key=lambda move: -found[move][0] if move in found else INFINITE)
        near = within(best, self.position.ply, depth) and not self.every
        self.solved = near or engine.guesses == guesses
        return self.solved

    def evaluate(self, move: int, depth: int, alpha: int, beta: int) -> tuple[int, str]:
        """Return the score of one move, and its bound: exact if between alpha and beta."""
        if move in self.final:
            return self.final[move], EXACT
        engine, guesses = self.engine, self.engine.guesses
        child, low, high = engine.visit(self.position, move)
        score = engine.score(child, low, high, depth - 1, alpha, beta)
        if low == high or alpha < score < beta:
            if engine.guesses == guesses or within(score, self.position.ply, depth):
                self.final[move] = score
                engine.guesses = guesses
            return score, EXACT
        return score, UPPER if score <= alpha else LOWER

    def best(self, rng: random.Random | None) -> tuple[int, Verdict]:
        """Return the move to play and the verdict on the position."""
        alpha, beta = self.window
        if not self.scores:
            return self.unsearched(self.moves)
        score = max(score for score, _ in self.scores.values())
        equals = [move for move, (value, _) in self.scores.items() if value == score]
        sure = [move for move in equals if self.scores[move][1] != UPPER] or equals
        move = sure[0] if rng is None else rng.choice(sorted(sure))
        if self.partial:
            # The interrupted iteration may have refuted its moves, or the bounds of an untried one be better.
            untried = [move for move in self.moves if move not in self.scores]
            other, verdict = self.unsearched(untried)
            if self.scores[move][1] == UPPER or score <= -PROVEN or score < verdict.score:
                return other, verdict
            return move, self.verdict(score, LOWER, final=False)
        bound = LOWER if score >= beta else UPPER if score <= alpha else EXACT
        return move, self.verdict(score, bound, final=self.solved)

    def unsearched(self, moves: list[int]) -> tuple[int, Verdict]:
        """Return the best of `moves` by the bounds after each, and the verdict that these bounds prove.

        The position's own bounds hold for its best move, which may be another.
        """
        moves = [move for move in self.position.candidates() if move in moves] or moves
        children = {move: self.position.play(move) for move in moves}
        ceilings = {move: self.engine.bounds(child)[1] for move, child in children.items()}
        move = min(moves, key=lambda move: (ceilings[move], children[move].evaluate()))
        score = -ceilings[move]
        exact = self.engine.bounds(self.position) == (score, score)
        return move, self.verdict(score, EXACT if exact else LOWER, final=True)

    def verdict(self, score: int, bound: str, *, final: bool) -> Verdict:
        """Return the verdict on a score; from the horizon, what is neither won nor lost is a draw."""
        if not final and bound == EXACT and abs(score) < PROVEN and self.depth >= self.position.horizon:
            score, final = 0, True
        return Verdict.of(score, bound, ply=self.position.ply, depth=self.depth, final=final)

    def verdicts(self) -> dict[int, Verdict]:
        """Return the verdict on each move searched, by move."""
        return {
            move: self.verdict(score, bound, final=move in self.final)
            for move, (score, bound) in sorted(self.scores.items())
        }

    def variation(self, move: int, *, proven: bool) -> tuple[int, ...]:
        """Return the principal variation from `move` on, as far as the table holds it.

        It goes beyond the search's depth only if the value is `proven`; a guess ends at the leaf.
        """
        line, position, depth = [move], self.position.play(move), self.depth - 1
        wanted = -self.scores[move][0] if move in self.scores else None
        while wanted is not None and not position.terminal and (proven or depth > 0):
            wanted, depth = -wanted, depth - 1
            for reply in position.candidates():
                child = position.play(reply)
                if self.engine.known(child, depth) == wanted:
                    line.append(reply)
                    position = child
                    break
            else:
                wanted = None
        return tuple(line)
