"""`tictactoe transcript`: two commentators report a season of games."""

import argparse
import random
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from appliance.commands.stats import add_state, directory_of, report
from appliance.core.english import plural
from appliance.core.errors import UserError
from appliance.progress import Progress
from appliance.storage.history import History
from appliance.storage.owner import as_owner
from appliance.teaching.commentary.booth import SpokenLine
from appliance.teaching.commentary.players import Player
from appliance.teaching.commentary.render import RENDERERS
from appliance.teaching.commentary.script import Result, ScriptItem, perform
from appliance.teaching.commentary.season import MATCHDAY, SEATS, Fixture, League, from_history

MOST = {"games": 100_000, "words": 10_000_000}
SEEDS = 10_000  # a random seed has at most four digits, easy to type again


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--games", type=int, metavar="N", help=f"report N games ({MATCHDAY}, a matchday)")
    length.add_argument("--words", type=int, metavar="W", help="stop after the game that reaches W words")
    parser.add_argument("--seed", type=int, metavar="S", help="seed the random numbers: the same text again")
    parser.add_argument(
        "--from",
        dest="source",
        choices=("season", "history"),
        default="season",
        help="report an invented season (the default), or the saved games: the newest N, "
        "or from the first until W words are spoken",
    )
    parser.add_argument("--format", choices=RENDERERS, default="text", help="default: text")
    add_state(parser)


def run(args: argparse.Namespace) -> int:
    """Print the transcript; return 1 if some games of a history could not be read."""
    for name, most in MOST.items():
        value = getattr(args, name)
        if value is not None and not 0 < value <= most:
            raise UserError(f"--{name} {value} is out of range: 1 to {most:,}")
    if args.state and args.source != "history":
        raise UserError("--state goes with --from history")
    seed = random.SystemRandom().randrange(SEEDS) if args.seed is None else args.seed
    rng = random.Random(seed)
    number = None if args.words is not None else MATCHDAY if args.games is None else args.games
    players: Mapping[str, Player]
    games: Iterable[Fixture]
    if args.source == "history":
        history = History(directory_of(args))
        with as_owner(history.path.parent):
            finished = [one.game for one in deque(history.games(), maxlen=number)]
        fixtures = from_history(finished)
        lost = len(finished) - len(fixtures)
        left_out = (
            f"{lost} of the games cannot be replayed and {plural(lost, 'is', 'are')} left out" if lost else ""
        )
        players, games, note = SEATS, fixtures, history.note or left_out
        total = len(fixtures)
        if not fixtures:
            raise UserError(
                f"no game to report in {history.path.parent}: play one to its end, or name another --state"
            )
    else:
        league = League(rng)
        players, games, note = league.players, islice(league.games(), number), ""
        total = number or 0
    with Progress("transcript", args.words or total, shown=not sys.stdout.isatty()) as progress:
        script = _counted(perform(games, players, rng, seed, args.words), progress, words=bool(args.words))
        for line in RENDERERS[args.format](script, players):
            print(line)
    return report(note)


def _counted(script: Iterable[ScriptItem], progress: Progress, *, words: bool) -> Iterator[ScriptItem]:
    """Yield a script, and count its words or games as done."""
    for item in script:
        yield item
        if words and isinstance(item, SpokenLine):
            progress.step(len(item.text.split()))
        elif not words and isinstance(item, Result):
            progress.step()
