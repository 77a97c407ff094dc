"""`tictactoe image`: the jobs that a box made from the card image runs on its own card, as root."""

import argparse
from pathlib import Path

from appliance.core.errors import UserError
from appliance.slots import jobs
from appliance.slots.box import Box
from appliance.slots.status import STATUS
from appliance.slots.update import BOX

HELP = "maintain the card of a box made from the card image (its units run this)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare `update`, `settle` and `status`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, text in (
        ("update", f"install {BOX} from the boot partition and try it, or rename it to {jobs.BAD}"),
        ("settle", "activate the running version: it has started"),
        ("status", f"write the box's state to {STATUS} on the boot partition"),
    ):
        action = actions.add_parser(name, help=text, description=text)
        for option, place in (("--boot", "/boot/firmware"), ("--data", "/data")):
            where = f"where that partition is mounted; default: {place}"
            action.add_argument(option, type=Path, default=Path(place), metavar="DIR", help=where)


def run(args: argparse.Namespace) -> int:
    """Run the action. Raise `UserError` for mistakes that the user can fix, but never for a bad update."""
    action = {"update": jobs.update, "settle": jobs.settle, "status": jobs.status}[args.action]
    try:
        action(Box(args.boot, args.data))
    except OSError as error:
        remedy = "run it as root on a box that was made from the card image"
        raise UserError(f"image {args.action}: {error.strerror or error}; {remedy}") from error
    return 0
