"""gpiozero's pins on lgpio, with `input_with_pull` in one request."""

from contextlib import suppress

import lgpio
from gpiozero.exc import PinInvalidPull
from gpiozero.pins.lgpio import LGPIOPin


class LgpioPin(LGPIOPin):  # type: ignore[misc]  # gpiozero has no types
    """gpiozero's pin, but `input_with_pull` requests the line once.

    gpiozero's own requests it twice and reads its direction in between: three system calls for each row of a
    scan, and briefly an input without its pull.
    """

    def input_with_pull(self, pull: str) -> None:
        """Make the pin an input that is pulled "up" or "down", or "floating"."""
        flags = {
            "up": lgpio.SET_BIAS_PULL_UP,  # `pinout` adds these old names to a new lgpio
            "down": lgpio.SET_BIAS_PULL_DOWN,
            "floating": lgpio.SET_BIAS_DISABLE,
        }
        if pull not in flags:
            raise PinInvalidPull(f'invalid pull "{pull}" for pin {self!r}')
        handle = self.factory._handle  # noqa: SLF001 - as gpiozero's own pins do
        # Free it first: lgpio ignores a new pull for a line that it already holds as an input.
        with suppress(lgpio.error):  # after a failed request there is nothing to free
            lgpio.gpio_free(handle, self._number)
        lgpio.gpio_claim_input(handle, self._number, flags[pull])

    def close(self) -> None:
        """Make the pin an input that keeps its pull; gpiozero's own would remove the pull."""
        if self.factory._handle is not None:  # noqa: SLF001 - as above
            lgpio.gpio_claim_input(self.factory._handle, self._number)  # noqa: SLF001 - as above
