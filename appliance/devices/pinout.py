"""The Pi's header: find its GPIO chip and make the gpiozero factory that drives it."""

import os
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from appliance.core.errors import UserError
from appliance.core.keys.pins import PINS
from appliance.devices.access import NoAccess, message, refusal

CHIPINFO = 0x8044B401  # GPIO_GET_CHIPINFO_IOCTL in the kernel's linux/gpio.h
CHIPINFO_SIZE = 68  # name[32], label[32], u32 lines
GET_LINEINFO = 0xC100B405  # GPIO_V2_GET_LINEINFO_IOCTL
# struct gpio_v2_line_info: name, consumer; offset, count of attributes, flags; attributes and padding
LINEINFO = struct.Struct("=32s32sIIQ176x")
USED = 1 << 0  # GPIO_V2_LINE_FLAG_USED

# The kernel's labels of the chip whose lines are on the header: Pi 0 to 3, 4, 5.
HEADER_LABELS = ("pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1")


def gpio_chips(directory: Path = Path("/dev")) -> Iterator[tuple[int, str | None]]:
    """Yield the number and label of each GPIO chip, by number; without permission the label is None."""
    import fcntl  # noqa: PLC0415 - missing on some systems that simulate

    names = (path.name.removeprefix("gpiochip") for path in directory.glob("gpiochip*"))
    for number in sorted(int(text) for text in names if text.isdecimal()):
        try:
            descriptor = os.open(directory / f"gpiochip{number}", os.O_RDWR | os.O_CLOEXEC)
        except PermissionError:
            yield number, None
            continue
        except OSError:
            continue
        try:
            info = fcntl.ioctl(descriptor, CHIPINFO, bytes(CHIPINFO_SIZE))
        except OSError:
            continue
        finally:
            os.close(descriptor)
        yield number, info[32:64].split(b"\0")[0].decode(errors="replace")


def board_name(tree: Path = Path("/proc/device-tree")) -> str:
    """Return this machine's name, "" if it has none."""
    try:
        return (tree / "model").read_text("utf-8", "replace").strip("\0\n")
    except OSError:
        return ""


def header_number(directory: Path = Path("/dev")) -> int:
    """Return the number of the header's chip, or of the first chip if no label is known.

    On a Pi 5 the number has changed between kernels; the label has not. Raise `NoAccess` if it may be a chip
    that this process has no permission to open.
    """
    chips = list(gpio_chips(directory))
    for number, label in chips:
        if label in HEADER_LABELS:
            return number
    for number, label in chips:
        if label is None:
            raise NoAccess(refusal(directory / f"gpiochip{number}", "gpio"))
    return chips[0][0] if chips else 0


def held(directory: Path = Path("/dev")) -> set[int]:
    """Return the header's lines that a program or the kernel holds; none if its chip cannot be asked."""
    import fcntl  # noqa: PLC0415 - missing on some systems that simulate

    with suppress(OSError, NoAccess), (directory / f"gpiochip{header_number(directory)}").open("rb") as chip:
        infos = [fcntl.ioctl(chip.fileno(), GET_LINEINFO, LINEINFO.pack(b"", b"", pin, 0, 0)) for pin in PINS]
        return {pin for pin, info in zip(PINS, infos, strict=True) if LINEINFO.unpack(info)[-1] & USED}
    return set()


