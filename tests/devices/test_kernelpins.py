"""gpiozero's pins on the kernel's GPIO chip: each change in one call, byte by byte; faults; edges."""

import ctypes
import errno
import tempfile
from pathlib import Path

import gpio_chip
import pytest
from gpio_chip import DISABLED, DOWN, FALLING, INPUT, OUTPUT, RISING, UP, Chip
from gpiozero import LED, PWMLED, Button, GPIOPinInUse
from gpiozero.exc import (
    PinEdgeDetectUnsupported,
    PinFixedPull,
    PinInvalidEdges,
    PinInvalidFunction,
    PinInvalidPull,
    PinPWMUnsupported,
    PinSetInput,
    PinUnknownPi,
)
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from appliance.devices import lines
from appliance.devices.kernelpins import KernelFactory
from appliance.devices.lines import Line, LineError

ROWS, COLUMNS = (17, 27, 22), (5, 6, 13)
BIASES = {"up": UP, "down": DOWN, "floating": DISABLED}
EDGES = {"none": 0, "rising": RISING, "falling": FALLING, "both": RISING | FALLING}
EIO = gpio_chip.error(errno.EIO)


def fail(*_):
    raise EIO


@pytest.fixture
def chip(monkeypatch, tmp_path):
    with Chip(tmp_path / "gpiochip0").in_place(monkeypatch) as chip:
        yield chip


@pytest.fixture
def factory(chip):
    factory = KernelFactory(0, chip.path.parent)
    yield factory
    factory.close()
    factory.close()


def test_the_numbers_and_sizes_are_those_of_the_kernels_header():
    requests = ("GET_LINE", "LINE_SET_CONFIG", "LINE_GET_VALUES", "LINE_SET_VALUES")
    assert [getattr(lines, f"GPIO_V2_{name}_IOCTL") for name in requests] == [
        gpio_chip.GET_LINE, gpio_chip.SET_CONFIG, gpio_chip.GET_VALUES, gpio_chip.SET_VALUES,
    ]  # fmt: skip
    assert ctypes.sizeof(gpio_chip.Request) == lines.REQUEST.size == 592
    assert ctypes.sizeof(gpio_chip.Config) == lines.CONFIG.size == 272
    assert ctypes.sizeof(gpio_chip.Values) == lines.VALUES.size == 16
    assert ctypes.sizeof(gpio_chip.Event) == lines.EVENT.size == 48


def test_without_a_pi_the_factory_says_so(monkeypatch):
    def unknown(_self):
        raise PinUnknownPi("no revision")

    monkeypatch.setattr(KernelFactory, "_get_revision", unknown)
    with pytest.raises(PinUnknownPi, match="no revision"):
        KernelFactory(0)


CHANGES = [  # what is done to a new pin, what the kernel is asked for, what the pin is then
    (lambda _pin: None, [], ("input", "floating", False)),
    (lambda pin: pin.output_with_state(0), [(OUTPUT, False)], ("output", "floating", False)),
    (lambda pin: pin.output_with_state(True), [(OUTPUT, True)], ("output", "floating", True)),
    (lambda pin: pin.input_with_pull("up"), [(INPUT | UP, False)], ("input", "up", True)),
    (lambda pin: pin.input_with_pull("down"), [(INPUT | DOWN, False)], ("input", "down", False)),
    (lambda pin: setattr(pin, "pull", "floating"), [(INPUT | DISABLED, False)], ("input", "floating", False)),
    (lambda pin: setattr(pin, "function", "output"), [(OUTPUT, False)], ("output", "floating", False)),
    (
        lambda pin: setattr(pin, "when_changed", print),
        [(INPUT | RISING | FALLING, False)],
        ("input", "floating", False),
    ),
]


@pytest.mark.parametrize(("change", "asked", "becomes"), CHANGES)
def test_each_change_is_one_call(chip, factory, change, asked, becomes):
    pin = factory.pin(17)
    assert chip.changes == [(17, INPUT, False)], "an input whose bias is left alone"
    change(pin)
    assert chip.changes[1:] == [(17, *call) for call in asked]
    assert (pin.function, pin.pull, pin.state) == becomes
    assert factory.pin(17) is pin


@pytest.mark.parametrize(
    ("attribute", "value", "error"),
    [
        ("state", True, PinSetInput),
        ("pull", "sideways", PinInvalidPull),
        ("function", "analogue", PinInvalidFunction),
        ("edges", "sharp", PinInvalidEdges),
        ("frequency", 440, PinPWMUnsupported),
        ("bounce", 0.1, PinEdgeDetectUnsupported),
    ],
)
def test_what_a_pin_cannot_be_is_refused_before_the_kernel_is_asked(chip, factory, attribute, value, error):
    pin = factory.pin(5)
    chip.changes.clear()
    with pytest.raises(error):
        setattr(pin, attribute, value)
    pin.frequency = pin.when_changed = pin.bounce = None
    assert chip.changes == []


def test_an_output_has_no_pull_and_the_pull_ups_on_the_board_stay(factory):
    output = factory.pin(17)
    output.function = "output"
    with pytest.raises(PinFixedPull, match="output"):
        output.pull = "up"
    for number in (2, 3):
        pin = factory.pin(number)
        pin.pull = "up"
        for pull in ("down", "floating"):
            with pytest.raises(PinFixedPull, match=f"GPIO{number}"):
                pin.pull = pull


