"""`tictactoe bench`: how strong each level is, worked out exactly."""

import argparse
import json

from engine import LEVELS, Board
from engine.odds import MODELS, Odds, odds

HELP = "work out how strong each level is"

Table = dict[str, dict[str, Odds]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument(
        "--levels", action="store_true", help="the strength of the levels, as Markdown (the default)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Print the odds of each level."""
    table = level_table()
    print(json.dumps(table) if args.json else as_markdown(table))
    return 0


def level_table() -> Table:
    """Return each level's odds against each model of a player, moving first and second."""
    return {
        name: {
            f"{model}, {'first' if first else 'second'}": odds(level, model, Board(), first=first)
            for model in MODELS
            for first in (True, False)
        }
        for name, level in LEVELS.items()
    }


def as_markdown(table: Table) -> str:
    """Return the table in Markdown: wins, draws and losses of the level in percent."""
    seats = list(next(iter(table.values())))
    lines = [
        "| level | " + " | ".join(f"against {seat}" for seat in seats) + " |",
        "| --- |" + " ---: |" * len(seats),
    ]
    for name, row in table.items():
        cells = (" / ".join(f"{100 * chance:.1f}" for chance in row[seat]) for seat in seats)
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)
