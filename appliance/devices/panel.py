"""The display as the box sees it: it takes frames, and never makes its own troubles the box's.

A fault of the bus is logged once and survived; the display is tried again with growing pauses, and when it
is back it is set up anew and sent the whole frame. A brown-out may go by without any fault; so a display
that is lit is also refreshed now and then while nothing changes on it.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, Protocol

from appliance.core.frame import Frame
from appliance.core.scene import Light
from appliance.devices.i2c import I2cSerial, open_smbus
from appliance.errors import UserError

FIRST_RETRY = 0.25  # seconds; doubles from try to try
LAST_RETRY = 5.0
REFRESH = 60.0  # seconds between two refreshes
QUIET = 2.0  # seconds without a change before a refresh begins


class Display(Protocol):
    """What a panel drives. What sends raises `OSError` for a fault of the bus."""

    def initialise(self, frame: Frame, light: Light, *, turned: bool) -> None:
        """Set up a display in whatever state it is, and show this frame in this light."""
        ...

    def update(self, frame: Frame, light: Light) -> None:
        """Show this frame in this light, after `initialise`."""
        ...

    def refresh(self) -> Iterator[None]:
        """Set up the display again, in pieces short enough to do other things between them."""
        ...

    def cleanup(self) -> None:
        """Let the bus go; what is shown stays."""
        ...


class Described(Protocol):
    """What is said of a display: `appliance.config.DisplayConfig`, for one."""

    @property
    def driver(self) -> str:
        """`ssd1306` (128x64 or 128x32), `sh1106` (128x64) or the name of another luma device."""

    @property
    def port(self) -> int:
        """The number of the kernel's I2C bus."""

    @property
    def address(self) -> int:
        """The address on the bus, 7 bits."""

    @property
    def width(self) -> int:
        """Pixels in a row."""

    @property
    def height(self) -> int:
        """Rows of pixels."""

    @property
    def rotate(self) -> int:
        """0 or 180 degrees."""


class Panel:
    """Shows frames on a display; survives its bus.

    Times are seconds of the caller's one clock. `name` is what the log calls the display. `refresh` is the
    time from one refresh to the next in seconds.
    """

    def __init__(
        self,
        display: Display,
        name: str = "display",
        log: logging.Logger | None = None,
        refresh: float = REFRESH,
    ) -> None:
        self._display = display
        self._name = name
        self._log = log or logging.getLogger("tictactoe.display")
        self._period = refresh
        self._wanted: tuple[Frame, Light] | None = None
        self._turned = False
        self._known = False  # the display shows what was last sent to it
        self._changed_at = 0.0
        self._complete_at = 0.0  # when everything was sent last
        self._refreshing: Iterator[None] | None = None
        self._retry_at: float | None = None  # not None: the display is lost
        self._pause = 0.0
        self._lost_at = 0.0

    @property
    def healthy(self) -> bool:
        """Whether the display answered when it was last talked to."""
        return self._retry_at is None

    def show(self, frame: Frame, light: Light, now: float) -> None:
        """Show a frame in a light. A display that is lost gets it when it is back."""
        wanted = (frame, light)
        if wanted == self._wanted:
            return
        dark = self._wanted is not None and not self._wanted[1].on
        if dark and light.on and now >= self._complete_at + self._period:
            self._known = False  # it slept through its refreshes: send it all
        self._wanted = wanted
        self._changed_at = now
        self._send(now)

    def turn(self, turned: bool, now: float) -> None:
        """Turn the picture by 180 degrees from how the display is mounted, or back."""
        if turned == self._turned:
            return
        self._turned = turned
        self._known = False
        self._send(now)

    def due(self) -> float | None:
        """Return when `service` wants to be called next, None for never."""
        if self._wanted is None:
            return None
        if self._retry_at is not None:
            return self._retry_at
        if not self._wanted[1].on:
            return None
        if self._refreshing is not None:
            return self._complete_at
        quiet = min(self._changed_at + QUIET, self._complete_at + 2 * self._period)  # it may never be quiet
        return max(self._complete_at + self._period, quiet)

    def service(self, now: float) -> None:
        """Do what is due: try a lost display again, or send the next piece of a refresh."""
        due = self.due()
        if due is None or now < due:
            return
        if self._retry_at is not None:
            self._send(now)
            return
        try:
            if self._refreshing is None:
                self._refreshing = self._display.refresh()
            next(self._refreshing)
        except StopIteration:
            self._completed(now)
        except OSError as error:
            self._lose(error, now)

    def close(self) -> None:
        """Let the bus go. The last frame stays lit."""
        with suppress(OSError):
            self._display.cleanup()

    def _send(self, now: float) -> None:
        """Bring the display to what is wanted, unless it is lost and not to be tried yet."""
        if self._wanted is None or (self._retry_at is not None and now < self._retry_at):
            return
        frame, light = self._wanted
        try:
            if self._known:
                self._display.update(frame, light)
            else:
                self._display.initialise(frame, light, turned=self._turned)
                self._completed(now)
        except OSError as error:
            self._lose(error, now)

    def _completed(self, now: float) -> None:
        self._known = True
        self._refreshing = None
        self._complete_at = now
        if self._retry_at is not None:
            self._log.info("%s is back after %.1f s", self._name, now - self._lost_at)
            self._retry_at = None

    def _lose(self, error: OSError, now: float) -> None:
        self._known = False
        with suppress(OSError):
            self._display.cleanup()
        if self._retry_at is None:
            self._log.warning("%s does not answer (%s); the game goes on without it", self._name, error)
            self._lost_at = now
            self._pause = FIRST_RETRY
        else:
            self._pause = min(2 * self._pause, LAST_RETRY)
        self._retry_at = now + self._pause


def make_panel(
    display: Described, open_bus: Callable[[], Any] | None = None, log: logging.Logger | None = None
) -> Panel:
    """Return a panel over a display, as described. Nothing is sent yet, and no bus is opened.

    `open_bus` opens the bus; without it that is the kernel's. Raises `UserError` for a driver that there is
    not, or not in this size.
    """
    serial = I2cSerial(open_bus or partial(open_smbus, display.port), display.address)
    name = f"the display ({display.driver} at {display.address:#04x} on bus {display.port})"
    return Panel(make_display(display, serial), name, log)


def make_display(display: Described, serial: Any) -> Display:
    """Return what drives a display on this serial. Raises `UserError` as `make_panel`."""
    driver, width, height = display.driver, display.width, display.height
    # luma and Pillow take long to import on a small machine: only once a display is asked for.
    if driver not in {"ssd1306", "sh1106"}:
        from appliance.devices.anyluma import AnyLuma, find_class  # noqa: PLC0415 - see above

        return AnyLuma(find_class(driver), serial, width, height, display.rotate)
    from appliance.devices.oled import Sh1106, Ssd1306  # noqa: PLC0415 - see above

    chip = Ssd1306 if driver == "ssd1306" else Sh1106
    if (width, height) not in chip.sizes:
        sizes = " or ".join(f"{w}x{h}" for w, h in chip.sizes)
        raise UserError(f"display: width and height: {driver} is {sizes}, not {width}x{height}; change them")
    return chip(serial, width, height, display.rotate)
