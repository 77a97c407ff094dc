"""The SSD1306 at the level of the bytes on its bus, after its datasheet (Rev 1.1, sections 8 to 10)."""

from appliance.simulator.chip import Chip, ChipError, Command, require

__all__ = ["Chip", "ChipError", "Ssd1306"]

HORIZONTAL, VERTICAL, PAGE = 0, 1, 2  # addressing modes


class Ssd1306(Chip):
    """128 columns of memory and three addressing modes; its charge pump must be switched on for any light."""

    name = "SSD1306"

    mode: int
    column_window: tuple[int, int]  # inclusive
    page_window: tuple[int, int]
    pump: bool
    scrolling: bool

    def power_on(self) -> None:
        """Give the chip its power (again)."""
        super().power_on()
        self.mode = PAGE
        self.column_window = (0, 127)
        self.page_window = (0, 7)
        self.pump = False
        self.scrolling = False
        self._pumping = False
        self.status_low = 0x6 if self.height == 64 else 0x3

    def _supplied(self) -> bool:
        return self._pumping

    def _store(self, data: bytes) -> None:
        require(not self.scrolling, "data while scrolling: the memory must not be written then")
        advance = (self._across, self._down, self._along)[self.mode]
        for byte in data:
            self._put(byte)
            advance()

    def _next_column(self) -> bool:
        """Move to the next column; return whether that was back to the first."""
        first, last = self.column_window
        back = self.column in (last, 127)
        self.column = first if back else self.column + 1
        return back

    def _next_page(self) -> bool:
        first, last = self.page_window
        back = self.page in (last, 7)
        self.page = first if back else self.page + 1
        return back

    def _along(self) -> None:
        self._next_column()

    def _across(self) -> None:
        if self._next_column():
            self._next_page()

    def _down(self) -> None:
        if self._next_page():
            self._next_column()

    def _table(self) -> dict[int, Command]:
        table = super()._table()
        table |= {
            0x20: Command(1, self._set_mode),
            0x21: Command(2, self._set_column_window),
            0x22: Command(2, self._set_page_window),
            0x26: Command(6, self._set_scroll),
            0x27: Command(6, self._set_scroll),
            0x29: Command(5, self._set_diagonal_scroll),
            0x2A: Command(5, self._set_diagonal_scroll),
            0x2E: Command(0, self._scroll),
            0x2F: Command(0, self._scroll),
            0x8D: Command(1, self._set_pump),
            0xA3: Command(2, self._set_scroll_area),
            0xDB: Command(1, self._set_deselect_level),
        }
        return table

    def _set_mode(self, _: int, arguments: bytes) -> None:
        require(
            arguments[0] in (HORIZONTAL, VERTICAL, PAGE),
            f"addressing mode {arguments[0]:#04x} is not 0, 1 or 2",
        )
        self.mode = arguments[0]

    def _set_column_window(self, _: int, arguments: bytes) -> None:
        first, last = arguments
        require(first <= last <= 127, f"column window {first} to {last} is not within 0 to 127")
        self.column_window = (first, last)
        # The command is for the two other modes. It is no error in page mode, which a chip that lost its
        # power for a moment is in without the driver's knowledge; there it moves nothing.
        if self.mode != PAGE:
            self.column = first

    def _set_page_window(self, _: int, arguments: bytes) -> None:
        first, last = arguments
        require(first <= last <= 7, f"page window {first} to {last} is not within 0 to 7")
        self.page_window = (first, last)
        if self.mode != PAGE:
            self.page = first

    def _set_column_nibble(self, opcode: int, arguments: bytes) -> None:
        require(self.mode == PAGE, f"command {opcode:#04x} is for page addressing mode only")
        super()._set_column_nibble(opcode, arguments)
        self.column &= 0x7F

    def _set_page(self, opcode: int, arguments: bytes) -> None:
        require(self.mode == PAGE, f"command {opcode:#04x} is for page addressing mode only")
        super()._set_page(opcode, arguments)

    def _set_pump(self, _: int, arguments: bytes) -> None:
        require(arguments[0] in (0x10, 0x14), f"charge pump setting {arguments[0]:#04x} is not 0x10 or 0x14")
        self.pump = arguments[0] == 0x14
        self._pumping = self._pumping and self.pump

    def _switch(self, opcode: int, arguments: bytes) -> None:
        super()._switch(opcode, arguments)
        self._pumping = self.display_on and self.pump  # the pump starts with the next display on, 0xAF

    def _set_deselect_level(self, _: int, arguments: bytes) -> None:
        # 0x40 is in no table of the datasheet, but in the initialisation of every common driver.
        levels = (0x00, 0x20, 0x30, 0x40)
        require(
            arguments[0] in levels,
            f"VCOMH deselect level {arguments[0]:#04x} is not one of 0, 0x20, 0x30, 0x40",
        )

    def _set_scroll(self, _: int, arguments: bytes) -> None:
        dummy, first, interval, last, zero, full = arguments
        holds = dummy == 0 and zero == 0 and full == 0xFF and first <= last <= 7 and interval <= 7
        require(holds, f"scroll set-up {arguments.hex(' ')} is none")

    def _set_diagonal_scroll(self, _: int, arguments: bytes) -> None:
        dummy, first, interval, last, rows = arguments
        holds = dummy == 0 and first <= last <= 7 and interval <= 7 and 1 <= rows <= 0x3F
        require(holds, f"diagonal scroll set-up {arguments.hex(' ')} is none")

    def _set_scroll_area(self, _: int, arguments: bytes) -> None:
        fixed, rows = arguments
        require(fixed <= 0x3F and fixed + rows <= self.scan.multiplex, f"scroll area {fixed}, {rows} is none")

    def _scroll(self, opcode: int, _: bytes) -> None:
        self.scrolling = opcode == 0x2F  # decoded, not animated: nothing here scrolls
