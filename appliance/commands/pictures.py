"""`tictactoe pictures`: every screen of the box as a picture file, and one game as a film."""

import argparse
from pathlib import Path

from appliance.errors import UserError

HELP = "write a picture of every screen, and one game as an animated GIF, into a folder"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument(
        "folder", type=Path, metavar="FOLDER", help="an existing folder; files in it are replaced"
    )


def run(args: argparse.Namespace) -> int:
    """Write the pictures."""
    from appliance.simulator.gallery import hang  # noqa: PLC0415 - only where pictures are wanted

    if not args.folder.is_dir():
        raise UserError(f"{args.folder}: there is no such folder; make it first")
    hang(args.folder, print)
    return 0
