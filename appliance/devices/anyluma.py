"""Any other luma device: one of luma's hardware drivers on the I2C bus, or one of luma.emulator's.

Each frame goes through its own `display(image)`. It may blank itself, flash or send more than it needs to.
"""

import inspect
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from PIL import Image

from appliance.core.errors import UserError
from appliance.core.picture.canvas import Frame
from appliance.core.picture.scene import Light
from appliance.devices.access import message
from appliance.devices.i2c import I2cSerial


def to_image(frame: Frame) -> Image.Image:
    """Return a frame as a 1-bit image of the same size, a column at a time: no Python runs per pixel."""
    # A column of a frame, its pages from the top, is a row of the transposed image; "1;R" is lowest bit
    # first.
    columns = b"".join(frame.data[x :: frame.width] for x in range(frame.width))
    lying = Image.frombytes("1", (frame.height, frame.width), columns, "raw", "1;R")
    return lying.transpose(Image.Transpose.TRANSPOSE)


def find_class(name: str) -> Any:
    """Return the class named `package.module:Class`. Raise `UserError` if it cannot be imported."""
    module, _, attribute = name.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except Exception as error:  # a module may raise anything while it is imported
        raise UserError(
            f"{name} cannot be imported ({message(error)}); install its package or name another"
        ) from error


class AnyLuma:
    """A luma device of any class, imported and constructed when first needed and again after each failure.

    `name` is its class as `package.module:Class`. Methods that send raise `OSError` for bus errors,
    `UserError` for a class that cannot be imported, and whatever else the class raises.
    """

    def __init__(self, name: str, serial: I2cSerial, width: int, height: int, rotate: int) -> None:
        self._name = name
        self._serial = serial
        self._size = width, height
        self._rotated = rotate == 180
        self._device: Any = None
        self._image: Any = None
        self._frame: Frame | None = None
        self._light: Light | None = None

    def initialise(self, frame: Frame, light: Light, *, turned: bool) -> None:
        """Construct the device if it is not there, and show this frame in this light.

        A device that was dark is set up again: it may have been reset meanwhile.
        """
        if self._device is None:
            self._construct(find_class(self._name))
        elif self._light is not None and not self._light.on:
            self._set_up_again()
        self._device.rotate = 2 if turned != self._rotated else 0
        self._frame = self._light = None
        self.update(frame, light)

    def update(self, frame: Frame, light: Light) -> None:
        """Show the frame and the light, each if it has changed."""
        if self._light is None or (frame, light.lower) != (self._frame, self._light.lower):
            self._image = to_image(frame.lowered(light.lower)).convert(self._device.mode)
            self._device.display(self._image)
        if light != self._light:
            self._set_light(light)
        self._frame, self._light = frame, light

    def touch_up(self) -> None:
        """Set the device up again if it reports a reset; at any other time it would only flash."""
        # All of luma.oled's controllers have the same status byte. What others answer to a read is unknown.
        if type(self._device).__module__.startswith("luma.oled.") and self._serial.says_off():
            self._set_up_again()
            self._show_again()

    def refresh(self) -> Iterator[None]:
        """Show the frame and the light again."""
        self.touch_up()
        self._show_again()
        yield

    def cleanup(self) -> None:
        """Release the device; the picture stays if the class allows it."""
        device, self._device = self._device, None
        if device is not None:
            device.cleanup()
        self._serial.cleanup()

    def _construct(self, cls: Any) -> None:
        arguments = []
        if _takes_serial(cls):
            self._serial.command()  # probe first: luma keeps each device that it began until the program ends
            arguments = [self._serial]
        self._device = cls(*arguments, width=self._size[0], height=self._size[1])
        self._device.persist = True  # otherwise luma hides the device when the program ends

    def _set_up_again(self) -> None:
        """Let the class initialise its chip again. An emulator has none."""
        cls, rotate = type(self._device), self._device.rotate
        if _takes_serial(cls):
            # On the same object: luma keeps each new device until the program ends.
            cls.__init__(self._device, self._serial, width=self._size[0], height=self._size[1])
            self._device.persist, self._device.rotate = True, rotate

    def _show_again(self) -> None:
        self._device.display(self._image)
        self._set_light(self._light or Light())

    def _set_light(self, light: Light) -> None:
        if light.on:
            self._device.contrast(light.contrast)
            self._device.show()
        else:
            self._device.hide()


def _takes_serial(cls: Any) -> bool:
    """Return whether this is one of luma's hardware drivers: its emulators take no serial first."""
    return next(iter(inspect.signature(cls).parameters), "") == "serial_interface"
