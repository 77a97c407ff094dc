"""One saved game: its record as CSV and JSON, its positions and review, who played it, how it ended."""

import csv
import json
import time
from collections.abc import Iterable
from typing import Any, TextIO

from appliance.core.errors import UserError
from appliance.games.remarks import ENGLISH
from appliance.games.speech import SideNames, Speech
from appliance.storage.rows import Played, written
from engine import RULES, SOLVED, Game, Remark, Table, review

CSV_COLUMNS = ("game", "ended", "seconds", "rule", "level", "players", "human", "result", "moves", "helped")


def write_csv(games: Iterable[Played], file: TextIO) -> None:
    """Write a header, then a line for each game; unknown values are empty."""
    writer = csv.DictWriter(file, CSV_COLUMNS, lineterminator="\n")
    writer.writeheader()
    for one in games:
        row = fields_of(one)
        moves = " ".join(map(str, row["moves"]))
        writer.writerow(row | {"moves": moves, "helped": int(row["helped"])})


def write_jsonl(games: Iterable[Played], file: TextIO) -> None:
    """Write each game as an object on a line; unknown values are null."""
    file.writelines(json.dumps(fields_of(one)) + "\n" for one in games)


def fields_of(one: Played) -> dict[str, Any]:
    """Return a game as an object with the keys of `CSV_COLUMNS`.

    `ended` is in UTC by the box's clock, which may be wrong. `moves` are the cells from 1 in reading order, x
    first; 51 is board 5, cell 1. `level` is None where the box did not play, or where it is not known;
    `human` (the mark of the person, or of the first of two) where nobody played. `helped` is whether there
    was a hint or coach.
    """
    game = one.game
    ended = None if one.ended is None else time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(one.ended))
    return {
        "game": one.number,
        "ended": ended,
        "seconds": round(game.seconds, 1),
        "rule": game.rule,
        "level": None if game.players == 2 else game.level or None,
        "players": game.players,
        "human": game.human if game.players else None,
        "result": game.result,
        "moves": written(game),
        "helped": game.helped,
    }


def replayed(
    number: int | None, rule: str, moves: tuple[int, ...], table: Table | None = None
) -> tuple[list[Game], tuple[Remark, ...]]:
    """Return the positions of a game from its start to its end, and its review: none for an unsolved rule.

    Raise `UserError` for an unplayable rule, and for a saved game, one with a `number`, from a later version
    or of an edited file.
    """
    try:
        games = [RULES[rule].start()]
        for move in moves:
            games.append(games[-1].play(move))
    except OSError as error:
        raise UserError(str(error)) from error
    except (KeyError, ValueError) as error:
        raise UserError(
            f"game {number or ''} of {rule!r} cannot be replayed by this version: {error}"
        ) from error
    return games, review(games[0], moves, table) if rule in SOLVED else ()


def names(saved: Played | None) -> SideNames:
    """Return who plays x and o: the marks themselves where no person is known to have played."""
    if saved is None or not saved.game.players:
        return {"x": "x", "o": "o"}
    own, other = ("you", "box") if saved.game.players == 1 else ("1", "2")
    return {side: own if side == saved.game.human else other for side in "xo"}


def title(saved: Played | None, rule: str, spoken: Speech = ENGLISH) -> str:
    """Return the game's number and rule, and who played it."""
    if saved is None:
        return rule.capitalize()
    game = saved.game
    mark, other = ("o", "x") if game.players and game.human == "o" else ("x", "o")
    sides = names(saved) if game.players else dict.fromkeys("xo", "box")
    who = spoken.say(
        "who_played",
        first=spoken.name(sides[mark]),
        mark=mark,
        second=spoken.name(sides[other]),
        other=other,
        at=spoken.say("at", level=spoken.level(game.level, rule)) if game.level and game.players < 2 else "",
        help=spoken.say("help") if game.helped else "",
    )
    return spoken.say("game", number=saved.number, rule=spoken.rule(rule), who=who)


def ending(end: Game, sides: SideNames, spoken: Speech = ENGLISH) -> str:
    """Return the game's result, or the side to move."""
    if end.outcome is None:
        return spoken.say("not_finished", mark=end.to_move)
    if end.outcome == "draw":
        return spoken.sentence("ended_drawn")
    return spoken.sentence("won", sides[end.outcome])
