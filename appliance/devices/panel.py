"""The display as the box uses it: a bus error, a slow bus or a broken driver never stops the game.

A display on four wires fails in two ways. Either a transfer fails: that is logged once, the display is
retried with growing pauses, and when it answers again it is initialised and sent the whole frame. Or nothing
fails: a brown-out resets the chip between two transfers, or a glitch flips a register, and every later
transfer is acknowledged. The memory cannot be read over I2C, so the panel cannot know. Instead it repeats:
soon after a change and every few seconds it reads the one status byte there is and sends the registers again
(a touch-up), and at longer intervals all of the memory, a piece at a time (a refresh). That bounds how long a
wrong picture can last, at a few per cent of the bus, and less at rest.

A hanging bus must not hang the game, so the time that the display may hold up its caller is a budget: each
call spends from it and it refills slowly. A display that uses it up counts as lost and is retried seldom. The
time that the bytes would take on the slowest bus is not counted: such a bus makes a sluggish display, not a
lost one.
"""

import logging
import math
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

from appliance.config.schema import CHIPS, DisplayConfig
from appliance.core.errors import UserError
from appliance.core.picture.canvas import Frame
from appliance.core.picture.raster import free_rows, render
from appliance.core.picture.scene import Light, Picture
from appliance.core.problems import Problem
from appliance.devices.i2c import I2cSerial, TooSlow, open_smbus

TYPE_CHECKING = False
if TYPE_CHECKING:
    from appliance.devices.anyluma import AnyLuma
    from appliance.devices.oled import Oled

# Seconds between refreshes. A refresh takes 0.1 s on a bus at 100 kHz, so a glitch is repaired within 5 s in
# play and 10 s at rest.
IN_PLAY, AT_REST = 4.5, 9.5
TOUCH_UP = AT_REST / 2  # seconds from a refresh to a touch-up, unless a change or a refresh comes first
PLAYING = 30.0  # seconds after a change for which the display counts as in play
TOUCH_UP_AFTER = 1.0  # seconds without a change before a touch-up
CONSTANT = 3.0  # seconds from a change to its touch-up when changes keep coming
# Seconds that the display may delay its caller at a stretch; a retry gets half. No call starts a transaction
# after twice this time. The service passes a fifth of its WatchdogSec=, which is the same.
BUDGET = 1.0
RECOVERY = 0.5  # seconds of budget regained per second without a call
SETTLED = 60.0  # seconds that a display must work before its next failure counts as a new one


# Seconds before the first retry, and at most between retries; the pause doubles each time.
SILENT = (0.25, 5.0)  # a try costs one byte
SLOW = (5.0, 60.0)  # a try may cost the whole budget
BROKEN = (60.0, 3600.0)  # a try may import and construct the driver again


