"""The list of the games as CSV, JSON lines and objects: what `tictactoe export` prints is in games.csv."""

import csv
import json
import time
from collections.abc import Iterable
from typing import Any, TextIO

from appliance.storage.rows import Played, written

COLUMNS = ("game", "ended", "seconds", "rule", "level", "players", "human", "result", "moves", "helped")


def write_csv(games: Iterable[Played], file: TextIO) -> None:
    """Write a header, then a line for each game; unknown values are empty."""
    writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for one in games:
        record = as_object(one)
        moves = " ".join(map(str, record["moves"]))
        writer.writerow(record | {"moves": moves, "helped": int(record["helped"])})


def write_jsonl(games: Iterable[Played], file: TextIO) -> None:
    """Write each game as an object on a line; unknown values are null."""
    file.writelines(json.dumps(as_object(one)) + "\n" for one in games)


def as_object(one: Played) -> dict[str, Any]:
    """Return a game as a record with the keys of `COLUMNS`.

    `ended` is in UTC by the box's clock, which may be wrong. `moves` are the cells from 1 in reading order, x
    first; 51 is board 5, cell 1. `level` is None where the box did not play, or where it is not known;
    `human` (the person's mark) where nobody played the box. `helped` is whether there was a hint or coach.
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
        "human": game.human if game.players == 1 else None,
        "result": game.result,
        "moves": written(game),
        "helped": game.helped,
    }
