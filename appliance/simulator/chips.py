"""The display chips, after their datasheets: SSD1306, SSD1309 and SSD1315 (Rev 1.1), SH1106 (V2.3).

Power-on state, from the datasheets' "Reset Circuit" sections and command tables:

- All: display off, not inverted, nothing remapped, 64 rows, start line, offset and pointers 0. SSD1306,
  SSD1309 and SSD1315: contrast 0x7F, page addressing. SSD1306 (its application note on the pump) and
  SSD1315: charge pump off.
  SH1106: contrast 0x80, DC-DC converter on.
- Memory: undefined. Modules show noise, so here it is seeded garbage, different each time.

The chips reject commands and arguments outside their tables. Solomon's chips reject page mode's pointer
commands in the other modes; SH1106 rejects the converter's command while the display is on.

Status: bit 6 is set while the display is off (the read commands of SSD1306 and SH1106). Solomon's datasheets
describe only writes over I2C. Many modules answer reads with the status, others with garbage: the tests vary
it.
"""

from collections.abc import Mapping
from typing import ClassVar

from appliance.simulator.chip import Chip, require

HORIZONTAL, VERTICAL, PAGE = 0, 1, 2  # addressing modes of the SSD1306 and the SSD1309


class Ssd1309(Chip):
    """128 columns of memory and three addressing modes. The panel's voltage comes from outside the chip.

    Scrolling, GPIO and the command lock are omitted: our drivers do not use them.
    """

    name = "SSD1309"
    low_status: ClassVar[Mapping[int, int]] = {64: 0x0}
    arguments: ClassVar[Mapping[int, int]] = {**Chip.arguments, 0x20: 1, 0x21: 2, 0x22: 2}
    deselect_levels: ClassVar[tuple[int, ...]] = (0x00, 0x34, 0x3C)

    def power_on(self) -> None:
        """Power up in page addressing mode."""
        super().power_on()
        self.supplied = True
        self.mode = PAGE
        self.column_window = 0, 127  # inclusive
        self.page_window = 0, 7

    def _advance(self) -> None:
        if self.mode == VERTICAL:
            if self._next_page():
                self._next_column()
        elif self._next_column() and self.mode == HORIZONTAL:
            self._next_page()

    def _next_column(self) -> bool:
        """Advance to the next column; return whether that wraps around."""
        first, last = self.column_window
        wraps = self.column in (last, 127)
        self.column = first if wraps else self.column + 1
        return wraps

    def _next_page(self) -> bool:
        """Advance to the next page; return whether that wraps around."""
        first, last = self.page_window
        wraps = self.page in (last, 7)
        self.page = first if wraps else self.page + 1
        return wraps

    def _execute(self, opcode: int, arguments: bytes) -> None:
        value = arguments[0] if arguments else opcode
        match opcode:
            case 0x20:
                require(value <= PAGE, f"addressing mode {value:#04x} is not 0, 1 or 2")
                self.mode = value
            # Windows apply to the other two modes. In page mode they are no error, and move no pointer: a
            # brown-out puts the chip into page mode without the driver's knowledge.
            case 0x21:
                first, last = arguments
                require(first <= last <= 127, f"column window {first} to {last} is not within 0 to 127")
                self.column_window = first, last
                self.column = self.column if self.mode == PAGE else first
            case 0x22:
                first, last = arguments
                require(first <= last <= 7, f"page window {first} to {last} is not within 0 to 7")
                self.page_window = first, last
                self.page = self.page if self.mode == PAGE else first
            case 0x2E:
                pass  # stop scrolling, which never starts here
            case 0xDB:
                known = ", ".join(f"{level:#04x}" for level in self.deselect_levels)
                require(
                    value in self.deselect_levels, f"VCOMH deselect level {value:#04x} is not one of {known}"
                )
            case _:
                pointer = opcode < 0x20 or 0xB0 <= opcode < 0xB8
                allowed = not pointer or self.mode == PAGE
                require(allowed, f"command {opcode:#04x} is for page addressing mode only")
                super()._execute(opcode, arguments)
                self.column &= 0x7F