class Panel:
    """Renders pictures and shows them on a display. Constructing it sends nothing and opens no bus.

    Times are seconds of the caller's clock. `open_bus` opens the display's bus, by default the kernel's.
    `clock` measures how long a call takes; the display may delay its caller for `budget` seconds at a
    stretch.
    """

    def __init__(
        self,
        display: DisplayConfig,
        open_bus: Callable[[], Any] | None = None,
        log: logging.Logger | None = None,
        clock: Callable[[], float] = time.monotonic,
        budget: float = BUDGET,
    ) -> None:
        self.problem: Problem | None = None  # why the display shows nothing; None while it works
        self.frames = 0  # pictures shown so far, repeats not counted
        self._serial = I2cSerial(open_bus or partial(open_smbus, display.port), display.address, clock)
        self._display = make_display(display, self._serial)
        self._size = (display.width, display.height)
        self._name = f"{display.driver} at {display.address:#04x} on bus {display.port}"
        self._log = log or logging.getLogger("tictactoe.display")
        self._clock = clock
        self._budget = budget
        self._picture: Picture | None = None
        self._wanted: tuple[Frame, Light] | None = None
        self._turned = False
        self._known = False  # the display shows what was last sent to it
        self._touch_up_at = math.inf
        self._touch_up_latest = math.inf
        self._changed_at = -math.inf
        self._complete_at = 0.0  # when everything was last sent
        self._refreshing: Iterator[None] | None = None
        self._retry_at: float | None = None  # not None: the display is lost
        self._pause = 0.0
        self._lost_at = 0.0
        self._back_at = -math.inf
        self._used = 0.0  # seconds of the budget
        self._ended = -math.inf  # when the last call ended

    @property
    def frame(self) -> Frame:
        """The last frame shown."""
        return self._wanted[0] if self._wanted else Frame.blank(*self._size)

    @property
    def healthy(self) -> bool:
        """Whether the last call to the display succeeded."""
        return self._retry_at is None

    def show(self, picture: Picture, now: float) -> None:
        """Show a picture; no-op if it is shown already."""
        before, self._picture = self._picture, picture
        if picture == before:
            return
        self.frames += 1
        right, down = picture.shift
        frame = self.frame
        if before is None or (picture.scene, right) != (before.scene, before.shift[0]):
            frame = render(picture._replace(shift=(right, 0)), *self._size)
        # The display shifts the picture down by a register: no memory has to be resent.
        changed_at = self._changed_at
        self.show_frame(frame, picture.light._replace(lower=min(down, free_rows(self._size[1]))), now)
        if before is not None and picture.scene == before.scene:
            self._changed_at = changed_at  # dimming or shifting the picture is not play

    def show_frame(self, frame: Frame, light: Light, now: float) -> None:
        """Show a frame in a light; a lost display gets it once it is back."""
        wanted = (frame, light)
        if wanted == self._wanted:
            return
        dark = self._wanted is not None and not self._wanted[1].on
        if dark and light.on:
            self._known = False  # nothing was sent while it was dark, so it may have been reset
        self._wanted = wanted
        self._changed_at = now
        self._touch_up_latest = min(self._touch_up_latest, now + CONSTANT)
        self._touch_up_at = min(now + TOUCH_UP_AFTER, self._touch_up_latest)
        self._send(now)

    def turn(self, turned: bool, now: float) -> None:
        """Rotate the picture by 180 degrees relative to the display's mounting, or back."""
        if turned == self._turned:
            return
        self._turned = turned
        self._known = False
        self._send(now)

    def due(self) -> float | None:
        """Return when to call `service` next, None for never."""
        if self._wanted is None:
            return None
        if self._retry_at is not None:
            return self._retry_at
        if not self._wanted[1].on:
            return None
        if self._refreshing is not None:
            return self._complete_at
        return min(self._touch_up_at, self._refresh_at)

    @property
    def _refresh_at(self) -> float:
        playing = self._complete_at < self._changed_at + PLAYING
        return self._complete_at + (IN_PLAY if playing else AT_REST)

    def service(self, now: float) -> None:
        """Do what is due: retry a lost display, touch it up, or send the next piece of a refresh."""
        due = self.due()
        if self._wanted is None or due is None or now < due:
            return
        if self._retry_at is not None:
            self._send(now)
        elif self._refreshing is None and now < self._refresh_at:
            self._touch_up_at = self._touch_up_latest = math.inf
            self._run(self._display.touch_up, now)
        else:
            self._run(partial(self._refresh, now), now)

    def close(self) -> None:
        """Close the bus. The last frame stays lit."""
        with suppress(Exception):  # a luma class may raise anything
            self._display.cleanup()

    def _send(self, now: float) -> None:
        """Bring the display up to date, unless it is lost and its retry is not due yet."""
        if self._wanted is None or (self._retry_at is not None and now < self._retry_at):
            return
        frame, light = self._wanted
        if self._known:
            self._run(partial(self._display.update, frame, light), now)
        elif self._run(partial(self._display.initialise, frame, light, turned=self._turned), now):
            self._completed(now)

    def _refresh(self, now: float) -> None:
        if self._refreshing is None:
            self._refreshing = self._display.refresh()
        if next(self._refreshing, self) is self:
            self._completed(now)

    def _run(self, call: Callable[[], None], now: float) -> bool:
        """Call the display within its budget; return whether it worked."""
        start = self._clock()
        self._used = max(0.0, self._used - (start - self._ended) * RECOVERY)
        left = (self._budget if self.healthy else self._budget / 2) - self._used
        if left <= 0:
            self._lose(TooSlow(), now)
            return False
        self._serial.deadline, self._serial.latest = start + left, start + 2 * self._budget
        try:
            call()
        except Exception as error:  # noqa: BLE001 - a luma class may raise anything
            self._lose(error, now + self._clock() - start)
            return False
        finally:
            self._ended = self._clock()
            self._used += left - (self._serial.deadline - self._ended)  # time taken, less its bytes' credit
        return True

    def _completed(self, now: float) -> None:
        self._known = True
        self._refreshing = None
        self._complete_at = now
        self._touch_up_at, self._touch_up_latest = now + TOUCH_UP, math.inf
        if self._retry_at is not None:
            self._log.info("the display (%s) is back after %.1f s", self._name, now - self._lost_at)
            self._retry_at, self._back_at, self.problem = None, now, None

    def _lose(self, error: Exception, now: float) -> None:
        self._known = False
        self.close()
        (first, longest), state, reason = self._explain(error)
        if self._retry_at is None:
            self.problem = Problem("display", state, self._name, reason)
            self._log.warning("%s; the game goes on without it", self.problem)
            if now > self._back_at + SETTLED:
                self._pause = 0.0
            self._lost_at = now
        self._pause = min(max(2 * self._pause, first), longest)
        self._retry_at = now + self._pause

    def _explain(self, error: Exception) -> tuple[tuple[float, float], str, str]:
        """Return the pauses between retries after this error, and the problem's state and reason."""
        if isinstance(error, TooSlow):
            return SLOW, "slow", f"{self._budget:g} s"
        if isinstance(error, OSError):
            return SILENT, "silent", str(error)
        reason = str(error) if isinstance(error, UserError) else f"{type(error).__name__}: {error}"
        return BROKEN, "unusable", reason


def make_display(display: DisplayConfig, serial: Any) -> "Oled | AnyLuma":
    """Return the driver of a display on this serial."""
    # luma and Pillow import slowly on a small machine: load them only when a display is needed.
    if display.driver not in CHIPS:
        from appliance.devices.anyluma import AnyLuma  # noqa: PLC0415 - see above

        return AnyLuma(display.driver, serial, display.width, display.height, display.rotate)
    from appliance.devices.oled import DRIVERS  # noqa: PLC0415 - see above

    return DRIVERS[display.driver](serial, display.width, display.height, display.rotate, display.column)


def show_once(display: DisplayConfig, picture: Picture, open_bus: Callable[[], Any] | None) -> Problem | None:
    """Show one picture and leave it lit; return why that failed, or None. Nothing is logged."""
    log = logging.getLogger("tictactoe.once")
    log.disabled = True
    panel = Panel(display, open_bus, log, budget=5.0)  # nothing else waits for it
    panel.show(picture, time.monotonic())
    panel.close()
    return panel.problem
