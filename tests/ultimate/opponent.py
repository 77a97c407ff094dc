"""Engines in programs of their own: those that others wrote, and the opponent of the matches, uct.c."""

import os
import shlex
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from select import select

from appliance.core.errors import UserError

EXPLORATION = 0.5  # of 0.3 to 1.4 the strongest against itself, at 10,000 playouts: docs/engine.md
SOURCE = Path(__file__).with_name("uct.c")
PATIENCE = 60.0  # seconds for an answer
FAREWELL = 1.0  # seconds to end in, once no more is asked


def build(folder):
    """Compile the opponent into a folder; return the program."""
    if not shutil.which("gcc"):
        raise UserError("gcc is missing. Remedy: sudo apt install gcc libc6-dev")
    program = Path(folder) / "uct"
    flags = ("-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror")
    subprocess.run(["gcc", *flags, "-o", program, SOURCE, "-lm"], check=True)
    return program


def spaced(*words):
    return " ".join(map(str, words))


class Engine:
    """A running engine, which speaks the protocol of `python tests/ultimate --help`.

    Raise `UserError` if the command does not start, and whenever an answer is not what it must be.
    """

    def __init__(self, command, patience=PATIENCE):
        self.name, self.patience, self.unread = f"cmd:{command}", patience, b""
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise UserError(f"{self.name} cannot be split into words: {error}") from error
        try:
            # A group of its own, so that what a script has started ends with it.
            self.process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, process_group=0
            )
        except OSError as error:
            raise UserError(f"{self.name} does not start: {error.strerror}") from error

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(FAREWELL)
        with suppress(ProcessLookupError):  # all of them have ended
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    def seconds(self):
        """Return the processor time of the process so far, by the clock that Linux has for each."""
        return time.clock_gettime(~self.process.pid << 3 | 2)

    def ask(self, request):
        """Return the line that it answers."""
        deadline = time.monotonic() + self.patience
        with suppress(BrokenPipeError):  # once it has ended, there is nothing to read either
            self.process.stdin.write(f"{request}\n".encode())
        while b"\n" not in self.unread:
            left = deadline - time.monotonic()
            if left < 0 or not select([self.process.stdout], [], [], left)[0]:
                raise UserError(f"{self.name} has not answered '{request}' within {self.patience:g} s")
            if not (more := self.process.stdout.read(4096)):
                raise UserError(f"{self.name} has ended without an answer to '{request}'")
            self.unread += more
        line, _, self.unread = self.unread.partition(b"\n")
        return line.decode(errors="backslashreplace").strip()

    def move(self, moves, legal):
        """Return its move in the position after `moves`, where others are `legal`."""
        answer = self.ask(request := spaced("go", *moves))
        if answer not in map(str, legal):
            raise UserError(
                f"{self.name} answered '{answer}' to '{request}', where the legal moves are {spaced(*legal)}"
            )
        return int(answer)


class Opponent(Engine):
    """The opponent in C, with so many playouts a move. It answers more than the protocol demands."""

    def __init__(self, program, playouts, seed=1, exploration=EXPLORATION):
        super().__init__(shlex.join(map(str, (program, seed, exploration, playouts))))

    def perft(self, depth, moves=()):
        return int(self.ask(spaced("perft", depth, *moves)))

    def show(self, moves):
        """Return the winner ("-": a draw, ".": none), the active board or None, the boards and the moves."""
        winner, active, boards, *legal = self.ask(spaced("show", *moves)).split()
        return winner, None if active == "9" else int(active), boards, [int(move) for move in legal]
