"""`tictactoe stats`: the results of the saved games."""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from appliance.config.reading import default_paths, load_config
from appliance.core.errors import UserError, printable
from appliance.core.session.settings import RULE_NAMES
from appliance.games.figures import (
    Gathered,
    busy_lines,
    busy_months,
    date_of,
    gather,
    headline,
    is_exhibit,
    tables,
)
from appliance.games.page import GAMES, games_page, reviewed
from appliance.games.speech import speech
from appliance.progress import Progress
from appliance.storage.database import NAME, state_directory
from appliance.storage.days import Days
from appliance.storage.history import History
from appliance.storage.owner import as_owner

SYSTEM = Path("/var/lib/tictactoe")  # systemd's StateDirectory=


def add_state(parser: argparse.ArgumentParser) -> None:
    """Declare `--state`."""
    parser.add_argument("--state", type=Path, metavar="DIR", help="the directory of the saved games")


def directory_of(args: argparse.Namespace) -> Path:
    """Return the directory of the saved games: `--state`, else the configuration's, else the default.

    If the default has no database but the system's service has one, return the service's. Raise `UserError`
    if `--state` names none.
    """
    chosen = args.state or load_config(default_paths()).state
    directory = state_directory(chosen)
    if chosen is None and not os.path.lexists(directory / NAME) and os.path.lexists(SYSTEM / NAME):
        return SYSTEM
    if args.state:
        try:
            directory.lstat()
        except FileNotFoundError as error:
            remedy = f"name the one that has {NAME}"
            raise UserError(f"{directory}: there is no such directory; {remedy}") from error
        except OSError:
            pass  # reading it says why
    return directory


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--json", action="store_true", help="print one JSON object")
    kinds.add_argument(
        "--html",
        nargs="?",
        type=Path,
        const=Path("games.html"),
        metavar="FILE",
        help=f"write a page for a browser instead, with reviews of the last {GAMES} games (games.html)",
    )
    add_state(parser)


def run(args: argparse.Namespace) -> int:
    """Print the statistics, or write the page; return 1 if some games could not be read.

    Raise `UserError` if none can be read, or the page cannot be written.
    """
    directory = directory_of(args)
    history = History(directory)
    if args.html:
        return write_page(history, args.html)
    with as_owner(directory), Progress("games read") as progress:
        gathered, beliefs = gather(progress.over(history.games()), 0), history.scores().beliefs
        visits = history.visits()
    likeness = {rule: beliefs[rule].likeliest for rule in RULE_NAMES if rule in beliefs}
    if args.json:
        print(json.dumps(as_object(gathered, visits) | {"plays_like": likeness}, indent=2))
        return report(history.note)
    lines = [*text_lines(gathered, visits, directory), *likeness_lines(likeness)]
    print("\n".join(map(printable, lines)))
    return report(history.note)


def write_page(history: History, path: Path) -> int:
    """Write the page about a history; return 1 if some games could not be read. Raise `UserError`."""
    configured = load_config(default_paths()).settings.language
    with as_owner(history.path.parent), Progress("games read") as progress:
        gathered, visits = gather(progress.over(history.games())), history.visits()
        language = history.language(configured)
    spoken = speech(language)  # a file of the program's, which the owner perhaps may not read
    with Progress("games reviewed", len(reviewed(gathered))) as progress:
        page = games_page(gathered, visits, spoken, damaged=bool(history.note), step=progress.step)
    data = page.encode()
    try:
        path.write_bytes(data)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UserError(f"{str(path)!r}: {reason}; choose another file with --html FILE") from error
    said = f"{path}: {headline(gathered.statistics)}; open it in a browser"
    print(printable(said))
    return report(history.note)


def report(note: str) -> int:
    """Print the note on a history, if any, to standard error. Return the exit status."""
    if note:
        print(f"tictactoe: {printable(note)}", file=sys.stderr)
    return 1 if note else 0


def as_object(gathered: Gathered, visits: Days) -> dict[str, object]:
    """Return the statistics as `--json` prints them. The day of games and visits is null if it is unknown."""
    statistics = gathered.statistics
    exhibit = is_exhibit(gathered.days, visits)

    def date(day: int) -> str | None:
        return found.isoformat() if (found := date_of(day)) else None

    return {
        "games": statistics.games,
        "helped": statistics.helped,
        "seconds": round(statistics.seconds, 1),
        "box": [line._asdict() for line in statistics.box],
        "matches": [one._asdict() | {"day": date(one.day)} for one in statistics.meetings],
        "won_in_a_row": {level: run._asdict() for level, run in statistics.levels.items() if not exhibit},
        "visits": sum(visits.values()),
        "days": [
            {"day": date(day), "games": gathered.days.get(day, 0), "visits": visits.get(day, 0)}
            for day in sorted({*gathered.days, *visits})
        ],
        "hours": {hour: gathered.hours[hour] for hour in sorted(gathered.hours)},
    }


def text_lines(gathered: Gathered, visits: Days, directory: Path) -> Iterator[str]:
    """Yield the statistics as text."""
    statistics, exhibit = gathered.statistics, is_exhibit(gathered.days, visits)
    end = "" if statistics.games else "."
    yield headline(statistics, f" in {directory}") + end
    if exhibit:
        yield from busy_lines(gathered.days, visits, gathered.hours)
    days = [busy_months(gathered.days, visits)] if exhibit else []
    for table in (*tables(statistics, exhibit=exhibit), *days):
        yield ""
        yield f"{table.title:<24}{_columns(table.heads)}"
        total = [(("total",), table.total)] if table.total else []
        for names, counts in (*table.rows, *total):
            yield f"  {''.join(f'{name:<11}' for name in names):<22}{_columns(counts)}"


def likeness_lines(likeness: Mapping[str, str]) -> Iterator[str]:
    """Yield the kind of person that the adaptive level takes the player for, by rule."""
    if likeness:
        yield ""
        yield "At the adaptive level"
    for rule, kind in likeness.items():
        yield f"  {rule:<11}plays like: {kind}"


def _columns(values: Sequence[object]) -> str:
    return "".join(f"{value!s:>9}" for value in values)
