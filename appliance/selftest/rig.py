"""What the self-test runs on: a real box and its person, or a simulated box and person."""

import re
import sys
import time
from collections.abc import Callable
from typing import Any

from appliance.config.pinuse import fit_header
from appliance.config.schema import Config
from appliance.devices.i2c import open_smbus
from appliance.devices.keypad import Keypad
from appliance.devices.pinout import board, make_factory

THINKS = 0.6  # seconds from the request to the simulated person's press
PRESSES = 0.15  # seconds that this person holds a key

_REQUEST = re.compile(r"press key (\d)")


class Rig:
    """This machine, and the person at it. Times are in seconds.

    `where` is the configuration file that remedies name.
    """

    def __init__(self, config: Config, where: str) -> None:
        self.config = config
        self.where = where
        self.out = sys.stdout

    def open_keypad(self) -> Keypad:
        """Claim the pins. The backend's errors propagate.

        The keypad never parks: the walk needs a scan every few milliseconds, even while nothing happens.
        """
        keypad = self.config.keypad
        return Keypad(keypad.rows, keypad.columns, self.open_factory(), parks=False)

    def open_factory(self) -> Any:
        """Return the factory of the pins. Raise `UserError` if there is none, or if it lacks one."""
        fit_header(self.config, board())
        return make_factory()

    def open_bus(self) -> Any:
        """Open the display's bus. Raise `OSError` if that fails."""
        return open_smbus(self.config.display.port)

    def now(self) -> float:
        """Return the time."""
        return time.monotonic()

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        time.sleep(seconds)

    def say(self, text: str) -> None:
        """Print text as it is."""
        self.out.write(text)
        self.out.flush()


class SimulatedRig(Rig):
    """A simulated box, and a person who does what the terminal asks. Only `wait` moves the clock.

    `desk` has the box's stand-ins: network and bus.
    """

    def __init__(self, config: Config, where: str, desk: Any) -> None:
        super().__init__(config, where)
        self.time = 0.0
        self._desk = desk
        self._plans: list[tuple[float, Callable[[int], None], int]] = []

    def open_factory(self) -> Any:
        """Return the factory of the simulated switches."""
        return self._desk.network.factory

    def open_bus(self) -> Any:
        """Return the simulated bus."""
        return self._desk.bus

    def now(self) -> float:
        """Return the virtual time."""
        return self.time

    def wait(self, seconds: float) -> None:
        """Let time pass; planned presses and releases happen."""
        end = self.time + seconds
        while self._plans and self._plans[0][0] <= end:
            self.time, act, key = self._plans.pop(0)
            act(key)
        self.time = end

    def say(self, text: str) -> None:
        """Print text; if it asks for a key, plan to press that key."""
        super().say(text)
        if request := _REQUEST.search(text):
            key, network = int(request[1]) - 1, self._desk.network
            press = self.time + THINKS
            self._plans += [(press, network.press, key), (press + PRESSES, network.release, key)]
