"""`tictactoe bench`: how strong each level is, computed exactly and without playing games."""

import argparse
from collections.abc import Callable, Hashable, Mapping
from functools import cache
from typing import NamedTuple

from engine import LEVELS, Board, casual

HELP = "work out how strong each level is, and print it as Markdown"

Policy = Callable[[Board], Mapping[int, float]]
"""Returns the probability of each move that may be played."""


class Odds(NamedTuple):
    """The probabilities of a win, a draw and a loss for the level."""

    win: float
    draw: float
    loss: float


Table = dict[str, dict[str, Odds]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare `--levels`, which scripts give: `bench` prints nothing else, with it or without."""
    parser.add_argument("--levels", action="store_true", help="the strength of the levels (the default)")


def run(_args: argparse.Namespace) -> int:
    """Print the odds of each level."""
    print(as_markdown(level_table()))
    return 0


def level_table() -> Table:
    """Return each level's odds against a random and a casual player, moving first and second."""
    models: dict[str, Policy] = {
        "random": lambda board: dict.fromkeys(board.moves(), 1 / len(board.moves())),
        "casual": lambda board: dict.fromkeys(casual(board), 1 / len(casual(board))),
    }
    table: Table = {}
    for name, level in LEVELS.items():
        policy = cache(level.policy)
        table[name] = {
            f"{model}, {seat}": odds(policy, models[model], first=seat == "first")
            for model in models
            for seat in ("first", "second")
        }
    return table


def odds(own: Policy, other: Policy, *, first: bool) -> Odds:
    """Return the odds of a player with the policy `own`, who moves first or second."""
    known: dict[Hashable, Odds] = {}

    def visit(board: Board, *, mine: bool) -> Odds:
        if board.terminal:
            score = board.evaluate() if mine else -board.evaluate()
            return Odds(float(score > 0), float(score == 0), float(score < 0))
        key = board.key()
        if key not in known:
            chances = own(board) if mine else other(board)
            after = [(chance, visit(board.play(move), mine=not mine)) for move, chance in chances.items()]
            known[key] = Odds(*(sum(chance * result[i] for chance, result in after) for i in range(3)))
        return known[key]

    return visit(Board(), mine=first)


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
