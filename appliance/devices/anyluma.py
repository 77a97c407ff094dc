"""Any other luma device: one of luma's hardware drivers on the I2C bus, or one of luma.emulator's.

Each frame goes through its own `display(image)`. It may blank itself, flash or send more than it needs to.
"""

import inspect
import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from luma.core.device import device as luma_device
from luma.core.error import DeviceDisplayModeError, Error
from luma.core.interface.serial import noop
from PIL import Image

from appliance.core.canvas import Frame
from appliance.core.errors import UserError
from appliance.core.scene import Light
from appliance.devices.access import message
from appliance.devices.i2c import I2cSerial

# Those of luma's own drivers whose controllers have no I2C.
_SPI = re.compile(
    r"luma\.(lcd|led_matrix)\..*|luma\.oled\.device:(ssd13(22|22_nhd|25|31|51)|ws0010|winstar_weh)"
)


def to_image(frame: Frame) -> Image.Image:
    """Return a frame as a 1-bit image of the same size, a column at a time: no Python runs per pixel."""
    # A column of a frame, its pages from the top, is a row of the transposed image; "1;R" is lowest bit
    # first.
    columns = b"".join(frame.data[x :: frame.width] for x in range(frame.width))
    lying = Image.frombytes("1", (frame.height, frame.width), columns, "raw", "1;R")
    return lying.transpose(Image.Transpose.TRANSPOSE)


def find_class(name: str) -> Any:
    """Return the device class named `package.module:Class`.

    Raises `UserError` for what cannot be imported, is no display class, or takes no width and height.
    """
    module, _, attribute = name.partition(":")
    try:
        found: Any = getattr(import_module(module), attribute)
    except Exception as error:  # a module may raise anything while it is imported
        raise UserError(
            f"{name} cannot be imported ({message(error)}); install its package or name another"
        ) from error
    if not isinstance(found, type) or not issubclass(found, luma_device):
        raise UserError(f"{name} is no display class; name one of luma")
    parameters = inspect.signature(found).parameters
    if not any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()):
        missing = [size for size in ("width", "height") if size not in parameters]
        if missing:
            raise UserError(f"{name} takes no {' and no '.join(missing)}; name another class")
    return found


def check_class(name: str, width: int, height: int) -> None:
    """Raise `UserError` for a class that `find_class` rejects, that is not for I2C, or not of this size.

    A hardware driver is constructed over a bus that leads nowhere. An emulator is not: it may open a window.
    """
    cls = None if _SPI.fullmatch(name) else find_class(name)
    if cls and cls.__module__.startswith("luma.emulator."):
        return
    if not cls or not _takes_serial(cls):
        raise UserError(f"{name} is no display on the I2C bus, the only bus of the box; name another")
    try:
        _construct(name, cls, noop(), width, height)
    except UserError:
        raise
    except Exception as error:
        raise UserError(f"{name} cannot be constructed ({message(error)}); name another class") from error


class AnyLuma:
    """A luma device of any class, imported and constructed when first needed and again after each failure.

    `name` is its class as `package.module:Class`. Methods that send raise `OSError` for bus errors,
    `UserError` for a class that cannot be imported or lacks this size, and whatever else the class raises.
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
        with _bus_faults():
            if self._device is None:
                self._device = _construct(self._name, find_class(self._name), self._serial, *self._size)
            elif self._light is not None and not self._light.on:
                self._set_up_again()
        self._device.rotate = 2 if turned != self._rotated else 0
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

    def touch_up(self) -> None:
        """Set the device up again if it says that it was reset; otherwise that would only flash."""
        # All of luma.oled's controllers have the same status byte. What others answer to a read is unknown.
        if type(self._device).__module__.startswith("luma.oled.") and self._serial.says_off():
            with _bus_faults():
                self._set_up_again()
                self._show_again()

    def refresh(self) -> Iterator[None]:
        """Show the frame and the light again."""
        self.touch_up()
        with _bus_faults():
            self._show_again()
        yield

    def cleanup(self) -> None:
        """Release the device; the picture stays if the class allows it."""
        device, self._device = self._device, None
        if device is not None:
            device.cleanup()
        self._serial.cleanup()

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

    def _fit(self, frame: Frame) -> Any:
        image = to_image(frame)
        if image.size != self._device.size:
            image = image.crop((0, 0, *self._device.size))
        return image.convert(self._device.mode)


def _takes_serial(cls: Any) -> bool:
    """Return whether this is one of luma's hardware drivers: its emulators take no serial first."""
    return next(iter(inspect.signature(cls).parameters), "") == "serial_interface"


def _construct(name: str, cls: Any, serial: Any, width: int, height: int) -> Any:
    arguments = []
    if _takes_serial(cls):
        serial.command()  # probe first: luma keeps every device that it began until the program ends
        arguments = [serial]
    try:
        device = cls(*arguments, width=width, height=height)
    except DeviceDisplayModeError as error:
        raise UserError(
            f"{name} cannot be {width}x{height} ({message(error)}); name a class that can"
        ) from error
    device.persist = True  # otherwise luma hides the device when the program ends
    return device


@contextmanager
def _bus_faults() -> Iterator[None]:
    """Convert luma's own exceptions to `OSError`."""
    try:
        yield
    except Error as error:
        raise OSError(str(error)) from error
