"""Lines of a GPIO chip, asked of the kernel itself: its GPIO character device, version 2 (<linux/gpio.h>).

What is asked for is so when the call returns; no thread and no library stands between.
"""

import fcntl
import os
import struct
from collections.abc import Sequence

GET_LINE = 0xC250B407  # GPIO_V2_GET_LINE_IOCTL: a request of lines
SET_CONFIG = 0xC110B40D  # GPIO_V2_LINE_SET_CONFIG_IOCTL: what they are from now on
GET_VALUES = 0xC010B40E  # GPIO_V2_LINE_GET_VALUES_IOCTL: their levels
SET_VALUES = 0xC010B40F  # GPIO_V2_LINE_SET_VALUES_IOCTL

# GPIO_V2_LINE_FLAG_... With none of the last three the bias stays as it is.
INPUT, OUTPUT, EDGE_FALLING = 1 << 2, 1 << 3, 1 << 5
BIAS_PULL_UP, BIAS_PULL_DOWN, BIAS_DISABLED = 1 << 8, 1 << 9, 1 << 10
OUTPUT_VALUES = 2  # GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES

# struct gpio_v2_line_config: flags; count of attributes, and ten (id, value, mask), of which one is used.
# struct gpio_v2_line_request: 64 line numbers; consumer; config; count of lines, size of the event buffer;
# the descriptor, which is the answer. struct gpio_v2_line_values: bits, mask.
_CONFIG = "QI20x I4xQQ 216x"
CONFIG = struct.Struct("=" + _CONFIG)
REQUEST = struct.Struct("=64I 32s" + _CONFIG + "II20x i")
VALUES = struct.Struct("=QQ")

CONSUMER = b"tictactoe"  # whom tools like gpioinfo name as the one that holds the lines


class LineError(OSError):
    """The kernel refuses something about a line: what and why, and which chip and line."""


class Lines:
    """Some lines of one GPIO chip, held until `close`. Bit i of all levels is that of the i-th line.

    `chip` is the path of the chip's device, `numbers` are the lines' on it; `flags` and `levels` are as for
    `configure`. Raises `LineError` when the kernel refuses: another program has one of them, most often.
    """

    def __init__(self, chip: str, numbers: Sequence[int], flags: int, levels: int = 0) -> None:
        self._name = f"{chip} line {', '.join(str(number) for number in numbers)}"
        self._every = (1 << len(numbers)) - 1
        offsets = (*numbers, *[0] * (64 - len(numbers)))
        wanted = REQUEST.pack(*offsets, CONSUMER, *self._config(flags, levels), len(numbers), 0, 0)
        try:
            descriptor = os.open(chip, os.O_RDWR | os.O_CLOEXEC)
            try:
                self.descriptor: int = REQUEST.unpack(fcntl.ioctl(descriptor, GET_LINE, wanted))[-1]
            finally:
                os.close(descriptor)  # the lines have one of their own
        except OSError as error:
            raise LineError(error.errno, error.strerror, self._name) from error

    def configure(self, flags: int, levels: int = 0) -> None:
        """Make all lines what `flags`, of the above, say; outputs have these levels from the start."""
        self._call(SET_CONFIG, CONFIG.pack(*self._config(flags, levels)))

    def read(self) -> int:
        """Return the levels."""
        bits, _mask = VALUES.unpack(self._call(GET_VALUES, VALUES.pack(0, self._every)))
        return int(bits)

    def write(self, levels: int) -> None:
        """Set the levels. Raises `LineError` when a line is an input."""
        self._call(SET_VALUES, VALUES.pack(levels, self._every))

    def close(self) -> None:
        """Give the lines back to the kernel. May be called again."""
        descriptor, self.descriptor = self.descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def _config(self, flags: int, levels: int) -> tuple[int, int, int, int, int]:
        if flags & OUTPUT:
            return flags, 1, OUTPUT_VALUES, levels, self._every
        return flags, 0, 0, 0, 0

    def _call(self, request: int, argument: bytes) -> bytes:
        try:
            return fcntl.ioctl(self.descriptor, request, argument)
        except OSError as error:
            raise LineError(error.errno, error.strerror, self._name) from error
