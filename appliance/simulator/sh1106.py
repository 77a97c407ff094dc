"""The SH1106 of 1.3 inch modules, after its datasheet (V2.3): like an SSD1306 with page addressing only."""

from appliance.simulator.chip import Chip, ChipError, Command, require


class Sh1106(Chip):
    """132 columns of memory, of which the glass shows those on segments 2 to 129. No windows.

    Of the initialisation that luma.oled sends, this chip's datasheet leaves 0x20 and 0x8D without a meaning;
    both are errors here.
    """

    name = "SH1106"
    columns = 132
    first_segment = 2
    status_low = 0x8

    dc_dc: bool
    pump_voltage: int  # 0 to 3: 6.4, 7.4, 8.0, 9.0 V

    def power_on(self) -> None:
        """Give the chip its power (again). Its DC-DC converter is enabled from the start."""
        super().power_on()
        self.contrast = 0x80
        self.dc_dc = True
        self.pump_voltage = 2

    def _supplied(self) -> bool:
        return self.dc_dc

    def _store(self, data: bytes) -> None:
        for byte in data:
            if self.column >= self.columns:
                raise ChipError(f"data for column {self.column}: the memory ends with column 131")
            self._put(byte)
            self.column += 1

    def _table(self) -> dict[int, Command]:
        table = super()._table()
        table |= dict.fromkeys(range(0x30, 0x34), Command(0, self._set_pump_voltage))
        table[0xAD] = Command(1, self._set_dc_dc)
        table[0xDB] = Command(1, self._accept)  # VCOM deselect level: every value is one
        return table

    def _set_pump_voltage(self, opcode: int, _: bytes) -> None:
        self.pump_voltage = opcode & 3

    def _set_dc_dc(self, _: int, arguments: bytes) -> None:
        require(arguments[0] in (0x8A, 0x8B), f"DC-DC setting {arguments[0]:#04x} is not 0x8a or 0x8b")
        require(not self.display_on, "the DC-DC converter must only be switched while the display is off")
        self.dc_dc = arguments[0] == 0x8B
