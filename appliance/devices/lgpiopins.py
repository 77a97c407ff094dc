"""gpiozero's pins on lgpio, with `input_with_pull` in one request."""

from contextlib import suppress

import lgpio
from gpiozero.exc import PinInvalidPull
from gpiozero.pins.lgpio import LGPIOPin


class LgpioPin(LGPIOPin):  # type: ignore[misc]  # gpiozero has no types
    """gpiozero's pin, but `input_with_pull` requests the line once.

    gpiozero's own requests it twice and reads its direction in between: three system calls for each row of a
    scan, and for a moment an input without its pull.
    """

    def input_with_pull(self, pull: str) -> None:
        """Make the pin an input that is pulled "up" or "down", or "floating"."""
        flags = {
            "up": lgpio.SET_BIAS_PULL_UP,  # pinout gives a new lgpio these old names
            "down": lgpio.SET_BIAS_PULL_DOWN,
            "floating": lgpio.SET_BIAS_DISABLE,
        }
        if pull not in flags:
            raise PinInvalidPull(f'invalid pull "{pull}" for pin {self!r}')
        handle = self.factory._handle  # noqa: SLF001 - as gpiozero's own pins do
        with suppress(lgpio.error):  # a request that failed has left nothing to free
            lgpio.gpio_free(
                handle, self._number
            )  # lgpio ignores a new pull for a line that it holds as an input
        lgpio.gpio_claim_input(handle, self._number, flags[pull])

    def close(self) -> None:
        """Make the pin an input with the pull that it has; gpiozero would take the pull away."""
        if self.factory._handle is not None:  # noqa: SLF001 - as above
            lgpio.gpio_claim_input(self.factory._handle, self._number)  # noqa: SLF001 - as above
