"""One sitting at the simulator, from an empty desk to the goodbye."""

import logging
import os
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from appliance.config import Config
from appliance.daemon import keeping_service
from appliance.errors import UserError
from appliance.simulator.console import Console
from appliance.simulator.desk import make_desk
from appliance.simulator.face import arrange
from appliance.simulator.habits import Habits
from appliance.simulator.notes import Notes
from appliance.simulator.painter import Style, depth
from appliance.simulator.recital import score
from appliance.simulator.terminal import Terminal, signals

LONGEST_HOLD = 3.0  # seconds for which `h` holds a button, unless the menu wants longer


@dataclass(frozen=True, slots=True)
class Ended:
    """How a sitting ended. The terminal is as it was before."""

    signal: int  # the number of the signal that ended it, 0 for none
    error: Exception | None  # what the daemon or the simulator failed with
    notes: tuple[str, ...]  # what was logged meanwhile and is worth knowing
    goodbye: str


def sit(
    config: Config, styles: Sequence[Style], encoding: str, *, numpad: bool, seed: int | None, state: Path
) -> Ended:
    """Run the box of a configuration in the terminal on standard input and output. For the main thread only.

    Raise `UserError` when the terminal can show nothing but ASCII and is too small for that.
    """
    terminal = Terminal(sys.stdin.fileno(), sys.stdout.fileno(), encoding)
    told = arrange(*terminal.size, (config.display.width, config.display.height), styles)
    if isinstance(told, str) and Style.ASCII in styles:
        remedy = "use a UTF-8 locale (LANG=C.UTF-8), or a larger window"
        raise UserError(f"{told} in the encoding {encoding}: {remedy}")
    desk = make_desk(config, time.monotonic)
    service = keeping_service(config, state, desk.parts, random.Random(seed))
    habits = Habits(numpad=numpad, longest=max(LONGEST_HOLD, config.keypad.hold + 1.0))
    notes = Notes(logging.getLevelNamesMapping()[config.log.upper()])
    error = None
    with signals() as wake:
        console = Console(desk, service, terminal, habits, styles, depth(os.environ), wake, notes)
        try:
            console.run()
        except Exception as failure:  # noqa: BLE001 - whatever it is, the caller can show it now
            error = failure
    games = score(service.box.loop.session)
    goodbye = f"Goodbye. {games[0].upper()}{games[1:]}." if games else "Goodbye."
    return Ended(console.signal, error, tuple(notes.kept), goodbye)
