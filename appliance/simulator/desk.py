"""The stand-ins of one box: switches, bus and chip. Everything else is the daemon's own."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from appliance.config import CHIPS, Config
from appliance.daemon import key_settings
from appliance.devices.keypad import Keypad
from appliance.devices.panel import make_panel
from appliance.loop import Keeper, Parts
from appliance.simulator.bus import SimulatedBus
from appliance.simulator.chips import Chip, Sh1106, Ssd1306
from appliance.simulator.switches import SwitchNetwork

EMULATED: Mapping[str, type[Chip]] = {"ssd1306": Ssd1306, "sh1106": Sh1106}  # by driver
REFUSALS = {"off": "would_power_off", "restart": "would_restart"}


@dataclass(frozen=True, slots=True)
class Desk:
    """The stand-ins of one box. They outlive the daemon that runs over them, as hardware does."""

    config: Config
    network: SwitchNetwork
    bus: SimulatedBus
    chip: Chip
    now: Callable[[], float]

    def parts(self, keeper: Keeper | None = None) -> Parts:
        """Return the daemon's own devices over the stand-ins."""
        keypad = self.config.keypad
        return Parts(
            keypad=Keypad(keypad.rows, keypad.columns, self.network.factory, key_settings(self.config)),
            panel=make_panel(self.config.display, lambda: self.bus, clock=self.now),
            keeper=keeper,
            beep=lambda _signal: None,
            lamp=lambda _on: None,
            power=lambda action, refuse: refuse(REFUSALS[action]),
        )


def make_desk(config: Config, now: Callable[[], float]) -> Desk:
    """Return the stand-ins for a configuration. `now` reads the clock of the bus, in seconds.

    A display of a luma class is simulated as an SSD1306; luma.emulator shows others.
    """
    display = config.display
    if display.driver not in CHIPS:
        config = config._replace(display=display._replace(driver="ssd1306"))
    chip = EMULATED[config.display.driver](display.width, display.height)
    bus = SimulatedBus(now)
    bus.attach(display.address, chip)
    return Desk(config, SwitchNetwork(config.keypad.rows, config.keypad.columns), bus, chip, now)
