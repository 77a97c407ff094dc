"""A self-test without a box: a person who does as the terminal asks, on a clock that only waiting moves."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

from appliance.config import Config
from appliance.core.canvas import Frame
from appliance.devices.keypad import Keypad
from appliance.devices.pinout import GpioChip
from appliance.selftest.bench import Bench, open_panel

THINKS = 0.6  # seconds from the request to the press
PRESSES = 0.15  # seconds that a key stays down

_REQUEST = re.compile(r"press key (\d)")


class Contacts(Protocol):
    """The contacts of nine keys, counted from 0: `simulator.switches.SwitchNetwork`."""

    def press(self, key: int) -> None:
        """Close a contact."""
        ...

    def release(self, key: int) -> None:
        """Open it."""
        ...


class Rehearsal:
    """The clock and the person. Times are in seconds since it was made.

    `look` returns what is to be seen on the display; `write` takes what the terminal shows. `wiring` holds
    for a key which contacts close when it is pressed, if those are not its own. `paint` makes lines of text
    of a picture: then the display is shown once, with the middle key.
    """

    def __init__(
        self,
        contacts: Contacts,
        look: Callable[[], Frame],
        write: Callable[[str], object],
        wiring: Mapping[int, Sequence[int]] | None = None,
        paint: Callable[[Frame], Sequence[str]] | None = None,
    ) -> None:
        self.time = 0.0
        self._contacts = contacts
        self._look = look
        self._write = write
        self._wiring = wiring or {}
        self._paint = paint
        self._plans: list[tuple[float, Callable[[int], None], int]] = []

    def now(self) -> float:
        """Return the time."""
        return self.time

    def wait(self, seconds: float) -> None:
        """Let time go by, and the person do what is planned for it."""
        end = self.time + seconds
        while self._plans and self._plans[0][0] <= end:
            self.time, act, contact = self._plans.pop(0)
            act(contact)
        self.time = end

    def say(self, text: str) -> None:
        """Show text on the terminal. The person reads it, and plans to press the key that it asks for."""
        self._write(text)
        request = _REQUEST.search(text)
        if request is None:
            return
        key = int(request[1]) - 1
        if self._paint is not None and key == 4:
            self._write("\n" + "".join(f"    {line}\n" for line in self._paint(self._look())) + "  ... ")
        for wait, act in ((THINKS, self._contacts.press), (THINKS + PRESSES, self._contacts.release)):
            self._plans += [(self.time + wait, act, contact) for contact in self._wiring.get(key, (key,))]

    def ask(self, question: str) -> bool | None:
        """Answer a question about all pixels with a look at them."""
        wanted = 0xFF if " lit" in question else 0x00
        answer = all(byte == wanted for byte in self._look().data)
        self._write(f"{question} [y/n] {'y' if answer else 'n'}\n")
        return answer


def rehearsal_bench(config: Config, where: str, person: Rehearsal, factory: Any, bus: Any) -> Bench:
    """Return the bench of a box that is simulated: its pin factory, its bus, and a person."""
    header = GpioChip(0, "simulated", 28)
    return Bench(
        config=config,
        where=where,
        header=lambda: header,
        chips=lambda: (header,),
        open_keypad=lambda: Keypad(config.keypad.rows, config.keypad.columns, factory),
        open_bus=lambda: bus,
        open_panel=partial(open_panel, config, lambda: bus),
        now=person.now,
        wait=person.wait,
        say=person.say,
        ask=person.ask,
    )
