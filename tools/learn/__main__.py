"""Learn the values of ultimate tic-tac-toe by self-play.

`python -m tools.learn` writes engine/ultimate/values.bin. It compiles learn.c with gcc, and lets it play.
Other games than the file's:

    python -m tools.learn SEED GAMES FILE
"""

import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

SOURCE = Path(__file__).with_name("learn.c")
SEED, GAMES = "1", "2000000"
FILE = Path(__file__).parents[2] / "engine/ultimate/values.bin"
# The same on each machine whose arithmetic is IEEE's: no two operations are fused or change places.
COMPILE = ("gcc", "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off")


def main(seed: str = SEED, games: str = GAMES, file: str = str(FILE)) -> None:
    """Write the values after so many games to a file."""
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/learn"
        subprocess.run([*COMPILE, "-o", program, SOURCE, "-lm"], check=True)  # noqa: S603
        values = subprocess.run([program, seed, games], check=True, stdout=subprocess.PIPE).stdout  # noqa: S603
    Path(file).write_bytes(zlib.compress(values, 9))


if __name__ == "__main__":
    main(*sys.argv[1:])
