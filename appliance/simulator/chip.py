"""What the SSD1306 and the SH1106 have in common, seen from the bus: framing, commands, registers, picture.

The rules are those of the two datasheets. Where a real chip would ignore nonsense (an unknown command, an
argument out of range, stray bits in a control byte), `ChipError` is raised: the driver is wrong.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from appliance.core.canvas import Frame
from appliance.simulator.com_map import Scan, pixels, rows_shown


class ChipError(Exception):
    """The chip was sent something that its datasheet gives no meaning to."""


def require(holds: object, complaint: str) -> None:
    """Raise `ChipError` with this complaint unless the condition holds."""
    if not holds:
        raise ChipError(complaint)


class Chip(ABC):
    """A display controller and its glass, `width` columns by `height` rows (32 or 64).

    `seed` makes the garbage that the memory holds after power-on; each power-on makes other garbage.
    """

    name = "chip"
    columns = 128  # of the memory
    first_segment = 0  # the segment output that the glass begins with
    status_low = 0x0  # what a read of the status returns in its low bits
    # How many argument bytes follow an opcode, where any do.
    arguments: ClassVar[Mapping[int, int]] = {0x81: 1, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1}

    def __init__(self, width: int = 128, height: int = 64, seed: int = 0) -> None:
        if (width, height) not in {(128, 64), (128, 32)}:
            raise ValueError(f"there is no standard {self.name} module of {width}x{height}")
        self.width = width
        self.height = height
        self._rng = random.Random(seed)
        self.power_on()

    def power_on(self) -> None:
        """Give the chip its power (again): registers at their reset values, the memory full of garbage."""
        self.powered = True
        self._memory = bytearray(self._rng.randbytes(8 * self.columns))  # by page and segment
        self._command = b""  # an opcode and arguments, still incomplete
        self._torn = False
        self.contrast = 0x7F
        self.inverted = False
        self.all_on = False
        self.display_on = False
        self.scan = Scan()
        self.remapped = False  # column address 0 is the last segment
        self.page = 0
        self.column = 0

    def power_off(self) -> None:
        """Take the power away: the glass goes dark."""
        self.powered = False

    # What a person and a test see

    @property
    def lit(self) -> bool:
        """Whether the glass is driven at all."""
        return self.powered and self.display_on and self._supplied()

    @abstractmethod
    def _supplied(self) -> bool:
        """Return whether the converter for the glass's voltage runs."""

    @property
    def memory(self) -> bytes:
        """The GDDRAM in the order of addresses: page by page, column addresses under the present remap."""
        return b"".join(page[:: -1 if self.remapped else 1] for page in self._pages())

    def picture(self) -> Frame:
        """Return what a person sees on the glass, held so that 0xA1 and 0xC8 make it upright."""
        if not self.lit:
            return Frame.blank(self.width, self.height)
        # The glass is wired back to front: its left column is on the highest segment.
        last = self.first_segment + self.width - 1
        stop = self.first_segment - 1 if self.first_segment else None
        pages = [page[last:stop:-1] for page in self._pages()]
        rows = rows_shown(self.scan, self.height)
        return Frame(self.width, self.height, pixels(pages, rows, inverted=self.inverted, all_on=self.all_on))

    def status(self) -> int:
        """Return the byte that a read gives: bit 6 is set while the display is off.

        The low bits are in no datasheet. Real chips answer 6 (SSD1306 on 128x64), 3 (on smaller glass) and 8
        (SH1106), and drivers tell the chips apart by that.
        """
        return (0 if self.display_on else 0x40) | self.status_low

    # The bus side

    def write(self, payload: bytes, *, torn: bool = False) -> None:
        """Take the bytes of one transaction, without the address byte.

        `torn` says that a fault on the bus ended the transaction after these bytes. A command waits for its
        arguments across transactions, as drivers that send each byte alone rely on; so after a fault it may
        take the next command's bytes as its arguments, and no `ChipError` is raised for what they mean.
        """
        while payload:
            control, one = payload[0], bool(payload[0] & 0x80)  # Co: one byte follows, then another control
            require(not control & 0x3F, f"control byte {control:#04x} has stray bits")
            part, payload = (payload[1:2], payload[2:]) if one else (payload[1:], b"")
            require(part or not one or torn, f"nothing follows the control byte {control:#04x}")
            if not control & 0x40:
                for byte in part:
                    self._take(byte)
            elif part:
                require(not self._command, "data while a command waits for its arguments")
                self._store(part)
        self._torn = self._torn or (torn and bool(self._command))

    def _take(self, byte: int) -> None:
        """Take a byte of a command, and execute it when it is complete."""
        self._command += bytes([byte])
        opcode, arguments = self._command[0], self._command[1:]
        if len(arguments) < self.arguments.get(opcode, 0):
            return
        torn, self._command, self._torn = self._torn, b"", False
        try:
            self._execute(opcode, arguments)
        except ChipError:
            if not torn:
                raise

    @abstractmethod
    def _store(self, data: bytes) -> None:
        """Write data bytes where the pointers are, and move these on."""

    def _put(self, byte: int) -> None:
        """Write one byte at the pointers."""
        segment = self.columns - 1 - self.column if self.remapped else self.column
        self._memory[self.page * self.columns + segment] = byte

    def _pages(self) -> list[bytes]:
        memory = bytes(self._memory)
        return [memory[start : start + self.columns] for start in range(0, len(memory), self.columns)]

    def _execute(self, opcode: int, arguments: bytes) -> None:
        """Execute one of the commands that both chips have. Raise `ChipError` for any other."""
        value = arguments[0] if arguments else opcode
        if opcode < 0x10:
            self.column = self.column & 0xF0 | opcode
        elif opcode < 0x20:
            self.column = (opcode & 0x0F) << 4 | self.column & 0x0F
        elif 0x40 <= opcode < 0x80:
            self.scan = self.scan._replace(start_line=opcode & 0x3F)
        elif 0xB0 <= opcode < 0xB8:
            self.page = opcode & 7
        else:
            match opcode:
                case 0x81:
                    self.contrast = value
                case 0xA0 | 0xA1:
                    self.remapped = opcode == 0xA1  # the memory stays: only later writes go elsewhere
                case 0xA4 | 0xA5:
                    self.all_on = opcode == 0xA5
                case 0xA6 | 0xA7:
                    self.inverted = opcode == 0xA7
                case 0xA8:
                    require(0x0F <= value <= 0x3F, f"multiplex ratio {value:#04x} is not 0x0f to 0x3f")
                    self.scan = self.scan._replace(multiplex=value + 1)
                case 0xAE | 0xAF:
                    self.display_on = opcode == 0xAF
                case 0xC0 | 0xC8:
                    self.scan = self.scan._replace(reversed=opcode == 0xC8)
                case 0xD3:
                    require(value <= 0x3F, f"display offset {value:#04x} is not 0 to 0x3f")
                    self.scan = self.scan._replace(offset=value)
                case 0xD9:
                    holds = value & 0x0F and value >> 4
                    require(holds, f"pre-charge period {value:#04x} has a phase of 0 clocks")
                case 0xDA:
                    holds = value & ~0x30 == 0x02
                    require(holds, f"COM pins configuration {value:#04x} is not 0x02 to 0x32")
                    self.scan = self.scan._replace(alternative=bool(value & 0x10), swapped=bool(value & 0x20))
                case 0xD5 | 0xE3:
                    pass  # clock rate, and NOP: nothing to see
                case _:
                    raise ChipError(f"the {self.name} has no command {opcode:#04x}")
