"""Iterative deepening: from a position and a limit to a move and a verdict.

A search with a clock must always have an answer ready, and nobody knows beforehand how deep the time will
reach. So it searches one ply deep, then two, and so on, and keeps the answer of the last depth. The repeats
cost little: the tree grows by a factor with each ply, so all shallower searches together are a fraction of
the last one, and their best moves, searched first, save more than that. Where nothing can interrupt the
search, the argument falls away, and it goes to the full depth almost at once.

Source: Slate and Atkin, Chess 4.5, the Northwestern University chess program (in Frey, Chess skill in man and
machine, 1977).
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from .alphabeta import FOREVER, INFINITE, AlphaBeta, Stopped, within
from .board import Board
from .position import PROVEN, WIN, Position, whole
from .table import Table


@dataclass(frozen=True, slots=True)
class Limit:
    """When a search stops: `depth` in plies, `nodes` in positions visited, `seconds` of the search's clock.

    None means no limit. Raise `ValueError` unless depth and nodes are whole numbers from 1 on, and seconds a
    number above zero.
    """

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name, value in (("depth", self.depth), ("nodes", self.nodes)):
            if value is not None:
                whole(f"the limit {name}", value, 1)
        number = hasattr(self.seconds, "__float__") and not isinstance(self.seconds, bool)
        if self.seconds is not None and not (number and self.seconds > 0):
            raise ValueError(f"the limit seconds must be a number above zero, not {self.seconds!r}")


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a position, or on a move in it, for the side to move there.

    - `score`: on the scale of position.py; of an interrupted search, a lower bound.
    - `value`: "win", "draw" or "loss" if proven for perfect play, otherwise "unknown"; "exact" for a proven
      score that is none of these, of a game that ends in numbers (`Tree`).
    - `distance`: plies to the end of a won or lost game, by the fastest win against the slowest loss; None
      for a draw and if not proven. With foresight (foresight.py) a faster win may be missed.
    """

    score: int
    value: str
    distance: int | None


@dataclass(frozen=True, slots=True)
class SearchResult(Verdict):
    """The verdict on the position searched, and how it was found.

    - `move`: the move to play; always legal.
    - `pv`: the principal variation, best play by both sides, `move` first. With a new table, a search that
      proves a win or a loss follows it to the end; a small or used table may cut it short. In a draw it ends
      with the last move that is proven to keep it. If the value is unknown it is no longer than `depth`.
    - `depth`: plies of the last iteration that contributed; 0 if none did.
    - `nodes`: positions visited (see __init__.py), those that bounds settled included.
    - `seconds`: by the search's clock.
    - `moves`: the verdict on each legal move, for the side that makes it, if `every` was set.
    """

    move: int
    pv: tuple[int, ...]
    depth: int
    nodes: int
    seconds: float
    moves: Mapping[int, Verdict] = field(default_factory=dict, hash=False)  # a dict has no hash


UNLIMITED = Limit()
QUICK = 18  # plies of a low tree, at most: the horizon of any game on nine cells
GLANCE = 3  # plies of the look for a near win
AT_ONCE = 30  # plies to go in one step, at most
THREATENED = 49  # plies, the farthest horizon at which threats (threats.py) pay; with more, they cost more
UNTHREATENED = 23  # plies, the farthest at which they cost more if nothing can interrupt the search


