"""`tictactoe stats`: what the games that were played add up to."""

import argparse
import json
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from appliance.config import default_paths, load
from appliance.storage.directory import kept_directory
from appliance.storage.history import History, Line, Statistics, Streaks

HELP = "show the games that were played, by rule and level"

WIDEST = 100  # columns; a longer line is no easier to read
NAMES = 24  # columns of the rule and the level
NUMBER = 7  # columns of a count
COLOURS = (32, 31, 33)  # won, lost, drawn: green, red, yellow


def add_state(parser: argparse.ArgumentParser) -> None:
    """Declare `--state`."""
    parser.add_argument("--state", type=Path, metavar="DIR", help="the directory that keeps the games")


def directory_of(args: argparse.Namespace) -> Path:
    """Return the directory that a person means: the one given, else the configuration's, else the box's."""
    chosen: Path | None = args.state
    if chosen is None:
        state = load(default_paths()).state
        chosen = Path(state) if state else None
    return kept_directory(chosen)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_state(parser)


def run(args: argparse.Namespace) -> int:
    """Print the statistics; return 1 when some games could not be read."""
    directory = directory_of(args)
    with History(directory) as history:
        statistics = history.statistics()
    if args.json:
        print(json.dumps(as_object(statistics), indent=2))
        return report(history.note)
    terminal = sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    width = min(WIDEST, shutil.get_terminal_size().columns if terminal else 80)
    blocks = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8" and terminal
    bar = Bar("█░▒" if blocks else "#.=", colour=terminal and not os.environ.get("NO_COLOR"))
    print("\n".join(text_lines(statistics, directory, width, bar)))
    return report(history.note)


def report(note: str) -> int:
    """Print what is wrong with the history, if anything, to standard error; return the exit status."""
    if note:
        print(f"tictactoe: {note}", file=sys.stderr)
    return 1 if note else 0


def as_object(statistics: Statistics) -> dict[str, object]:
    """Return the statistics as `--json` prints them."""

    def lines(of: Sequence[Line], first: str, second: str, *, level: bool = True) -> list[dict[str, object]]:
        return [
            {
                "rule": line.rule,
                **({"level": line.level} if level else {}),
                first: line.first,
                second: line.second,
                "drawn": line.drawn,
            }
            for line in of
        ]

    return {
        "games": statistics.games,
        "seconds": round(statistics.seconds, 1),
        "box": lines(statistics.box, "won", "lost"),
        "pair": lines(statistics.pair, "x", "o", level=False),
        "watched": lines(statistics.watched, "x", "o"),
        "streaks": statistics.streaks._asdict(),
    }


class Bar(NamedTuple):
    """How a bar is drawn: a character each for won, lost and drawn; in colour or not."""

    characters: str
    colour: bool

    def text(self, counts: Sequence[int], most: int, width: int) -> str:
        """Return a bar: one character a game or, where those would be too many, `width` for `most` games."""
        scale = min(1.0, width / max(most, 1))
        # Nothing that happened is shown as nothing: rounded up, and the longest part pays for that.
        parts = [max(1, int(count * scale)) if count else 0 for count in counts]
        while sum(parts) > width:
            parts[parts.index(max(parts))] -= 1
        return "".join(self.paint(index, self.characters[index] * part) for index, part in enumerate(parts))

    def paint(self, index: int, text: str) -> str:
        """Return a text in the colour of won, lost or drawn."""
        return f"\x1b[{COLOURS[index]}m{text}\x1b[0m" if self.colour and text else text


def text_lines(statistics: Statistics, directory: Path, width: int, bar: Bar) -> Iterator[str]:
    """Yield the lines that a person reads, at most `width` columns each, the bars included."""
    if not statistics.games:
        yield f"No game has been finished yet in {directory}."
        return
    games = "1 game" if statistics.games == 1 else f"{statistics.games} games"
    if statistics.full:
        games = f"The newest {games}"
    yield f"{games} in {directory}, {_duration(statistics.seconds)} of play"
    room = width - NAMES - 3 * NUMBER - 2
    for title, lines, heads in (
        ("Against the box", statistics.box, ("won", "lost", "drawn")),
        ("Two people", statistics.pair, ("x", "o", "drawn")),
        ("The box with itself", statistics.watched, ("x", "o", "drawn")),
    ):
        if not lines:
            continue
        yield ""
        key = "  ".join(
            bar.paint(index, f"{bar.characters[index]} {head}") for index, head in enumerate(heads)
        )
        yield f"{title:<{NAMES}}{''.join(f'{head:>{NUMBER}}' for head in heads)}" + (
            f"  {key}" if room >= 22 else ""
        )
        most = max(line.first + line.second + line.drawn for line in lines)
        for line in lines:
            counts = (line.first, line.second, line.drawn)
            numbers = "".join(f"{count:>{NUMBER}}" for count in counts)
            drawn = "  " + bar.text(counts, most, room) if room > 3 else ""
            yield f"{f'  {line.rule:<11}{line.level}':<{NAMES}}{numbers}{drawn}".rstrip()
    if statistics.streaks.running:
        yield ""
        yield _streaks(statistics.streaks)


def _streaks(streaks: Streaks) -> str:
    now = (
        f"{streaks.running} {streaks.result} in a row"
        if streaks.running > 1
        else f"the last one {streaks.result}"
    )
    return (
        f"Against the box: {now}; at best {streaks.won} won in a row and {streaks.unbeaten} not lost, "
        f"at worst {streaks.lost} lost"
    )


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes < 1:
        return f"{round(seconds)} s"
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"
