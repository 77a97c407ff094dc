"""What the self-test works with: the devices, the clock and the person, each as a function."""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from appliance.config import Config
from appliance.devices.keypad import Keypad
from appliance.devices.panel import Panel, make_panel
from appliance.devices.pinout import GpioChip


class Fitted(NamedTuple):
    """A display as it was found, which need not be as it is configured."""

    driver: str
    address: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Bench:
    """One box to be tested, and one person. Times are in seconds.

    `where` is the file that a remedy names. `header` returns the GPIO chip of the header, `chips` all that
    there are. `open_keypad` and `open_bus` raise what their devices raise; `open_panel` sends nothing yet.
    `say` takes text as it is, ends of lines included. `ask` puts a question and returns the answer, or None
    when there is nobody to give one. `wait` lets time go by.
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


def open_panel(config: Config, open_bus: Callable[[], Any] | None, fitted: Fitted) -> Panel:
    """Return the panel of a display as it was found, on the configured bus or the one that is given.

    It logs nothing: what it would log is in the table.
    """
    log = logging.getLogger("tictactoe.selftest")
    log.disabled = True
    found = replace(
        config.display,
        driver=fitted.driver,
        address=fitted.address,
        width=fitted.width,
        height=fitted.height,
    )
    return make_panel(found, open_bus, log)
