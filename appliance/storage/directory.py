"""The directory that keeps everything: which one it is, and keeping other boxes out of it."""

import fcntl
import os
from collections.abc import Mapping
from pathlib import Path

from appliance.errors import UserError
from appliance.storage.database import NAME
from appliance.storage.faults import InUse, faults

SYSTEM = Path("/var/lib/tictactoe")  # where systemd's StateDirectory= lies


def state_directory(chosen: Path | None, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the directory of the box: the one chosen, or systemd's, or the one of the XDG rules.

    Raise `UserError` when there is no home directory to put it in.
    """
    try:
        if chosen is not None:
            return chosen.expanduser()
        given = environ.get("STATE_DIRECTORY", "").split(":")[0]
        if given:
            return Path(given)
        state = environ.get("XDG_STATE_HOME", "")
        # The XDG rules: a relative path is to be ignored.
        base = Path(state) if state.startswith("/") else Path("~/.local/state").expanduser()
    except RuntimeError as error:
        raise UserError("there is no home directory to keep games in: add --state DIR") from error
    return base / "tictactoe"


def kept_directory(
    chosen: Path | None, environ: Mapping[str, str] = os.environ, system: Path = SYSTEM
) -> Path:
    """Return the directory of the box that a person asks about.

    It is `state_directory`, unless only the system's service has a database.
    """
    directory = state_directory(chosen, environ)
    if chosen is None and not os.path.lexists(directory / NAME) and os.path.lexists(system / NAME):
        return system
    return directory


def take(directory: Path) -> int:
    """Make the directory if need be and lock it; return the descriptor that holds the lock.

    The lock ends when the descriptor is closed or the process ends. Raise `InUse` while another box holds
    it, `Unusable` when the directory cannot be used.
    """
    with faults(directory / NAME):
        directory.mkdir(parents=True, exist_ok=True)
        handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(handle)
        raise InUse(
            "in use by a box that is running", "stop that one, or choose another directory with --state"
        ) from error
    except OSError:
        pass  # a file system without locks: nobody is kept out
    return handle
