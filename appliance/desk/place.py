"""The page's last address, so that a page that is still open finds the box again after a restart."""

import contextlib
import os
import re
import secrets
from pathlib import Path
from typing import NamedTuple

DESK_FILE = "desk"  # the file, in the directory of the games


class Place(NamedTuple):
    """A port on 127.0.0.1, 0 for any that is free, and the token of the address."""

    port: int
    token: str


def fresh(port: int = 0) -> Place:
    """Return a place with a new token."""
    return Place(port, secrets.token_urlsafe(24))


def places(directory: Path, port: int | None) -> list[Place]:
    """Return where to listen, the best place first; `port` is the one that the person chose, None for any."""
    last = remembered(directory)
    if port is not None:
        return [last if last and last.port == port else fresh(port)]
    return [last, fresh()] if last else [fresh()]


def remembered(directory: Path) -> Place | None:
    """Return the last place, None if there is none."""
    with contextlib.suppress(OSError, ValueError):
        found = re.fullmatch(r"(\d{1,5}) ([\w-]{32})\n", (directory / DESK_FILE).read_text(encoding="ascii"))
        if found and 0 < int(found[1]) < 65536:
            return Place(int(found[1]), found[2])
    return None


def remember(directory: Path, place: Place) -> None:
    """Keep a place for the next time, readable by this user only, if the directory can be written."""
    file = directory / DESK_FILE
    with contextlib.suppress(OSError):
        file.unlink(missing_ok=True)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as stream:
            stream.write(f"{place.port} {place.token}\n")
