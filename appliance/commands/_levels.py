"""How strong each level is: the exact table, as the README shows it."""

from engine import LEVELS, Board
from engine.odds import MODELS, Odds, odds

Table = dict[str, dict[str, Odds]]


def level_table() -> Table:
    """Return the odds of each level, against each model, with the first move ("first") and without."""
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
