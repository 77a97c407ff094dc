"""One search by one engine, in a process of its own: `solve.py ENGINE POSITION [import]` prints JSON.

With `import` it only imports what the search needs, to be subtracted from the instructions.
"""

import json
import sys
import time
from pathlib import Path

POSITIONS = {  # name -> the board, how many in a row; x moves when the counts are equal
    "empty 3x3": ("...\n...\n...", 3),
    "3x3 after a corner": ("x..\n...\n...", 3),
    "the source's 4x4": ("xxx.\nooo.\nx...\n....", 4),
    "empty 4x4": ("....\n....\n....\n....", 4),
}
ENGINES = ("textbook minimax", "textbook alpha-beta", "engine", "easyAI", "easyAI with table", "OpenSpiel")


def ours(name, text, k):
    """Return a function that searches with one of the project's own ways."""
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))
    from engine import Board, alpha_beta, minimax, search  # noqa: PLC0415
    from engine.textbook import result  # noqa: PLC0415

    board = Board.parse(text, k=k)
    depth = text.count(".")
    return {
        "engine": lambda: search(board),
        "textbook alpha-beta": lambda: alpha_beta(board, depth, result),
        "textbook minimax": lambda: minimax(board, depth, result),
    }[name]


def easyai(name, text, k):
    """Return a function that searches with easyAI, as its own documentation describes a game."""
    from easyAI import Negamax, TranspositionTable, TwoPlayerGame  # noqa: PLC0415

    side = len(text.split())
    cells = [["x", "o"].index(mark) + 1 if mark != "." else 0 for mark in text.replace("\n", "")]
    rows = [list(range(row * side, (row + 1) * side)) for row in range(side)]
    lines = rows + [list(column) for column in zip(*rows, strict=True)]
    lines += [[row[i] for i, row in enumerate(rows)], [row[-1 - i] for i, row in enumerate(rows)]]

    class Game(TwoPlayerGame):
        def __init__(self):
            self.players, self.nodes, self.board = (None, None), 1, list(cells)
            self.current_player = 1 if cells.count(1) == cells.count(2) else 2

        def possible_moves(self):
            return [cell for cell, mark in enumerate(self.board) if not mark]

        def make_move(self, move):
            self.nodes += 1
            self.board[move] = self.current_player

        def unmake_move(self, move):
            self.board[move] = 0

        def lose(self):
            return any(all(self.board[cell] == self.opponent_index for cell in line) for line in lines)

        def is_over(self):
            return self.lose() or not self.possible_moves()

        def scoring(self):
            return -100 if self.lose() else 0

        def ttentry(self):
            return tuple(self.board)

    game, depth = Game(), text.count(".")
    options = {"win_score": 100, "tt": TranspositionTable()} if name == "easyAI with table" else {}

    def search():
        Negamax(depth, **options)(game)
        return game

    return search


def openspiel(_name, text, _k):
    """Return a function that searches with OpenSpiel's own alpha-beta on its own game."""
    import pyspiel  # noqa: PLC0415
    from open_spiel.python.algorithms import minimax  # noqa: PLC0415

    side = len(text.split())
    game = pyspiel.load_game("tic_tac_toe" if side == 3 else f"mnk(m={side},n={side},k={side})")
    state = game.new_initial_state()
    board = text.replace("\n", "")
    stones = [[cell for cell, mark in enumerate(board) if mark == side_to_move] for side_to_move in "xo"]
    for ply in range(len(stones[0]) + len(stones[1])):
        state.apply_action(stones[ply % 2].pop(0))

    class Found:
        nodes = 0

    inner = minimax._alpha_beta

    def counted(*args, **kwargs):
        Found.nodes += 1
        return inner(*args, **kwargs)

    minimax._alpha_beta = counted  # it calls itself by this name

    def search():
        minimax.alpha_beta_search(game, state=state, maximizing_player_id=state.current_player())
        return Found

    return search


def peak_megabytes():
    """Return the most memory that this process has held, in MB of 2^20 bytes."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))) / 1024


def main(name, position, only_import=""):
    """Search, and print what it took."""
    text, k = POSITIONS[position]
    prepare = easyai if name.startswith("easyAI") else openspiel if name == "OpenSpiel" else ours
    search = prepare(name, text, k)
    if only_import:
        return
    began = time.perf_counter()
    found = search()
    ms = 1000 * (time.perf_counter() - began)
    print(json.dumps({"ms": ms, "nodes": found.nodes, "MB": peak_megabytes()}))  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
