"""`tictactoe bench`: the published figures of the engine's sources beside ours, on this machine."""

import argparse
import json
from collections.abc import Callable

from appliance.commands import _sections
from appliance.commands._levels import as_markdown, level_table
from appliance.commands._measure import progress
from appliance.commands._peers import Row, compare

HELP = "measure the engine beside the texts it comes from"
WIDE = 80  # characters

SECTIONS: dict[str, tuple[str, Callable[[], list[Row]]]] = {
    "rounds": (
        "One game: the Python text's own figures, its program here, and the engine",
        _sections.rounds,
    ),
    "empty": ("The empty 3x3 board to its end", _sections.empty),
    "position": (f"The Scala text's 4x4 position {_sections.SOURCE_POSITION}, o to move", _sections.position),
    "solved": ("Boards solved", _sections.solved),
    "switches": ("What each part of the engine saves, in positions visited", _sections.switches),
    "limits": ("Time limits: what was asked for, and what it took", _sections.limits),
    "memory": ("Memory of the whole process at its peak", _sections.memory),
}
INSTRUCTIONS = {"instructions": ("Machine instructions beyond start-up", _sections.instructions)}
SLOW = {
    "perft": ("Four in a row on 4x4: sequences of moves", _sections.perft),
    "positions": ("Four in a row on 4x4: positions", _sections.positions),
}
PEERS = {"peers": ("easyAI and the engine in turns", compare)}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what to measure beside the usual."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--levels", action="store_true", help="only the exact strength of the levels, as Markdown"
    )
    parser.add_argument("--peers", action="store_true", help="also easyAI, installed in a folder of its own")
    parser.add_argument(
        "--instructions", action="store_true", help="also machine instructions, counted by valgrind"
    )
    parser.add_argument("--slow", action="store_true", help="also what takes minutes")


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    if args.levels:
        table = level_table()
        print(json.dumps(table) if args.json else as_markdown(table))
        return 0
    sections = dict(SECTIONS)
    for wanted, more in ((args.instructions, INSTRUCTIONS), (args.slow, SLOW), (args.peers, PEERS)):
        sections |= more if wanted else {}
    results: dict[str, list[Row]] = {}
    for name, (title, measure) in sections.items():
        progress(title)
        results[name] = measure()
        progress("")
        if not args.json:
            print(f"{title}\n{layout(results[name])}\n", flush=True)
    if args.json:
        print(json.dumps(results))
    return 0


def layout(rows: list[Row]) -> str:
    """Return the rows as a table of text: words to the left, numbers to the right.

    Where the table would be wider than `WIDE`, the words of a head stand on top of each other.
    """
    heads = list(dict.fromkeys(head for row in rows for head in row))
    body = [[_text(row.get(head)) for head in heads] for row in rows]
    table = [heads, *body]
    if sum(_widths(table)) + 2 * len(heads) > WIDE:
        stacks = [head.split() for head in heads]
        height = max(map(len, stacks))
        top = zip(*([""] * (height - len(stack)) + stack for stack in stacks), strict=True)
        table = [*map(list, top), *body]
    widths = _widths(table)
    words = [isinstance(rows[0].get(head), str) for head in heads]
    lines = []
    for line in table:
        cells = zip(line, widths, words, strict=True)
        lines.append(
            "  ".join(text.ljust(width) if word else text.rjust(width) for text, width, word in cells)
        )
    return "\n".join(f"  {line}".rstrip() for line in lines)


def _widths(table: list[list[str]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*table, strict=True)]


def _text(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:,.2f}" if abs(value) < 100 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
