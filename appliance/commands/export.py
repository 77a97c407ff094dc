"""`tictactoe export`: every finished game, as CSV or JSON lines."""

import argparse
import sys

from appliance.commands.stats import add_state, directory_of, report
from appliance.games.saved import write_csv, write_jsonl
from appliance.storage.history import History
from appliance.storage.owner import as_owner


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("--format", choices=("csv", "jsonl"), default="csv", help="default: csv")
    add_state(parser)


def run(args: argparse.Namespace) -> int:
    """Print the games; return 1 if some could not be read. Raise `UserError` if none can."""
    history = History(directory_of(args))
    write = write_csv if args.format == "csv" else write_jsonl
    with as_owner(history.path.parent):
        write(history.games(), sys.stdout)
    return report(history.note)
