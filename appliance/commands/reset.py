"""`tictactoe reset`: forget every game, the score and the settings, after asking."""

import argparse
import os
import sys
from pathlib import Path

from appliance.commands.stats import add_state, directory_of
from appliance.core.errors import UserError
from appliance.storage.database import NAME, lock, peek, present
from appliance.storage.history import History, sentences
from appliance.storage.salvage import forget

HELP = "forget every game, the score and the settings changed from the menu"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("--yes", action="store_true", help="do not ask")
    add_state(parser)


def run(args: argparse.Namespace) -> int:
    """Forget everything, if that is what the person wants; return 1 if it is not.

    Raise `UserError` while the box is running, for what is not ours, and where nobody can be asked.
    """
    if not args.yes and (sys.stdin is None or not sys.stdin.isatty()):
        raise UserError("reset asks before it forgets, and there is nobody to ask here: add --yes")
    directory = directory_of(args)
    path = directory / NAME
    with sentences(path):
        if not present(path):
            print(f"Nothing is kept in {directory}.")
            return 0
        handle = lock(directory)
        try:
            peek(path)  # raises for what is not ours
            if not args.yes and not _agreed(directory):
                print("Nothing was forgotten.")
                return 1
            forget(path)
        finally:
            os.close(handle)
    print("Everything was forgotten.")
    return 0


def _agreed(directory: Path) -> bool:
    games = sum(1 for _ in History(directory).games())
    count = "1 finished game" if games == 1 else f"{games} finished games"
    print(f"In {directory}: {count}, the score, the game in progress, the settings changed from the menu.")
    try:
        return input("Forget all of it? [y/N] ").strip().lower() in {"y", "yes"}
    except EOFError:
        print()
        return False
