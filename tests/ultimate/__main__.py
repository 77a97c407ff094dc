"""Play matches of ultimate tic-tac-toe, and print a row of the table in Markdown for each.

    python tests/ultimate [--games 200] [--seed 0] PLAYER OTHER [PLAYER OTHER ...]

Each opening of random moves is played from both sides. Without players, the matches that docs/engine.md
reports. A player is

    search:POSITIONS      the engine's search
    montecarlo:PLAYOUTS   the engine's Monte-Carlo tree search
    casual                who only looks for wins and threats
    uct:PLAYOUTS[:C]      Monte-Carlo tree search in C, exploring with the constant C; needs gcc
    cmd:COMMAND           any other engine: a program that reads and writes lines of text

The command is started once, without a shell, and plays all games of a match. Whenever it is to move, it reads
a line from its standard input, and writes a line with its move to its standard output, which it flushes:

    go 40 36        all moves so far, of both sides; "go" alone is the empty board
    3               the answer

A move is 9 * board + cell, boards and cells from 0 to 8 in reading order. Nothing else is sent: moves that do
not go on from the last ones begin another game, and at the end of its input the program ends. What it writes
to standard error is shown. If it answers anything but a legal move, does not answer within --seconds, or
ends, the matches stop with one sentence and exit status 2. "ms a move" is the processor time of the program
itself: a script that starts an engine must exec it.

tests/ultimate/mnk_player.py is such a program, for whichever version of the engine is installed:

    git worktree add ../before COMMIT
    python3 -m venv ../old && ../old/bin/pip install ../before/engine
    make matches ARGS="search:30000 'cmd:../old/bin/python tests/ultimate/mnk_player.py 30000'"
"""

import argparse
import re
import sys
from contextlib import ExitStack
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))

from matches import TABLE_HEAD, Contestant, MatchScore, looking, sampling, searching
from opponent import PATIENCE, Engine, Opponent, build

from appliance.core.errors import UserError
from appliance.progress import Progress
from engine.levels import STRONGEST_NODES
from engine.ultimate import Ultimate

STRONGEST = f"search:{STRONGEST_NODES}"
MATCHES = (
    *(STRONGEST, "uct:10000", STRONGEST, "uct:100000"),
    *(STRONGEST, "casual", "search:2000", "uct:10000"),
)
PLAYER = r"casual|(search|montecarlo):[1-9]\d*|uct:[1-9]\d*(:\d+(\.\d+)?)?|cmd:.+"


def player(name, stack, compiled, args):
    """Return the player of that name, e.g. uct:10000. What it starts ends with the stack."""
    kind, _, rest = name.partition(":")
    if kind == "cmd":
        return running(rest, stack.enter_context(Engine(rest, args.seconds)))
    effort, *constant = rest.split(":")
    match kind:
        case "search":
            return searching(int(effort))
        case "montecarlo":
            return sampling(int(effort))
        case "uct":
            title = f"UCT in C, {int(effort):,} playouts{''.join(f', c {c}' for c in constant)}"
            engine = Opponent(compiled(), effort, args.seed + 1, *constant)
            return running(title, stack.enter_context(engine))
    return looking()


def running(title, engine):
    """Return the player that is an engine in a program of its own."""
    return Contestant(title, lambda game, moves, _rng: engine.move(moves, game.moves()), engine.seconds)


def even(text):
    if not text.isdecimal() or int(text) < 2 or int(text) % 2:
        raise argparse.ArgumentTypeError(f"{text} is no even number from 2 on")
    return int(text)


def main():
    parser = argparse.ArgumentParser(
        prog="make matches", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=even, default=200, help="games a match (200)")
    parser.add_argument(
        "--seed", type=int, default=0, help="draws the openings, and whatever players draw (0)"
    )
    parser.add_argument(
        "--seconds", type=float, default=PATIENCE, help="for a move of an engine by cmd: (60)"
    )
    parser.add_argument("players", nargs="*", default=MATCHES, metavar="PLAYER")
    args = parser.parse_args()
    for name in args.players:
        if not re.fullmatch(PLAYER, name):
            parser.error(f"{name} is no player: see --help")
    if len(args.players) % 2:
        parser.error("players come in pairs")
    try:
        play(args)
    except UserError as error:
        sys.stderr.write(f"make matches: {error}\n")
        return 2
    return 0


def play(args):
    """Play the matches, and print their table."""
    pairs = list(zip(args.players[::2], args.players[1::2], strict=True))
    with TemporaryDirectory() as folder:
        compiled = cache(partial(build, folder))
        print(TABLE_HEAD, flush=True)
        for pair in pairs:
            with ExitStack() as stack, Progress(f"make matches: {' '.join(pair)}", args.games) as progress:
                match = MatchScore(*(player(name, stack, compiled, args) for name in pair))
                for _ in progress.over(match.games(Ultimate, args.games, args.seed)):
                    pass
            print(match.row(), flush=True)


sys.exit(main())
