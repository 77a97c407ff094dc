"""Any other luma device: one of luma's hardware drivers on the I2C bus, or one of luma.emulator's.

Each frame goes through its own `display(image)`. It may blank itself, flash or send more than it needs to.
"""

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from luma.core.error import DeviceDisplayModeError, Error

from appliance.core.canvas import Frame
from appliance.core.scene import Light
from appliance.devices.i2c import I2cSerial
from appliance.devices.images import to_image
from appliance.errors import UserError


def find_class(name: str) -> Any:
    """Return the device class named `package.module:Class`. Raises `UserError` when it cannot be imported."""
    module, _, attribute = name.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except Exception as error:  # a module may raise anything while it is imported
        raise UserError(
            f"display: driver: {name} cannot be imported ({error}); "
            "install the package that has it, or name another driver"
        ) from error


@contextmanager
def _bus_faults() -> Iterator[None]:
    """Translate luma's own exceptions: a size that the driver does not have, or a bus error."""
    try:
        yield
    except DeviceDisplayModeError as error:
        raise UserError(f"display: width and height do not suit the driver: {error}; change them") from error
    except Error as error:
        raise OSError(str(error)) from error


class AnyLuma:
    """A luma device of any class, imported and constructed when first needed and again after each failure.

    `name` is its class as `package.module:Class`. Methods that send raise `OSError` for bus errors,
    `UserError` for a class that cannot be imported or lacks this size, and whatever else the class raises.
    """

    def __init__(self, name: str, serial: I2cSerial, width: int, height: int, rotate: int) -> None:
        self._name = name
        self._serial = serial
        self._size = {"width": width, "height": height}
        self._mounted = rotate == 180
        self._device: Any = None
        self._image: Any = None
        self._frame: Frame | None = None
        self._light: Light | None = None

    def initialise(self, frame: Frame, light: Light, *, turned: bool) -> None:
        """Construct the device if it is not there, and show this frame in this light."""
        with _bus_faults():
            if self._device is None:
                self._device = self._construct()
        self._device.rotate = 2 if turned != self._mounted else 0
        self._frame = self._light = None
        self.update(frame, light)

    def update(self, frame: Frame, light: Light) -> None:
        """Show the frame and the light, each if it has changed."""
        with _bus_faults():
            if self._light is None or (frame, light.lower) != (self._frame, self._light.lower):
                self._image = self._fit(frame.lowered(light.lower))
                self._device.display(self._image)
            if light != self._light:
                self._set_light(light)
        self._frame, self._light = frame, light

    def was_reset(self) -> bool:
        """Return False: luma devices do not tell."""
        return False

    def touch_up(self) -> None:
        """Show the frame again. The device is not initialised again: that would flash."""
        with _bus_faults():
            self._device.display(self._image)

    def refresh(self) -> Iterator[None]:
        """Do the same as `touch_up`."""
        self.touch_up()
        yield

    def cleanup(self) -> None:
        """Release the device; the picture stays if the class allows it."""
        device, self._device = self._device, None
        if device is not None:
            device.cleanup()
        self._serial.cleanup()

    def _construct(self) -> Any:
        # luma's hardware drivers take a serial first; its emulators and dummies do not.
        cls = find_class(self._name)
        first = next(iter(inspect.signature(cls).parameters), "")
        if first == "serial_interface":
            # Probe first: luma keeps every device that it began until the program ends.
            self._serial.command()
            device = cls(self._serial, **self._size)
        else:
            device = cls(**self._size)
        device.persist = True
        return device

    def _set_light(self, light: Light) -> None:
        if light.on:
            self._device.contrast(light.contrast)
            self._device.show()
        else:
            self._device.hide()

    def _fit(self, frame: Frame) -> Any:
        image = to_image(frame)
        if image.size != self._device.size:
            image = image.crop((0, 0, *self._device.size))
        return image.convert(self._device.mode)
