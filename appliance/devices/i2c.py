"""The I2C bus of a display, as the serial object that luma's devices write to.

luma's own `i2c` sends data in blocks of 32 bytes over any bus that it did not open itself. This one sends
each piece in one transaction wherever the adapter can, over the bus that it is given, so that the same code
runs on the Pi and over a simulated bus. Bus errors are raised as the `OSError` that they are.
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

LAST_BUS = 22  # the buses to this one are named in tictactoe.service
COMMANDS, DATA = 0x00, 0x40  # control bytes: all that follows in the transaction is the one or the other
PLAIN_I2C = 0x00000001  # I2C_FUNC_I2C in the kernel's linux/i2c.h
BLOCK_MAX = 32  # bytes of an SMBus block
# The kernel waits for one transaction as long as the adapter's setting says, by default 1 s. The whole memory
# takes 93 ms at 100 kHz. The setting holds for everybody on this bus until it is changed again.
I2C_TIMEOUT = 0x0702  # ioctl, in the kernel's linux/i2c-dev.h
TIMEOUT = 0.5  # seconds
STATUS_OFF = 0x40  # in the status byte of an OLED controller: the display is off
MISREADS = 3  # in a row, after which the status byte is not believed any more
NOBODY = 0x7F  # a reserved address: seven ones, which leave SDA to whoever holds it
CLEARING = 10  # transactions at most: a controller that gives up at the first wrong bit clocks once in each


class TooSlow(OSError):  # noqa: N818 - it says what happened
    """The bus took longer than its caller can wait."""


class I2cSerial:
    """Commands and data for the display at `address`.

    `open_bus` returns an `smbus2.SMBus` or a stand-in. It is called when the bus is first needed, and again
    after `cleanup`: an adapter may go and come back. No transaction begins after the `deadline`, a time of
    `clock` in seconds; `TooSlow` is raised instead.
    """

    def __init__(
        self, open_bus: Callable[[], Any], address: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.deadline = math.inf
        self._open_bus = open_bus
        self._address = address
        self._clock = clock
        self._bus: Any = None
        self._off_reads = 0

    def command(self, *command: int) -> None:
        """Send command bytes, at most 32 of them, in one transaction.

        Without any, only the control byte goes out, to probe whether the display answers.
        """
        self._write(COMMANDS, bytes(command))

    def data(self, data: Sequence[int]) -> None:
        """Send bytes for the display's memory."""
        self._write(DATA, bytes(data))

    def says_off(self) -> bool:
        """Return whether a display that was switched on says that it is off: it was reset.

        Some modules answer a read with anything: after `MISREADS` in a row it is not read any more.
        """
        if self._off_reads >= MISREADS:
            return False
        bus = self._ready()
        try:
            off = bool(bus.read_byte(self._address) & STATUS_OFF)
        except OSError:  # it cannot be read; a lost one is noticed when it is written to
            off = False
        self._off_reads = self._off_reads + 1 if off else 0
        return off

    def cleanup(self) -> None:
        """Close the bus. It is opened again when it is needed."""
        bus, self._bus = self._bus, None
        if bus is not None:
            bus.close()

    def _write(self, control: int, payload: bytes) -> None:
        if self._ready().funcs & PLAIN_I2C:
            from smbus2 import i2c_msg  # noqa: PLC0415 - it is loaded by now

            self._bus.i2c_rdwr(i2c_msg.write(self._address, bytes([control]) + payload))
            return
        for start in range(0, max(len(payload), 1), BLOCK_MAX):
            block = list(payload[start : start + BLOCK_MAX])
            self._ready().write_i2c_block_data(self._address, control, block)

    def _ready(self) -> Any:
        """Return the bus, opened; raise `TooSlow` after the deadline."""
        if self._clock() >= self.deadline:
            raise TooSlow
        if self._bus is None:
            self._bus = self._open_bus()
        return self._bus


def clear(bus: Any) -> None:
    """Make a device release SDA, which it may hold since the board was reset in the middle of a transfer.

    The device waits for up to nine clocks, and would swallow our first transaction, often without an error.
    The kernel's i2c-bcm2835 has no recovery, and clocking by GPIO would leave the pins as inputs, which the
    kernel does not return to the bus. So let the controller clock, by writing to an address that nobody has;
    once nobody acknowledges it, the bus is free. Raise `OSError` if the bus is dead: SCL is held low.
    """
    from smbus2 import i2c_msg  # noqa: PLC0415 - only where there is a real bus

    for _ in range(CLEARING if bus.funcs & PLAIN_I2C else 0):
        try:
            bus.i2c_rdwr(i2c_msg.write(NOBODY, [0xFF]))
        except OSError as error:
            if error.errno == errno.ETIMEDOUT:
                raise  # whatever came next would hold its caller up for as long again
            if error.errno != errno.EAGAIN:  # arbitration was lost to the device
                return


def open_smbus(port: int, environ: Mapping[str, str] = os.environ) -> Any:
    """Open the kernel's I2C bus of this number. A transaction on it takes `TIMEOUT` at most.

    Raises `OSError` when it cannot be opened; the message names the remedy when the bus is missing or not
    permitted. `environ` shows whether systemd started this process.
    """
    from fcntl import ioctl  # noqa: PLC0415 - not on every system that simulates

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
        return bus  # noqa: TRY300 - the errors below are those of opening it
    except PermissionError as error:
        raise PermissionError(refusal(path, "i2c", environ)) from error
    except FileNotFoundError as error:
        message = f"there is no {path}"
        if port > LAST_BUS and "NOTIFY_SOCKET" in environ:
            message += (
                f" for the service, which sees those to {LAST_BUS}: add it in a drop-in, with BindPaths="
            )
        elif port == 1:
            message += ': put "dtparam=i2c_arm=on" into config.txt, and reboot'
        raise FileNotFoundError(message) from error
