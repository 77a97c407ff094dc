"""The engine in numbers: the published game, boards solved, what each part saves, how late a limit ends."""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))

from measure import median, progress
from solved_games import VanishingSolution, vanishing_positions, vanishing_state

from engine import Board, Limit, Table, Vanishing, backtrack, search

# Mean ms of the Python text's program for each move of the computer in one game, on its author's machine.
PUBLISHED = {
    "first": {"plain": (646.50, 19.90, 0.70, 0.10, 0.02), "pruned": (42.14, 2.94, 0.31, 0.06, 0.02)},
    "second": {"plain": (90.00, 3.51, 0.22, 0.08), "pruned": (8.21, 1.28, 0.17, 0.04)},
}
BOARDS = [(3, 3, 3), (4, 4, 3), (4, 4, 4), (4, 5, 4), (4, 6, 4), (5, 5, 4), (5, 6, 4), (6, 6, 5)]
SQUARES = [(3, 3), (4, 4), (5, 4)]  # side, in a row
LIMITS = [0.001, 0.02, 0.1]  # seconds
MAX_NODES = 1_000_000  # where a search with one part switched off is given up


def measure():
    """Return title -> rows; each row maps headings to values."""
    tables = {
        "One game: the Python text's figures, its program here, and the engine": rounds,
        "Boards solved": solved,
        "Positions visited with one part switched off": switches,
        "Time limits: how late a search ends": limits,
        "Vanishing: principal variations against the solution of the whole game": variations,
    }
    result = {}
    for title, rows in tables.items():
        progress(title)
        result[title] = rows()
    return result


def rounds():
    """Return a row for each move of the computer, moving first and second; both sides play perfectly."""
    rows = []
    for seat, own in (("first", 0), ("second", 1)):
        board, number = Board(), 0
        while not board.terminal:
            if board.ply % 2 == own:
                rows.append({"plays": seat, "move": number + 1} | _round(board, PUBLISHED[seat], number))
                number += 1
            board = board.play(search(board).move)
    return rows


def _round(board, published, number):
    searches = {
        "plain": lambda: backtrack(board, pruned=False),
        "pruned": lambda: backtrack(board),
        "engine": lambda: search(board),
    }
    row = {f"published {way} ms": published[way][number] for way in published}
    for name, call in searches.items():
        times = []
        for _ in range(3 if number else 1):
            began = time.perf_counter()
            nodes = call().nodes
            times.append(1000 * (time.perf_counter() - began))
        row |= {f"{name} ms": median(times), f"{name} positions": nodes}
    return row


def solved():
    """Return a row for each board that is solved from its empty position."""
    rows = []
    for height, width, k in BOARDS:
        table = Table()
        found = search(Board(height, width, k), Limit(depth=height * width), table=table)
        row = {"board": f"{height}x{width}, {k} in a row", "value": found.value, "plies": found.distance}
        rows.append(row | {"positions": found.nodes, "ms": 1000 * found.seconds, "table entries": len(table)})
    return rows


def switches():
    """Return a row for each part of the search: what it visits with that part switched off."""
    ways = {
        "nothing": {},
        "table": {"table": Table(0)},
        "symmetry": {"symmetry": False},
        "ordering": {"ordering": False},
        "proofs": {"proofs": False},
    }
    rows = []
    for name, options in ways.items():
        row = {"switched off": name}
        for side, k in SQUARES:
            found = search(Board(side, side, k), Limit(depth=side * side, nodes=MAX_NODES), **options)
            row[f"{side}x{side}, k={k}"] = found.nodes if found.nodes < MAX_NODES else "over a million"
        rows.append(row)
    return rows


def limits():
    """Return a row for each time limit: how far 20 searches overran it, by the clock and in CPU time."""
    rows, board = [], Board(7, 7, 5)
    for seconds in LIMITS:
        limit = Limit(seconds=seconds)
        late = sorted(search(board, limit).seconds - seconds for _ in range(20))
        own = max(search(board, limit, clock=time.thread_time).seconds - seconds for _ in range(20))
        row = {"limit, ms": 1000 * seconds, "median, ms late": 1000 * late[10]}
        rows.append(row | {"worst, ms late": 1000 * late[-1], "worst, ms of CPU late": 1000 * own})
    return rows


def variations(step=1):
    """Return one row: along how many principal variations both sides play their best to the end."""
    solution, decided, best = VanishingSolution(), 0, 0
    for game in list(vanishing_positions(Vanishing()))[::step]:
        if not game.terminal and solution.of(vanishing_state(game))[0]:
            decided += 1
            best += solution.best_play(game, search(game).pv)
    return [{"rule": "vanishing", "won or lost positions": decided, "best to the end": best}]
