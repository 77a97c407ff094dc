"""What the self-test runs on: a real box and a person at the terminal, or a simulated box and person."""

import logging
import re
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from appliance.config import Config
from appliance.core.canvas import Frame
from appliance.devices.i2c import open_smbus
from appliance.devices.keypad import Keypad
from appliance.devices.panel import Panel, make_panel
from appliance.devices.pinout import GpioChip, gpio_chips, header_chip, make_factory

THINKS = 0.6  # seconds from the request to the simulated person's press
PRESSES = 0.15  # seconds that this person holds a key

_REQUEST = re.compile(r"press key (\d)")


class Fitted(NamedTuple):
    """A display as it was found, which may differ from the configuration."""

    driver: str
    address: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class TestRig:
    """The box under test and the person who tests it. Times are in seconds.

    - `where`: the configuration file that remedies name.
    - `header`: returns the GPIO chip of the Pi's header; `chips` returns all that can be opened.
    - `open_keypad`, `open_bus`: raise what their devices raise. `open_panel` sends nothing yet.
    - `say`: prints text as it is. `ask`: returns the person's answer, None if there is nobody.
    - `wait`: lets time pass.
    """

    config: Config
    where: str
    header: Callable[[], GpioChip | None]
    chips: Callable[[], Iterable[GpioChip]]
    open_keypad: Callable[[], Keypad]
    open_bus: Callable[[], Any]
    open_panel: Callable[[Fitted], Panel]
    now: Callable[[], float]
    wait: Callable[[float], object]
    say: Callable[[str], object]
    ask: Callable[[str], bool | None]


def real_rig(config: Config, where: str, *, asks: bool) -> TestRig:
    """Return this machine as a rig; nothing is opened yet. `asks`: somebody can answer questions."""
    return TestRig(
        config=config,
        where=where,
        header=header_chip,
        chips=gpio_chips,
        open_keypad=lambda: Keypad(config.keypad.rows, config.keypad.columns, make_factory()),
        open_bus=partial(open_smbus, config.display.port),
        open_panel=partial(_open_panel, config, None),
        now=time.monotonic,
        wait=time.sleep,
        say=_say,
        ask=_ask if asks else _nobody,
    )


def simulated_rig(config: Config, where: str, person: "Person", factory: Any, bus: Any) -> TestRig:
    """Return a simulated box as a rig: its pin factory, its bus, and the simulated person."""
    header = GpioChip(0, "simulated", 28)
    return TestRig(
        config=config,
        where=where,
        header=lambda: header,
        chips=lambda: (header,),
        open_keypad=lambda: Keypad(config.keypad.rows, config.keypad.columns, factory),
        open_bus=lambda: bus,
        open_panel=partial(_open_panel, config, lambda: bus),
        now=lambda: person.time,
        wait=person.wait,
        say=person.say,
        ask=person.ask,
    )


class Person:
    """A simulated person, who does what the terminal asks, and the clock, which only `wait` advances.

    - `press`, `release`: close and open a contact of the keypad (from 0).
    - `look`: returns what the display shows. `write`: takes what the terminal prints.
    - `wiring`: the contacts that a key closes, for keys that do not just close their own.
    - `paint`: draws a picture as lines of text; the display is then printed once, with the middle key.
    """

    def __init__(
        self,
        press: Callable[[int], None],
        release: Callable[[int], None],
        look: Callable[[], Frame],
        write: Callable[[str], object],
        wiring: Mapping[int, Sequence[int]] | None = None,
        paint: Callable[[Frame], Sequence[str]] | None = None,
    ) -> None:
        self.time = 0.0
        self._press, self._release = press, release
        self._look, self._write, self._paint = look, write, paint
        self._wiring = wiring or {}
        self._plans: list[tuple[float, Callable[[int], None], int]] = []

    def wait(self, seconds: float) -> None:
        """Let time pass; planned presses and releases happen."""
        end = self.time + seconds
        while self._plans and self._plans[0][0] <= end:
            self.time, act, contact = self._plans.pop(0)
            act(contact)
        self.time = end

    def say(self, text: str) -> None:
        """Print text; if it asks for a key, plan to press that key."""
        self._write(text)
        request = _REQUEST.search(text)
        if request is None:
            return
        key = int(request[1]) - 1
        if self._paint is not None and key == 4:
            self._write("\n" + "".join(f"    {line}\n" for line in self._paint(self._look())) + "  ... ")
        for wait, act in ((THINKS, self._press), (THINKS + PRESSES, self._release)):
            self._plans += [(self.time + wait, act, contact) for contact in self._wiring.get(key, (key,))]

    def ask(self, question: str) -> bool:
        """Answer a question about all pixels by looking at them."""
        wanted = 0xFF if " lit" in question else 0x00
        answer = all(byte == wanted for byte in self._look().data)
        self._write(f"{question} [y/n] {'y' if answer else 'n'}\n")
        return answer


def _open_panel(config: Config, open_bus: Callable[[], Any] | None, fitted: Fitted) -> Panel:
    """Return the panel of a display as it was found. It logs nothing: the table reports its faults."""
    log = logging.getLogger("tictactoe.selftest")
    log.disabled = True
    return make_panel(config.display._replace(**fitted._asdict()), open_bus, log)


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


def _nobody(_question: str) -> bool | None:
    return None
