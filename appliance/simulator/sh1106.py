"""The SH1106 of 1.3 inch modules, after its datasheet (V2.3): like an SSD1306 with page addressing only."""

from collections.abc import Mapping
from typing import ClassVar

from appliance.simulator.chip import Chip, require


class Sh1106(Chip):
    """132 columns of memory, of which the glass shows those on segments 2 to 129. No windows.

    Of the initialisation that luma.oled sends, this chip's datasheet leaves 0x20 and 0x8D without a meaning;
    both are errors here.
    """

    name = "SH1106"
    columns = 132
    first_segment = 2
    status_low = 0x8
    arguments: ClassVar[Mapping[int, int]] = {**Chip.arguments, 0xAD: 1, 0xDB: 1}

    def power_on(self) -> None:
        """Give the chip its power (again). Its DC-DC converter is enabled from the start."""
        super().power_on()
        self.contrast = 0x80
        self.dc_dc = True
        self.pump_voltage = 2  # 0 to 3: 6.4, 7.4, 8.0, 9.0 V

    def _supplied(self) -> bool:
        return self.dc_dc

    def _store(self, data: bytes) -> None:
        for byte in data:
            require(
                self.column < self.columns, f"data for column {self.column}: the memory ends with column 131"
            )
            self._put(byte)
            self.column += 1

    def _execute(self, opcode: int, arguments: bytes) -> None:
        match opcode:
            case 0x30 | 0x31 | 0x32 | 0x33:
                self.pump_voltage = opcode & 3
            case 0xAD:
                value = arguments[0]
                require(value in (0x8A, 0x8B), f"DC-DC setting {value:#04x} is not 0x8a or 0x8b")
                require(
                    not self.display_on, "the DC-DC converter must only be switched while the display is off"
                )
                self.dc_dc = value == 0x8B
            case 0xDB:
                pass  # VCOM deselect level: every value is one
            case _:
                super()._execute(opcode, arguments)
