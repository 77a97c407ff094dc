"""A device test in the service's place that goes on after a restart: of the game, or of the machine.

The file `device-test` beside the games keeps it. Its first line is for `appliance.service.handover`: the
start of the machine after which the service is to go on with the test, or "restart" for the next start of the
service. A test at a terminal neither reads nor writes it: root must not believe the service's files.
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
RESTART = "restart"


class SuspendedError(Exception):
    """A check goes on after a restart.

    `data` is what it needs then. `reboot`: the machine has to be started anew; otherwise the service, which
    is to hang now.
    """

    def __init__(self, data: Figures, *, reboot: bool) -> None:
        super().__init__()
        self.data = data
        self.reboot = reboot


class Pending(NamedTuple):
    """A suspended test: the numbers of the checks that are left, what the first needs, the report so far."""

    left: tuple[int, ...]
    data: Figures
    report: Report


def save(folder: Path, pending: Pending, first: str) -> None:
    """Keep a suspended test. Raise `OSError` if that fails."""
    rest = [pending.left, dict(pending.data), compose(pending.report)]
    files.replace(folder / NAME, f"{first}\n{json.dumps(rest)}\n".encode())
    files.sync(folder)


def take(folder: Path) -> Pending:
    """Return the claimed test, and forget it. Raise `UserError` if there is none."""
    try:
        text = (folder / CLAIMED).read_text(encoding="utf-8")
        left, data, report = json.loads(text.partition("\n")[2])
        pending = Pending(tuple(left), data, parse(report))
    except FileNotFoundError as error:
        raise UserError(f"there is no device test to go on with in {folder}") from error
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise UserError(f"{folder / CLAIMED} is damaged: start the device test again") from error
    finally:
        drop(folder)
    return pending


def drop(folder: Path) -> None:
    """Forget a suspended test, if there is one."""
    for name in (NAME, CLAIMED):
        files.remove(folder / name)
