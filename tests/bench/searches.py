"""The engine against minimax and alpha-beta of the textbooks.

`searches.py WAY POSITION [idle]` is one search, printed as JSON. With `idle` it does all but search, to be
subtracted from the instructions.
"""

import json
import re
import sys
import time
from functools import partial
from pathlib import Path
from statistics import median

from engine import Board, alpha_beta, minimax, search

POSITIONS = {  # name -> the board, how many in a row
    "empty 3x3": (".........", 3),
    "3x3 after a corner": ("x........", 3),
    "4x4 of Negamax in Scala": ("xxx.ooo.x.......", 4),
    "empty 4x4": ("................", 4),
}
WAYS = {
    "textbook minimax": lambda board: minimax(board, board.horizon),
    "textbook alpha-beta": lambda board: alpha_beta(board, board.horizon),
    "engine": search,
}
BOARDS = [(3, 3, 3), (4, 4, 3), (4, 4, 4), (4, 5, 4), (4, 6, 4), (5, 5, 4), (5, 6, 4), (6, 6, 4), (6, 6, 5)]


def ways():
    """Return a row for each position and way to search it, each in a process of its own."""
    from measure import HERE, RUNNER, in_turns, instructions, json_of, progress  # noqa: PLC0415

    rows = []
    for position in POSITIONS:
        commands = {way: [*RUNNER, HERE / "searches.py", way, position] for way in WAYS}
        if position == "empty 4x4":  # the others would take hours
            commands = {"engine": commands["engine"]}
        calls = {f"{way}: {position}": partial(json_of, command) for way, command in commands.items()}
        results = in_turns(calls, 5)
        for way, command in commands.items():
            found = results[f"{way}: {position}"]
            row = {"position": position, "way": way, "nodes": found[0]["nodes"]}
            row |= {name: median(one[name] for one in found) for name in ("ms", "MB")}
            row["million instructions"] = None
            if way != "textbook minimax":  # valgrind would take minutes
                progress(f"counting instructions, {way}: {position}")
                row["million instructions"] = instructions(command) - instructions([*command, "idle"])
            rows.append(row)
    return rows


def boards():
    """Return a row for each board that is solved from its empty position."""
    rows = []
    for shape in BOARDS:
        found = search(Board(*shape))
        row = {"board": "{}x{}, {} in a row".format(*shape), "value": found.value, "plies": found.distance}
        deepened = search(Board(*shape), stop=lambda: False).nodes  # as if it could be interrupted
        row |= {"positions": found.nodes, "ply by ply": deepened}
        rows.append(row | {"ms": 1000 * found.seconds})
    return rows


def variations(step=1):
    """Return along how many of vanishing's principal variations both sides play their best, to their end."""
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
    from solved_games import solve_vanishing, vanishing_games, vanishing_state  # noqa: PLC0415

    solution = solve_vanishing()
    rows = {kind: {"vanishing": kind, "positions": 0, "best play": 0} for kind in ("won or lost", "drawn")}
    for game in vanishing_games()[::step]:
        if not game.terminal:
            row = rows["won or lost" if solution.of(vanishing_state(game))[0] else "drawn"]
            row["positions"] += 1
            row["best play"] += solution.best_play(game, search(game).pv)
    return [*rows.values()]


def main(way, position, idle=""):
    """Search, unless `idle`, and print what it took."""
    text, k = POSITIONS[position]
    board = Board.parse(text, k=k)
    began = time.perf_counter()
    nodes = 0 if idle else WAYS[way](board).nodes
    ms = 1000 * (time.perf_counter() - began)
    peak = int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text("ascii"))[1])
    print(json.dumps({"ms": ms, "nodes": nodes, "MB": peak / 1024}))  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
