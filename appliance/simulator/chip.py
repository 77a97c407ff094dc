"""What the display chips share: framing, commands, memory, picture.

The rules are the datasheets'. Where a real chip would ignore nonsense (an unknown command, an argument out of
range, stray bits in a control byte), `ChipError` is raised: the driver is wrong. The registers and the
module's wiring determine which row of the memory lights which row of the panel, so wrong settings show here
as on a real module.
"""

import copy
import random
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar, Self

from appliance.core.picture.canvas import Frame

WIDTH = 128  # columns of the panel
PADS = 64  # COM outputs of each chip

_BIT = [bytes(byte >> bit & 1 for byte in range(256)) for bit in range(8)]  # translation tables: byte -> bit


class ChipError(Exception):
    """The chip was sent something that its datasheet does not define."""


def require(holds: object, complaint: str) -> None:
    """Raise `ChipError` with `complaint` unless the condition holds."""
    if not holds:
        raise ChipError(complaint)


class Chip(ABC):
    """A display controller and its panel of 128 columns and `height` rows, 32 or 64.

    `seed` determines the garbage in the memory after power-on, which differs each time. `column` is the
    address of the panel's left edge under 0xA1, if the memory is wider.
    """

    name = "chip"
    columns = 128  # of the memory
    reset_contrast = 0x7F
    low_status: ClassVar[Mapping[int, int]] = {}  # the low bits of the status, by height
    # The argument bytes of each opcode that has any.
    arguments: ClassVar[Mapping[int, int]] = {0x81: 1, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1}

    def __init__(self, height: int = 64, seed: int = 0, column: int = 2) -> None:
        self.height = height
        self.first_segment = max(0, self.columns - WIDTH - column)  # the output at which the panel starts
        self._rng = random.Random(seed)
        self.power_on()

    def power_on(self) -> None:
        """Power up: registers at their reset values, the memory full of garbage."""
        self._memory = bytearray(self._rng.randbytes(8 * self.columns))  # by page and segment
        self._command = b""  # an incomplete command: opcode and arguments so far
        self._torn = False
        self.contrast = self.reset_contrast
        self.inverted = False
        self.all_on = False
        self.display_on = False
        self.supplied = False  # the converter for the panel's voltage runs
        self.remapped = False  # column address 0 is the last segment
        self.page = 0
        self.column = 0
        self.multiplex = 64  # rows driven, 16 to 64
        self.start_line = 0
        self.offset = 0
        self.reversed = False  # 0xC8 rather than 0xC0
        self.alternative = True  # COM pins: odd rows on the other side of the chip
        self.swapped = False  # COM pins: left and right exchanged

    def power_off(self) -> None:
        """Cut the power: the panel goes dark."""
        self.display_on = False

    # What people and tests see

    @property
    def lit(self) -> bool:
        """Whether the panel is driven."""
        return self.display_on and self.supplied

    @property
    def memory(self) -> bytes:
        """The GDDRAM by address: page by page, with column addresses under the current remap."""
        return b"".join(page[:: -1 if self.remapped else 1] for page in self._pages())

    def row(self, pad: int) -> int | None:
        """Return the memory row that appears on a COM pad, None for a pad that is not driven.

        After section 10 of the SSD1306 datasheet: the tables of COM pins by multiplex ratio, start line and
        offset. They do not cover every combination of offset and reversal; here the offset follows the
        direction of the scan.
        """
        if self.swapped:
            pad ^= 32
        com = 2 * (pad % 32) + pad // 32 if self.alternative else pad
        line = ((self.multiplex - 1 - com if self.reversed else com) + self.offset) % PADS
        return None if line >= self.multiplex else (line + self.start_line) % PADS

    @property
    def pending(self) -> bytes:
        """A command that still waits for arguments, with those so far."""
        return self._command

    def twin(self) -> Self:
        """Return another chip in the same state."""
        twin = copy.copy(self)
        twin._memory = bytearray(self._memory)  # noqa: SLF001 - a chip of this class
        return twin

    def picture(self) -> Frame:
        """Return what a person sees on the panel, held so that it is upright under 0xA1 and 0xC8."""
        if not self.lit:
            return Frame.blank(WIDTH, self.height)
        # The panel is wired in reverse: its left column is on the highest segment.
        first, last = self.first_segment, self.first_segment + WIDTH
        pages = [page[first:last][::-1] for page in self._pages()]
        ones = int.from_bytes(b"\1" * WIDTH)  # a byte per pixel
        data = b""
        for top in range(0, self.height, 8):
            stacked = 0
            for bit in range(8):
                row = self.row(self._pad(top + bit))
                if row is not None:
                    lit = int.from_bytes(pages[row // 8].translate(_BIT[row % 8]))
                    stacked |= (ones if self.all_on else lit ^ ones if self.inverted else lit) << bit
            data += stacked.to_bytes(WIDTH)
        return Frame(WIDTH, self.height, data)

    def _pad(self, y: int) -> int:
        """Return the COM pad that a row of the panel is wired to; row 0 is the top.

        128x64 panels use both sides of the chip alternately, 128x32 panels one side in order.
        """
        row = self.height - 1 - y
        return row // 2 + 32 * (row % 2) if self.height == 64 else row

    def status(self) -> int:
        """Return the status byte of a read: bit 6 is set while the display is off.

        No datasheet has the low bits. Real chips answer 6 (SSD1306 on 128x64), 3 (on smaller panels) and 8
        (SH1106), and drivers use that to identify them. SSD1309's and SSD1315's are unknown: 0 here.
        """
        return (0 if self.display_on else 0x40) | self.low_status[self.height]

    # The bus side

    def write(self, payload: bytes, *, torn: bool = False) -> None:
        """Receive the bytes of one transaction, without the address byte.

        `torn`: a bus fault ended the transaction after these bytes. A command waits for its arguments across
        transactions, which drivers that send single bytes rely on. So after a fault it may take the next
        command's bytes as its arguments; no `ChipError` is raised for their meaning.
        """
        while payload:
            control, one = payload[0], bool(payload[0] & 0x80)  # Co: one byte follows, then another control
            require(not control & 0x3F, f"control byte {control:#04x} has stray bits")
            part, payload = (payload[1:2], payload[2:]) if one else (payload[1:], b"")
            require(part or not one or torn, f"nothing follows the control byte {control:#04x}")
            require(
                not (part and control & 0x40 and self._command), "data while a command waits for arguments"
            )
            for byte in part:
                (self._store if control & 0x40 else self._take)(byte)
        self._torn = self._torn or (torn and bool(self._command))

    def _take(self, byte: int) -> None:
        """Add a byte to the command, and execute the command once it is complete."""
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

    def _store(self, byte: int) -> None:
        """Write a byte at the pointers, and advance them."""
        require(self.column < self.columns, f"data for column {self.column}: the memory ends before it")
        segment = self.columns - 1 - self.column if self.remapped else self.column
        self._memory[self.page * self.columns + segment] = byte
        self._advance()

    @abstractmethod
    def _advance(self) -> None:
        """Advance the pointers after a byte."""

    def _pages(self) -> list[bytes]:
        memory = bytes(self._memory)
        return [memory[start : start + self.columns] for start in range(0, len(memory), self.columns)]

    def _execute(self, opcode: int, arguments: bytes) -> None:
        """Execute a command that all chips share. Raise `ChipError` for any other."""
        value = arguments[0] if arguments else opcode
        if opcode < 0x10:
            self.column = self.column & 0xF0 | opcode
        elif opcode < 0x20:
            self.column = (opcode & 0x0F) << 4 | self.column & 0x0F
        elif 0x40 <= opcode < 0x80:
            self.start_line = opcode & 0x3F
        elif 0xB0 <= opcode < 0xB8:
            self.page = opcode & 7
        else:
            match opcode:
                case 0x81:
                    self.contrast = value
                case 0xA0 | 0xA1:
                    self.remapped = opcode == 0xA1  # affects only later writes, not the memory's content
                case 0xA4 | 0xA5:
                    self.all_on = opcode == 0xA5
                case 0xA6 | 0xA7:
                    self.inverted = opcode == 0xA7
                case 0xA8:
                    require(0x0F <= value <= 0x3F, f"multiplex ratio {value:#04x} is not 0x0f to 0x3f")
                    self.multiplex = value + 1
                case 0xAE | 0xAF:
                    self.display_on = opcode == 0xAF
                case 0xC0 | 0xC8:
                    self.reversed = opcode == 0xC8
                case 0xD3:
                    require(value <= 0x3F, f"display offset {value:#04x} is not 0 to 0x3f")
                    self.offset = value
                case 0xD9:
                    phases = value & 0x0F and value >> 4
                    require(phases, f"pre-charge period {value:#04x} has a phase of 0 clocks")
                case 0xDA:
                    require(value & ~0x30 == 0x02, f"COM pins {value:#04x} are not 0x02 to 0x32")
                    self.alternative, self.swapped = bool(value & 0x10), bool(value & 0x20)
                case 0xD5 | 0xDB | 0xE3:
                    pass  # clock rate, VCOMH deselect level and NOP have no visible effect
                case _:
                    raise ChipError(f"the {self.name} has no command {opcode:#04x}")