def make_factory(directory: Path = Path("/dev")) -> Any:
    """Return the pin factory that $GPIOZERO_PIN_FACTORY names, by default our own on the kernel's device.

    There is no fallback: a factory that needs root, or polls, would be a surprise. Raise `UserError` if the
    factory is unavailable (no such library, no Pi), `NoAccess` if there are chips but no permission.
    """
    from gpiozero import Device, GPIOZeroError  # noqa: PLC0415 - 90 ms that only real pins need

    from appliance.devices.kernelpins import KernelFactory  # noqa: PLC0415 - missing on some that simulate

    name = os.environ.get("GPIOZERO_PIN_FACTORY", "")
    try:
        if name in {"", "lgpio"}:
            number = header_number(directory)
            Device.pin_factory = _lgpio_factory(number) if name else KernelFactory(number, directory)
        else:
            Device.pin_factory = Device._default_pin_factory()  # noqa: SLF001 - gpiozero 1.6 has no other way
    except (OSError, ImportError, GPIOZeroError, *_lgpio_errors()) as error:
        remedy = "install python3-lgpio" if isinstance(error, ImportError) else "reboot"
        raise UserError(
            f"the pins cannot be reached through {name or 'the kernel'} ({message(error)}): "
            f'on a Raspberry Pi, {remedy}; elsewhere, "tictactoe simulate" plays without pins'
        ) from error
    return Device.pin_factory


def sounding(factory: Any) -> Any:
    """Return a factory whose pins have PWM: lgpio's on the same chip for our own, any other unchanged.

    A tone needs a thread that toggles the pin. lgpio's is in C, so the tone does not stutter while the engine
    thinks. Not the kernel's PWM: only root may write to it, /sys is read-only in the service, the device tree
    would take its pins from every box, and Debian has no driver for a Pi 5's. Raise `ImportError`, with the
    remedy, if lgpio is not installed.
    """
    from appliance.devices.kernelpins import KernelFactory  # noqa: PLC0415 - loads gpiozero

    if not isinstance(factory, KernelFactory):
        return factory
    try:
        return _lgpio_factory(factory.chip)
    except ImportError as error:
        remedy = (
            "on Raspberry Pi OS, install python3-lgpio; "
            'on the image, use an active one, and write "kind: active" under "sound:"'
        )
        raise ImportError(f"a passive one needs lgpio ({error}): {remedy}") from error


def _lgpio_factory(number: int) -> Any:
    """Return gpiozero's lgpio factory for the chip of this number."""
    import lgpio  # noqa: PLC0415 - only if it is used
    from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415 - as above

    # gpiozero 1.6, Debian's version, uses three flags of lgpio by names that lgpio 0.2 has dropped.
    renamed = {"BIAS_DISABLE": "PULL_NONE", "BIAS_PULL_UP": "PULL_UP", "BIAS_PULL_DOWN": "PULL_DOWN"}
    for old, new in renamed.items():
        if not hasattr(lgpio, f"SET_{old}"):
            setattr(lgpio, f"SET_{old}", getattr(lgpio, f"SET_{new}"))
    from appliance.devices.lgpiopins import LgpioPin  # noqa: PLC0415 - as above

    class HeaderFactory(LGPIOFactory):  # type: ignore[misc]  # gpiozero has no types
        """Opens the given chip; gpiozero 2.0.1's own opens chip 4 on every Pi 5, and 0 elsewhere."""

        def __init__(self) -> None:
            super(LGPIOFactory, self).__init__()
            self._handle = lgpio.gpiochip_open(number)
            self._chip = number
            self.pin_class = LgpioPin

    return HeaderFactory()


@contextmanager
def pin_errors() -> Iterator[None]:
    """Convert errors of pins that exist but cannot be used to `UserError`."""
    from gpiozero import GPIOZeroError  # noqa: PLC0415 - loaded by now

    from appliance.devices.kernelpins import LineError  # noqa: PLC0415 - missing on some systems that simulate

    try:
        yield
    except (GPIOZeroError, LineError, *_lgpio_errors()) as error:
        raise UserError(
            f"the pins cannot be used ({message(error)}): end the program that uses them, "
            "or name other pins in the configuration"
        ) from error


def _lgpio_errors() -> tuple[type[Exception], ...]:
    """Return lgpio's exception, a direct child of `Exception`, if lgpio has been loaded."""
    error = getattr(sys.modules.get("lgpio"), "error", None)
    return () if error is None else (error,)
