"""A simulated bus that takes its time, and gives up as the kernel's adapter does."""

import errno

from appliance.devices.i2c import TIMEOUT


def slow_down(bus, hertz, spend):
    """Let each transaction of a simulated bus `spend` seconds, nine bits a byte, and fail after `TIMEOUT`.

    i2c-bcm2835 and i2c-designware wait for a transaction, of any length, for the adapter's timeout.
    """
    carry = bus._carry

    def timed(address, length):
        seconds = (1 + length) * 9 / hertz
        spend(min(seconds, TIMEOUT))
        if seconds > TIMEOUT:
            raise OSError(errno.ETIMEDOUT, "Connection timed out")
        return carry(address, length)

    bus._carry = timed
