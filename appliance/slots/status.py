"""status.txt on the boot partition: the state of the box, for a person with the card in another computer.

The box has no clock, so the file does not say when it was written, and it stays if a later start fails: only
one that comes back after it was deleted is new. It is written in its place and always has the same size:
nothing else of the partition changes.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from appliance.core.english import capital
from appliance.core.errors import printable
from appliance.core.problems import Problem

STATUS = "status.txt"
STATUS_SIZE = 4096  # bytes

_WIRES = "Check the display's four wires, and display.address and display.port in tictactoe.yaml."
_KEYPAD = "Switch the box off and on; if that does not help, check keypad: in tictactoe.yaml."
_OLD = (
    "This may be from an earlier start. "
    "To find out, delete this file, start the box, wait a minute, and look again."
)
# What to do about a problem's part and state, on a box that was made from the card image.
HINTS = {("display", "silent"): _WIRES, ("keys", "silent"): _KEYPAD}


class Facts(NamedTuple):
    """What status.txt reports."""

    slot: str  # the letter of the one that runs
    version: str
    model: str
    service: Mapping[str, str]  # its ActiveState and StatusText
    problems: Sequence[Problem] = ()  # of the service while it is active
    update: str = ""  # what became of the last one
    failed: str = ""  # the letter of a slot, and why the initramfs left it, or would have
    repaired: str = ""  # what the initramfs did to the data partition
    config: str = ""  # what is wrong with config.txt


def _lines(facts: Facts) -> Iterator[str]:
    yield f"Tic-tac-toe box, version {facts.version}, in slot {facts.slot}, on a {facts.model}."
    yield _OLD
    if facts.service.get("ActiveState") != "active":
        yield f"The game does not run: {facts.service.get('StatusText') or 'it has not started'}."
    else:
        yield from _running(facts.problems)
    if facts.update:
        yield f"Last update: {facts.update}."
    letter, _, reason = facts.failed.partition(" ")
    if letter and letter != facts.slot:
        yield f"Slot {letter} was left: {reason}."
    elif letter and facts.service.get("ActiveState") != "active":
        yield f"Slot {letter}: {reason}. Write the image to a card again."
    if facts.repaired:
        yield facts.repaired
    if facts.config:
        yield f"{facts.config}."


def _running(problems: Sequence[Problem]) -> Iterator[str]:
    yield "The game runs."
    parts = {problem.part for problem in problems}
    if "display" not in parts:
        yield "The display works."
    if "store" not in parts:
        yield "Games and scores are saved."
    for problem in problems:
        yield f"{capital(str(problem))}."
        if hint := HINTS.get((problem.part, problem.state)):
            yield hint


def status_file(facts: Facts) -> bytes:
    """Return the whole file: a sentence on each line, and line feeds up to its end."""
    text = "".join(f"{printable(line)}\r\n" for line in _lines(facts))
    cut = text.encode()[:STATUS_SIZE].decode(errors="ignore").encode()
    return cut + b"\n" * (STATUS_SIZE - len(cut))


def write_in_place(path: Path, data: bytes) -> None:
    """Overwrite the file in place, or create it. Raise `OSError` if it cannot be written."""
    with path.open("r+b" if path.exists() else "wb") as file:
        file.write(data)
        file.truncate()
        file.flush()
        os.fsync(file.fileno())
