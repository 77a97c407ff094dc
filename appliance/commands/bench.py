"""`tictactoe bench`: how strong each level is, and how modelled people fare against the adaptive one.

Where positions are too many for exact odds, matches tell.
"""

import argparse
from functools import cache

from appliance.core.errors import UserError
from appliance.core.session.match import unplayable
from appliance.progress import Progress
from appliance.teaching import courses, matches
from appliance.teaching.odds import CASUAL, RANDOM, Odds, exact
from engine import LEVELS, Board

LevelTable = dict[str, dict[str, Odds]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare `--levels` and `--ultimate`."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--levels", action="store_true", help="also try the adaptive level on modelled people (minutes)"
    )
    which.add_argument(
        "--ultimate",
        action="store_true",
        help="instead, play matches of ultimate: its search against a casual player and Monte-Carlo tree "
        "search (minutes); `make matches` in a checkout has Monte-Carlo in C, with 100 times the playouts",
    )


def run(args: argparse.Namespace) -> int:
    """Print each level's odds and, if asked, how people fare against the adaptive one; or matches."""
    if (args.ultimate or args.levels) and (fault := unplayable("ultimate")):
        raise UserError(fault)
    if args.ultimate:
        with Progress("bench --ultimate: games", 2 * matches.GAMES) as progress:
            for line in matches.ultimate(progress.step):
                progress.print(line)
        return 0
    print(as_markdown(level_table()))
    if args.levels:
        print()
        with Progress("bench --levels", courses.STEPS) as progress:
            for line in courses.as_markdown(progress.step):
                progress.print(line)
    return 0


def level_table() -> LevelTable:
    """Return each level's odds against a random and a casual player, moving first and second."""
    models = {model.name: cache(model.policy) for model in (RANDOM, CASUAL)}
    return {
        name: {
            f"{model}, {seat}": exact(own, models[model], Board(), first=seat == "first")
            for model in models
            for seat in ("first", "second")
        }
        for name, own in ((name, cache(level.policy)) for name, level in LEVELS.items())
    }


def as_markdown(table: LevelTable) -> str:
    """Return the table in Markdown: the level's wins, draws and losses in percent."""
    seats = list(next(iter(table.values())))
    lines = [
        "| level | " + " | ".join(f"against {seat}" for seat in seats) + " |",
        "| --- |" + " ---: |" * len(seats),
    ]
    for name, row in table.items():
        lines.append(f"| {name} | {' | '.join(percent(row[seat]) for seat in seats)} |")
    return "\n".join(lines)


def percent(odds: Odds) -> str:
    """Return odds in percent: wins, draws, losses."""
    return " / ".join(f"{100 * chance:.1f}" for chance in odds)
