"""The Pi's header: which GPIO chip of the kernel it is, and the gpiozero factory that drives it."""

import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from appliance.errors import UserError

CHIPINFO = 0x8044B401  # GPIO_GET_CHIPINFO_IOCTL in the kernel's linux/gpio.h
CHIPINFO_SIZE = 68  # name[32], label[32], u32 lines

# How the kernel labels the chip whose lines are on the header: Pi 0 to 3, 4, 5.
HEADER_LABELS = ("pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1")


class GpioChip(NamedTuple):
    """One GPIO chip of the kernel's: its number, what it is, how many lines it has."""

    number: int
    label: str
    lines: int


def gpio_chips(directory: Path = Path("/dev")) -> Iterator[GpioChip]:
    """Yield the GPIO chips that can be opened, by number."""
    import fcntl  # noqa: PLC0415 - not there on every system that simulates

    numbers = (path.name.removeprefix("gpiochip") for path in directory.glob("gpiochip*"))
    for number in sorted(int(text) for text in numbers if text.isdecimal()):
        try:
            descriptor = os.open(directory / f"gpiochip{number}", os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            continue
        try:
            info = fcntl.ioctl(descriptor, CHIPINFO, bytes(CHIPINFO_SIZE))
        except OSError:
            continue
        finally:
            os.close(descriptor)
        _name, label, lines = struct.unpack("32s32sI", info)
        yield GpioChip(number, label.split(b"\0")[0].decode(errors="replace"), lines)


def header_chip(directory: Path = Path("/dev")) -> GpioChip | None:
    """Return the chip of the header. Its number has changed between kernels on a Pi 5; its label has not."""
    return next((chip for chip in gpio_chips(directory) if chip.label in HEADER_LABELS), None)


def make_factory(directory: Path = Path("/dev")) -> Any:
    """Return the pin factory: the one that $GPIOZERO_PIN_FACTORY names, or lgpio's.

    No other is fallen back on: one that needs root, or polls, would be a surprise. Raise `UserError` when the
    factory cannot be had: no such library, no Pi, no permission.
    """
    from gpiozero import Device, GPIOZeroError  # noqa: PLC0415 - 90 ms that only real pins need

    name = os.environ.setdefault("GPIOZERO_PIN_FACTORY", "lgpio")
    try:
        if name != "lgpio":
            Device.pin_factory = Device._default_pin_factory()  # noqa: SLF001 - gpiozero 1.6 has no other way
            return Device.pin_factory
        from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415 - only where lgpio is meant

        _give_old_names()
        chip = header_chip(directory)
        # Where no chip has a known label, gpiozero's own guess is as good as ours.
        factory = LGPIOFactory(chip=chip.number) if chip else LGPIOFactory()
    except (OSError, ImportError, GPIOZeroError, _lgpio_error()) as error:
        told = " ".join(str(error).split()) or type(error).__name__
        raise UserError(
            f"the pins cannot be reached through {name} ({told}): on a Raspberry Pi, install python3-lgpio "
            'and be in the group gpio; elsewhere, "tictactoe simulate" plays without pins'
        ) from error
    Device.pin_factory = factory
    return factory


def _give_old_names() -> None:
    """Let gpiozero 1.6, which is Debian's, work with lgpio 0.2, which renamed three flags."""
    import lgpio  # noqa: PLC0415 - gpiozero has loaded it by now

    for old, new in (
        ("BIAS_DISABLE", "PULL_NONE"),
        ("BIAS_PULL_UP", "PULL_UP"),
        ("BIAS_PULL_DOWN", "PULL_DOWN"),
    ):
        if not hasattr(lgpio, f"SET_{old}"):
            setattr(lgpio, f"SET_{old}", getattr(lgpio, f"SET_{new}"))


def _lgpio_error() -> type[Exception]:
    """Return lgpio's own exception, which derives from nothing but `Exception`."""
    try:
        import lgpio  # noqa: PLC0415 - may not be there
    except Exception:  # noqa: BLE001 - whatever it is, importing it again in `make_factory` has told it
        return ImportError
    error: type[Exception] = getattr(lgpio, "error", ImportError)  # an empty namespace has none
    return error
