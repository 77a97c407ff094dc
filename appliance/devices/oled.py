"""SSD1306, SSD1315, SSD1309 and SH1106 displays on luma's device: they send only what has changed.

They use luma.core's device and luma.oled's command names. luma.oled's own classes for these chips switch the
display off and clear it on construction, a visible flash, and send the whole frame each time. They also send
bytes that the datasheets do not define: 0x20 and 0x8D to the SH1106, 0x8D to the SSD1309.
"""

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any

from luma.core.device import device
from luma.oled.const import ssd1306 as const

from appliance.core.picture.canvas import Frame
from appliance.core.picture.scene import Light
from appliance.devices.spans import Window, page_windows, windows

NOP = 0xE3
DEACTIVATE_SCROLL = 0x2E
SEGMENTS_FORWARD = 0xA0  # the opposite of const.SETSEGMENTREMAP
PAGE_ADDRESS = 0xB0
MEMORY_ROWS = 64
MEMORY_COLUMNS = 132  # of an SH1106
PUMP_VOLTAGE = 0x32  # SH1106: 8.0 V, its reset value
# Fill up the arguments that the chip may still expect after a bus error; otherwise no-ops.
RESYNCHRONISE = (NOP, NOP)


class Oled(device):  # type: ignore[misc]  # luma has no type information
    """A display with pages of 8 rows, which tracks what the chip's memory holds.

    `serial` has `command(*bytes)`, `data(bytes)` and `cleanup()`. `rotate` is how the module is mounted:
    0 is upright, 180 upside down; the chip rotates the picture. Nothing is sent before `initialise`. A bus
    error is raised as `OSError`; after one the state of the display is unknown until `initialise` succeeds.
    """

    REGISTERS: tuple[int, ...]  # commands for registers that only this chip has, or that need its own values
    LOWEST = 0  # the lowest contrast that this chip accepts

    def __init__(self, serial: Any, width: int, height: int, rotate: int, column: int = 2) -> None:
        super().__init__(const, serial)
        self.capabilities(width, height, 0)
        self.persist = True  # otherwise luma blanks the display when the program ends
        self._rotated = rotate == 180  # how it is mounted
        self._column = column
        self._upside_down: bool | None = None  # here and below, None is unknown
        self._on: bool | None = None
        self._contrast: int | None = None
        self._lower: int | None = None
        self._pages: tuple[int, int] | None = None  # what the chip's registers are set to
        self._columns: tuple[int, int] | None = None
        self._held = b""
        self._light = Light()

    def initialise(self, frame: Frame, light: Light, *, turned: bool) -> None:
        """Set up the chip, whatever state it is in, and show this frame in this light.

        A lit display stays lit, and a dark one stays dark until its memory holds the frame: no garbage and
        no dark flash. It goes dark only to rotate the picture.
        """
        upside_down = turned != self._rotated
        dark = not light.on or self._upside_down not in {None, upside_down}
        self._upside_down = upside_down
        self._held, self._light = self._content(frame, light), light
        self._send_all(dark=dark)

    def update(self, frame: Frame, light: Light) -> None:
        """Send what differs from the last frame and light."""
        old, self._held = self._held, self._content(frame, light)
        self._light = light
        if not light.on:
            self._set_light()
        if old != self._held:
            self._send(self._choose(old))
        self._set_light()

    def touch_up(self) -> None:
        """Resend the registers; resend everything if the chip reports a reset.

        The registers alone do not switch the display on: if the status is unreadable, that could show
        garbage.
        """
        if self._on and self._serial_interface.says_off():
            self._send_all(dark=False)
        else:
            self._set_registers(dark=False)

    def refresh(self) -> Iterator[None]:
        """Initialise the display again with its current frame and light, in pieces of a few milliseconds.

        The display may be updated between pieces. On a healthy display a refresh is invisible.
        """
        self._set_registers(dark=not self._light.on)
        yield
        for page in range(self.height // 8):
            self._send([Window((page, page), (0, self.width - 1))])
            yield
        self._on = None  # only now: an update must not light a half-restored memory
        self._set_light()

    # luma's own commands, sent only if they change anything

    def show(self) -> None:
        """Switch the display on; no-op if it is on."""
        if self._on is not True:
            super().show()
            self._on = True

    def hide(self) -> None:
        """Switch the display off; no-op if it is off."""
        if self._on is not False:
            super().hide()
            self._on = False

    def contrast(self, level: int) -> None:
        """Set the contrast, 0 to 255; no-op if unchanged."""
        if self._contrast != level:
            super().contrast(max(level, self.LOWEST))
            self._contrast = level

    # What the chips have in common, and where they differ

    def _content(self, frame: Frame, light: Light) -> bytes:
        """Return what the memory is to hold; a panel of 32 rows lacks those that a start line brings in."""
        return (frame.lowered(light.lower) if self.height < MEMORY_ROWS else frame).data

    def _set_light(self) -> None:
        if self._light.on:
            self.contrast(self._light.contrast)
            if self._lower != self._light.lower and self.height == MEMORY_ROWS:
                # Shift the picture down: the memory's last rows come first.
                self.command(const.SETSTARTLINE | -self._light.lower % MEMORY_ROWS)
                self._lower = self._light.lower
            self.show()
        else:
            self.hide()

    def _send_all(self, *, dark: bool) -> None:
        """Set up the chip, send the whole frame, and only then switch the display on."""
        self._on = None
        self._set_registers(dark=dark)
        self._send(self._choose(bytes(byte ^ 0xFF for byte in self._held)))
        self._set_light()

    def _set_registers(self, *, dark: bool) -> None:
        self._pages = self._columns = None
        upside_down, upright = (SEGMENTS_FORWARD, const.COMSCANINC), (const.SETSEGMENTREMAP, const.COMSCANDEC)
        directions = upside_down if self._upside_down else upright
        off = (const.DISPLAYOFF,) if dark else ()
        start = const.SETSTARTLINE | (-self._light.lower % MEMORY_ROWS if self.height == MEMORY_ROWS else 0)
        self.command(
            *RESYNCHRONISE,
            *off,
            *(const.SETDISPLAYCLOCKDIV, 0x80),
            *(const.SETMULTIPLEX, self.height - 1),
            *(const.SETDISPLAYOFFSET, 0),
            *(const.SETCOMPINS, 0x12 if self.height == MEMORY_ROWS else 0x02),
            *self.REGISTERS,
            const.DISPLAYALLON_RESUME,
            const.NORMALDISPLAY,
            start,
            *directions,
            *(const.SETCONTRAST, max(self._light.contrast, self.LOWEST)),
        )
        self._lower, self._contrast = self._light.lower, self._light.contrast
        if dark:
            self._on = False

    def _send(self, chosen: list[Window]) -> None:
        """Send these windows of the frame."""
        for window in chosen:
            if address := self._address(window):
                self.command(*address)
            self._columns, self._pages = window.columns, window.pages
            self.data(window.content(self._held, self.width))

    @abstractmethod
    def _choose(self, old: bytes) -> list[Window]:
        """Return the windows to send when the memory held `old`."""

    @abstractmethod
    def _address(self, window: Window) -> tuple[int, ...]:
        """Return the commands that set the address registers to this window, as needed."""


class Ssd1306(Oled):
    """An SSD1306 in horizontal addressing mode, where a window may be several pages high."""

    REGISTERS: tuple[int, ...] = (
        DEACTIVATE_SCROLL,
        *(const.CHARGEPUMP, 0x14),
        *(const.MEMORYMODE, 0x00),
        *(const.SETPRECHARGE, 0xF1),
        *(const.SETVCOMDETECT, 0x20),  # the reset value; the widely used 0x40 is not in the datasheet
    )

    def _choose(self, old: bytes) -> list[Window]:
        return windows(old, self._held, self.width)

    def _address(self, window: Window) -> tuple[int, ...]:
        # Setting a register moves its pointer to the window's start. The pointer returns there when the
        # window is full, so a register that already has the right value need not be set.
        columns = (const.COLUMNADDR, *window.columns) if window.columns != self._columns else ()
        pages = (const.PAGEADDR, *window.pages) if window.pages != self._pages else ()
        return columns + pages


class Ssd1315(Ssd1306):
    """An SSD1315, on newer 0.96 inch modules: an SSD1306, except that its contrast begins at 1.

    What it adds (two higher voltages of the charge pump, a reference current of its own) stays as reset.
    """

    LOWEST = 1


class Ssd1309(Ssd1306):
    """An SSD1309 on a 2.42 inch module; its panel has a separate supply, so there is no charge pump."""

    REGISTERS = (
        DEACTIVATE_SCROLL,
        *(const.MEMORYMODE, 0x00),
        *(const.SETPRECHARGE, 0x22),  # the reset values
        *(const.SETVCOMDETECT, 0x34),
    )


class Sh1106(Oled):
    """An SH1106 on a 1.3 inch module: page addressing, and memory for four more columns than the panel has.

    `column` is the address of an upright panel's left edge; some begin at 0, 1 or (the compatible CH1116) 4.

    Its DC-DC converter is enabled by reset and may only be switched while the display is off, so it is left
    alone.
    """

    REGISTERS = (PUMP_VOLTAGE, *(const.SETPRECHARGE, 0x22), *(const.SETVCOMDETECT, 0x35))

    def _choose(self, old: bytes) -> list[Window]:
        return page_windows(old, self._held, self.width)

    def _address(self, window: Window) -> tuple[int, ...]:
        left = MEMORY_COLUMNS - self.width - self._column if self._upside_down else self._column
        column = left + window.columns[0]
        page = (PAGE_ADDRESS | window.pages[0],) if window.pages != self._pages else ()
        return *page, const.SETLOWCOLUMN | column & 0x0F, const.SETHIGHCOLUMN | column >> 4


DRIVERS: Mapping[str, type[Oled]] = {
    "ssd1306": Ssd1306,
    "ssd1315": Ssd1315,
    "sh1106": Sh1106,
    "ssd1309": Ssd1309,
}
"""The class of each driver in `config.CHIPS`."""
