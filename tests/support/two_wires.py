"""An I2C bus as two wires, edge by edge: a display chip, and a controller that a reset can interrupt.

The chip follows the I2C specification (UM10204, 3.1): it samples SDA when SCL rises, changes what it drives
when SCL falls, and treats SDA's edges while SCL is high as START and STOP. A reset of the board is neither.
"""

import errno
from contextlib import suppress

from appliance.simulator.bus import PLAIN_I2C, READ
from appliance.simulator.chip import ChipError


class CutOff(Exception):  # noqa: N818 - no error: the test wants it
    """The board was reset: the controller's pins are inputs."""


class WiredChip:
    """A display's side of the wires: `drive` is 0 while it holds SDA low."""

    def __init__(self, chip, address=0x3C):
        self.chip, self.address = chip, address
        self.mode, self.drive = "idle", 1
        self.taken = []  # the payload of each write, right or wrong

    def data_edge(self, sda):
        """SDA changes while SCL is high: START, or STOP."""
        if self.mode in {"write", "ack write"} and self.taken[-1]:
            with suppress(ChipError):  # shifted bits: a real chip does something undefined
                self.chip.write(self.taken[-1], torn=True)
        self.mode, self.drive = ("idle" if sda else "address"), 1
        self.byte, self.count = 0, 0

    def clock_rises(self, sda):
        if self.mode in {"address", "write"}:
            self.byte = self.byte << 1 | sda
        self.last = sda
        self.count = self.count + 1 if self.mode != "idle" else 0

    def clock_falls(self):
        match self.mode:
            case "address" if self.count == 8:
                known = self.byte >> 1 == self.address
                self.mode = ("ack read" if self.byte & 1 else "ack write") if known else "ignored"
                self.drive = 0 if known else 1
                if self.mode == "ack write":
                    self.taken.append(b"")
            case "write" if self.count == 8:
                self.taken[-1] += bytes([self.byte])
                self.mode, self.drive = "ack write", 0
            case "ack write":
                self.mode, self.drive, self.byte, self.count = "write", 1, 0, 0
            case "ack read":
                self._send()
            case "read" if self.count < 8:
                self.drive = self.byte >> 7 - self.count & 1
            case "read" if self.count == 8:
                self.drive = 1  # the controller acknowledges if it wants more
            case "read":
                if self.last:
                    self.mode = "ignored"
                else:
                    self._send()

    def _send(self):
        self.byte = self.chip.status()
        self.mode, self.count, self.drive = "read", 0, self.byte >> 7 & 1


class TwoWireBus:
    """An `smbus2.SMBus` over the wires; `cut_at` is the edge at which the board is reset.

    `arbitrates`: the controller aborts a transaction when it reads a low SDA that it does not drive, like the
    DesignWare of a Pi 5; the BSC of the others does not support several controllers, and does not check.
    """

    funcs = PLAIN_I2C

    def __init__(self, device, *, arbitrates=False, cut_at=None):
        self.device, self.arbitrates, self.cut_at = device, arbitrates, cut_at
        self.scl = self.sda = 1  # what the controller drives
        self.level = device.drive  # of SDA
        self.edges = self.transactions = 0

    def stuck(self):
        """Whether SDA is low although the controller releases it."""
        return not self.device.drive

    def release(self, *, clock_first):
        """Make both pins inputs, one a little earlier."""
        for line in ("scl", "sda") if clock_first else ("sda", "scl"):
            self._set(**{line: 1})

    def i2c_rdwr(self, message):
        if message.flags & READ:
            raise NotImplementedError
        self._transfer(message.addr << 1, bytes(message))

    def read_byte(self, address):
        return self._transfer(address << 1 | 1, None)

    def close(self):
        pass

    def _transfer(self, address, payload):
        self.transactions += 1
        for sda, scl in ((1, None), (None, 1), (0, None), (None, 0)):
            self._tick(sda, scl)
        answer = 0
        try:
            for byte in (address, *(payload or b"")):
                self._send_byte(byte)
            if payload is None:
                for _ in range(8):
                    answer = answer << 1 | self._bit(1, acknowledge=True)
                self._bit(1)  # one byte is enough
        except BlockingIOError:
            self.scl = self.sda = 1
            self._set()
            raise OSError(errno.EAGAIN, "lost arbitration") from None
        except OSError:
            self._stop()
            raise
        self._stop()
        return answer

    def _send_byte(self, byte):
        for bit in range(7, -1, -1):
            self._bit(byte >> bit & 1)
        if self._bit(1, acknowledge=True):
            raise OSError(errno.EREMOTEIO, "Remote I/O error")

    def _stop(self):
        for sda, scl in ((0, None), (None, 1), (1, None)):
            self._tick(sda, scl)

    def _bit(self, bit, *, acknowledge=False):
        self._tick(bit, None)
        self._tick(None, 1)
        level = self.level
        if self.arbitrates and bit and not level and not acknowledge:
            raise BlockingIOError
        self._tick(None, 0)
        return level

    def _tick(self, sda, scl):
        if self.edges == self.cut_at:
            raise CutOff
        self.edges += 1
        self._set(sda, scl)

    def _set(self, sda=None, scl=None):
        before, clock = self.level, self.scl
        self.sda = self.sda if sda is None else sda
        self.scl = self.scl if scl is None else scl
        self.level = self.sda & self.device.drive
        if clock and self.scl and before != self.level:
            self.device.data_edge(self.level)
        elif self.scl and not clock:
            self.device.clock_rises(self.level)
        elif clock and not self.scl:
            self.device.clock_falls()
        self.level = self.sda & self.device.drive
