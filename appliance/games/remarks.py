"""The text of a review: the moves, and for each mistake its effect and the reason."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import NamedTuple

from appliance.core.english import capital, counted, listed, ordinal
from engine import Game, Remark

TEXT_COLUMNS = 58  # of the text beside a board, in characters
WORTH = "then, with best play"  # the title of the outcomes
PLIES = "plies: moves of either side"
UNCHANGED = "No move changed the result."


class Told(NamedTuple):
    """A move in words: who made it, its cell from 1, the outcome after it with best play.

    `marked` is whether it changed the result, or missed a win at once.
    """

    who: str
    cell: int
    marked: bool
    outcome: str


def told(games: Sequence[Game], remarks: Sequence[Remark], names: Mapping[str, str]) -> Iterator[Told]:
    """Yield the moves of a review. `games` are the positions from the start to the end.

    `names` are the names of x and o: "you", "the box", or the marks.
    """
    for remark, child in zip(remarks, games[1:], strict=True):
        outcome = _worth(remark, child, names)
        yield Told(names[remark.side], remark.move + 1, bool(remark.better), outcome)


def review_lines(games: Sequence[Game], remarks: Sequence[Remark], names: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of a review; its arguments are those of `told`."""
    width = max(map(len, names.values()))
    yield f"{'move':>9}{'':{width}} {WORTH} ({PLIES})"
    for number, move in enumerate(told(games, remarks, names), 1):
        yield f"{number:>3}  {move.who:<{width}} {move.cell} {'!' if move.marked else ' '}  {move.outcome}"
    if not any(remark.changed for remark in remarks):
        yield ""
        yield UNCHANGED
    for remark, game in zip(remarks, games, strict=False):
        if remark.better:
            yield ""
            words = wrap(sentences(remark, names), TEXT_COLUMNS)
            for row, text in zip_longest(_board(remark, game), words, fillvalue=""):
                yield f"     {row:<15}{text}".rstrip()


def sentences(remark: Remark, names: Mapping[str, str]) -> str:
    """Return the effect of a mistake, and the reason."""
    side = names[remark.side]
    whose = "Your" if side == "you" else f"{capital(side)}'s"
    said = f"{whose} {ordinal(remark.ply // 2 + 1)} move {_did(remark, names)}."
    return " ".join(filter(None, (said, _why(remark, names))))


def _did(remark: Remark, names: Mapping[str, str]) -> str:
    """Return the effect of the move, and the better moves."""
    kept, distance = _cells(remark.kept), remark.before.distance
    if remark.before.value == "draw":
        return f"lost: {kept} kept the draw"
    after = {"win": "kept the win, but", "draw": "gave the win away:", "loss": "turned a win into a loss:"}
    did = after[remark.after.value]
    if remark.missed:
        won = "won at once" if distance == 1 else f"forced {names[remark.foe]} to complete a line"
        return f"{did} {_cells(remark.missed)} {won}"
    won = _by_force(distance, remark.best_line)
    if len(remark.kept) == 1:
        return f"{did} {kept} won{won}"
    return f"{did} {kept} kept it{'' if remark.best is None else f', {remark.best + 1}{won}'}"


def _why(remark: Remark, names: Mapping[str, str]) -> str:
    """Return why the move changed the result; "" if the missed value says it all."""
    side, foe = names[remark.side], names[remark.foe]
    whose = "your" if side == "you" else f"{side}'s"
    if "own_line" in remark.reasons:
        return "It completed a line, which loses."
    if remark.after.value != "loss" or remark.reply is None:
        return ""
    reply, distance = remark.reply + 1, remark.after.distance
    if "missed_block" in remark.reasons:
        return f"{capital(foe)} threatened {reply}, and {side} did not block it."
    if distance == 2:
        return f"{capital(foe)} {_verb('win', foe)} at once, on {reply}."
    answers = f"{capital(foe)} {_verb('answer', foe)} {reply}"
    if remark.threats:
        # A single threat is decisive if it is on the cell that the side's own next move empties.
        ends = f", where {whose} own mark vanishes" if len(remark.threats) == 1 else ""
        return f"{answers} and {_verb('threaten', foe)} {_cells(remark.threats)}{ends}."
    if distance == 3:
        return f"{answers}, and every move left to {side} completes a line."
    won = _by_force(distance and distance - 1, remark.reply_line)
    return f"{answers} and {_verb('win', foe)} by force{won}."


def _worth(remark: Remark, child: Game, names: Mapping[str, str]) -> str:
    """Return the outcome after a move, with best play; `child` is the position after it."""
    value, distance = remark.after.value, remark.after.distance
    if value in ("draw", "unknown"):
        return "drawn" if child.terminal else value
    winner = names[remark.side if value == "win" else remark.foe]
    if child.terminal:
        return f"{winner} won"
    return f"{winner} {_verb('win', winner)}{_plies(distance and distance - 1)}"


def _board(remark: Remark, game: Game) -> Iterator[str]:
    """Yield the rows of the board before a move: its cell in parentheses, and the better cells."""
    texts = [
        f"({cell + 1})" if cell == remark.move else f" {cell + 1 if cell in remark.better else mark} "
        for cell, mark in enumerate(game.cells)
    ]
    for start in (0, 3, 6):
        yield " ".join(texts[start : start + 3])


def _verb(verb: str, name: str) -> str:
    return verb if name == "you" else f"{verb}s"


def _plies(distance: int | None) -> str:
    if distance is None:
        return ""
    return f" in {counted(distance, 'ply', 'plies')}"


def _by_force(distance: int | None, line: Sequence[int]) -> str:
    """Return the plies that a line takes to win, and its moves; "" if the win is not proven."""
    if distance is None or not line:
        return ""
    return f"{_plies(distance)} ({' '.join(str(cell + 1) for cell in line)})"


def _cells(cells: Sequence[int]) -> str:
    return listed(cell + 1 for cell in cells)
