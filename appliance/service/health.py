"""The file `health` in the service's runtime directory: the problems of a running box, for status.txt.

It has no part in the watchdog, which start.py feeds. One line per problem, its facts separated by tabs.
Without problems the file may be missing; systemd removes the directory when the service ends.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from appliance.core.problems import SENTENCES, Problem
from appliance.devices.systemd import note
from appliance.storage.owner import read_as_owner

HEALTH_FILE = "health"
DIRECTORY = Path("/run/tictactoe")
MAX_SIZE = 16_384  # bytes
MAX_FACT = 900  # characters: a driver's error may quote a buffer


def write(problems: Iterable[Problem], environ: Mapping[str, str]) -> None:
    """Write the file; `environ` names the runtime directory."""
    lines = ("\t".join(" ".join(fact.split())[:MAX_FACT] for fact in problem) for problem in problems)
    note(HEALTH_FILE, lines, environ)


def read(directory: Path = DIRECTORY) -> list[Problem]:
    """Return the problems in the file, without invalid lines: root reads it, and the service may forge it."""
    try:
        lines = read_as_owner(directory / HEALTH_FILE, MAX_SIZE).decode(errors="replace").split("\n")
    except OSError:
        return []
    found = [Problem(*facts) for line in lines if len(facts := line.split("\t")) == len(Problem._fields)]
    return [problem for problem in found if problem[:2] in SENTENCES]
