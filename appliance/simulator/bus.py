"""A simulated I2C bus: an `smbus2.SMBus` that carries bytes to simulated chips, and fails on demand."""

import errno
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from typing import Any

from appliance.simulator.chip import Chip

READ = 0x0001  # I2C_M_RD in the kernel's linux/i2c.h
PLAIN_I2C = 0x00000001  # I2C_FUNC_I2C: the adapter takes messages of any length
SMBUS_BLOCKS = 0x04000000  # I2C_FUNC_SMBUS_WRITE_I2C_BLOCK
BLOCK_MAX = 32  # data bytes of an SMBus block


class SimulatedBus:
    """An `smbus2.SMBus` with chips attached to it.

    Without `PLAIN_I2C` in `funcs` it has only SMBus blocks, like the kernel's i2c-stub.
    `listener` is called with the address and payload of each successful transaction; `watcher` with those of
    every write before the chip has it, and how many bytes of the payload will be acknowledged, -1 if not even
    the address.

    Counters: `bytes` on the wire, including address bytes and failed transactions; `transactions`, one per
    start condition.
    """

    def __init__(self) -> None:
        self.bytes = 0
        self.transactions = 0
        self.listener: Callable[[int, bytes], None] | None = None
        self.watcher: Callable[[int, bytes, int], None] | None = None
        # smbus2, whose messages plain I2C takes, needs fcntl.
        self.funcs = SMBUS_BLOCKS | (PLAIN_I2C if find_spec("fcntl") else 0)
        self._chips: dict[int, Chip] = {}
        self.unplugged = False
        self._faults: list[int] = []  # values of `bytes` at which the next faults happen

    # The hardware's side

    def attach(self, address: int, chip: Chip) -> None:
        """Put a chip at a 7-bit address."""
        self._chips[address] = chip

    def unplug(self) -> None:
        """Disconnect every chip from power and wires."""
        self.unplugged = True
        for chip in self._chips.values():
            chip.power_off()

    def plug(self) -> None:
        """Reconnect them; no-op if plugged. Memory and registers are lost."""
        if self.unplugged:
            self.unplugged = False
            for chip in self._chips.values():
                chip.power_on()

    def fault(self, nth: int) -> None:
        """Leave the `nth` byte from now unacknowledged, once; counted from 1, including address bytes."""
        self._faults.append(self.bytes + nth)

    # The interface of smbus2.SMBus. Each method raises OSError(EREMOTEIO) for an unacknowledged byte.

    def i2c_rdwr(self, *messages: Any) -> None:
        """Carry out `smbus2.i2c_msg` messages in order."""
        if not self.funcs & PLAIN_I2C:
            raise OSError(errno.EOPNOTSUPP, "this adapter supports only SMBus")
        for message in messages:
            if message.flags & READ:
                for index, byte in enumerate(self._receive(message.addr, message.len)):
                    message.buf[index] = byte
            else:
                self._send(message.addr, bytes(message))

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Iterable[int]) -> None:
        """Write a byte and at most 32 more."""
        block = bytes(data)
        if len(block) > BLOCK_MAX:
            raise ValueError(f"Data length cannot exceed {BLOCK_MAX} bytes")
        self._send(i2c_addr, bytes([register]) + block)

    def write_quick(self, i2c_addr: int) -> None:
        """Write nothing: probe the address."""
        self._send(i2c_addr, b"")

    def read_byte(self, i2c_addr: int) -> int:
        """Read one byte."""
        return ord(self._receive(i2c_addr, 1)[0])

    def close(self) -> None:
        """Do nothing: the chips stay for the next user."""

    def _send(self, address: int, payload: bytes) -> None:
        acknowledged = self._carry(address, len(payload))
        if self.watcher is not None:
            self.watcher(address, payload, acknowledged)
        if acknowledged > 0:
            self._chips[address].write(payload[:acknowledged], torn=acknowledged < len(payload))
        if acknowledged < len(payload):
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        if self.listener is not None:
            self.listener(address, payload)

    def _receive(self, address: int, length: int) -> list[bytes]:
        if self._carry(address, length) < length:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        return [bytes([self._chips[address].status()])] * length

    def _carry(self, address: int, length: int) -> int:
        """Put an address and `length` bytes on the wire; return how many of the bytes were acknowledged.

        -1: the address was not. Nothing is sent after an unacknowledged byte.
        """
        absent = self.unplugged or address not in self._chips
        first_fault = min(self._faults, default=self.bytes + length + 2) - self.bytes
        sent = min(1 + length, 1 if absent else first_fault)
        failed = absent or first_fault <= 1 + length
        self.bytes += sent
        self.transactions += 1
        self._faults = [fault for fault in self._faults if fault > self.bytes]
        return sent - 2 if failed else length
