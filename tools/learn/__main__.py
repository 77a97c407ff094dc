"""Learn the values of ultimate tic-tac-toe by self-play.

`python -m tools.learn` writes engine/ultimate/values.bin. It compiles learn.c with gcc, and lets it play.
Other games than the file's:

    python -m tools.learn SEED GAMES FILE

`python -m tools.learn compare` writes nothing, and exits with status 1 unless the file has what was learned.
Other games follow, as above.
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


def learn(seed: str, games: str) -> bytes:
    """Return the values after so many games."""
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/learn"
        subprocess.run([*COMPILE, "-o", program, SOURCE, "-lm"], check=True)  # noqa: S603
        return subprocess.run([program, seed, games], check=True, stdout=subprocess.PIPE).stdout  # noqa: S603


def write(seed: str = SEED, games: str = GAMES, file: str = str(FILE)) -> None:
    """Write the values to a file."""
    Path(file).write_bytes(zlib.compress(learn(seed, games), 9))


def compare(seed: str = SEED, games: str = GAMES, file: str = str(FILE)) -> None:
    """Exit with a message unless a file has just these values; how they are compressed is zlib's business."""
    learned, known = learn(seed, games), zlib.decompress(Path(file).read_bytes())
    if learned != known:
        others = sum(a != b for a, b in zip(learned, known, strict=False)) + abs(len(learned) - len(known))
        sys.exit(f"{file} has other values than {games} games of seed {seed}: {others} of {len(learned)}")
    print(f"the same {len(known):,} values")  # noqa: T201


if __name__ == "__main__":
    _, *words = sys.argv
    compare(*words[1:]) if words[:1] == ["compare"] else write(*words)
