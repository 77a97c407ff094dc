"""The bench of a real box: its pins, its bus, the clock, and whoever sits at the terminal."""

import sys
import time
from functools import partial

from appliance.config import Config
from appliance.devices.i2c import open_smbus
from appliance.devices.keypad import Keypad
from appliance.devices.pinout import gpio_chips, header_chip, make_factory
from appliance.selftest.bench import Bench, open_panel


def real_bench(config: Config, where: str, *, asks: bool) -> Bench:
    """Return the bench of this machine. Nothing is opened yet.

    `asks` says whether there is a person to put questions to; `where` is the file that a remedy names.
    """
    return Bench(
        config=config,
        where=where,
        header=header_chip,
        chips=gpio_chips,
        open_keypad=lambda: Keypad(config.keypad.rows, config.keypad.columns, make_factory()),
        open_bus=partial(open_smbus, config.display.port),
        open_panel=partial(open_panel, config, None),
        now=time.monotonic,
        wait=time.sleep,
        say=_say,
        ask=_ask if asks else _ask_nobody,
    )


def _say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _ask(question: str) -> bool | None:
    """Ask until the answer is y or n; None when the terminal's input has ended."""
    while True:
        try:
            answer = input(f"{question} [y/n] ").strip().lower()
        except EOFError:
            _say("\n")
            return None
        if answer[:1] in {"y", "n"}:
            return answer[0] == "y"


def _ask_nobody(_question: str) -> bool | None:
    return None