@pytest.mark.parametrize("fault", [None, EIO])
def test_a_closed_pin_is_released_even_if_it_cannot_be_made_an_input(chip, factory, fault):
    pin = factory.pin(17)
    pin.output_with_state(True)
    if fault:
        chip.fails["config"] = fault
        with pytest.raises(LineError):
            pin.close()
    else:
        pin.close()
        assert chip.changes[-1] == (17, INPUT, False), "a released line may stay what it is"
    assert chip.held() == set()
    pin.close()
    assert not pin.state, "used again"
    assert chip.held() == {17}


@pytest.mark.parametrize(
    ("fault", "call", "says"),
    [
        ("config", lambda pin: pin.output_with_state(True), "Input/output error"),
        ("levels", lambda pin: pin.state, "Input/output error"),
        ("set", lambda pin: setattr(pin, "state", 1), "Input/output error"),
    ],
)
def test_a_fault_names_chip_and_line_and_the_line_is_still_held(chip, factory, fault, call, says):
    pin = factory.pin(17)
    pin.output_with_state(False)
    chip.fails[fault] = EIO
    with pytest.raises(LineError, match=rf"{says}.*gpiochip0 line 17"):
        call(pin)
    call(pin)
    assert chip.held() == {17}


def test_lines_that_cannot_be_had(chip, factory):
    held = Line(str(chip.path), 17, INPUT)
    with pytest.raises(LineError, match=r"busy.*line 17"):
        factory.pin(17)
    with pytest.raises(LineError, match="not permitted"):
        held.write(True)
    held.close()
    held.close()
    with pytest.raises(LineError, match="Bad file descriptor"):
        held.read()
    with pytest.raises(LineError, match="Bad file descriptor"):
        held.events()
    with pytest.raises(LineError, match="Invalid argument"):
        Line(str(chip.path), 5, INPUT | UP | DOWN)
    chip.path.unlink()
    with pytest.raises(LineError, match=r"No such file.*line 5"):
        Line(str(chip.path), 5, INPUT)


def test_gpiozeros_own_devices_work_on_it(chip, factory):
    with LED(25, pin_factory=factory) as led:
        led.on()
        assert chip.lines[25].level
        with pytest.raises(GPIOPinInUse):
            LED(25, pin_factory=factory)
    assert not chip.lines[25].flags & OUTPUT
    with pytest.raises(PinPWMUnsupported):
        PWMLED(12, pin_factory=factory)
    presses = []
    with Button(16, pin_factory=factory) as button:
        button.when_pressed = lambda: presses.append("pressed")
        button.when_released = lambda: presses.append("released")
        for level in (False, True, False):
            chip.drive(16, level)
            factory.dispatch()
        assert presses == ["pressed", "released", "pressed"]


# --- any order


class Pins(RuleBasedStateMachine):
    """Three pins, used in any order: what a pin says of itself is what the line is, whatever came before."""

    def __init__(self):
        super().__init__()
        self.patch = pytest.MonkeyPatch()
        self.directory = tempfile.TemporaryDirectory()
        chip = Chip(Path(self.directory.name) / "gpiochip0")
        self.place = chip.in_place(self.patch)
        self.chip = self.place.__enter__()
        self.factory = KernelFactory(0, chip.path.parent)

    def teardown(self):
        self.factory.close()
        self.place.__exit__(None, None, None)
        self.patch.undo()
        self.directory.cleanup()

    def changed(self, _ticks, _state):
        return

    pins = st.sampled_from([5, 17, 22])

    @rule(number=pins, state=st.booleans())
    def output(self, number, state):
        self.factory.pin(number).output_with_state(state)
        assert self.chip.lines[number].value == state

    @rule(number=pins, pull=st.sampled_from(list(BIASES)))
    def pulled(self, number, pull):
        self.factory.pin(number).input_with_pull(pull)
        assert self.chip.lines[number].flags & ~(RISING | FALLING) == INPUT | BIASES[pull]

    @rule(number=pins, function=st.sampled_from(["input", "output"]))
    def function(self, number, function):
        self.factory.pin(number).function = function

    @rule(number=pins, edges=st.sampled_from(list(EDGES)), watched=st.booleans())
    def watch(self, number, edges, watched):
        pin = self.factory.pin(number)
        pin.edges = edges
        pin.when_changed = self.changed if watched else None

    @rule(number=pins, state=st.booleans())
    def write(self, number, state):
        pin = self.factory.pin(number)
        if pin.function == "output":
            pin.state = state
            assert self.chip.lines[number].value == state
        else:
            with pytest.raises(PinSetInput):
                pin.state = state

    @rule(number=pins, level=st.booleans())
    def outside(self, number, level):
        self.chip.drive(number, level)
        self.factory.wake()
        self.factory.dispatch()

    @rule(number=pins)
    def end(self, number):
        self.factory.pin(number).close()
        assert number not in self.chip.held()

    @rule(number=pins, what=st.sampled_from(["request", "config"]))
    def fault(self, number, what):
        pin = self.factory.pin(number)
        self.chip.fails[what] = EIO
        if (number in self.chip.held()) == (what == "config"):
            with pytest.raises(LineError):
                pin.output_with_state(False)
            pin.output_with_state(False)
        self.chip.fails.clear()

    @invariant()
    def a_pin_is_what_it_says(self):
        for pin in self.factory.pins.values():
            line = self.chip.lines[pin._number]
            if line.fd is None:
                continue
            assert pin.function == ("output" if line.flags & OUTPUT else "input")
            assert pin.state == line.level
            watched = pin.when_changed is not None and line.flags & INPUT
            assert line.flags & (RISING | FALLING) == (EDGES[pin.edges] if watched else 0)


TestPins = Pins.TestCase
TestPins.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
