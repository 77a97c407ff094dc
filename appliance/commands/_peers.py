"""The same work done by easyAI, in an environment of its own that is thrown away."""

import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from appliance.commands._measure import (
    million_instructions,
    output_of,
    peak_megabytes,
    progress,
)
from appliance.errors import UserError

EASYAI_GAME = """
import time
from easyAI import Negamax, TranspositionTable, TwoPlayerGame

class Game(TwoPlayerGame):
    def __init__(self, side):
        self.players, self.current_player, self.nodes = (None, None), 1, 1
        self.board = [0] * (side * side)
        rows = [list(range(row * side, (row + 1) * side)) for row in range(side)]
        diagonals = [[row[i] for i, row in enumerate(rows)], [row[-1 - i] for i, row in enumerate(rows)]]
        self.lines = rows + [list(column) for column in zip(*rows)] + diagonals
    def possible_moves(self):
        return [cell for cell, mark in enumerate(self.board) if not mark]
    def make_move(self, move):
        self.nodes += 1
        self.board[move] = self.current_player
    def unmake_move(self, move):
        self.board[move] = 0
    def lose(self):
        return any(all(self.board[cell] == self.opponent_index for cell in line) for line in self.lines)
    def is_over(self):
        return not self.possible_moves() or self.lose()
    def scoring(self):
        return -100 if self.lose() else 0
    def ttentry(self):
        return tuple(self.board)
"""
"""easyAI's own tic-tac-toe for any square board, with its moves counted. The root is a node too."""

EASYAI_RUN = """
game = Game({side})
start = time.perf_counter()
Negamax({depth}, {options})(game)
print(game.nodes, 1000 * (time.perf_counter() - start))
"""

ENGINE_IMPORT = "import time; from engine import Board, Limit, search"
ENGINE_RUN = """
start = time.perf_counter()
found = search(Board({side}, {side}, {side}))
print(found.nodes, 1000 * (time.perf_counter() - start))
"""

WITH_TABLE = "win_score=100, tt=TranspositionTable()"
WORK = (
    ("empty 3x3", 3, "", "easyAI"),
    ("empty 3x3", 3, WITH_TABLE, "easyAI with its table"),
    ("empty 4x4", 4, WITH_TABLE, "easyAI with its table"),
)

Row = dict[str, object]


@contextmanager
def easyai() -> Iterator[str]:
    """Install easyAI where it disturbs nobody, and give the interpreter that has it. Raise `UserError`."""
    with tempfile.TemporaryDirectory(prefix="tictactoe-peers-") as folder:
        progress("installing easyAI in a folder of its own")
        python = str(Path(folder) / "bin" / "python")
        try:
            for command in (
                [sys.executable, "-m", "venv", folder],
                [python, "-m", "pip", "install", "-q", "easyAI"],
            ):
                subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603  # no input of others
        except subprocess.CalledProcessError as error:
            reason = (error.stderr or error.stdout or "no reason given").strip().splitlines()[-1]
            raise UserError(
                f"easyAI could not be installed ({reason}): --peers needs pip and a package index"
            ) from None
        yield python


def compare() -> list[Row]:
    """Return two rows for each piece of work, easyAI's and the engine's: figures taken in turns."""
    rows: list[Row] = []
    with easyai() as python:
        for work, side, options, name in WORK:
            progress(f"{name}: {work}")
            theirs = EASYAI_GAME + EASYAI_RUN.format(side=side, depth=side * side, options=options)
            ours = ENGINE_IMPORT + ENGINE_RUN.format(side=side)
            times: tuple[list[float], list[float]] = ([], [])
            nodes = [0, 0]
            for _ in range(1 if side > 3 else 5):
                for index, (program, binary) in enumerate(((theirs, python), (ours, sys.executable))):
                    count, took = output_of(program, binary)[0].split()
                    nodes[index] = int(count)
                    times[index].append(float(took))
            spent = [statistics.median(record) for record in times]
            programs = ((name, EASYAI_GAME, theirs, python), ("engine", ENGINE_IMPORT, ours, sys.executable))
            for index, (who, start, program, binary) in enumerate(programs):
                row: Row = {"work": work, "program": who, "nodes": nodes[index], "ms": spent[index]}
                row |= {"engine is faster by": spent[index] / spent[1], "MB": peak_megabytes(program, binary)}
                row["million instructions"] = beyond(start, program, binary) if side == 3 else None
                rows.append(row)
    return rows


def beyond(start: str, program: str, python: str) -> float | None:
    """Return the million instructions that a program takes more than its start; None without valgrind."""
    whole = million_instructions(program, python)
    bare = million_instructions(start, python)
    return None if whole is None or bare is None else whole - bare
