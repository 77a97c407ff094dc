"""gpiozero's pins on lgpio, made inputs with a pull in one call."""

from contextlib import suppress

import lgpio
from gpiozero.exc import PinInvalidPull
from gpiozero.pins.lgpio import LGPIOPin


class LgpioPin(LGPIOPin):  # type: ignore[misc]  # gpiozero has no types
    """A pin of gpiozero's that requests its line once in `input_with_pull`.

    gpiozero requests it twice and asks for its direction in between: three calls of the kernel for each row
    of a scan, and an input without its pull for a moment.
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
            lgpio.gpio_free(handle, self._number)  # lgpio leaves the pull of a line that it holds as an input
        lgpio.gpio_claim_input(handle, self._number, flags[pull])
