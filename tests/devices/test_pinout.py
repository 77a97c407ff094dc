"""The header's GPIO chip, and the factory for it: with gpiozero old and new, lgpio old and new."""

import errno
import os
import struct
import sys
from types import ModuleType, SimpleNamespace
from unittest.mock import Mock

import pytest
from gpio_chip import PI_3B, descriptors
from gpiozero import Device, GPIOZeroError
from gpiozero.exc import PinInvalidPull, PinUnknownPi

from appliance.core.errors import UserError
from appliance.devices import pinout
from appliance.devices.access import NoAccess
from appliance.devices.kernelpins import KernelFactory, LineError

NEW_NAMES = {"SET_PULL_NONE": 128, "SET_PULL_UP": 32, "SET_PULL_DOWN": 64}  # of lgpio 0.2
OLD_NAMES = {"SET_BIAS_DISABLE": 128, "SET_BIAS_PULL_UP": 32, "SET_BIAS_PULL_DOWN": 64}  # of older ones


class LgpioError(Exception):
    """Like lgpio's own, a direct child of `Exception`."""


@pytest.fixture
def lgpio(monkeypatch):
    """Replaces lgpio and gpiozero's module for it. `made` lists the chips that were opened."""
    library, over = ModuleType("lgpio"), ModuleType("gpiozero.pins.lgpio")
    vars(library).update(NEW_NAMES, error=LgpioError, made=[], fault=None)

    def gpiochip_open(number):
        if library.fault:
            raise library.fault
        library.made.append(number)
        return 7

    class LGPIOFactory:
        def __init__(self, chip=None):
            """Like gpiozero 2.0.1 on a Pi 5, ignores the number that it is given."""
            self._handle = gpiochip_open(4)

    library.gpiochip_open = gpiochip_open
    over.LGPIOFactory = LGPIOFactory
    over.LGPIOPin = type("LGPIOPin", (), {})
    monkeypatch.delitem(sys.modules, "appliance.devices.lgpiopins", raising=False)
    monkeypatch.setitem(sys.modules, "lgpio", library)
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", over)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "lgpio")
    monkeypatch.setattr(Device, "pin_factory", None)
    return library


@pytest.fixture
def chips(tmp_path, monkeypatch):
    """A directory of chips: call it with pairs of a number and a label, or an error raised on opening."""
    errors, real_open, before = {}, os.open, descriptors()

    def fake_open(path, flags, *rest, **more):
        if error := errors.get(str(path)):
            raise error
        return real_open(path, flags, *rest, **more)

    def ioctl(descriptor, request, buffer):
        if request == pinout.GET_LINEINFO:
            _, _, line, *_ = pinout.LINEINFO.unpack(buffer)
            if line >= make.lines:
                raise OSError(errno.EINVAL, "Invalid argument")
            return pinout.LINEINFO.pack(b"", b"", line, 0, (1 << 2) | (line in make.held))
        assert (request, len(buffer)) == (pinout.CHIPINFO, pinout.CHIPINFO_SIZE)
        label = os.pread(descriptor, 32, 0)
        if label == b"no chip":
            raise OSError(errno.ENOTTY, "Inappropriate ioctl for device")
        return struct.pack("32s32sI", b"gpiochipX", label, 54)

    monkeypatch.setattr("os.open", fake_open)
    monkeypatch.setattr("fcntl.ioctl", ioctl)
    monkeypatch.setattr("grp.getgrnam", {}.__getitem__)

    def make(*labels):
        for number, label in labels:
            path = tmp_path / f"gpiochip{number}"
            path.touch()
            if isinstance(label, OSError):
                errors[str(path)] = label
            else:
                path.write_text(label)
        return tmp_path

    make.held, make.lines = set(), 54
    yield make
    assert descriptors() == before, "every chip was closed again"


DENIED = PermissionError(errno.EACCES, "Permission denied")
GONE = OSError(errno.ENODEV, "No such device")


@pytest.mark.parametrize(("there", "chosen"), [
    *(
        ([(0, "brcmstb"), (2, GONE), (3, "no chip"), (10, label), (9, "raspberrypi-exp-gpio")], 10)
        for label in pinout.HEADER_LABELS
    ),
    (
        [*((number, "gpio-brcmstb") for number in range(11, 15)), (15, "pinctrl-rp1")],
        15,
    ),  # a Pi 5 in 2026
    ([(0, GONE), (1, "gpio-sim"), (2, "another")], 1),  # no known label: the first that can be opened
    ([(0, "pinctrl-bcm2835"), (4, DENIED)], 0),
    ([], 0),
])  # fmt: skip
def test_the_header_is_found_by_its_label_whatever_its_number(chips, lgpio, there, chosen):
    directory = chips(*there)
    (directory / "gpiochipx").touch()
    factory = pinout.make_factory(directory)
    assert lgpio.made == [chosen]
    assert Device.pin_factory is factory


def test_the_lines_of_the_header_that_are_held(chips):
    assert pinout.held(chips()) == set(), "no chip"
    directory = chips((0, "brcmstb"), (4, "pinctrl-rp1"))
    assert pinout.held(directory) == set()
    chips.held = {5, 27, 40}
    assert pinout.held(directory) == {5, 27}, "40 is not on the header"
    chips.lines = 20
    assert pinout.held(directory) == set(), "not a Raspberry Pi's chip"
    assert pinout.held(chips((4, DENIED))) == set()


@pytest.fixture
def own(monkeypatch):
    """No factory is named, and this is a Pi."""
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setattr(KernelFactory, "_get_revision", lambda _self: PI_3B)