def search(
    position: Position,
    limit: Limit = UNLIMITED,
    *,
    table: Table | None = None,
    every: bool = False,
    proofs: bool = True,
    clock: Callable[[], float] = time.monotonic,
    stop: Callable[[], bool] | None = None,
) -> SearchResult:
    """Return the best move of `position` and its value, as far as `limit` allows.

    It looks deeper and deeper, as `depths` says.

    - `table`: the transposition table, a new one by default. A table may serve several searches of one
      game with the same `proofs`: two games, or two trees, may share keys. `Table(0)` stores nothing.
    - `every`: return a verdict on every legal move, not only on the best.
    - `proofs`: whether to use a position's own `bounds` and chains of threats (threats.py), which save most
      of the work and see beyond the depth; with foresight (foresight.py), also whether to give up replies.
    - `clock`: returns seconds. `stop`: polled, such as the `is_set` of an event that another thread sets; the
      search ends once it returns True.

    Raise `ValueError` if the game is over.

    >>> from mnk_engine import Board
    >>> found = search(Board.parse("x.. / .o. / ..x"))  # o to move
    >>> found.move, found.value
    (1, 'draw')
    >>> found = search(Board(5, 5, 4), Limit(depth=4), every=True)
    >>> found.value, found.depth, len(found.moves)
    ('unknown', 4, 25)
    """
    if position.terminal:
        raise ValueError("the game is over: there is nothing to search")
    start = clock()
    interruptible = (limit.nodes, limit.seconds, stop) != (None, None, None)
    least = QUICK if interruptible else UNTHREATENED
    kind = AlphaBeta
    if hasattr(position, "replies"):
        from .foresight import Foresight  # noqa: PLC0415 - the games on nine cells start without it

        kind = Foresight
    elif proofs and type(position) is Board and least < position.horizon <= THREATENED:
        from .threats import ThreatSearch  # noqa: PLC0415 - larger boards alone need it

        kind = ThreatSearch
    engine = kind(
        Table() if table is None else table,
        proofs=proofs,
        max_nodes=FOREVER if limit.nodes is None else limit.nodes,
        deadline=start + (FOREVER if limit.seconds is None else limit.seconds),
        clock=clock,
        stop=stop,
    )
    root = _Root(engine, position, every=every)
    deepest = position.horizon if limit.depth is None else min(limit.depth, position.horizon)
    try:
        for depth in depths(deepest, wide=hasattr(position, "replies"), interruptible=interruptible):
            if root.iterate(depth):
                break
    except Stopped:
        pass
    move, verdict = root.best()
    return SearchResult(
        score=verdict.score,
        value=verdict.value,
        distance=verdict.distance,
        move=move,
        pv=root.variation(move, verdict.value),
        depth=root.depth,
        nodes=engine.nodes,
        seconds=clock() - start,
        moves=root.verdicts() if every else {},
    )


def depths(deepest: int, *, wide: bool = False, interruptible: bool) -> list[int]:
    """Return how deep each iteration of a search to `deepest` plies goes.

    - A low tree is searched at once, unless it is `wide`: shallower searches cost more than they save.
    - What may be interrupted goes ply by ply, so that an answer is always ready.
    - Anything else glances ahead for a near win, then goes all the way. If that is far it goes by two plies,
      as a win takes an odd number: each iteration sorts the moves for the next, where a bad one costs hours.

    >>> from mnk_engine.deepening import depths
    >>> depths(18, interruptible=True), depths(30, interruptible=False)
    ([18], [3, 30])
    >>> depths(20, interruptible=True)
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]
    >>> depths(32, interruptible=False)
    [3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 32]
    """
    if deepest <= QUICK and not wide:
        return [deepest]
    if interruptible:
        return [*range(1, deepest + 1)]
    looks = range(GLANCE, deepest, 2)
    return [*(looks if deepest > AT_ONCE else looks[:1]), deepest]


