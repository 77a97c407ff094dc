"""Iterative deepening: from a position and a limit to a move and a verdict."""

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
    """Where a search stops: `depth` in plies, `nodes` in positions visited, `seconds` by the search's clock.

    None means without limit. Raise `ValueError` for a limit that is not greater than zero.
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
    """Return the best move of `position` and what it is worth, as well as `limit` allows.

    - `table`: the transposition table, a new one by default. One that is passed in may serve several searches
      with the same switches; `Table(0)` keeps nothing.
    - `rng`: draws among equally good moves. By default the first of them is taken, in the order of the
      search.
    - `every`: give a verdict on every legal move, not on the best alone.
    - `window`: the scores that are of interest; what lies outside is known as a bound.
    - `deepen`: search one ply deeper at a time, so that there is a good answer at any time, and the nearest
      win is found first. Otherwise, and where neither matters, the search goes to its full depth at once.
    - `ordering`, `symmetry`, `proofs`: switches for what makes the search fast. They change no value,
      except that `proofs`, which are what a position says of its own `bounds`, see further than the depth.
    - `clock`: returns seconds. `stop`: asked now and then; once it says True the search ends. It may be told
      from another thread.

    Raise `ValueError` if the game is over, or the window empty.

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
        most=FOREVER if limit.nodes is None else limit.nodes,
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
    """The root of the tree, where the moves are kept apart.

    `scores` holds what the last iteration found of each move, `final` the exact scores that a deeper one
    cannot change, `depth` the plies of that iteration and `partial` whether it was broken off.
    """

    def __init__(
        self, engine: AlphaBeta, position: Position, window: tuple[int, int], *, ties: bool, every: bool
    ) -> None:
        self.engine, self.position, self.window, self.every = engine, position, window, every
        self.slack = 1 if ties else 0  # how far below the best a move is still of interest
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

        Return whether a deeper search would find nothing else. Raise `Stopped` at a limit: what has been
        found of the iteration by then is worth more than the last one, since it begins with that one's best
        move.
        """
        engine, (alpha, beta) = self.engine, self.window
        guesses, best = engine.guesses, -INFINITE
        found: dict[int, tuple[int, str]] = {}
        try:
            for move in self.moves:
                floor = alpha if self.every else max(alpha, best - self.slack)
                found[move] = self.look(move, depth, floor, beta)
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

    def look(self, move: int, depth: int, alpha: int, beta: int) -> tuple[int, str]:
        """Return the score of one move, and what that is: exact if it lies between alpha and beta."""
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
            return self.at_a_glance(self.moves)
        score = max(score for score, _ in self.scores.values())
        equals = [move for move, (value, _) in self.scores.items() if value == score]
        sure = [move for move in equals if self.scores[move][1] != UPPER] or equals
        move = sure[0] if rng is None else rng.choice(sorted(sure))
        if self.partial:
            # Of the untried moves only the bounds are known; one of them may be sure of more.
            untried = [move for move in self.moves if move not in self.scores]
            other, verdict = self.at_a_glance(untried)
            if self.scores[move][1] == UPPER or score <= -PROVEN or score < verdict.score:
                return other, verdict
            return move, self.verdict(score, LOWER, final=False)
        bound = LOWER if score >= beta else UPPER if score <= alpha else EXACT
        return move, self.verdict(score, bound, final=self.solved)

    def at_a_glance(self, moves: list[int]) -> tuple[int, Verdict]:
        """Return the best of `moves`, none of them searched, and what the bounds of its child prove.

        The position's own bounds hold for its best move, which need not be this one.
        """
        moves = [move for move in self.position.candidates() if move in moves] or moves
        children = {move: self.position.play(move) for move in moves}
        ceilings = {move: self.engine.bounds(child)[1] for move, child in children.items()}
        move = min(moves, key=lambda move: (ceilings[move], children[move].evaluate()))
        score = -ceilings[move]
        exact = self.engine.bounds(self.position) == (score, score)
        return move, self.verdict(score, EXACT if exact else LOWER, final=True)

    def verdict(self, score: int, bound: str, *, final: bool) -> Verdict:
        """Return what a score says: at the horizon, what is neither won nor lost is drawn, not guessed."""
        if not final and bound == EXACT and abs(score) < PROVEN and self.depth >= self.position.horizon:
            score, final = 0, True
        return Verdict.of(score, bound, ply=self.position.ply, depth=self.depth, final=final)

    def verdicts(self) -> dict[int, Verdict]:
        """Return a verdict on each move that was searched, by move."""
        return {
            move: self.verdict(score, bound, final=move in self.final)
            for move, (score, bound) in sorted(self.scores.items())
        }

    def variation(self, move: int, *, proven: bool) -> tuple[int, ...]:
        """Return the principal variation that begins with `move`, as far as the table remembers it.

        It goes beyond the depth of the search only where the value is `proven`: a guess ends where it was
        made.
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