def test_without_a_name_the_pins_are_our_own_and_sound_through_lgpio_on_the_same_chip(
    chips, lgpio, own, monkeypatch
):
    directory = chips((0, "brcmstb"), (10, "pinctrl-rp1"))
    factory = pinout.make_factory(directory)
    assert isinstance(factory, KernelFactory)
    assert (factory.chip, factory.path) == (10, str(directory / "gpiochip10"))
    assert Device.pin_factory is factory
    assert lgpio.made == []
    pinout.sounding(factory)
    assert lgpio.made == [10]
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", None)
    with pytest.raises(
        ImportError,
        match=r"a passive one needs lgpio .*: on Raspberry Pi OS, install python3-lgpio; on the image",
    ):
        pinout.sounding(factory)
    other = SimpleNamespace()
    assert pinout.sounding(other) is other
    factory.close()


def test_without_a_chip_or_without_a_pi(chips, own, monkeypatch):
    with pytest.raises(
        UserError, match=r"through the kernel \(/.*/gpiochip0: No such file or directory\): .*simulate"
    ):
        pinout.make_factory(chips())

    unknown = PinUnknownPi("unable to locate Pi revision")
    monkeypatch.setattr(KernelFactory, "_get_revision", Mock(side_effect=unknown))
    with pytest.raises(UserError, match=r"through the kernel \(unable to locate Pi revision\).*simulate"):
        pinout.make_factory(chips((0, "INT34C5:00")))
    assert Device.pin_factory is None


@pytest.mark.parametrize("names", [NEW_NAMES, OLD_NAMES, NEW_NAMES | OLD_NAMES])
def test_an_old_gpiozero_finds_the_old_names_of_the_flags(chips, lgpio, names):
    """gpiozero 1.6.2 uses SET_BIAS_..., which lgpio 0.2 has renamed to SET_PULL_..."""
    for name in NEW_NAMES:
        delattr(lgpio, name)
    vars(lgpio).update(names)
    pinout.make_factory(chips())
    assert [getattr(lgpio, name) for name in OLD_NAMES] == [128, 32, 64]


def test_on_lgpio_an_input_with_a_pull_is_one_request_with_that_pull(chips, lgpio):
    calls = []
    lgpio.gpio_free = lambda *line: calls.append(("free", *line))
    lgpio.gpio_claim_input = lambda *line: calls.append(("claim", *line))
    pin = pinout.make_factory(chips()).pin_class()
    pin.factory, pin._number = SimpleNamespace(_handle=7), 17
    for pull in ("up", "down", "floating"):
        pin.input_with_pull(pull)
    assert calls[::2] == [("free", 7, 17)] * 3, "lgpio changes nothing on a line that it holds as an input"
    assert calls[1::2] == [("claim", 7, 17, flag) for flag in (32, 64, 128)]
    lgpio.gpio_free = Mock(side_effect=LgpioError("GPIO not allocated"))
    pin.input_with_pull("up")
    assert calls[-1] == ("claim", 7, 17, 32), "after a request that failed"
    with pytest.raises(PinInvalidPull):
        pin.input_with_pull("sideways")
    pin.close()
    assert calls.pop() == ("claim", 7, 17), "no flag: closed, it keeps its pull"
    pin.factory._handle = None
    pin.close()
    assert calls[-1] == ("claim", 7, 17, 32), "the chip was closed before: nothing more is asked"


@pytest.mark.parametrize(("fault", "says", "remedy"), [
    (LgpioError("can not open\ngpiochip"), "can not open gpiochip", "reboot"),
    (LgpioError(), "LgpioError", "reboot"),
    (GPIOZeroError("unknown revision"), "unknown revision", "reboot"),
    (OSError(errno.ENOENT, "no FIFO"), "[Errno 2] no FIFO", "reboot"),
    (ImportError("No module named 'lgpio'"), "No module named 'lgpio'", "install python3-lgpio"),
])  # fmt: skip
def test_what_the_libraries_raise_is_a_sentence(chips, lgpio, fault, says, remedy):
    lgpio.fault = fault
    with pytest.raises(UserError) as raised:
        pinout.make_factory(chips())
    assert str(raised.value) == (
        f"the pins cannot be reached through lgpio ({says}): on a Raspberry Pi, {remedy}; "
        'elsewhere, "tictactoe simulate" plays without pins'
    )
    assert Device.pin_factory is None


@pytest.mark.parametrize("first", [GONE, "some expander"])
def test_a_chip_that_may_not_be_opened_is_named_and_no_other_is_taken_for_the_header(chips, lgpio, first):
    directory = chips((0, first), (4, DENIED))
    with pytest.raises(NoAccess, match=r"permission denied on .*/gpiochip4: there is no group gpio: sudo"):
        pinout.make_factory(directory)
    assert lgpio.made == []


@pytest.mark.parametrize(("error", "says"), [
    (LgpioError("'GPIO busy'"), r"\('GPIO busy'\): end the program"),
    (GPIOZeroError("'GPIO busy'"), r"\('GPIO busy'\): end the program"),
    (LineError(16, "busy", "/dev/gpiochip0 line 5"), r"\(/dev/gpiochip0 line 5: busy\): end the program"),
])  # fmt: skip
def test_pins_that_another_program_uses_are_a_sentence_and_other_errors_stay(lgpio, error, says):
    with pytest.raises(UserError, match=says), pinout.pin_errors():
        raise error
    with pytest.raises(ImportError, match="no luma"), pinout.pin_errors():
        raise ImportError("no luma")
