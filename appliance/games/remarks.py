"""The text of a review: the moves, and for each mistake its effect and the reason."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import NamedTuple

from appliance.games.speech import SideNames, Speech, speech
from engine import Game, Remark

TEXT_COLUMNS = 58  # of the text beside a board, in characters
ENGLISH = speech()


class Told(NamedTuple):
    """A move in words: who made it, its cell from 1, the outcome after it with best play.

    `marked` is whether it changed the result, or missed a win at once.
    """

    who: str
    cell: int
    marked: bool
    outcome: str


def told(
    games: Sequence[Game], remarks: Sequence[Remark], sides: SideNames, spoken: Speech = ENGLISH
) -> Iterator[Told]:
    """Yield the moves of a review. `games` are the positions from the start to the end."""
    for remark, child in zip(remarks, games[1:], strict=True):
        outcome = _worth(remark, child, sides, spoken)
        yield Told(f"{spoken.name(sides[remark.side])}", remark.move + 1, bool(remark.better), outcome)


def review_lines(games: Sequence[Game], remarks: Sequence[Remark], sides: SideNames) -> Iterator[str]:
    """Yield the lines of a review in English; its arguments are those of `told`."""
    width = max(len(f"{ENGLISH.name(side)}") for side in sides.values())
    yield f"{'move':>9}{'':{width}} {ENGLISH.say('worth')} ({ENGLISH.say('plies_are')})"
    for number, move in enumerate(told(games, remarks, sides), 1):
        yield f"{number:>3}  {move.who:<{width}} {move.cell} {'!' if move.marked else ' '}  {move.outcome}"
    if not any(remark.changed for remark in remarks):
        yield ""
        yield ENGLISH.say("unchanged")
    for remark, game in zip(remarks, games, strict=False):
        if remark.better:
            yield ""
            words = wrap(sentences(remark, sides), TEXT_COLUMNS)
            for row, text in zip_longest(_board(remark, game), words, fillvalue=""):
                yield f"     {row:<15}{text}".rstrip()


def sentences(remark: Remark, sides: SideNames, spoken: Speech = ENGLISH) -> str:
    """Return the effect of a mistake, and the reason."""
    side = sides[remark.side]
    move = spoken.sentence("moved", side, nth=spoken.nth(remark.ply // 2 + 1))
    return " ".join(filter(None, (_did(remark, move, sides, spoken), _why(remark, sides, spoken))))


def _did(remark: Remark, move: str, sides: SideNames, spoken: Speech) -> str:
    """Return the effect of the move, and the better moves."""
    kept, distance = spoken.cells(remark.kept, "or"), remark.before.distance
    if remark.before.value == "draw":
        return spoken.say("lost_draw", move=move, cells=kept)
    if remark.missed:
        foe, missed = sides[remark.foe], spoken.cells(remark.missed, "or")
        at_once = spoken.say("at_once", cells=missed)
        what = at_once if distance == 1 else spoken.say("forced", foe, cells=missed)
    else:
        force = _by_force(distance, remark.best_line, spoken)
        best = "" if remark.best is None else remark.best + 1
        key = "won_by" if len(remark.kept) == 1 else "kept_best" if best else "kept_it"
        what = spoken.say(key, cells=kept, best=best, force=force)
    return spoken.say("did", move=move, did=spoken.say(f"did.{remark.after.value}"), what=what)


def _why(remark: Remark, sides: SideNames, spoken: Speech) -> str:
    """Return why the move changed the result; "" if the missed value says it all."""
    side, foe = sides[remark.side], sides[remark.foe]
    if "own_line" in remark.reasons:
        return spoken.say("own_line")
    if remark.after.value != "loss" or remark.reply is None:
        return ""
    reply, distance = remark.reply + 1, remark.after.distance
    if "missed_block" in remark.reasons:
        return spoken.sentence("missed_block", side, foe, reply=reply)
    if distance == 2:
        return spoken.sentence("reply_wins", foe, reply=reply)
    if remark.threats:
        # A single threat is decisive if it is on the cell that the side's own next move empties.
        ends = spoken.say("vanishes", side) if len(remark.threats) == 1 else ""
        cells = spoken.cells(remark.threats)
        return spoken.sentence("threatens", foe, reply=reply, cells=cells, vanishes=ends)
    if distance == 3:
        return spoken.sentence("only_lines", foe, side, reply=reply)
    force = _by_force(distance and distance - 1, remark.reply_line, spoken)
    return spoken.sentence("by_force", foe, reply=reply, force=force)


def _worth(remark: Remark, child: Game, sides: SideNames, spoken: Speech) -> str:
    """Return the outcome after a move, with best play; `child` is the position after it."""
    value, distance = remark.after.value, remark.after.distance
    if value in ("draw", "unknown"):
        return spoken.say("ended_drawn" if child.terminal else value)
    winner = sides[remark.side if value == "win" else remark.foe]
    if child.terminal:
        return spoken.say("won", winner)
    plies = "" if distance is None else spoken.count("in_plies", distance - 1)
    return spoken.say("wins", winner, plies=plies)


def _board(remark: Remark, game: Game) -> Iterator[str]:
    """Yield the rows of the board before a move: its cell in parentheses, and the better cells."""
    texts = [
        f"({cell + 1})" if cell == remark.move else f" {cell + 1 if cell in remark.better else mark} "
        for cell, mark in enumerate(game.cells)
    ]
    for start in (0, 3, 6):
        yield " ".join(texts[start : start + 3])


def _by_force(distance: int | None, line: Sequence[int], spoken: Speech) -> str:
    """Return the plies that a line takes to win, and its moves; "" if the win is not proven."""
    if distance is None or not line:
        return ""
    return f"{spoken.count('in_plies', distance)} ({' '.join(str(cell + 1) for cell in line)})"
