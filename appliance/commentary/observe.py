"""A game -> what is true of each of its moves."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from appliance.commentary.claims import (
    Action,
    Blocks,
    BlocksAndThreatens,
    Claim,
    Completes,
    Dawdles,
    Fades,
    Fills,
    Flawless,
    ForcesWin,
    Forks,
    GivesAway,
    HalfBlocks,
    Level,
    LostCause,
    Mirrors,
    MissesBlock,
    MissesWin,
    OnlyMove,
    Opens,
    Plays,
    Repeats,
    Slips,
    Suffers,
    Threatens,
    Traps,
    Turned,
    Vanished,
)
from engine import Game, Misere, Table
from engine.review import Remark, review

Names = tuple[str, str]


class Observed(NamedTuple):
    """A move and what may be claimed of it, the weightiest first.

    `actions` report the move, and the last of them says nothing else; `verdicts` are the search's.
    """

    before: Game
    after: Game
    actions: tuple[Action, ...]
    verdicts: tuple[Claim, ...]


def observe(
    start: Game, moves: Sequence[int], players: Mapping[str, str], table: Table
) -> tuple[tuple[Observed, ...], tuple[Claim, ...]]:
    """Return what is true of each move of a finished game, and of the game.

    `players` are the names of "x" and "o"; `table` serves all games with the same rule.
    """
    games = [start]
    for move in moves:
        games.append(games[-1].play(move))
    judged = review(start, moves, table)
    following = [*judged[1:], None]
    observed = []
    for (before, after), remark, answer in zip(pairwise(games), judged, following, strict=True):
        names = _names(remark, players)
        actions = tuple(_actions(before, after, remark.move, names))
        observed.append(
            Observed(before, after, actions, tuple(_verdicts(before, after, remark, answer, names)))
        )
    return tuple(observed), tuple(_summary(judged, players))


def _names(remark: Remark, players: Mapping[str, str]) -> Names:
    return players[remark.side], players["ox"["xo".index(remark.side)]]


def wins(position: Game) -> tuple[int, ...]:
    """Return the moves that win at once."""
    return tuple(m for m in position.moves() if position.play(m).outcome == position.to_move)


def threats(position: Game) -> tuple[int, ...]:
    """Return the cells on which the side that is not to move wins next, unless it is prevented."""
    replies = [position.play(reply) for reply in position.moves()]
    return tuple(sorted({cell for after in replies for cell in wins(after)}))


def _actions(before: Game, after: Game, move: int, names: Names) -> Iterator[Action]:
    if after.outcome == before.to_move:
        yield Completes(*names, move)
    elif after.terminal and after.outcome != "draw":
        yield Suffers(*names, move)
    elif after.terminal:
        yield (Fills if "." not in after.cells else Repeats)(*names, move)
    missed, faced, own, left = wins(before), threats(before), threats(after), wins(after)
    if missed and after.outcome != before.to_move:
        yield MissesWin(*names, move, missed)
    if (
        not missed
        and len(faced) == 1
        and move != faced[0]
        and faced[0] in left
        and faced[0] in before.moves()
    ):
        yield MissesBlock(*names, move, faced[0])
    if move in faced and left:
        yield HalfBlocks(*names, move, left)
    if len(own) > 1 and not left:
        yield Forks(*names, move, own)
    if (move,) == faced and len(own) == 1 and not left:
        yield BlocksAndThreatens(*names, move, own[0])
    if (move,) == faced and not left:
        yield Blocks(*names, move)
    if len(own) == 1 and not left:
        yield Threatens(*names, move, own[0])
    centred = isinstance(before, Misere) and before.cells[4] == before.to_move
    if centred and before.cells[8 - move] not in (".", before.to_move):
        yield Mirrors(*names, move, 8 - move)
    yield (Plays if before.ply else Opens)(*names, move)


def _verdicts(
    before: Game, after: Game, remark: Remark, answer: Remark | None, names: Names
) -> Iterator[Claim]:
    count = len(before.moves())
    if remark.reason:
        yield _gives(GivesAway, remark, names)
    elif remark.before.value != "loss" and remark.kept == (remark.move,) and count > 1:
        yield OnlyMove(*names, remark.before.value, count)
    if answer is None:
        return
    if remark.after.distance is not None and remark.before.distance is not None:
        left = remark.after.distance - 1
        if remark.after.value == "win":
            sooner = remark.before.distance - 1
            if 0 < sooner < left:
                yield Dawdles(*names, left, sooner)
            yield ForcesWin(*names, left)
        elif remark.before.value == "loss":
            yield LostCause(*names, left)
    if remark.after.value == "draw":
        replies = len(after.moves())
        if len(answer.kept) < replies:
            yield Traps(*names, replies - len(answer.kept), replies)
        if not remark.changed:
            yield Level(*names)
    if before.fading is not None:
        yield Vanished(*names, before.fading)
    if after.fading is not None:
        yield Fades(*names, after.fading)


def _summary(judged: Sequence[Remark], players: Mapping[str, str]) -> Iterator[Claim]:
    """Yield what is true of the whole game."""
    changes = [remark for remark in judged if remark.changed]
    if not changes:
        yield Flawless(players["x"], players["o"])
        return
    last = changes[-1]
    yield _gives(Turned, last, _names(last, players), last.ply + 1, last.move)
    own = sum(remark.side == last.side for remark in changes)
    if len(changes) > 1:
        yield Slips(*_names(last, players), own, len(changes) - own)


def _gives(kind: type[GivesAway], remark: Remark, names: Names, *more: int) -> GivesAway:
    values = (remark.before.value, remark.after.value, remark.reason)
    return kind(*names, *values, remark.kept, remark.reply, remark.threats, *more)
