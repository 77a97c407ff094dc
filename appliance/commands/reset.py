"""`tictactoe reset`: delete every game, the score and the settings, after asking."""

import argparse
import os
import sys
from pathlib import Path

from appliance.commands.stats import add_state, directory_of
from appliance.core.english import counted
from appliance.core.errors import UserError, printable
from appliance.storage.copies import CopyReader, forget
from appliance.storage.database import NAME, lock
from appliance.storage.history import History, faults_for_people
from appliance.storage.owner import as_owner


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("--yes", action="store_true", help="do not ask")
    add_state(parser)


def run(args: argparse.Namespace) -> int:
    """Delete everything after asking; return 1 if the answer is no.

    Raise `UserError` if the box is running, the file is not its database, or there is no terminal to ask on.
    """
    if not args.yes and not sys.stdin.isatty():
        raise UserError("reset asks first, and there is no terminal to ask on: add --yes")
    directory = directory_of(args)
    path = directory / NAME
    with as_owner(directory), faults_for_people(path):
        with CopyReader(path) as reading:  # raises for files that are not the box's databases
            nothing = not reading.copies
        if nothing:
            print(printable(f"Nothing is saved in {directory}."))
            return 0
        handle = lock(directory)
        try:
            if not args.yes and not _agreed(directory):
                print("Nothing was deleted.")
                return 1
            forget(path)
        finally:
            os.close(handle)
    print("Everything was deleted.")
    return 0


def _agreed(directory: Path) -> bool:
    games = sum(1 for _ in History(directory).games())
    rest = "the score, the game in progress, the settings changed from the menu, the visits"
    print(printable(f"In {directory}: {counted(games, 'finished game')}, {rest}."))
    try:
        return input("Delete all of it? [y/N] ").strip().lower() in {"y", "yes"}
    except EOFError:
        print()
        return False
