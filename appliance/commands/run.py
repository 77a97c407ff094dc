"""`tictactoe run`: the box itself, on real pins and a real display."""

import argparse
from pathlib import Path

from appliance.service import start

HELP = "run the box on its real buttons and display (what the service does)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration (YAML)")
    parser.add_argument("--state", type=Path, metavar="DIR", help="where games and scores are kept")


def run(args: argparse.Namespace) -> int:
    """Run the box until a signal ends it."""
    return start.serve(args.config, args.state)
