"""`tictactoe diagram`: the box's transition table, as a diagram or as text."""

import argparse

from appliance.core.diagram import mermaid, table

HELP = "print the box's transition table as a diagram (Mermaid), or as text"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("--text", action="store_true", help="every transition as plain text")


def run(args: argparse.Namespace) -> int:
    """Print the diagram."""
    print(table() if args.text else mermaid())
    return 0
