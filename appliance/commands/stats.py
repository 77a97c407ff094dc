"""`tictactoe stats`: the results of the saved games."""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from appliance.config.schema import default_paths, load
from appliance.core.english import plural
from appliance.core.errors import printable
from appliance.core.session.settings import RULE_NAMES
from appliance.storage.database import MAX_GAMES, NAME, state_directory
from appliance.storage.history import History, Line, Statistics, summarise

HELP = "show the results of the saved games, by rule and level"

SYSTEM = Path("/var/lib/tictactoe")  # systemd's StateDirectory=


def add_state(parser: argparse.ArgumentParser) -> None:
    """Declare `--state`."""
    parser.add_argument("--state", type=Path, metavar="DIR", help="the directory of the saved games")


def directory_of(args: argparse.Namespace) -> Path:
    """Return the directory of the saved games: `--state`, else the configuration's, else the default.

    If the default has no database but the system's service has one, return the service's.
    """
    chosen = args.state or load(default_paths()).state
    directory = state_directory(chosen)
    if chosen is None and not os.path.lexists(directory / NAME) and os.path.lexists(SYSTEM / NAME):
        return SYSTEM
    return directory


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_state(parser)


def run(args: argparse.Namespace) -> int:
    """Print the statistics; return 1 if some games could not be read."""
    directory = directory_of(args)
    history = History(directory)
    statistics = summarise(history.games())
    beliefs = history.scores().beliefs
    likeness = {rule: beliefs[rule].likeliest for rule in RULE_NAMES if rule in beliefs}
    if args.json:
        print(json.dumps(as_object(statistics) | {"plays_like": likeness}, indent=2))
        return report(history.note)
    lines = [*text_lines(statistics, directory), *likeness_lines(likeness)]
    print("\n".join(map(printable, lines)))
    return report(history.note)


def report(note: str) -> int:
    """Print the note on a history, if any, to standard error. Return the exit status."""
    if note:
        print(f"tictactoe: {printable(note)}", file=sys.stderr)
    return 1 if note else 0


def as_object(statistics: Statistics) -> dict[str, object]:
    """Return the statistics as `--json` prints them."""

    def lines(of: Sequence[Line], *names: str) -> list[dict[str, object]]:
        return [{name: value for name, value in zip(names, line, strict=True) if name} for line in of]

    return {
        "games": statistics.games,
        "helped": statistics.helped,
        "seconds": round(statistics.seconds, 1),
        "box": lines(statistics.box, "rule", "level", "won", "lost", "drawn"),
        "pair": lines(statistics.pair, "rule", "", "x", "o", "drawn"),
        "watched": lines(statistics.watched, "rule", "level", "x", "o", "drawn"),
        "won_in_a_row": {level: streak._asdict() for level, streak in statistics.levels.items()},
    }


def text_lines(statistics: Statistics, directory: Path) -> Iterator[str]:
    """Yield the statistics as text."""
    helped = f"; {statistics.helped} with help, not counted" if statistics.helped else ""
    if not statistics.games:
        yield f"No game has been finished yet in {directory}{helped}."
        return
    games = f"{statistics.games} {plural(statistics.games, 'game')}"
    if statistics.games + statistics.helped >= MAX_GAMES:
        games = f"The newest {games}"
    yield f"{games} in {directory}, {_duration(statistics.seconds)} of play{helped}"
    for title, lines, heads in (
        ("Against the box", statistics.box, ("won", "lost", "drawn")),
        ("Two people", statistics.pair, ("x", "o", "drawn")),
        ("The box against itself", statistics.watched, ("x", "o", "drawn")),
    ):
        if lines:
            yield ""
            yield f"{title:<24}{_columns(heads)}"
        for line in lines:
            yield f"  {line.rule:<11}{line.level:<11}{_columns(line[2:])}"
    if statistics.levels:
        yield ""
        yield f"{'Won in a row':<24}{_columns(('now', 'best'))}"
    for level, streak in statistics.levels.items():
        yield f"  {level:<22}{_columns(streak)}"


def likeness_lines(likeness: Mapping[str, str]) -> Iterator[str]:
    """Yield which people the adaptive level takes whoever plays for, by rule."""
    if likeness:
        yield ""
        yield "At the adaptive level"
    for rule, kind in likeness.items():
        yield f"  {rule:<11}plays like: {kind}"


def _columns(values: Sequence[object]) -> str:
    return "".join(f"{value!s:>7}" for value in values)


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes < 1:
        return f"{round(seconds)} s"
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"
