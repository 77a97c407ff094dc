"""`tictactoe run`: the box itself, on real hardware."""

import argparse
from pathlib import Path

from appliance.service import start


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration (YAML)")
    parser.add_argument("--state", type=Path, metavar="DIR", help="the directory for games and scores")


def run(args: argparse.Namespace) -> int:
    """Run the box until a signal stops it."""
    return start.serve(args.config, args.state)
