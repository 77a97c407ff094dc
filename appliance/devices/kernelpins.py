"""gpiozero's pins straight on the kernel's GPIO character device, without a library and a thread between.

lgpio, which gpiozero takes on a Pi, has a thread that wakes fifty times a second from the moment a chip is
opened, to make waves whether there are any or not; on a box that rests, nothing else runs. These pins read
and drive levels and know pulls. They have neither PWM nor edges of their own: for a tone, see `pinout`, for
waiting for a key, `edges`.
"""

from pathlib import Path
from typing import Any

from gpiozero.exc import (
    PinEdgeDetectUnsupported,
    PinFixedPull,
    PinInvalidFunction,
    PinInvalidPull,
    PinSetInput,
)
from gpiozero.pins.local import LocalPiFactory, LocalPiPin

from appliance.devices.lines import (
    BIAS_DISABLED,
    BIAS_PULL_DOWN,
    BIAS_PULL_UP,
    INPUT,
    OUTPUT,
    Lines,
)

_FUNCTIONS = {"input": INPUT, "output": OUTPUT}
_PULLS = {"up": BIAS_PULL_UP, "down": BIAS_PULL_DOWN, "floating": BIAS_DISABLED}


class KernelPin(LocalPiPin):  # type: ignore[misc]  # gpiozero has no types
    """A pin that holds its line: an input at first, and after `close` until it is used again.

    Every change of what it is is one call of the kernel's, so that there is no moment in between. What the
    kernel refuses is raised as `appliance.devices.lines.LineError`.
    """

    def __init__(self, factory: "KernelFactory", pin: Any) -> None:
        super().__init__(factory, pin)  # a number in gpiozero 1.6, the pin's description in 2
        self._lines: Lines | None = None
        self._flags = INPUT
        self._configure(INPUT)

    def close(self) -> None:
        """Make the pin an input, and give its line back. May be called again."""
        if self._lines is not None:
            try:
                self._configure(INPUT)  # a line that is given back may stay what it is
            finally:
                self.let_go()

    def let_go(self) -> None:
        """Give the line back as it is. The next use of the pin takes it again, as an input."""
        if self._lines is not None:
            self._lines.close()
        self._lines, self._flags = None, INPUT

    def output_with_state(self, state: bool) -> None:
        """Make the pin an output at this level, with no other one before it."""
        self._configure(OUTPUT, bool(state))

    def input_with_pull(self, pull: str) -> None:
        """Make the pin an input that is pulled "up" or "down", or "floating"."""
        self._configure(INPUT | self._bias(pull))

    def _configure(self, flags: int, level: bool = False) -> Lines:
        if self._lines is None:
            self._lines = Lines(self.factory.path, (self._number,), flags, level)
        else:
            self._lines.configure(flags, level)
        self._flags = flags
        return self._lines

    def _bias(self, pull: str) -> int:
        if pull not in _PULLS:
            raise PinInvalidPull(f'invalid pull "{pull}" for pin {self!r}')
        if pull != "up" and self._number in (2, 3):
            raise PinFixedPull(f"{self!r} has a pull-up resistor on the board")
        return _PULLS[pull]

    def _get_function(self) -> str:
        return "output" if self._flags & OUTPUT else "input"

    def _set_function(self, value: str) -> None:
        if value not in _FUNCTIONS:
            raise PinInvalidFunction(f'invalid function "{value}" for pin {self!r}')
        self._configure(_FUNCTIONS[value])

    def _get_state(self) -> bool:
        return bool((self._lines or self._configure(INPUT)).read())

    def _set_state(self, value: bool) -> None:
        if self._lines is None or not self._flags & OUTPUT:
            raise PinSetInput(f"cannot set the state of pin {self!r}: it is an input")
        self._lines.write(bool(value))

    def _get_pull(self) -> str:
        return next((name for name, flag in _PULLS.items() if self._flags & flag), "floating")

    def _set_pull(self, value: str) -> None:
        if self._flags & OUTPUT:
            raise PinFixedPull(f"cannot set a pull on pin {self!r}: it is an output")
        self.input_with_pull(value)

    def _set_when_changed(self, value: object) -> None:
        if value is not None:
            raise PinEdgeDetectUnsupported(f"edge detection is not supported on pin {self!r}")


class KernelFactory(LocalPiFactory):  # type: ignore[misc]  # gpiozero has no types
    """Makes the pins of one GPIO chip; `chip` is its number, `path` its device.

    Raises `gpiozero.PinUnknownPi` where this is no Raspberry Pi: of no other it knows the pins.
    """

    def __init__(self, chip: int, directory: Path = Path("/dev")) -> None:
        super().__init__()
        self._get_revision()
        self.chip = chip
        self.path = str(directory / f"gpiochip{chip}")
        self.pin_class = KernelPin

    def let_go(self, pin: int) -> None:
        """Give a pin's line back to the kernel as it is: see `KernelPin.let_go`."""
        self.pin(pin).let_go()