class _Root:
    """The root of the tree, which keeps a score for each move.

    - `scores`: each move's score in the last iteration, at most the best; only the first of the best moves'
      is exact, and with `every` all are.
    - `depth`: the plies of that iteration; `partial`: it was interrupted; `solved`: a deeper one would find
      the same.
    - `final`: exact scores that no deeper iteration can change.
    """

    def __init__(self, engine: AlphaBeta, position: Position, *, every: bool) -> None:
        self.engine, self.position, self.every = engine, position, every
        self.moves = list(position.candidates())
        if every or not engine.proofs:
            self.moves += [move for move in position.moves() if move not in self.moves]
        self.scores: dict[int, int] = {}
        self.final: dict[int, int] = {}
        self.depth = 0
        self.partial = self.solved = False

    def iterate(self, depth: int) -> bool:
        """Search the moves `depth` plies deep, the best of the last iteration first.

        Return whether a deeper search would find the same. Raise `Stopped` at a limit; the scores found by
        then replace the last iteration's, since its best move is searched first.
        """
        guesses, best = self.engine.guesses, -INFINITE
        found: dict[int, int] = {}
        try:
            for move in self.moves:
                found[move] = self.evaluate(move, depth, -INFINITE if self.every else best)
                best = max(best, found[move])
        except Stopped:
            if found and not (self.every and self.scores):
                self.scores, self.depth, self.partial = found, depth, True
            else:  # what has become final since then holds in place of that iteration's estimate
                self.scores |= {move: self.final[move] for move in self.scores if move in self.final}
            raise
        self.scores, self.depth = found, depth
        self.moves.sort(key=lambda move: -found[move])
        near = within(best, self.position.ply, depth) and not self.every
        self.solved = near or self.engine.guesses == guesses
        return self.solved

    def evaluate(self, move: int, depth: int, alpha: int) -> int:
        """Return the score of one move: exact if above alpha, otherwise an upper bound."""
        if move in self.final:
            return self.final[move]
        engine, guesses = self.engine, self.engine.guesses
        child, low, high = engine.visit(self.position, move)
        score = engine.score(child, low, high, depth - 1, alpha, INFINITE)
        exact = low == high or score > alpha
        if exact and (engine.guesses == guesses or within(score, self.position.ply, depth)):
            self.final[move] = score
            engine.guesses = guesses
        return score

    def best(self) -> tuple[int, Verdict]:
        """Return the move to play and the verdict on the position."""
        if not self.scores:
            return self.unsearched(self.moves)
        move = max(self.scores, key=lambda move: self.scores[move])
        score = self.scores[move]
        if self.partial:
            # The interrupted iteration may have refuted its moves, or the bounds of an untried one be better.
            untried = [move for move in self.moves if move not in self.scores]
            other, verdict = self.unsearched(untried)
            if score <= -PROVEN or score < verdict.score:
                return other, verdict
            return move, self.verdict(score, exact=False, final=False)
        return move, self.verdict(score, final=self.solved)

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
        return move, self.verdict(score, exact=exact, final=True)

    def verdict(self, score: int, *, exact: bool = True, final: bool) -> Verdict:
        """Return the verdict on a score, `exact` or a lower bound; `final` if it rests on no estimate.

        A win or a loss holds even if it does; its distance only within the depth searched. From the horizon,
        what is neither won nor lost is a draw.
        """
        value, distance = "unknown", None
        if abs(score) >= PROVEN and (exact or score > 0):
            value, distance = "win" if score > 0 else "loss", WIN - abs(score) - self.position.ply
            if not exact or not (final or distance <= self.depth):
                distance = None
        elif exact and final:
            value = "exact" if score else "draw"
        elif exact and self.depth >= self.position.horizon:
            score, value = 0, "draw"
        return Verdict(score, value, distance)

    def verdicts(self) -> dict[int, Verdict]:
        """Return the verdict on each move searched, by move."""
        return {
            move: self.verdict(score, final=move in self.final) for move, score in sorted(self.scores.items())
        }

    def variation(self, move: int, value: str) -> tuple[int, ...]:
        """Return the principal variation from `move` on, as far as the table holds it.

        It goes beyond the search's depth only if `value` is proven; a guess ends at the leaf. A draw
        within the depth that is left is no proof in a game without an end, so each move of a drawn line must
        have been searched to the horizon.
        """
        line, position, depth = [move], self.position.play(move), self.depth - 1
        wanted = -self.scores[move] if move in self.scores else None
        while wanted is not None and not position.terminal and (value != "unknown" or depth > 0):
            wanted, depth = -wanted, depth - 1
            for reply in position.candidates():
                child = position.play(reply)
                if self.engine.known(child, child.horizon if value == "draw" else depth) == wanted:
                    line.append(reply)
                    position = child
                    break
            else:
                wanted = None
        return tuple(line)
