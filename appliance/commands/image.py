"""`tictactoe image`: the jobs that a box made from the card image runs on its own card, as root."""

import argparse
from pathlib import Path

from appliance.core.errors import UserError, printable
from appliance.slots import jobs
from appliance.slots.box import Box
from appliance.slots.publish import REPORT, publish, publish_report
from appliance.slots.status import STATUS
from appliance.storage.owner import as_owner


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare `update`, `settle`, `status` and `games`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, text in (
        ("update", f"install update*.box from the boot partition and try it, or rename it to *{jobs.BAD}"),
        ("settle", "activate the running version: it has started"),
        ("status", f"write the box's state to {STATUS} on the boot partition, and a {REPORT} beside it"),
        ("games", "write games.html and games.csv to the boot partition"),
    ):
        action = actions.add_parser(name, help=text, description=text)
        for option, place in (("--boot", "/boot/firmware"), ("--data", "/data")):
            where = f"where that partition is mounted; default: {place}"
            action.add_argument(option, type=Path, default=Path(place), metavar="DIR", help=where)


def run(args: argparse.Namespace) -> int:
    """Run the action. Raise `UserError` for mistakes that the user can fix, but never for a bad update."""
    actions = {"update": jobs.update, "settle": jobs.settle, "status": status, "games": games}
    try:
        actions[args.action](Box(args.boot, args.data))
    except OSError as error:
        remedy = "run it as root on a box that was made from the card image"
        raise UserError(f"image {args.action}: {error.strerror or error}; {remedy}") from error
    return 0


def status(box: Box) -> None:
    """Write status.txt and, the report of a test of the board, if any. Raise `OSError` if that fails."""
    jobs.status(box)
    publish_report(box)


def games(box: Box) -> None:
    """Write the games onto the card. Where that is impossible, say so and leave the files as they are."""
    from appliance.games.page import contents  # noqa: PLC0415 - the engine costs the other jobs time
    from appliance.storage.history import History  # noqa: PLC0415 - as above

    folder = box.data / "tictactoe"
    folder.stat()  # without a data partition, empty files must not take the place of those on the card
    language = box.display().settings.language
    with as_owner(folder):
        history = History(folder)
        found = contents(history, language)
    if history.note:
        print(printable(history.note))
    try:
        publish(box, found)
    except OSError as error:
        print(printable(f"{' and '.join(found)} cannot be written: {error.strerror or error}"))
