"""Play matches of ultimate tic-tac-toe, and print a row of the table in Markdown for each.

    python tests/ultimate [--games 100] [--seed 0] PLAYER OTHER [PLAYER OTHER ...]

A player is search:POSITIONS, lines:POSITIONS (the same search with counted lines as evaluation),
uct:PLAYOUTS (the opponent in C; uct:PLAYOUTS:EXPLORATION), montecarlo:PLAYOUTS (the engine's) or casual.
Without players, the matches that docs/engine.md reports. Needs gcc. A program and one core a match.
"""

import argparse
import re
import shutil
import sys
import tempfile
from contextlib import ExitStack
from functools import partial, reduce
from pathlib import Path

from opponent import Opponent, build

from appliance.progress import Progress
from appliance.teaching.matches import TABLE_HEAD, Contestant, MatchScore, looking, sampling, searching
from engine import Limit, search
from engine.ultimate import Ultimate

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from counted_lines import Counted

STRONGEST = "search:60000"
MATCHES = (
    *(STRONGEST, "uct:10000", STRONGEST, "uct:100000"),
    *(STRONGEST, "lines:60000", STRONGEST, "casual"),
    *("search:2000", "uct:10000"),
)


def player(name, program, stack, seed):
    """Return the player of that name, e.g. uct:10000."""
    if not re.fullmatch(r"casual|(search|lines|montecarlo):[1-9]\d*|uct:[1-9]\d*(:\d+(\.\d+)?)?", name):
        sys.exit(f"{name} is no player: they are search:N, lines:N, uct:N, uct:N:C, montecarlo:N and casual")
    kind, *efforts = name.split(":")
    effort = int(efforts[0]) if efforts else 0
    match kind:
        case "search":
            return searching(effort)
        case "lines":
            limit = Limit(nodes=effort)
            return Contestant(
                f"counted lines, {effort:,} positions",
                lambda _game, moves, _rng: search(reduce(Counted.play, moves, Counted()), limit).move,
            )
        case "montecarlo":
            return sampling(effort)
        case "uct":
            opponent = stack.enter_context(Opponent(program, seed, *efforts[1:]))
            return Contestant(
                f"UCT in C, {effort:,} playouts{''.join(f', c {c}' for c in efforts[1:])}",
                lambda _game, moves, _rng: opponent.move(effort, moves),
                lambda: opponent.seconds,
            )
    return looking()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("players", nargs="*", default=MATCHES)
    args = parser.parse_args()
    if len(args.players) % 2:
        parser.error("players come in pairs")
    if not shutil.which("gcc"):
        sys.exit("gcc is missing. Remedy: sudo apt install gcc libc6-dev")

    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        make = partial(player, program=build(folder), stack=stack, seed=args.seed + 1)
        pairs = list(zip(args.players[::2], args.players[1::2], strict=True))
        with Progress("make matches: games", len(pairs) * args.games) as progress:
            progress.print(TABLE_HEAD)
            for name, other in pairs:
                match = MatchScore(make(name), make(other))
                for _ in match.games(Ultimate, args.games, args.seed):
                    progress.step()
                progress.print(match.row())


main()
