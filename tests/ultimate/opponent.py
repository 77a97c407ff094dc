"""The opponent of the matches, uct.c: compiled, and spoken to by a pipe."""

import subprocess
from pathlib import Path

EXPLORATION = 0.5  # of 0.3 to 1.4 the strongest against itself, at 10,000 playouts: docs/engine.md
SOURCE = Path(__file__).with_name("uct.c")


def build(folder):
    """Compile it into a folder; return the program."""
    program = Path(folder) / "uct"
    flags = ("-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror")
    subprocess.run(["gcc", *flags, "-o", program, SOURCE, "-lm"], check=True)
    return program


class Opponent:
    """A running opponent; `seconds` is the processor time of its searches so far."""

    def __init__(self, program, seed=1, exploration=EXPLORATION):
        self.seconds = 0.0
        self.process = subprocess.Popen(
            [program, str(seed), str(exploration)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.communicate()

    def ask(self, *words):
        print(*words, file=self.process.stdin, flush=True)
        return self.process.stdout.readline().split()

    def move(self, playouts, moves):
        """Return the move after so many playouts, in the position after `moves`."""
        move, microseconds = map(int, self.ask("go", playouts, *moves))
        self.seconds += microseconds / 1e6
        return move

    def perft(self, depth, moves=()):
        (count,) = self.ask("perft", depth, *moves)
        return int(count)

    def show(self, moves):
        """Return the winner ("-": a draw, ".": none), the active board or None, the boards and the moves."""
        winner, active, boards, *legal = self.ask("show", *moves)
        return winner, None if active == "9" else int(active), boards, [int(move) for move in legal]
