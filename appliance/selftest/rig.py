"""What the self-test runs on: a real box and a person at the terminal, or a simulated box and person."""

import re
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from appliance.config.schema import Config
from appliance.core.canvas import Frame
from appliance.devices.i2c import open_smbus
from appliance.devices.keypad import Keypad
from appliance.devices.pinout import make_factory

THINKS = 0.6  # seconds from the request to the simulated person's press
PRESSES = 0.15  # seconds that this person holds a key

_REQUEST = re.compile(r"press key (\d)")


class TestRig(NamedTuple):
    """The box under test and the person who tests it. Times are in seconds.

    - `where`: the configuration file that remedies name.
    - `open_keypad`, `open_bus`: raise what their devices raise.
    - `wait`: lets time pass.
    - `say`: prints text as it is. `ask`: returns the person's answer, None if there is nobody.
    """

    config: Config
    where: str
    open_keypad: Callable[[], Keypad]
    open_bus: Callable[[], Any]
    now: Callable[[], float]
    wait: Callable[[float], object]
    say: Callable[[str], object]
    ask: Callable[[str], bool | None]


def real_rig(config: Config, where: str, *, asks: bool) -> TestRig:
    """Return this machine as a rig; nothing is opened yet. `asks`: somebody can answer questions."""
    return TestRig(
        config=config,
        where=where,
        open_keypad=lambda: Keypad(config.keypad.rows, config.keypad.columns, make_factory()),
        open_bus=partial(open_smbus, config.display.port),
        now=time.monotonic,
        wait=time.sleep,
        say=_say,
        ask=_ask if asks else lambda _question: None,
    )


def simulated_rig(config: Config, where: str, person: "Person", factory: Any, bus: Any) -> TestRig:
    """Return a simulated box as a rig: its pin factory, its bus, and the simulated person."""
    return TestRig(
        config=config,
        where=where,
        open_keypad=lambda: Keypad(config.keypad.rows, config.keypad.columns, factory),
        open_bus=lambda: bus,
        now=lambda: person.time,
        wait=person.wait,
        say=person.say,
        ask=person.ask,
    )


class Person:
    """A simulated person, who does what the terminal asks, and the clock, which only `wait` advances.

    - `press`, `release`: push and let go a key (from 0).
    - `look`: returns what the display shows. `write`: takes what the terminal prints.
    """

    def __init__(
        self,
        press: Callable[[int], None],
        release: Callable[[int], None],
        look: Callable[[], Frame],
        write: Callable[[str], object],
    ) -> None:
        self.time = 0.0
        self._press, self._release = press, release
        self._look, self._write = look, write
        self._plans: list[tuple[float, Callable[[int], None], int]] = []

    def wait(self, seconds: float) -> None:
        """Let time pass; planned presses and releases happen."""
        end = self.time + seconds
        while self._plans and self._plans[0][0] <= end:
            self.time, act, key = self._plans.pop(0)
            act(key)
        self.time = end

    def say(self, text: str) -> None:
        """Print text; if it asks for a key, plan to press that key."""
        self._write(text)
        if request := _REQUEST.search(text):
            for wait, act in ((THINKS, self._press), (THINKS + PRESSES, self._release)):
                self._plans.append((self.time + wait, act, int(request[1]) - 1))

    def ask(self, question: str) -> bool:
        """Answer a question about all pixels by looking at them."""
        wanted = 0xFF if " lit" in question else 0x00
        answer = all(byte == wanted for byte in self._look().data)
        self._write(f"{question} [y/n] {'y' if answer else 'n'}\n")
        return answer


def _say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _ask(question: str) -> bool | None:
    """Ask until the answer is y or n; return None at the end of the terminal's input."""
    while True:
        try:
            answer = input(f"{question} [y/n] ").strip().lower()
        except EOFError:
            _say("\n")
            return None
        if answer[:1] in {"y", "n"}:
            return answer[0] == "y"
