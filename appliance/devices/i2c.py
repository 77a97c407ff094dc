"""The I2C bus of a display, as the serial object that luma's devices write to.

luma's own `i2c` splits data into blocks of 32 bytes on any bus that it did not open itself. This one takes
a bus, real or simulated, and sends each piece in one transaction wherever the adapter can. Bus errors are
raised unchanged, as `OSError`.
"""

import errno
import math
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from appliance.devices.access import refusal

LAST_BUS = 22  # tictactoe.service lists the buses up to this one
COMMANDS, DATA = 0x00, 0x40  # control bytes: what the rest of the transaction is
PLAIN_I2C = 0x00000001  # I2C_FUNC_I2C in the kernel's linux/i2c.h
BLOCK_MAX = 32  # bytes of an SMBus block
# The timeout of a transaction, of any length, is a setting of the adapter, by default 1 s. It applies to each
# user of the bus until it is changed again. To avoid clock stretching, people set as little as 10 kHz,
# which a Pi 3 turns into 6.25 kHz while its core runs at 250 of 400 MHz. So data goes in pieces, which take
# 0.37 s there. The whole memory takes 1.5 s, and 93 ms at 100 kHz.
I2C_TIMEOUT = 0x0702  # ioctl, in the kernel's linux/i2c-dev.h
TIMEOUT = 0.5  # seconds
PIECE = 256  # bytes
SLOWEST = 9 / 6250  # seconds a byte, with its acknowledge
STATUS_OFF = 0x40  # in the status byte of an OLED controller: the display is off
MISREADS = 3  # reads of "off" in a row, after which the status byte is ignored
RESERVED_ADDRESS = 0x7F  # its seven ones leave SDA to the device that holds it
CLEARING = 10  # transactions at most: a controller that stops at the first wrong bit sends one clock in each


class TooSlow(OSError):  # noqa: N818 - it says what happened
    """The bus took longer than the caller can wait."""


class I2cSerial:
    """Commands and data for the display at `address`.

    `open_bus` returns an `smbus2.SMBus` or a stand-in. It is called when the bus is first needed, and again
    after `cleanup`: an adapter may disappear and return. No transaction starts after `deadline`, in seconds
    of `clock`; `TooSlow` is raised instead. Each byte sent moves the deadline by its time on the slowest bus,
    but not beyond `latest`.
    """

    def __init__(
        self, open_bus: Callable[[], Any], address: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.deadline = self.latest = math.inf
        self._open_bus = open_bus
        self._address = address
        self._clock = clock
        self._bus: Any = None
        self._off_reads = 0

    def command(self, *command: int) -> None:
        """Send command bytes, at most 32 of them, in one transaction.

        With none, send only the control byte, to probe whether the display answers.
        """
        self._write(COMMANDS, bytes(command))

    def data(self, data: Sequence[int]) -> None:
        """Send bytes for the display's memory, in pieces: it continues where the last one ended."""
        for piece in pieces(data):
            self._write(DATA, piece)

    def says_off(self) -> bool:
        """Return whether the display reports that it is off. If we had switched it on, it was reset.

        Some modules answer reads with garbage, so after `MISREADS` in a row the status is no longer read.
        """
        if self._off_reads >= MISREADS:
            return False
        bus = self._ready()
        try:
            off = bool(bus.read_byte(self._address) & STATUS_OFF)
        except OSError:  # not readable; the next write notices a lost display
            off = False
        self._off_reads = self._off_reads + 1 if off else 0
        return off

    def cleanup(self) -> None:
        """Close the bus; the next transaction reopens it."""
        bus, self._bus = self._bus, None
        if bus is not None:
            bus.close()

    def _write(self, control: int, payload: bytes) -> None:
        if self._ready().funcs & PLAIN_I2C:
            from smbus2 import i2c_msg  # noqa: PLC0415 - loaded by now

            self._bus.i2c_rdwr(i2c_msg.write(self._address, bytes([control]) + payload))
        else:
            for block in pieces(payload, BLOCK_MAX) or [b""]:
                self._ready().write_i2c_block_data(self._address, control, list(block))
        self.deadline = min(self.deadline + (len(payload) + 2) * SLOWEST, self.latest)

    def _ready(self) -> Any:
        """Return the open bus; raise `TooSlow` after the deadline."""
        if self._clock() >= self.deadline:
            raise TooSlow
        if self._bus is None:
            self._bus = self._open_bus()
        return self._bus


def pieces(data: Sequence[int], longest: int = PIECE) -> list[bytes]:
    """Divide data into pieces of `longest` bytes at most."""
    return [bytes(data[start : start + longest]) for start in range(0, len(data), longest)]


def clear(bus: Any) -> None:
    """Make a device release SDA, which it holds if the board was reset in the middle of a transfer.

    The device waits for up to nine clocks, and would swallow our first transaction, often without an error.
    The kernel's i2c-bcm2835 has no bus recovery, and clocking by GPIO would leave the pins as inputs, which
    the kernel does not return to the bus. So let the controller clock: write to an address that no device
    has. When that is not acknowledged, the bus is free. Raise `OSError` if the bus is dead: SCL is held low.
    """
    from smbus2 import i2c_msg  # noqa: PLC0415 - only where there is a real bus

    for _ in range(CLEARING if bus.funcs & PLAIN_I2C else 0):
        try:
            bus.i2c_rdwr(i2c_msg.write(RESERVED_ADDRESS, [0xFF]))
        except OSError as error:
            if error.errno == errno.ETIMEDOUT:
                raise  # the next try would block the caller for as long again
            if error.errno != errno.EAGAIN:  # EAGAIN: arbitration was lost to the device
                return


def open_smbus(port: int, environ: Mapping[str, str] = os.environ) -> Any:
    """Open the kernel's I2C bus number `port`; its transactions time out after `TIMEOUT`.

    Raises `OSError` if it cannot be opened; if the bus is missing or not permitted, the message names the
    remedy. `environ` shows whether systemd started this process.
    """
    from fcntl import ioctl  # noqa: PLC0415 - missing on some systems that simulate

    from smbus2 import SMBus  # noqa: PLC0415 - only where there is a real bus

    path = Path(f"/dev/i2c-{port}")
    try:
        bus: Any = SMBus(port)
        with suppress(OSError):
            ioctl(bus.fd, I2C_TIMEOUT, round(TIMEOUT * 100))  # in units of 10 ms
        try:
            clear(bus)
        except OSError:
            bus.close()
            raise
        return bus  # noqa: TRY300 - the handlers below are for errors of opening it
    except PermissionError as error:
        raise PermissionError(refusal(path, "i2c", environ)) from error
    except FileNotFoundError as error:
        message = f"there is no {path}"
        if port > LAST_BUS and "NOTIFY_SOCKET" in environ:
            message += (
                f" for the service, which sees buses 0 to {LAST_BUS}: add it by BindPaths= in a drop-in"
            )
        elif port == 1:
            message += ': put "dtparam=i2c_arm=on" into config.txt, and reboot'
        raise FileNotFoundError(message) from error
