"""A device test that goes on after a restart: of the game, or of the machine.

The file `device-test` beside the games keeps it. Its first line is for `appliance.service.handover`: the
start of the machine after which the service is to go on with the test by itself, "restart" for the next start
of the service, or "person" if a person does that at a terminal.
"""

import json
from pathlib import Path
from typing import NamedTuple

from appliance.core.errors import UserError
from appliance.devicetest.judge import Figures
from appliance.devicetest.report import Report, compose, parse
from appliance.storage import files

NAME = "device-test"
CLAIMED = "device-test.resumed"  # its name once the service goes on with it: never twice
PERSON, RESTART = "person", "restart"


class SuspendedError(Exception):
    """A check goes on after a restart; the message says how, for the terminal.

    `data` is what it needs then. `reboot`: the machine has to be started anew; otherwise the service, which
    is to hang now.
    """

    def __init__(self, message: str, data: Figures, *, reboot: bool) -> None:
        super().__init__(message)
        self.data = data
        self.reboot = reboot


class Pending(NamedTuple):
    """A suspended test: the numbers of the checks that are left, what the first needs, the report so far."""

    left: tuple[int, ...]
    data: Figures
    report: Report
    path: str = ""  # of the report, for a test at a terminal


def save(folder: Path, pending: Pending, first: str) -> None:
    """Keep a suspended test. Raise `OSError` if that fails."""
    rest = [pending.left, dict(pending.data), compose(pending.report), pending.path]
    files.replace(folder / NAME, f"{first}\n{json.dumps(rest)}\n".encode())
    files.sync(folder)


def take(folder: Path, name: str = NAME) -> Pending:
    """Return the suspended test, and forget it. Raise `UserError` if there is none."""
    try:
        text = (folder / name).read_text(encoding="utf-8")
        left, data, report, path = json.loads(text.partition("\n")[2])
        pending = Pending(tuple(left), data, parse(report), path)
    except FileNotFoundError as error:
        raise UserError(f"there is no device test to go on with in {folder}") from error
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise UserError(
            f"{folder / name} is damaged: start the device test again, without --resume"
        ) from error
    finally:
        drop(folder)
    return pending


def drop(folder: Path) -> None:
    """Forget a suspended test, if there is one."""
    for name in (NAME, CLAIMED):
        files.remove(folder / name)
