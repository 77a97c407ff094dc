"""What `tictactoe bench` measures: each function returns the rows of one table."""

import sys
import time
from collections.abc import Callable

from appliance.commands._measure import milliseconds, peak_megabytes, progress
from appliance.commands._peers import ENGINE_IMPORT, ENGINE_RUN, Row, beyond
from engine import Board, Limit, SearchResult, Table, alpha_beta, backtrack, minimax, negamax, search
from engine.textbook import Found, result

# Mean milliseconds of the Python text's program for each move of the computer in one game, on its author's
# machine: when the computer begins, and when it answers.
SOURCE: dict[str, dict[str, tuple[float, ...]]] = {
    "first": {"plain": (646.50, 19.90, 0.70, 0.10, 0.02), "pruned": (42.14, 2.94, 0.31, 0.06, 0.02)},
    "second": {"plain": (90.00, 3.51, 0.22, 0.08), "pruned": (8.21, 1.28, 0.17, 0.04)},
}
# The Scala text's: its 4x4 position without pruning and with.
SOURCE_POSITION = "xxx./ooo./x.../...."
SOURCE_POSITION_MS = {"minimax": 892.0, "negamax": 9.0}

BOARDS = [(3, 3, 3), (4, 4, 3), (4, 4, 4), (4, 5, 4), (4, 6, 4), (5, 5, 4), (5, 6, 4), (6, 6, 5)]
SQUARES = [(3, 3), (4, 4), (5, 4)]
FOUR = (4, 4, 4)
LIMITS = [0.001, 0.02, 0.1]
ENOUGH = 1_000_000  # positions after which a search without one of its parts is broken off


def rounds() -> list[Row]:
    """Return a row for each move of the computer, when it begins and when it answers; both play perfectly."""
    rows: list[Row] = []
    for seat, ours in (("first", 0), ("second", 1)):
        board, number = Board(), 0
        while not board.terminal:
            if board.ply % 2 == ours:
                progress(f"rounds: computer {seat}, move {number + 1}")
                rows.append({"plays": seat, "move": number + 1} | _round(board, SOURCE[seat], number))
                number += 1
            board = board.play(search(board).move)
    return rows


def _round(board: Board, source: dict[str, tuple[float, ...]], number: int) -> Row:
    calls = (lambda: backtrack(board, pruned=False), lambda: backtrack(board), lambda: search(board))
    plain, pruned, engine = milliseconds(*calls, seconds=0.0, least=1 if number == 0 else 3)
    return {
        "text's plain ms": source["plain"][number],
        "text's pruned ms": source["pruned"][number],
        "plain ms": plain,
        "pruned ms": pruned,
        "engine ms": engine,
        "plain nodes": backtrack(board, pruned=False).nodes,
        "pruned nodes": backtrack(board).nodes,
        "engine nodes": search(board).nodes,
    }


def empty() -> list[Row]:
    """Return a row for each way to search the empty board, all measured in turns."""
    board = Board()
    searches: dict[str, Callable[[], object]] = {
        "alpha-beta": lambda: alpha_beta(board, 9, result),
        "negamax": lambda: negamax(board, 9, result),
        "backtracking": lambda: backtrack(board),
        "engine": lambda: search(board),
    }
    times = dict(zip(searches, milliseconds(*searches.values(), seconds=1.0), strict=True))
    times["minimax"] = milliseconds(lambda: minimax(board, 9, result), least=1)[0]
    nodes = {"minimax": minimax(board, 9, result).nodes, "engine": search(board).nodes}
    nodes |= {"alpha-beta": alpha_beta(board, 9, result).nodes, "negamax": negamax(board, 9, result).nodes}
    nodes["backtracking"] = backtrack(board).nodes
    return [
        {"search": name, "nodes": nodes[name], "ms": ms, "engine is faster by": ms / times["engine"]}
        for name, ms in sorted(times.items(), key=lambda item: -item[1])
    ]


def position() -> list[Row]:
    """Return a row for each way to search the Scala text's position."""
    board = Board.parse(SOURCE_POSITION, k=4, to_move="o")
    answers: list[Found | SearchResult] = [
        minimax(board, 9, result),
        negamax(board, 9, result),
        search(board),
    ]
    times = [milliseconds(lambda: minimax(board, 9, result), least=1)[0]]
    times += milliseconds(lambda: negamax(board, 9, result), lambda: search(board))
    found = zip(("minimax", "negamax", "engine"), answers, times, strict=True)
    return [
        {
            "search": name,
            "cell": None if answer.move is None else answer.move + 1,
            "nodes": answer.nodes,
            "ms": ms,
            "text's ms": SOURCE_POSITION_MS.get(name),
        }
        for name, answer, ms in found
    ]


