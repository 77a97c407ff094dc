"""One line of a GPIO chip through the kernel's GPIO character device, version 2 (<linux/gpio.h>).

Calls take effect before they return, and there is no library and no thread in between. gpiozero has no names
for this interface, so the constants have the kernel's.
"""

import fcntl
import os
import struct

GPIO_V2_GET_LINE_IOCTL = 0xC250B407
GPIO_V2_LINE_SET_CONFIG_IOCTL = 0xC110B40D
GPIO_V2_LINE_GET_VALUES_IOCTL = 0xC010B40E
GPIO_V2_LINE_SET_VALUES_IOCTL = 0xC010B40F

GPIO_V2_LINE_FLAG_INPUT, GPIO_V2_LINE_FLAG_OUTPUT = 1 << 2, 1 << 3
GPIO_V2_LINE_FLAG_EDGE_RISING, GPIO_V2_LINE_FLAG_EDGE_FALLING = 1 << 4, 1 << 5
GPIO_V2_LINE_FLAG_BIAS_PULL_UP, GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN = 1 << 8, 1 << 9  # with no bias flag,
GPIO_V2_LINE_FLAG_BIAS_DISABLED = 1 << 10  # the bias stays as it is
GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES = 2
GPIO_V2_LINE_EVENT_RISING_EDGE = 1

# struct gpio_v2_line_config: flags; count of attributes, and ten (id, value, mask), of which one is used.
# struct gpio_v2_line_request: 64 line numbers, of which one is used; consumer; config; count of lines, size
# of the event buffer; the descriptor, which is the answer. struct gpio_v2_line_values: bits, mask.
# struct gpio_v2_line_event: nanoseconds of CLOCK_MONOTONIC; which edge; line and sequence numbers.
_CONFIG = "QI20x I4xQQ 216x"
CONFIG = struct.Struct("=" + _CONFIG)
REQUEST = struct.Struct("=I252x 32s" + _CONFIG + "II20x i")
VALUES = struct.Struct("=QQ")
EVENT = struct.Struct("=QI36x")

CONSUMER = b"tictactoe"  # who holds the line, for tools like gpioinfo
EVENTS = 16  # the kernel buffers no more for a line


class LineError(OSError):
    """The kernel rejected an operation on a line: what, why, which chip and line."""


class Line:
    """One line of a GPIO chip, held until `close`.

    `chip` is the path of the chip's device, `number` the line's on it; `flags` and `level` are as for
    `configure`. Raises `LineError` when the kernel rejects them: most often another program holds the line.
    """

    def __init__(self, chip: str, number: int, flags: int, level: bool = False) -> None:
        self._name = f"{chip} line {number}"
        request = REQUEST.pack(number, CONSUMER, *_config(flags, level), 1, 0, 0)
        try:
            descriptor = os.open(chip, os.O_RDWR | os.O_CLOEXEC)
            try:
                answer = fcntl.ioctl(descriptor, GPIO_V2_GET_LINE_IOCTL, request)
            finally:
                os.close(descriptor)  # the line has one of its own
        except OSError as error:
            raise LineError(error.errno, error.strerror, self._name) from error
        self.descriptor: int = REQUEST.unpack(answer)[-1]
        os.set_blocking(self.descriptor, False)

    def configure(self, flags: int, level: bool = False) -> None:
        """Reconfigure the line in one step, without releasing it; an output has this level from the start."""
        self._call(GPIO_V2_LINE_SET_CONFIG_IOCTL, CONFIG.pack(*_config(flags, level)))

    def read(self) -> bool:
        """Return the level."""
        return bool(VALUES.unpack(self._call(GPIO_V2_LINE_GET_VALUES_IOCTL, VALUES.pack(0, 1)))[0])

    def write(self, level: bool) -> None:
        """Set the level. Raises `LineError` if the line is an input."""
        self._call(GPIO_V2_LINE_SET_VALUES_IOCTL, VALUES.pack(level, 1))

    def events(self) -> list[tuple[float, bool]]:
        """Return the edges since the last call, as (seconds of the monotonic clock, level after the edge)."""
        try:
            events = os.read(self.descriptor, EVENTS * EVENT.size)
        except BlockingIOError:
            return []
        except OSError as error:
            raise LineError(error.errno, error.strerror, self._name) from error
        return [(at / 1e9, edge == GPIO_V2_LINE_EVENT_RISING_EDGE) for at, edge in EVENT.iter_unpack(events)]

    def close(self) -> None:
        """Release the line. May be called again."""
        descriptor, self.descriptor = self.descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def _call(self, request: int, argument: bytes) -> bytes:
        try:
            return fcntl.ioctl(self.descriptor, request, argument)
        except OSError as error:
            raise LineError(error.errno, error.strerror, self._name) from error


def _config(flags: int, level: bool) -> tuple[int, int, int, int, int]:
    if flags & GPIO_V2_LINE_FLAG_OUTPUT:
        return flags, 1, GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES, level, 1
    return flags, 0, 0, 0, 0
