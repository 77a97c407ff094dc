"""The words of a review: a list of the moves, and for each that changed the result what it did and why."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from textwrap import wrap

from appliance.commentary.wording import ordinal
from engine import Game, Misere, Remark

WIDTH = 58  # characters, of the words beside a board


def review_lines(start: Game, remarks: Sequence[Remark], names: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of a review. `names` are those of x and of o: "you", "the box", or the marks."""
    games = [start]
    for remark in remarks:
        games.append(games[-1].play(remark.move))
    width = max(map(len, names.values()))
    yield f"{'move':>9}{'':{width}} then, with best play (plies: moves of either side)"
    for number, (remark, child) in enumerate(zip(remarks, games[1:], strict=True), 1):
        move = f"{names[remark.side]:<{width}} {remark.move + 1} {'!' if remark.changed else ' '}"
        yield f"{number:>3}  {move}  {_worth(remark, child, names)}"
    if not any(remark.changed for remark in remarks):
        yield ""
        yield "No move changed the result."
    for remark, game in zip(remarks, games, strict=False):
        if remark.changed:
            yield ""
            words = wrap(sentences(remark, game, names), WIDTH)
            for row, text in zip_longest(_board(remark, game), words, fillvalue=""):
                yield f"     {row:<15}{text}".rstrip()


def sentences(remark: Remark, game: Game, names: Mapping[str, str]) -> str:
    """Return what a move did that changed the result, and why; `game` is the position before it."""
    side = names[remark.side]
    whose = "Your" if side == "you" else f"{capital(side)}'s"
    said = f"{whose} {ordinal(remark.ply // 2 + 1)} move {_did(remark, game, names)}."
    return " ".join(filter(None, (said, _why(remark, game, names))))


def _did(remark: Remark, game: Game, names: Mapping[str, str]) -> str:
    """Return what the move did, and what would have kept the value."""
    kept, distance = _cells(remark.kept), remark.before.distance
    if remark.before.value == "draw":
        return f"lost: {kept} kept the draw"
    did = "gave the win away" if remark.after.value == "draw" else "turned a win into a loss"
    best = "" if remark.best is None else f"{remark.best + 1}"
    if distance == 1:
        return f"{did}: {best} won at once"
    if distance == 2 and isinstance(game, Misere):
        return f"{did}: {best} left {names[_foe(remark)]} only moves that complete a line"
    if len(remark.kept) == 1:
        return f"{did}: {kept} won{_plies(distance)}"
    return f"{did}: {kept} kept it{f', {best}{_plies(distance)}' if distance else ''}"


def _why(remark: Remark, game: Game, names: Mapping[str, str]) -> str:
    """Return why it changed the result; "" where the value that was missed says all."""
    side, foe = names[remark.side], names[_foe(remark)]
    whose = "your" if side == "you" else f"{side}'s"
    if remark.reason == "own_line":
        return "It completed a line, which loses."
    if remark.after.value == "draw" or remark.reply is None:
        return ""
    reply, distance = remark.reply + 1, remark.after.distance
    if remark.reason == "missed_block":
        return f"{capital(foe)} threatened {reply}, and {side} did not block it."
    if distance == 2:
        return f"{capital(foe)} {_verb('win', foe)} at once, on {reply}."
    answers = f"{capital(foe)} {_verb('answer', foe)} {reply}"
    if remark.threats:
        # With one threat alone it is on the cell that the side's own next move empties.
        ends = f", where {whose} own mark vanishes" if len(remark.threats) == 1 else ""
        return f"{answers} and {_verb('threaten', foe)} {_cells(remark.threats)}{ends}."
    if distance == 3 and isinstance(game, Misere):
        return f"{answers}, and every move left to {side} completes a line."
    return f"{answers} and {_verb('win', foe)} by force{_plies(distance and distance - 1)}."


def _worth(remark: Remark, child: Game, names: Mapping[str, str]) -> str:
    """Return what a move left; `child` is the position after it."""
    value, distance = remark.after.value, remark.after.distance
    if value in ("draw", "unknown"):
        return "drawn" if child.terminal else value
    winner = names[remark.side if value == "win" else _foe(remark)]
    if child.terminal:
        return f"{winner} won"
    return f"{winner} {_verb('win', winner)}{_plies(distance and distance - 1)}"


def _board(remark: Remark, game: Game) -> Iterator[str]:
    """Yield the rows of the board before a move: its cell in brackets, and those that kept the value."""
    texts = [
        f"({cell + 1})" if cell == remark.move else f" {cell + 1 if cell in remark.kept else mark} "
        for cell, mark in enumerate(game.cells)
    ]
    for start in (0, 3, 6):
        yield " ".join(texts[start : start + 3])


def _foe(remark: Remark) -> str:
    return "o" if remark.side == "x" else "x"


def _verb(verb: str, name: str) -> str:
    return verb if name == "you" else f"{verb}s"


def capital(text: str) -> str:
    """Return `text` as a sentence begins with it; the marks x and o stay small."""
    return text if text[0] in "xo" else text[0].upper() + text[1:]


def _plies(distance: int | None) -> str:
    if distance is None:
        return ""
    return f" in {distance} {'ply' if distance == 1 else 'plies'}"


def _cells(cells: Sequence[int]) -> str:
    *most, last = [str(cell + 1) for cell in cells]
    return f"{', '.join(most)} and {last}" if most else last