def solved() -> list[Row]:
    """Return a row for each board that is solved from its empty position."""
    rows: list[Row] = []
    for height, width, k in BOARDS:
        board, table = Board(height, width, k), Table.of_megabytes(64)
        progress(f"solving {height}x{width}, {k} in a row")
        found = search(board, Limit(depth=height * width), table=table)
        row: Row = {"board": f"{height}x{width}", "k": k, "value": found.value, "distance": found.distance}
        rows.append(row | {"nodes": found.nodes, "ms": 1000 * found.seconds, "table entries": len(table)})
    return rows


def switches() -> list[Row]:
    """Return, for each switch, what the search visits without it."""
    ways: dict[str, Callable[[Board, Limit], int]] = {
        "all of them": lambda board, limit: search(board, limit).nodes,
        "no table": lambda board, limit: search(board, limit, table=Table(0)).nodes,
        "no symmetry": lambda board, limit: search(board, limit, symmetry=False).nodes,
        "no ordering": lambda board, limit: search(board, limit, ordering=False).nodes,
        "no proofs": lambda board, limit: search(board, limit, proofs=False).nodes,
    }
    rows: list[Row] = []
    for name, visit in ways.items():
        row: Row = {"with": name}
        for side, k in SQUARES:
            board, limit = Board(side, side, k), Limit(depth=side * side, nodes=ENOUGH)
            progress(f"switches: {name}, {side}x{side}")
            nodes = visit(board, limit)
            row[f"{side}x{side}, k={k}"] = nodes if nodes < ENOUGH else f"{ENOUGH:,} and no end"
        rows.append(row)
    return rows


def limits() -> list[Row]:
    """Return, for some time limits, how far they were overstepped."""
    rows: list[Row] = []
    board = Board(7, 7, 5)
    for seconds in LIMITS:
        limit = Limit(seconds=seconds)
        late = sorted(search(board, limit).seconds - seconds for _ in range(20))
        # By the processor's own clock, what other programs do meanwhile is left out.
        own = max(search(board, limit, clock=time.thread_time).seconds - seconds for _ in range(20))
        row: Row = {"limit ms": 1000 * seconds, "median late ms": 1000 * late[10]}
        rows.append(row | {"most late ms": 1000 * late[-1], "most late CPU ms": 1000 * own})
    return rows


def memory() -> list[Row]:
    """Return the peak memory of whole processes."""
    five = "\nfrom engine import Table\nsearch(Board(5, 5, 4), table=Table.of_megabytes(64))\n"
    programs = {
        "python, nothing else": "pass",
        "engine imported": ENGINE_IMPORT,
        "empty 3x3": ENGINE_IMPORT + ENGINE_RUN.format(side=3),
        "empty 4x4": ENGINE_IMPORT + ENGINE_RUN.format(side=4),
        "empty 5x5, k=4, table of 64 MB": ENGINE_IMPORT + five,
    }
    return [{"process": name, "MB": peak_megabytes(program)} for name, program in programs.items()]


def instructions() -> list[Row]:
    """Return the machine instructions of the engine's work; nothing where there is no valgrind."""
    return [
        {
            "work": f"empty {side}x{side}",
            "million instructions": beyond(
                ENGINE_IMPORT, ENGINE_IMPORT + ENGINE_RUN.format(side=side), sys.executable
            ),
        }
        for side in (3, 4)
    ]


def perft() -> list[Row]:
    """Return the number of move sequences of the 4x4 game, mirror images counted once and multiplied."""
    known: dict[tuple[int, int], int] = {}

    def count(board: Board, depth: int) -> int:
        if depth == 0:
            return 1
        key = board.key(), depth
        if key not in known:
            known[key] = sum(count(board.play(move), depth - 1) for move in board.moves())
        return known[key]

    return [{"plies": depth, "sequences": count(Board(*FOUR), depth)} for depth in range(1, 9)]


def positions() -> list[Row]:
    """Return the number of positions of the 4x4 game, ply by ply, all of them and up to symmetry."""
    rows: list[Row] = []
    empty = Board(*FOUR)
    layer = {empty.key(): empty}
    ply, everything, classes = 0, 0, 0
    while layer:
        progress(f"positions: ply {ply}")
        images = sum(len(set(board.images())) for board in layer.values())
        everything, classes = everything + images, classes + len(layer)
        rows.append({"ply": ply, "positions": images, "up to symmetry": len(layer)})
        after = (board.play(move) for board in layer.values() for move in board.moves())
        layer, ply = {board.key(): board for board in after}, ply + 1
    return [*rows, {"ply": None, "positions": everything, "up to symmetry": classes}]
