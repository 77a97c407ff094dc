"""The review of a game: what each move was worth under perfect play, and why one was a mistake."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

from .deepening import Limit, SearchResult, Verdict, search
from .levels import NODES, Stop
from .position import WIN, Game
from .table import Table

Reason = Literal["own_line", "missed_win", "missed_block", "gave_fork", "trap", "not_at_once"]
"""What kind of mistake a move was, the weightiest first. `Remark` defines them."""

REASONS: tuple[Reason, ...] = get_args(Reason)

NEAR = 2  # plies: a line, or at misère the one that the opponent must then complete
UNPROVEN = Verdict(0, "unknown", None)


class Remark(NamedTuple):
    """One move of a game, judged.

    - `ply`: how many moves came before it; `side`: "x" or "o", who made it; `move`: its cell, from 0.
    - `before`: what the position was worth to that side; `after`: what its move left of that, to the same
      side. Both distances count from before the move.
    - `kept`: the moves proven to keep the value, ascending; () if the value is unknown.
    - `best`: of those the one that wins soonest or loses latest, the lowest of equals; None without any.
    - `missed`: if the side could win at once, or at misère force the opponent to complete a line at once, and
      did not: the cells that would have, ascending; otherwise ().
    - `reasons`: why the move was a mistake, all of `REASONS` that are so; () if none is proven.
    - `reply`: the opponent's move that wins soonest, the lowest of equals; None if none is proven to win.
    - `threats`: if the reply is no win at once but leaves no defence to one, the cells where the opponent
      then wins, ascending; otherwise ().
    - `best_line`: if the move gave a win away (`missed_win`), best play from `best` in its place to the end;
      otherwise (). The winner hurries, the loser delays.
    - `reply_line`: if the move changed the result, best play from `reply` to the end; () without any.

    The reasons:

    - own_line: the move completed a line that loses: a line of one's own, at misère.
    - missed_win: the side had a forced win, in `before.distance` plies, and no longer has it.
    - missed_block: the opponent threatened to win at once, on `reply`, and still does; where there was no win
      a mark there would have kept the draw.
    - gave_fork: the `reply` threatens to win at once on two cells or more, the `threats`, and no
      answer stops them all.
    - trap: the opponent wins by force in any other way. At misère and vanishing there are no forks: at
      misère the side is left with nothing but moves that complete a line, at vanishing the opponent
      threatens the very cell that the side's next move empties.
    - not_at_once: the result is as before, but the move `missed` a win at once.
    """

    ply: int
    side: str
    move: int
    before: Verdict
    after: Verdict
    kept: tuple[int, ...]
    best: int | None
    missed: tuple[int, ...]
    reasons: tuple[Reason, ...]
    reply: int | None
    threats: tuple[int, ...]
    best_line: tuple[int, ...]
    reply_line: tuple[int, ...]

    @property
    def changed(self) -> bool:
        """Whether the move changed the result under perfect play; never for the better."""
        return self.reason not in ("", "not_at_once")

    @property
    def foe(self) -> str:
        """The opponent of the side that made the move: "x" or "o"."""
        return "o" if self.side == "x" else "x"

    @property
    def reason(self) -> str:
        """The first of the reasons, "" without any."""
        return self.reasons[0] if self.reasons else ""

    @property
    def better(self) -> tuple[int, ...]:
        """The cells that would have kept the result or, if the move kept it, won at once; else ()."""
        return self.kept if self.changed else self.missed


def review(
    start: Game, moves: Sequence[int], table: Table | None = None, stop: Stop | None = None
) -> tuple[Remark, ...]:
    """Return a remark on each move of a game from `start`, whether it was finished or not.

    Each position is searched for at most `NODES` positions; what that does not prove is "unknown". `table`
    may serve several reviews. `stop` is polled; once it returns True the rest is soon unknown. Raise
    `ValueError` for a move that is not legal.

    >>> from mnk_engine import Board
    >>> *_, corner = review(Board(), (0, 4, 8, 2))
    >>> corner.side, corner.reason, corner.reply, corner.threats, corner.kept
    ('o', 'gave_fork', 6, (3, 7), (1, 3, 5, 7))
    """
    games = [start]
    for move in moves:
        games.append(games[-1].play(move))
    table = Table() if table is None else table
    # Only after the last move can the game be over.
    found = [
        search(game, Limit(nodes=NODES), every=True, table=table, stop=stop)
        for game in games
        if not game.terminal
    ]
    steps = zip(moves, games, games[1:], found, [*found[1:], None], strict=False)
    return tuple(_remark(*step, stop) for step in steps)


def _remark(
    move: int, game: Game, child: Game, found: SearchResult, answer: SearchResult | None, stop: Stop | None
) -> Remark:
    """Return the remark on a move from `game` to `child`, with what a search found in both."""
    before = Verdict(found.score, found.value, found.distance)
    after = found.moves.get(move, UNPROVEN)
    kept = tuple(
        other for other, verdict in found.moves.items() if verdict.value == before.value != "unknown"
    )
    best = max(kept, key=lambda other: found.moves[other].score, default=None)
    reply = None
    if after.value == "loss" and answer and answer.value == "win":
        reply = max(answer.moves, key=lambda other: answer.moves[other].score)
    threats = _threats(child.play(reply)) if reply is not None and after.distance == 4 else ()
    known = "unknown" not in (before.value, after.value)
    near = known and before.score >= WIN - game.ply - NEAR and before.score > after.score
    missed = tuple(cell for cell, verdict in found.moves.items() if near and verdict.score == before.score)
    changed = known and before.value != after.value
    why: set[Reason] = set()
    if missed and not changed:
        why.add("not_at_once")
    if changed and before.value == "win":
        why.add("missed_win")
    if changed and after.value == "loss":
        if child.terminal:
            why.add("own_line")
        elif after.distance == 2 and reply in (kept if before.value == "draw" else game.moves()):
            why.add("missed_block")
        else:
            why.add("gave_fork" if len(threats) > 1 else "trap")
    reasons = tuple(reason for reason in REASONS if reason in why)
    best_line = _line(game, best if "missed_win" in reasons else None, stop)
    reply_line = _line(child, reply if changed else None, stop)
    judged = (before, after, kept, best, missed, reasons, reply, threats, best_line, reply_line)
    return Remark(game.ply, game.to_move, move, *judged)


def _threats(game: Game) -> tuple[int, ...]:
    """Return the cells that win at once after the moves of `game`; () if some move leaves none."""
    cells: set[int] = set()
    for move in game.moves():
        child = game.play(move)
        wins = {cell for cell in child.moves() if child.play(cell).outcome == child.to_move}
        if not wins:
            return ()
        cells |= wins
    return tuple(sorted(cells))


def _line(game: Game, move: int | None, stop: Stop | None) -> tuple[int, ...]:
    """Return best play from a move that wins to the end; () without a move.

    A new table, since a used one may cut the line short.
    """
    if move is None:
        return ()
    child = game.play(move)
    return (move,) if child.terminal else (move, *search(child, stop=stop).pv)
