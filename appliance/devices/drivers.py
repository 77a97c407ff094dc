"""What can be known of a display class without a display: whether it exists and can have this size."""

import inspect
from importlib import import_module
from typing import Any


def check_class(name: str, width: int, height: int) -> None:
    """Return if the luma device class `package.module:Class` looks usable at this size.

    A hardware driver is constructed over a bus that leads nowhere. Raise `ValueError` with a sentence for a
    class that cannot be imported, is no display class, takes no width and height, or rejects these.
    """
    from luma.core.error import DeviceDisplayModeError  # noqa: PLC0415 - costs 100 ms on a small machine
    from luma.core.interface.serial import noop  # noqa: PLC0415 - likewise

    module, _, attribute = name.partition(":")
    try:
        found: Any = getattr(import_module(module), attribute)
    except Exception as error:  # a stranger's module may raise anything
        raise ValueError(
            f"{name} cannot be imported ({_told(error)}); install its package or name another"
        ) from error
    if not isinstance(found, type) or not callable(getattr(found, "display", None)):
        raise ValueError(f"{name} is no display class; name one of luma")  # noqa: TRY004 - a wrong word
    parameters = inspect.signature(found).parameters
    if not any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()):
        missing = [size for size in ("width", "height") if size not in parameters]
        if missing:
            raise ValueError(f"{name} takes no {' and no '.join(missing)}; name another class")
    if next(iter(parameters), "") != "serial_interface":
        return  # an emulator: constructing it could open a window
    try:
        device = found(noop(), width=width, height=height)
    except DeviceDisplayModeError as error:
        raise ValueError(
            f"{name} cannot be {width}x{height} ({_told(error)}); name a class that can"
        ) from error
    except Exception as error:
        raise ValueError(f"{name} cannot be constructed ({_told(error)}); name another class") from error
    device.persist = True  # luma hides every device when the program ends


def _told(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
