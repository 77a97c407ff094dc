"""The SSD1306 at the level of the bytes on its bus, after its datasheet (Rev 1.1, sections 8 to 10)."""

from collections.abc import Mapping
from typing import ClassVar

from appliance.simulator.chip import Chip, ChipError, require

__all__ = ["Chip", "ChipError", "Ssd1306"]

HORIZONTAL, VERTICAL, PAGE = 0, 1, 2  # addressing modes


class Ssd1306(Chip):
    """128 columns of memory and three addressing modes; its charge pump must be switched on for any light.

    Scrolling is left out: no driver of ours uses it.
    """

    name = "SSD1306"
    arguments: ClassVar[Mapping[int, int]] = {**Chip.arguments, 0x20: 1, 0x21: 2, 0x22: 2, 0x8D: 1, 0xDB: 1}

    def power_on(self) -> None:
        """Give the chip its power (again)."""
        super().power_on()
        self.mode = PAGE
        self.column_window = 0, 127  # inclusive
        self.page_window = 0, 7
        self.pump = False
        self._pumping = False
        self.status_low = 0x6 if self.height == 64 else 0x3

    def _supplied(self) -> bool:
        return self._pumping

    def _store(self, data: bytes) -> None:
        for byte in data:
            self._put(byte)
            if self.mode == VERTICAL:
                if self._next_page():
                    self._next_column()
            elif self._next_column() and self.mode == HORIZONTAL:
                self._next_page()

    def _next_column(self) -> bool:
        """Move to the next column; return whether that was back to the first."""
        first, last = self.column_window
        back = self.column in (last, 127)
        self.column = first if back else self.column + 1
        return back

    def _next_page(self) -> bool:
        """Move to the next page; return whether that was back to the first."""
        first, last = self.page_window
        back = self.page in (last, 7)
        self.page = first if back else self.page + 1
        return back

    def _execute(self, opcode: int, arguments: bytes) -> None:
        value = arguments[0] if arguments else opcode
        match opcode:
            case 0x20:
                require(value <= PAGE, f"addressing mode {value:#04x} is not 0, 1 or 2")
                self.mode = value
            # The windows are for the two other modes. In page mode, which a chip that lost its power for a
            # moment is in without the driver's knowledge, they are no error and move nothing.
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
                pass  # scrolling off, as it always is here
            case 0x8D:
                require(value in (0x10, 0x14), f"charge pump setting {value:#04x} is not 0x10 or 0x14")
                self.pump = value == 0x14
                self._pumping = self._pumping and self.pump
            case 0xDB:
                # 0x40 is in no table of the datasheet, but in the initialisation of every common driver.
                holds = value in (0x00, 0x20, 0x30, 0x40)
                require(holds, f"VCOMH deselect level {value:#04x} is not one of 0, 0x20, 0x30, 0x40")
            case _:
                paged = opcode < 0x20 or 0xB0 <= opcode < 0xB8
                holds = not paged or self.mode == PAGE
                require(holds, f"command {opcode:#04x} is for page addressing mode only")
                super()._execute(opcode, arguments)
                self.column &= 0x7F
        if opcode in (0xAE, 0xAF):
            self._pumping = self.display_on and self.pump  # the pump starts with the next display on, 0xAF
