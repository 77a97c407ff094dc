"""From a game to the true claims about each of its moves."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from appliance.teaching.commentary import claims
from engine import Game, Misere, Table
from engine.mistakes import Remark, review

Names = tuple[str, str]


class Observed(NamedTuple):
    """A move and the claims about it, the most important first.

    `actions` report the move; the last one says nothing more. `verdicts` are the search's.
    """

    before: Game
    after: Game
    actions: tuple[claims.Action, ...]
    verdicts: tuple[claims.Claim, ...]


def observe(
    start: Game, moves: Sequence[int], players: Mapping[str, str], table: Table
) -> tuple[tuple[Observed, ...], tuple[claims.Claim, ...]]:
    """Return the claims about each move of a finished game, and about the game.

    `players` are the names of "x" and "o"; all games with the same rule may share `table`.
    """
    games = [start]
    for move in moves:
        games.append(games[-1].play(move))
    judged = review(start, moves, table)
    following, lasts = [*judged[1:], None], [None, *moves[:-1]]
    observed = []
    for (before, after), remark, answer, last in zip(pairwise(games), judged, following, lasts, strict=True):
        names = _names(remark, players)
        actions = tuple(_actions(before, after, remark.move, last, names))
        observed.append(
            Observed(before, after, actions, tuple(_verdicts(before, after, remark, answer, names)))
        )
    return tuple(observed), tuple(_summary(judged, players))


def _names(remark: Remark, players: Mapping[str, str]) -> Names:
    return players[remark.side], players["ox"["xo".index(remark.side)]]


def wins(position: Game) -> tuple[int, ...]:
    """Return the moves that win immediately."""
    return tuple(m for m in position.moves() if position.play(m).outcome == position.to_move)


def threats(position: Game) -> tuple[int, ...]:
    """Return the cells on which the side that is not to move threatens to win next."""
    replies = [position.play(reply) for reply in position.moves()]
    return tuple(sorted({cell for after in replies for cell in wins(after)}))


def _actions(before: Game, after: Game, move: int, last: int | None, names: Names) -> Iterator[claims.Action]:
    """Yield the claims that report a move; `last` is the move before it."""
    if after.outcome == before.to_move:
        yield claims.Completes(*names, move)
    elif after.terminal and after.outcome != "draw":
        yield claims.Suffers(*names, move)
    elif after.terminal:
        yield (claims.Fills if "." not in after.cells else claims.Repeats)(*names, move)
    missed, faced, own, left = wins(before), threats(before), threats(after), wins(after)
    if missed and after.outcome != before.to_move:
        yield claims.MissesWin(*names, move, missed)
    if (
        not missed
        and len(faced) == 1
        and move != faced[0]
        and faced[0] in left
        and faced[0] in before.moves()
    ):
        yield claims.MissesBlock(*names, move, faced[0])
    if move in faced and left:
        yield claims.HalfBlocks(*names, move, left)
    if len(own) > 1 and not left:
        yield claims.Forks(*names, move, own)
    if (move,) == faced and len(own) == 1 and not left:
        yield claims.BlocksAndThreatens(*names, move, own[0])
    if (move,) == faced and not left:
        yield claims.Blocks(*names, move)
    if len(own) == 1 and not left:
        yield claims.Threatens(*names, move, own[0])
    if last == 8 - move and isinstance(before, Misere) and before.cells[4] == before.to_move:
        yield claims.Mirrors(*names, move, 8 - move)
    yield (claims.Plays if before.ply else claims.Opens)(*names, move)


def _verdicts(
    before: Game, after: Game, remark: Remark, answer: Remark | None, names: Names
) -> Iterator[claims.Claim]:
    count = len(before.moves())
    if remark.changed:
        yield _gives(claims.GivesAway, remark, names)
    elif remark.before.value != "loss" and remark.kept == (remark.move,) and count > 1:
        yield claims.OnlyMove(*names, remark.before.value, count)
    if answer is None:
        return
    if remark.after.distance is not None and remark.before.distance is not None:
        left = remark.after.distance - 1
        if remark.after.value == "win":
            sooner = remark.before.distance - 1
            if 0 < sooner < left:
                yield claims.Dawdles(*names, left, sooner)
            yield claims.ForcesWin(*names, left)
        elif remark.before.value == "loss":
            yield claims.LostCause(*names, left)
    if remark.after.value == "draw":
        replies = len(after.moves())
        if len(answer.kept) < replies:
            yield claims.Traps(*names, replies - len(answer.kept), replies)
        if not remark.changed:
            yield claims.Even(*names)
    if before.fading is not None:
        yield claims.Vanished(*names, before.fading)
    if after.fading is not None:
        yield claims.Fades(*names, after.fading)


def _summary(judged: Sequence[Remark], players: Mapping[str, str]) -> Iterator[claims.Claim]:
    """Yield the claims about the whole game."""
    changes = [remark for remark in judged if remark.changed]
    if not changes:
        yield claims.Flawless(players["x"], players["o"])
        return
    last = changes[-1]
    yield _gives(claims.Turned, last, _names(last, players), last.ply + 1, last.move)
    own = sum(remark.side == last.side for remark in changes)
    if len(changes) > 1:
        yield claims.Slips(*_names(last, players), own, len(changes) - own)


def _gives(kind: type[claims.GivesAway], remark: Remark, names: Names, *more: int) -> claims.GivesAway:
    before, after, reason = remark.before.value, remark.after.value, remark.reasons[0]
    return kind(*names, before, after, reason, remark.kept, remark.reply, remark.threats, *more)
