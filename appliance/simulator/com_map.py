"""Which row of the chip's memory lights which row of a standard module's glass.

The glass is wired to the chip's COM pads in one fixed way, and the registers decide which line of the memory
appears on which pad. Where the two disagree the picture is wrong: 128x32 glass under the settings of 128x64
glass shows its well-known gaps here too.
"""

from collections.abc import Sequence
from typing import NamedTuple

LINES = 64  # the COM pads of either chip
_BIT = tuple(
    bytes(byte >> bit & 1 for byte in range(256)) for bit in range(8)
)  # byte -> its bit, for each bit


class Scan(NamedTuple):
    """How the chip drives its COM pads: the registers that the way from a line to a pad depends on."""

    multiplex: int = 64  # lines, 16 to 64
    start_line: int = 0
    offset: int = 0
    reversed: bool = False  # 0xC8 rather than 0xC0
    alternative: bool = True  # COM pins: odd lines on the other side of the chip
    swapped: bool = False  # COM pins: left and right exchanged

    def row(self, pad: int) -> int | None:
        """Return the row of the memory that appears on a COM pad, None for a pad that is not driven.

        After the tables of COM pins under multiplex ratio, start line and offset in the SSD1306 datasheet,
        section 10. How offset and reversal combine is not tabulated for every case; here the offset counts in
        the direction of the scan.
        """
        if self.swapped:
            pad ^= 32
        com = 2 * (pad % 32) + pad // 32 if self.alternative else pad
        line = (self.multiplex - 1 - com if self.reversed else com) + self.offset
        if line % LINES >= self.multiplex:
            return None
        return (line % LINES + self.start_line) % LINES


def wiring(height: int) -> tuple[int, ...]:
    """Return the COM pad of each row of the glass, from the top as the module is held for 0xA1 and 0xC8.

    128x64 glass takes its rows from both sides of the chip in turn, 128x32 glass from one side in order.
    """
    rows = range(height - 1, -1, -1)
    return tuple(row // 2 + 32 * (row % 2) if height == 64 else row for row in rows)


def rows_shown(scan: Scan, height: int) -> tuple[int | None, ...]:
    """Return the row of the memory that each row of the glass shows, from the top; None stays dark."""
    return tuple(scan.row(pad) for pad in wiring(height))


def pixels(pages: Sequence[bytes], rows: Sequence[int | None], *, inverted: bool, all_on: bool) -> bytes:
    """Return the glass in a frame's byte order.

    `pages` is the memory, eight rows each, its columns already in the order of the glass; `rows` is what
    `rows_shown` says.
    """
    width = len(pages[0])
    ones = int.from_bytes(b"\1" * width)
    image = []
    for top in range(0, len(rows), 8):
        page = 0
        for bit, row in enumerate(rows[top : top + 8]):
            if row is None:
                continue
            lit = ones
            if not all_on:
                lit = int.from_bytes(pages[row // 8].translate(_BIT[row % 8])) ^ (ones if inverted else 0)
            page |= lit << bit  # each byte is 0 or 1, so that no bit leaves its byte
        image.append(page.to_bytes(width))
    return b"".join(image)
