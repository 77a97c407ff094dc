"""The wire to a display on an I2C bus, as the serial object that luma's devices talk to.

luma's own `i2c` sends data in blocks of 32 bytes over any bus that it did not open itself. This one sends
each piece in one transaction wherever the adapter can, over the bus that it is given, so that the same code
runs on the Pi and over a simulated bus. A fault is the `OSError` that it is.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from appliance.devices.access import refusal

LAST_BUS = 22  # the buses to this one are named in tictactoe.service
COMMANDS, DATA = 0x00, 0x40  # control bytes: all that follows in the transaction is the one or the other
PLAIN_I2C = 0x00000001  # I2C_FUNC_I2C in the kernel's linux/i2c.h
BLOCK_MAX = 32  # bytes of an SMBus block


class I2cSerial:
    """Commands and data for the display at `address`.

    `open_bus` returns an `smbus2.SMBus` or what behaves like one. It is called when the bus is first
    needed, and again after `cleanup`: an adapter may go and come back.
    """

    def __init__(self, open_bus: Callable[[], Any], address: int) -> None:
        self._open_bus = open_bus
        self._address = address
        self._bus: Any = None

    def command(self, *command: int) -> None:
        """Send command bytes, at most 32 of them, in one transaction.

        Without any, only the control byte goes out: a question whether the display answers.
        """
        self._write(COMMANDS, bytes(command))

    def data(self, data: Sequence[int]) -> None:
        """Send bytes for the display's memory."""
        self._write(DATA, bytes(data))

    def cleanup(self) -> None:
        """Close the bus. It is opened again when it is needed."""
        bus, self._bus = self._bus, None
        if bus is not None:
            bus.close()

    def _write(self, control: int, payload: bytes) -> None:
        if self._bus is None:
            self._bus = self._open_bus()
        if self._bus.funcs & PLAIN_I2C:
            from smbus2 import i2c_msg  # noqa: PLC0415 - it is loaded by now

            self._bus.i2c_rdwr(i2c_msg.write(self._address, bytes([control]) + payload))
            return
        for start in range(0, max(len(payload), 1), BLOCK_MAX):
            block = list(payload[start : start + BLOCK_MAX])
            self._bus.write_i2c_block_data(self._address, control, block)


def open_smbus(port: int, environ: Mapping[str, str] = os.environ) -> Any:
    """Open the kernel's I2C bus of this number.

    Raises `OSError` where there is none; a bus that is not there, or that may not be opened, is told in a
    sentence that names the remedy. `environ` tells whether systemd runs us.
    """
    from smbus2 import SMBus  # noqa: PLC0415 - only where there is a real bus

    path = Path(f"/dev/i2c-{port}")
    try:
        return SMBus(port)
    except PermissionError as error:
        raise PermissionError(refusal(path, "i2c", environ)) from error
    except FileNotFoundError as error:
        told = f"there is no {path}"
        if port > LAST_BUS and "NOTIFY_SOCKET" in environ:
            told += f" for the service, which sees those to {LAST_BUS}: name it in a drop-in, with BindPaths="
        elif port == 1:
            told += ': put "dtparam=i2c_arm=on" into config.txt, and restart the machine'
        raise FileNotFoundError(told) from error
