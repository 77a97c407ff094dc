"""What the SSD1306 and the SH1106 have in common, seen from the bus: framing, commands, registers, glass.

The rules are those of the two datasheets. Where a real chip would shrug at nonsense (an unknown command,
an argument out of range, stray bits in a control byte), `ChipError` is raised: the driver is wrong.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

from appliance.core.canvas import Frame
from appliance.simulator.glass import Scan, pixels, rows_shown


class ChipError(Exception):
    """The chip was sent something that its datasheet gives no meaning to."""


class Command(NamedTuple):
    """One command: how many argument bytes follow it, and what it does with the opcode and those."""

    arguments: int
    act: Callable[[int, bytes], None]


def require(holds: object, complaint: str) -> None:
    """Raise `ChipError` with this complaint unless the condition holds."""
    if not holds:
        raise ChipError(complaint)


class Chip(ABC):
    """A display controller with its glass, `width` columns by `height` rows (32 or 64).

    `seed` makes the garbage that the memory holds after power-on; each power-on makes other garbage.
    """

    name = "chip"
    columns = 128  # of the memory
    first_segment = 0  # the segment output that the glass begins with
    status_low = 0x0  # what a read of the status returns in its low bits

    powered: bool
    contrast: int
    inverted: bool
    all_on: bool
    display_on: bool
    scan: Scan
    remapped: bool  # segment remap: column address 0 is the last segment
    page: int
    column: int

    def __init__(self, width: int = 128, height: int = 64, seed: int = 0) -> None:
        if (width, height) not in {(128, 64), (128, 32)}:
            raise ValueError(f"there is no standard {self.name} module of {width}x{height}")
        self.width = width
        self.height = height
        self._rng = random.Random(seed)
        self._commands = self._table()
        self.power_on()

    def power_on(self) -> None:
        """Give the chip its power (again): registers at their reset values, the memory full of garbage."""
        self.powered = True
        self._memory = bytearray(self._rng.randbytes(8 * self.columns))  # by page and segment
        self._opcode: int | None = None
        self._arguments = bytearray()
        self._torn = False
        self.contrast = 0x7F
        self.inverted = False
        self.all_on = False
        self.display_on = False
        self.scan = Scan()
        self.remapped = False
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
        step = -1 if self.remapped else 1
        return b"".join(page[::step] for page in self._pages())

    def picture(self) -> Frame:
        """Return what a person sees on the glass, held so that 0xA1 and 0xC8 make it upright."""
        if not self.lit:
            return Frame.blank(self.width, self.height)
        # The glass is wired back to front: its left column is on the highest segment.
        last = self.first_segment + self.width - 1
        stop = self.first_segment - 1 if self.first_segment else None
        pages = [page[last:stop:-1] for page in self._pages()]
        rows = rows_shown(self.scan, self.height)
        data = pixels(pages, rows, inverted=self.inverted, all_on=self.all_on)
        return Frame(self.width, self.height, data)

    def status(self) -> int:
        """Return the byte that a read gives: bit 6 is set while the display is off.

        The low bits are in no datasheet. Real chips answer 6 (SSD1306 on 128x64), 3 (on smaller glass) and 8
        (SH1106), and drivers tell the chips apart by that.
        """
        return (0 if self.display_on else 0x40) | self.status_low

    # The bus side

    def write(self, payload: bytes, *, torn: bool = False) -> None:
        """Take the bytes of one transaction, without the address byte.

        `torn` says that the transaction was broken off after these bytes by a fault on the bus. A command
        keeps waiting for its arguments across transactions, as drivers that send each byte alone rely on; so
        after a fault it may take the next command bytes for those. What comes of that is not judged.
        """
        while payload:
            control, one = payload[0], bool(payload[0] & 0x80)  # Co: one byte follows, then another control
            require(not control & 0x3F, f"control byte {control:#04x} has stray bits")
            part, payload = (payload[1:2], payload[2:]) if one else (payload[1:], b"")
            require(part or not one or torn, f"nothing follows the control byte {control:#04x}")
            if control & 0x40:
                self._data(part)
            else:
                for byte in part:
                    self._command(byte)
        if torn and self._opcode is not None:
            self._torn = True

    def _command(self, byte: int) -> None:
        if self._opcode is None:
            require(byte in self._commands, f"the {self.name} has no command {byte:#04x}")
            self._opcode = byte
        else:
            self._arguments.append(byte)
        opcode, arguments, torn = self._opcode, bytes(self._arguments), self._torn
        command = self._commands[opcode]
        if len(arguments) < command.arguments:
            return
        self._opcode, self._torn = None, False
        self._arguments.clear()
        try:
            command.act(opcode, arguments)
        except ChipError:
            if not torn:
                raise

    def _data(self, data: bytes) -> None:
        if not data:
            return
        require(self._opcode is None, "data while a command waits for its arguments")
        self._store(data)

    @abstractmethod
    def _store(self, data: bytes) -> None:
        """Write data bytes where the pointers are, and move these on."""

    def _put(self, byte: int) -> None:
        """Write one byte at the pointers."""
        segment = self.columns - 1 - self.column if self.remapped else self.column
        self._memory[self.page * self.columns + segment] = byte

    def _pages(self) -> Iterable[bytes]:
        memory = bytes(self._memory)
        return [memory[start : start + self.columns] for start in range(0, len(memory), self.columns)]

    # The commands that both chips have

    def _table(self) -> dict[int, Command]:
        table = {
            0x81: Command(1, self._set_contrast),
            0xA8: Command(1, self._set_multiplex),
            0xD3: Command(1, self._set_offset),
            0xD5: Command(1, self._accept),  # clock divide ratio and oscillator: every value is one
            0xD9: Command(1, self._set_precharge),
            0xDA: Command(1, self._set_com_pins),
            0xE3: Command(0, self._accept),  # NOP
        }
        table |= dict.fromkeys(range(0x20), Command(0, self._set_column_nibble))
        table |= dict.fromkeys(range(0x40, 0x80), Command(0, self._set_start_line))
        table |= dict.fromkeys(range(0xA0, 0xA2), Command(0, self._set_remap))
        table |= dict.fromkeys(range(0xA4, 0xA6), Command(0, self._set_all_on))
        table |= dict.fromkeys(range(0xA6, 0xA8), Command(0, self._set_inverted))
        table |= dict.fromkeys(range(0xAE, 0xB0), Command(0, self._switch))
        table |= dict.fromkeys(range(0xB0, 0xB8), Command(0, self._set_page))
        table |= dict.fromkeys((0xC0, 0xC8), Command(0, self._set_direction))
        return table

    def _accept(self, _: int, __: bytes) -> None:
        return  # nothing of it can be seen

    def _set_contrast(self, _: int, arguments: bytes) -> None:
        self.contrast = arguments[0]

    def _set_multiplex(self, _: int, arguments: bytes) -> None:
        require(0x0F <= arguments[0] <= 0x3F, f"multiplex ratio {arguments[0]:#04x} is not 0x0f to 0x3f")
        self.scan = replace(self.scan, multiplex=arguments[0] + 1)

    def _set_offset(self, _: int, arguments: bytes) -> None:
        require(arguments[0] <= 0x3F, f"display offset {arguments[0]:#04x} is not 0 to 0x3f")
        self.scan = replace(self.scan, offset=arguments[0])

    def _set_precharge(self, _: int, arguments: bytes) -> None:
        first, second = arguments[0] & 0x0F, arguments[0] >> 4
        require(first and second, f"pre-charge period {arguments[0]:#04x} has a phase of 0 clocks")

    def _set_com_pins(self, _: int, arguments: bytes) -> None:
        require(
            arguments[0] & ~0x30 == 0x02, f"COM pins configuration {arguments[0]:#04x} is not 0x02 to 0x32"
        )
        alternative, swapped = bool(arguments[0] & 0x10), bool(arguments[0] & 0x20)
        self.scan = replace(self.scan, alternative=alternative, swapped=swapped)

    def _set_start_line(self, opcode: int, _: bytes) -> None:
        self.scan = replace(self.scan, start_line=opcode & 0x3F)

    def _set_remap(self, opcode: int, _: bytes) -> None:
        self.remapped = bool(opcode & 1)  # the memory stays as it is: only later writes go elsewhere

    def _set_all_on(self, opcode: int, _: bytes) -> None:
        self.all_on = bool(opcode & 1)

    def _set_inverted(self, opcode: int, _: bytes) -> None:
        self.inverted = bool(opcode & 1)

    def _switch(self, opcode: int, _: bytes) -> None:
        self.display_on = bool(opcode & 1)

    def _set_direction(self, opcode: int, _: bytes) -> None:
        self.scan = replace(self.scan, reversed=bool(opcode & 8))

    def _set_column_nibble(self, opcode: int, _: bytes) -> None:
        low, high = self.column & 0x0F, self.column & 0xF0
        self.column = (opcode & 0x0F) << 4 | low if opcode & 0x10 else high | opcode

    def _set_page(self, opcode: int, _: bytes) -> None:
        self.page = opcode & 7
