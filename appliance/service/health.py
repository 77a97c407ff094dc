"""The file `health` in the service's runtime directory: the problems of a running box, for other processes.

One line per problem, its facts separated by tabs. Without problems the file may be missing; systemd removes
the directory when the service ends.
"""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from appliance.core.problems import SENTENCES, Problem
from appliance.devices.systemd import note

NAME = "health"
DIRECTORY = Path("/run/tictactoe")
MAX_SIZE = 16_384  # bytes
MAX_FACT = 900  # characters: a driver's error may quote a buffer


def write(problems: Iterable[Problem], environ: Mapping[str, str]) -> None:
    """Write the file; `environ` names the runtime directory."""
    lines = ("\t".join(" ".join(fact.split())[:MAX_FACT] for fact in problem) for problem in problems)
    note(NAME, lines, environ)


def read(directory: Path = DIRECTORY) -> list[Problem]:
    """Return the problems in the file, without invalid lines: root reads it, and the service may forge it."""
    try:
        with open(directory / NAME, "rb", buffering=0, opener=_open) as file:
            lines = (file.read(MAX_SIZE) or b"").decode(errors="replace").split("\n")
    except OSError:
        return []
    found = [Problem(*facts) for line in lines if len(facts := line.split("\t")) == len(Problem._fields)]
    return [problem for problem in found if problem[:2] in SENTENCES]


def _open(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)  # never follow a link, never block on a pipe