class Ssd1306(Ssd1309):
    """An SSD1309 with a charge pump, without which the panel stays dark."""

    name = "SSD1306"
    low_status: ClassVar[Mapping[int, int]] = {64: 0x6, 32: 0x3}
    arguments: ClassVar[Mapping[int, int]] = {**Ssd1309.arguments, 0x8D: 1}
    # 0x40 is not in the datasheet, but every common driver sends it.
    deselect_levels = (0x00, 0x20, 0x30, 0x40)
    pump_settings: ClassVar[tuple[int, ...]] = (0x10, 0x14)  # bit 2 switches it on

    def power_on(self) -> None:
        """Power up with the charge pump off."""
        super().power_on()
        self.pump = self.supplied = False

    def _execute(self, opcode: int, arguments: bytes) -> None:
        if opcode == 0x8D:
            value = arguments[0]
            known = ", ".join(f"{setting:#04x}" for setting in self.pump_settings)
            require(value in self.pump_settings, f"charge pump setting {value:#04x} is not one of {known}")
            self.pump = bool(value & 0x04)
            self.supplied = self.supplied and self.pump
            return
        super()._execute(opcode, arguments)
        if opcode == 0xAF:
            self.supplied = self.pump  # it starts with the display


class Ssd1315(Ssd1306):
    """An SSD1306 with a choice of three pump voltages, a reference current of its own, and one level more.

    Its datasheet reserves all bits of the status but the sixth.
    """

    name = "SSD1315"
    low_status: ClassVar[Mapping[int, int]] = {64: 0x0, 32: 0x0}
    arguments: ClassVar[Mapping[int, int]] = {**Ssd1306.arguments, 0xAD: 1}
    deselect_levels = (0x00, 0x10, 0x20, 0x30)
    pump_settings = (0x10, 0x14, 0x94, 0x95)

    def _execute(self, opcode: int, arguments: bytes) -> None:
        if opcode == 0xAD:  # the reference current, which has no visible effect
            require(not arguments[0] & ~0x30, f"reference current {arguments[0]:#04x} has stray bits")
            return
        require(opcode != 0x81 or arguments[0], "contrast 0x00 is not 0x01 to 0xff")
        super()._execute(opcode, arguments)


class Sh1106(Chip):
    """132 columns of memory; the usual panel shows segments 2 to 129. Page addressing only, no windows.

    luma.oled's initialisation sends 0x20 and 0x8D, which this chip's datasheet does not define; both are
    errors here.
    """

    name = "SH1106"
    columns = 132
    reset_contrast = 0x80
    low_status: ClassVar[Mapping[int, int]] = {64: 0x8, 32: 0x8}
    arguments: ClassVar[Mapping[int, int]] = {**Chip.arguments, 0xAD: 1}

    def power_on(self) -> None:
        """Power up with the DC-DC converter enabled."""
        super().power_on()
        self.supplied = True

    def _advance(self) -> None:
        self.column += 1  # it does not wrap

    def _execute(self, opcode: int, arguments: bytes) -> None:
        match opcode:
            case 0x30 | 0x31 | 0x32 | 0x33:
                pass  # the pump's voltage
            case 0xAD:
                value = arguments[0]
                require(value in (0x8A, 0x8B), f"DC-DC setting {value:#04x} is not 0x8a or 0x8b")
                require(not self.display_on, "the DC-DC converter is switched while the display is on")
                self.supplied = value == 0x8B
            case _:
                super()._execute(opcode, arguments)


EMULATED: Mapping[str, type[Chip]] = {
    "ssd1306": Ssd1306,
    "ssd1315": Ssd1315,
    "sh1106": Sh1106,
    "ssd1309": Ssd1309,
}
"""The chip of each driver in `config.CHIPS`."""
